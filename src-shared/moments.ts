import type { Told } from './model.ts'

type Part = 'title' | 'body'

/** A title or a body with each instant in it written anew; one that was kept without its instants stays as it is. */
export function withMoments({ title, body, moments = [] }: Pick<Told, Part | 'moments'>, part: Part, write: (at: number) => string): string {
  const text = part === 'title' ? title : body
  let done = 0
  let written = ''
  for (const { from, to, at } of moments.filter((moment) => moment.part === part)) {
    if (from < done || to < from || to > text.length) return text
    written += text.slice(done, from) + write(at)
    done = to
  }
  return written + text.slice(done)
}
