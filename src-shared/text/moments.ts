import type { Notification } from '../model/inventory.ts'

type Part = 'title' | 'body'

/** Stand around an instant in words that are made for somebody who writes it by a clock of his own; no name has them. */
const [begin, end] = ['\uE000', '\uE001']
const marked = /\uE000(\d+)\uE001/gu

/** An instant in such words. */
export const momentMark = (at: number): string => `${begin}${Math.max(0, Math.round(at))}${end}`

/** Such words with each instant written. `write` hears where it stands, too. */
export function writeMarks(text: string, write: (at: number, index: number, mark: string) => string): string {
  return text.replaceAll(marked, (mark: string, digits: string, index: number) => write(Number(digits), index, mark))
}

/** A title or a body with each instant in it written anew; one that was kept without its instants stays as it is. */
export function withMoments(
  { title, body, moments = [] }: Pick<Notification, Part | 'moments'>,
  part: Part,
  write: (at: number) => string,
): string {
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
