import { momentMark, writeMarks } from '../../src-shared/text/moments.ts'
import { timeText } from '../../src-shared/text/names.ts'
import type { Message } from '../incidents/message.ts'
import type { AlertRules } from '../incidents/engine/rules.ts'

/** An instant in words that `spoken` is given; no name has its marks (names.ts). */
export const moment = momentMark

/** Words as they are told: instants by the operator's setting, and where each stands, so that a window may write it by its own clock. */
export function formatMessage(
  message: { title: string; body: string },
  now: number,
  { utc }: Pick<AlertRules, 'utc'>,
): Message {
  const moments: Message['moments'] = []
  const plain = (part: 'title' | 'body') => {
    let grown = 0
    return writeMarks(message[part], (at, index, mark) => {
      const text = timeText(at, now, utc)
      moments.push({ part, from: index + grown, to: index + grown + text.length, at })
      grown += text.length - mark.length
      return text
    })
  }
  return { title: plain('title'), body: plain('body'), moments }
}
