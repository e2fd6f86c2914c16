import type { Told } from '../../src-shared/model.ts'
import { timeIn } from './names.ts'
import type { Rules } from './state.ts'

export type Words = Pick<Told, 'title' | 'body'> & { moments: NonNullable<Told['moments']> }

/** Stand around an instant while words are made; no name has them (names.ts). */
const [begin, end] = ['\uE000', '\uE001']
const marked = /\uE000(\d+)\uE001/gu

/** An instant in words that `spoken` is given. */
export const moment = (at: number): string => `${begin}${Math.max(0, Math.round(at))}${end}`

/** Words as they are told: instants by the operator's setting, and where each stands, so that a window may write it by its own clock. */
export function spoken(words: { title: string; body: string }, now: number, { utc }: Pick<Rules, 'utc'>): Words {
  const moments: Words['moments'] = []
  const plain = (part: 'title' | 'body') => {
    let grown = 0
    return words[part].replaceAll(marked, (mark: string, digits: string, index: number) => {
      const at = Number(digits)
      const text = timeIn(at, now, utc)
      moments.push({ part, from: index + grown, to: index + grown + text.length, at })
      grown += text.length - mark.length
      return text
    })
  }
  return { title: plain('title'), body: plain('body'), moments }
}
