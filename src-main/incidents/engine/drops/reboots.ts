import type { ExpectedReboot } from '../../../../src-shared/model/jobs.ts'
import type { Reboots } from '../../../../src-shared/model/messages.ts'
import { backOf, type Drop, type Expected } from './drop.ts'
import type { State } from '../state.ts'

/** Returns the reboot in whose time a device went down at `at` (ms); null for none. */
export function expectedFor(
  reboots: State['reboots'],
  { key, at }: { key: string; at: number },
): ExpectedReboot | null {
  const reboot = reboots.get(key)
  return reboot !== undefined && reboot.sentAt <= at && at <= reboot.until ? reboot : null
}

/** Returns the reboot that explains a drop; null for none. */
export const expectedOf = (drop: Drop): Expected | null => (drop.kind === 'recovered' ? null : drop.expected)

/** Returns whether a device is down in the time of its reboot, so that it is not alerted. */
export function isAwaited(drop: Drop, now: number): boolean {
  const expected = expectedOf(drop)
  return expected !== null && backOf(drop) === null && now < expected.until
}

/** Returns whether a device that came up at `at` (ms) was back in the time of its reboot. */
export function isBackInTime(drop: Drop | undefined, at: number): boolean {
  const expected = drop === undefined ? null : expectedOf(drop)
  return drop !== undefined && expected !== null && backOf(drop) === null && at <= expected.until
}

/**
 * Returns the state with other reboots awaited. A drop whose reboot is no longer awaited before its time is over, as
 * one that the service rejected, is treated as any other. One whose time is over keeps its reason.
 */
export function withReboots(state: State, all: readonly ExpectedReboot[], now: number): State {
  // Two jobs may await one device: the later one explains its drop for longer.
  const longest = all.toSorted((one, other) => one.until - other.until)
  const reboots = new Map(longest.map((one) => [one.key, notAhead(one, now)]))
  const changed = [...state.drops.values()].flatMap((drop): [string, Drop][] => {
    const after = reconsidered(drop, reboots, now)
    return after === drop ? [] : [[drop.key, after]]
  })
  return { ...state, reboots, drops: changed.length === 0 ? state.drops : new Map([...state.drops, ...changed]) }
}

function reconsidered(drop: Drop, reboots: State['reboots'], now: number): Drop {
  if (drop.kind === 'recovered' || backOf(drop) !== null) return drop
  const { expected } = drop
  if (expected !== null && (now >= expected.until || reboots.get(drop.key)?.job === expected.job)) return drop
  // A member is alerted already, so only a suspect can become expected.
  const found = drop.kind === 'suspect' ? expectedFor(reboots, drop) : null
  if (found === expected) return drop
  return drop.kind === 'suspect' || drop.kind === 'flapping'
    ? { ...drop, expected: found, isBlocked: false }
    : { ...drop, expected: found }
}

/**
 * Returns a reboot whose times do not lie ahead, for a clock that was set back (ms). Its devices have the same length of
 * time, from now on.
 */
export function notAhead<One extends Expected>(reboot: One, now: number): One {
  const by = Math.max(0, reboot.sentAt - now)
  return by === 0 ? reboot : { ...reboot, sentAt: reboot.sentAt - by, until: reboot.until - by }
}

/** Returns a reboot whose time is over, with the same length, for a clock that was set back (ms). */
export function overBy(reboot: Expected, now: number): Expected {
  const by = Math.max(0, reboot.until - now)
  return by === 0 ? reboot : { ...reboot, sentAt: reboot.sentAt - by, until: reboot.until - by }
}

/** Returns the reboots after which devices that are down were not back in their time; null for none. */
export function rebootsOf(
  { drops, now }: Pick<State, 'drops'> & { now: number },
  down: readonly { key: string }[],
): Reboots | null {
  const over = down.flatMap(({ key }) => {
    const drop = drops.get(key)
    const expected = drop?.kind === 'down' ? drop.expected : null
    return expected !== null && expected.until <= now ? [expected] : []
  })
  return over.reduce<Reboots | null>(
    (all, { sentAt, until }) => ({
      count: over.length,
      from: Math.min(all?.from ?? sentAt, sentAt),
      until: Math.max(all?.until ?? sentAt, sentAt),
      waitMs: Math.min(all?.waitMs ?? Infinity, until - sentAt),
    }),
    null,
  )
}
