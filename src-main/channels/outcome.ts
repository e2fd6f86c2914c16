import { z } from 'zod'
import { explain, type Fault } from '../../src-shared/model/fault.ts'

/**
 * The result of an attempt. `sent`: to these. `later`: it may succeed when it is tried again, not before `waitMs` (null: the usual time); `to`: who
 * has it already. `never`: it would be rejected again, for mail by the addresses that are not in `to`. `reason`: a sentence that is safe to show.
 */
export type Outcome =
  | { is: 'sent'; to: string[]; reason: string }
  | { is: 'later'; to: string[]; reason: string; waitMs: number | null }
  | { is: 'never'; to: string[]; reason: string }

/** Why a message is not sent, as sentences. */
export const reasons = {
  newer: 'A newer message about it took its place.',
  over: 'It was over before the channel was due.',
  ended: 'It is over. Nothing was sent again.',
  off: 'Notifications of this kind were switched off.',
  removed: 'The channel was removed.',
  switchedOff: 'The channel was switched off.',
  moved: 'The places of the channel have changed.',
  nobody: 'No member of the team that has the secret of this channel is here now.',
} as const

/** The longest part of a server's own words that is kept, in characters. */
const longestReply = 200

/** Returns the words of a JSON answer, as PagerDuty, ServiceNow and Microsoft put them; other text as it is. */
export function wordsOf(reply: string): string {
  const error = z.object({ message: z.string(), errors: z.array(z.string()).catch([]) })
  try {
    const value: unknown = JSON.parse(reply)
    const read = error.or(z.object({ error }).transform((one) => one.error)).safeParse(value)
    return read.success ? [read.data.message, ...read.data.errors].join(', ') : reply
  } catch {
    return reply
  }
}

/** Returns a server's words for a sentence: on one line, short, and without these secrets. */
export function replyText(reply: string, secrets: readonly string[]): string {
  // JSON may write a slash so.
  const plain = reply.replaceAll('\\/', '/')
  const covered = secrets
    .filter((secret) => secret.length > 3)
    .reduce((text, secret) => text.replaceAll(secret, '•••'), plain)
  const line = covered
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > longestReply ? `${line.slice(0, longestReply)}…` : line
}

/** Returns a fault of the network as a sentence, with its particulars. */
export const faultReason = (fault: Fault): string => {
  const { title } = explain(fault)
  return fault.detail === '' ? title : `${title} (${fault.detail})`
}
