import type { TeamHandover } from '../../../src-shared/model/handovers.ts'
import { many } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'
import { atStart, nameText } from './words.ts'

/** Returns the handovers to this operator that are not accepted yet. */
export const waitingFor = (handovers: readonly TeamHandover[], self: string | null): TeamHandover[] =>
  handovers.filter(({ to, accepted }) => to === self && accepted === null)

/** Returns for example "Ann hands over to you, 05:30"; '' where none waits. `waiting`: the newest first. */
export function noticeText(waiting: readonly TeamHandover[], now: number, times: Times): string {
  const [newest] = waiting
  if (newest === undefined) return ''
  const more = waiting.length === 1 ? '' : `, and ${many(waiting.length - 1, 'more handover')}`
  return `${atStart(nameText(newest.from, null))} hands over to you, ${shortTime(newest.at, now, times)}${more}`
}

/** Returns for example "Ann to you". */
export const partiesText = ({ from, to }: Pick<TeamHandover, 'from' | 'to'>, self: string | null): string =>
  `${atStart(nameText(from, self))} to ${nameText(to, self)}`

/** Returns for example "Ann to you, 05:30". */
export const givenText = (handover: TeamHandover, self: string | null, now: number, times: Times): string =>
  `${partiesText(handover, self)}, ${shortTime(handover.at, now, times)}`

/** Returns for example "accepted at 05:41". */
export function acceptedText({ accepted }: TeamHandover, now: number, times: Times): string {
  return accepted === null ? 'not accepted yet' : `accepted at ${shortTime(accepted.at, now, times)}`
}
