import type { Told } from '../../src-shared/model.ts'
import { momentMark, writeMarks } from '../../src-shared/moments.ts'
import { timeIn } from './names.ts'
import type { Rules } from './state.ts'

export type Words = Pick<Told, 'title' | 'body'> & { moments: NonNullable<Told['moments']> }

/** An instant in words that `spoken` is given; no name has its marks (names.ts). */
export const moment = momentMark

/** Words as they are told: instants by the operator's setting, and where each stands, so that a window may write it by its own clock. */
export function spoken(words: { title: string; body: string }, now: number, { utc }: Pick<Rules, 'utc'>): Words {
  const moments: Words['moments'] = []
  const plain = (part: 'title' | 'body') => {
    let grown = 0
    return writeMarks(words[part], (at, index, mark) => {
      const text = timeIn(at, now, utc)
      moments.push({ part, from: index + grown, to: index + grown + text.length, at })
      grown += text.length - mark.length
      return text
    })
  }
  return { title: plain('title'), body: plain('body'), moments }
}
