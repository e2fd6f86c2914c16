import { assertNever } from '../../../src-shared/model/fault.ts'
import type { PlaceThresholds } from './rules.ts'

/** When something happened, in ms. Where nobody saw it, it was between `notBefore` and `at`; `notBefore` is null where it was seen. */
export interface EventTime {
  at: number
  notBefore: number | null
}

/** A device that went down, or flaps. Its kind says what is known of it, and has the fields that exist then. */
export type Drop = SuspectDrop | DownDrop | RecoveringDrop | RecoveredDrop | FlappingDrop

/** Down for less than the hold-off, or longer and undecided: it is in no incident yet. */
export interface SuspectDrop extends DropBase, Blockable {
  kind: 'suspect'
  /** Id of the incident of an earlier drop that was notified and whose recovery was not; null when there is none. Not stored. */
  pendingRecovery: string | null
}

/** Down for the hold-off, and in an incident. */
export type DownDrop = Member & Notification & Renotable & { kind: 'down' }

/** Up again for less than the recovery hold-off, or longer and undecided. */
export type RecoveringDrop = Member & Notification & Renotable & Blockable & { kind: 'recovering'; back: EventTime }

/** Up again for the recovery hold-off. Its drop was notified, and its recovery is still to be. */
export interface RecoveredDrop extends Member {
  kind: 'recovered'
  back: EventTime
}

/** Changes too often to be down or up. `back` is null while its last change was a drop. */
export type FlappingDrop = Member & Notification & Blockable & { kind: 'flapping'; back: EventTime | null }

/** A device that begins to flap and was in no incident: it is a flapping drop as soon as it has one. */
export type FlappingStart = Omit<Extract<FlappingDrop, { notified: false }>, 'incident'>

interface DropBase extends EventTime {
  key: string
  /** The thresholds of its place; null while they are not known. Not stored. */
  thresholds: PlaceThresholds | null
}

interface Member extends DropBase {
  /** Id of its incident. */
  incident: string
  /** Its last drop, which may be later than the one that made it a member; null when it is not known. Not stored. */
  lastDrop: EventTime | null
}

/** Whether the operator was notified of it. `pendingRecovery` is that of a suspect. */
type Notification = { notified: true } | { notified: false; pendingRecovery: string | null }

interface Blockable {
  /** Its time is over and nothing can be decided: Muster does not see the device, or its model is muted. Not stored. */
  isBlocked: boolean
}

interface Renotable {
  /** It went down again after its recovery was noted in the journal, and has to be noted anew. Not stored. */
  droppedAgain: boolean
}

export const eventTimeOf = ({ at, notBefore }: EventTime): EventTime => ({ at, notBefore })

/** Id of the incident that a drop is in; null for a suspect. */
export const incidentIdOf = (drop: Drop | undefined): string | null =>
  drop === undefined || drop.kind === 'suspect' ? null : drop.incident

/** When a device came back; null while it is down as far as anyone knows. */
export const backOf = (drop: Drop): EventTime | null =>
  drop.kind === 'suspect' || drop.kind === 'down' ? null : drop.back

/** The last time a device went down; null when it is not known. */
export const lastDropOf = (drop: Drop): EventTime | null =>
  drop.kind === 'suspect' ? eventTimeOf(drop) : drop.lastDrop

/** Whether it is down or flapping in an incident, as far as anyone knows. */
export const isDown = (drop: Drop): drop is DownDrop | FlappingDrop => drop.kind === 'down' || drop.kind === 'flapping'

export const isDownIn = (drop: Drop, id: string): boolean => isDown(drop) && drop.incident === id

/** Whether nothing can be decided of it, though its time is over. */
export const isBlocked = (drop: Drop): boolean => 'isBlocked' in drop && drop.isBlocked

/** Id of the incident in which the operator was last notified of a device and not of its recovery; null when there is none. */
export function notifiedIncident(drop: Drop): string | null {
  if (drop.kind === 'suspect') return drop.pendingRecovery
  return drop.kind === 'recovered' || drop.notified ? drop.incident : drop.pendingRecovery
}

export const suspectDrop = (
  { key, at, notBefore }: EventTime & { key: string },
  pendingRecovery: string | null = null,
): SuspectDrop => ({ kind: 'suspect', key, at, notBefore, thresholds: null, isBlocked: false, pendingRecovery })

/** A drop in an incident: a suspect becomes a member, a member keeps what is known of it. */
export function joined(drop: Drop | FlappingStart, incident: string): Exclude<Drop, SuspectDrop> {
  switch (drop.kind) {
    case 'suspect': {
      const { key, at, notBefore, thresholds, pendingRecovery } = drop
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

/** A member that came up: it recovers, from the beginning. */
export const recoveringFrom = (drop: DownDrop, back: EventTime): RecoveringDrop => ({
  ...drop,
  kind: 'recovering',
  back,
  isBlocked: false,
})

/** A member that went down before its recovery was sure never came back, as far as anyone was notified. */
export function downFrom({ back: _back, isBlocked: _isBlocked, ...drop }: RecoveringDrop): DownDrop {
  return { ...drop, kind: 'down' }
}

/** A drop whose recovery is sure; null when the operator was not notified of it, because then it is over. */
export function recoveredFrom(drop: RecoveringDrop | FlappingDrop, back: EventTime): RecoveredDrop | null {
  if (notifiedIncident(drop) === null) return null
  const { key, at, notBefore, thresholds, incident, lastDrop } = drop
  return { kind: 'recovered', key, at, notBefore, thresholds, incident, lastDrop, back }
}

/** A suspect that came up never was down; null unless an earlier drop of it still has a recovery to notify. */
export function recoveredSuspect(drop: SuspectDrop, back: EventTime): RecoveredDrop | null {
  const { key, at, notBefore, thresholds, pendingRecovery: incident } = drop
  if (incident === null) return null
  return { kind: 'recovered', key, at, notBefore, thresholds, incident, lastDrop: { at, notBefore }, back }
}

/** A drop of which the operator is notified now. */
export function notifiedDrop(drop: DownDrop | FlappingDrop): DownDrop | FlappingDrop {
  if (drop.notified) return drop
  const { pendingRecovery: _pendingRecovery, ...rest } = drop
  return { ...rest, notified: true }
}
