import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { JobKind } from '../../../src-shared/model/jobs.ts'
import type { Sender } from '../../connections/senders.ts'

/**
 * Returns the points that a job costs, and the seconds that its sending takes at most, by the balances that are known now.
 * `senders`: that of each device. Null where any part is not known.
 */
export function costOf(
  clock: Pick<Clock, 'now'>,
  kind: JobKind,
  senders: readonly (Sender | null)[],
): { points: number | null; seconds: number | null } {
  // Each sender of the connections is made anew when they are asked for; its link is the same.
  const groups = [...Map.groupBy(senders, (sender) => sender?.link)].map(([, own]) => {
    const sender = own[0] ?? null
    return { sender, points: sender?.mutations?.cost(mutationOf(kind), own.length) ?? null }
  })
  const points = sumOf(groups.map((group) => group.points))
  const balances = [...Map.groupBy(groups, ({ sender }) => sender?.balance)]
  const seconds = balances.map(([balance, own]) => {
    const needed = sumOf(own.map((group) => group.points))
    return balance === undefined || needed === null ? null : secondsOf(clock, balance, needed)
  })
  return { points, seconds: sumOf(seconds) }
}

const mutationOf = (kind: JobKind) => (kind === 'rename' || kind === 'move' ? 'update' : kind)

const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0)

/** Returns the seconds until these points can be spent; null before the service reported its balance. */
function secondsOf(
  { now }: Pick<Clock, 'now'>,
  balance: NonNullable<Sender['balance']>,
  points: number,
): number | null {
  if (!balance.gauge().known) return null
  return Math.max(0, Math.ceil((balance.forecast({ points, ms: 0 }).doneAt - now()) / 1000))
}
