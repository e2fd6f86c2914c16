import { assertNever } from '../../../../src-shared/model/fault.ts'
import type { ExpectedReboot } from '../../../../src-shared/model/jobs.ts'
import type { PlaceThresholds } from '../rules.ts'

/**
 * The time of an event, in ms. An unobserved event happened between `notBefore` and `at`; `notBefore` is null when it
 * was observed.
 */
export interface EventTime {
  at: number
  notBefore: number | null
}

/** The reboot that explains a drop: by which job, when it was sent, and until when the device may be back (ms). */
export type Expected = Omit<ExpectedReboot, 'key'>

/** A device that is down or flaps. Each kind has only the fields that exist in that state. */
export type Drop = SuspectDrop | DownDrop | RecoveringDrop | RecoveredDrop | FlappingDrop

/** Down for less than the hold-off or in the time of a reboot, or longer and undecided. It is in no incident yet. */
export interface SuspectDrop extends DropBase, Blockable, Expectable {
  kind: 'suspect'
  /**
   * Id of an earlier incident whose drop was notified and whose recovery was not; null when there is none.
   */
  pendingRecovery: string | null
}

/** Down for at least the hold-off, and in an incident. */
export type DownDrop = Member & Notification & Renotable & Expectable & { kind: 'down' }

/** Up again for less than the recovery hold-off, or longer and undecided. */
export type RecoveringDrop = Member &
  Notification &
  Renotable &
  Blockable &
  Expectable & { kind: 'recovering'; back: EventTime }

/** Up again for at least the recovery hold-off. Its drop was notified; its recovery is not yet. */
export interface RecoveredDrop extends Member {
  kind: 'recovered'
  back: EventTime
}

/** Changes too often to count as down or up. `back` is null when its last transition was a drop. */
export type FlappingDrop = Member & Notification & Blockable & Expectable & { kind: 'flapping'; back: EventTime | null }

/** A device that begins to flap outside any incident. It becomes a flapping drop when it gets one. */
export type FlappingStart = Omit<Extract<FlappingDrop, { notified: false }>, 'incident'>

interface DropBase extends EventTime {
  key: string
  /** The thresholds of its place; null while unknown. Not stored. */
  thresholds: PlaceThresholds | null
}

interface Member extends DropBase {
  /** Id of its incident. */
  incident: string
  /** Its last drop, which may be later than the one that made it a member; null when unknown. Not stored. */
  lastDrop: EventTime | null
}

interface Expectable {
  /**
   * The reboot in whose time it went down; null for none. Until its `until` the drop is expected and not alerted. After
   * that it is the reason why the device is down.
   */
  expected: Expected | null
}

/** `notified`: the operator was notified of this drop. `pendingRecovery`: as in `SuspectDrop`. */
type Notification = { notified: true } | { notified: false; pendingRecovery: string | null }

interface Blockable {
  /**
   * Its hold-off is over, but Muster does not see the device or its model is muted, so nothing can be decided. Not
   * stored.
   */
  isBlocked: boolean
}

interface Renotable {
  /** It went down again after its recovery was noted in the journal, so the drop must be noted again. Not stored. */
  droppedAgain: boolean
}

export const eventTimeOf = ({ at, notBefore }: EventTime): EventTime => ({ at, notBefore })

/** Returns the id of the incident that a drop is in; null for a suspect. */
export const incidentIdOf = (drop: Drop | undefined): string | null =>
  drop === undefined || drop.kind === 'suspect' ? null : drop.incident

/** Returns when a device recovered; null while it is down as far as is known. */
export const backOf = (drop: Drop): EventTime | null =>
  drop.kind === 'suspect' || drop.kind === 'down' ? null : drop.back

/** Returns the last time a device went down; null when unknown. */
export const lastDropOf = (drop: Drop): EventTime | null =>
  drop.kind === 'suspect' ? eventTimeOf(drop) : drop.lastDrop

/** Returns whether a device is down or flapping in an incident, as far as is known. */
export const isDown = (drop: Drop): drop is DownDrop | FlappingDrop => drop.kind === 'down' || drop.kind === 'flapping'

export const isDownIn = (drop: Drop, id: string): boolean => isDown(drop) && drop.incident === id

/** Returns whether nothing can be decided about a drop although its hold-off is over. */
export const isBlocked = (drop: Drop): boolean => 'isBlocked' in drop && drop.isBlocked

/**
 * Returns the id of the incident in which the operator was last notified of a device but not of its recovery; null when
 * there is none.
 */
export function notifiedIncident(drop: Drop): string | null {
  if (drop.kind === 'suspect') return drop.pendingRecovery
  return drop.kind === 'recovered' || drop.notified ? drop.incident : drop.pendingRecovery
}

export const suspectDrop = (
  { key, at, notBefore }: EventTime & { key: string },
  pendingRecovery: string | null = null,
  expected: Expected | null = null,
): SuspectDrop => ({
  kind: 'suspect',
  key,
  at,
  notBefore,
  thresholds: null,
  isBlocked: false,
  pendingRecovery,
  expected,
})

/** Returns a drop in an incident: a suspect becomes a member, a member keeps its other fields. */
export function joined(drop: Drop | FlappingStart, incident: string): Exclude<Drop, SuspectDrop> {
  switch (drop.kind) {
    case 'suspect': {
      const { key, at, notBefore, thresholds, pendingRecovery, expected } = drop
      const lastDrop = { at, notBefore }
      return {
        kind: 'down',
        key,
        at,
        notBefore,
        thresholds,
        incident,
        lastDrop,
        notified: false,
        pendingRecovery,
        droppedAgain: false,
        expected,
      }
    }
    case 'down':
    case 'recovered':
      return { ...drop, incident }
    case 'recovering':
    case 'flapping':
      return { ...drop, incident, isBlocked: false }
    default:
      return assertNever(drop)
  }
}

/** Returns a member that came up, at the start of its recovery. */
export const recoveringFrom = (drop: DownDrop, back: EventTime): RecoveringDrop => ({
  ...drop,
  kind: 'recovering',
  back,
  isBlocked: false,
})

/** Returns a recovering member that went down again as a down one, because no recovery was notified. */
export function downFrom({ back: _back, isBlocked: _isBlocked, ...drop }: RecoveringDrop): DownDrop {
  return { ...drop, kind: 'down' }
}

/**
 * Returns a drop whose recovery is confirmed; null when the operator was not notified of the drop, because then it is
 * over.
 */
export function recoveredFrom(drop: RecoveringDrop | FlappingDrop, back: EventTime): RecoveredDrop | null {
  if (notifiedIncident(drop) === null) return null
  const { key, at, notBefore, thresholds, incident, lastDrop } = drop
  return { kind: 'recovered', key, at, notBefore, thresholds, incident, lastDrop, back }
}

/** Returns null for a suspect that came up again, unless an earlier drop of it still has a recovery to notify. */
export function recoveredSuspect(drop: SuspectDrop, back: EventTime): RecoveredDrop | null {
  const { key, at, notBefore, thresholds, pendingRecovery: incident } = drop
  if (incident === null) return null
  return { kind: 'recovered', key, at, notBefore, thresholds, incident, lastDrop: { at, notBefore }, back }
}

/** Returns the drop, marked as notified. */
export function notifiedDrop(drop: DownDrop | FlappingDrop): DownDrop | FlappingDrop {
  if (drop.notified) return drop
  const { pendingRecovery: _pendingRecovery, ...rest } = drop
  return { ...rest, notified: true }
}
