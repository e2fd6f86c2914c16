import { hasUnreportedRecovery, note, notify, type Draft } from '../incidents/engine/draft.ts'
import { reasonOf } from './reason.ts'
import { suppressionOf } from '../incidents/suppression.ts'
import {
  isDown,
  notifiedDrop,
  type DownDrop,
  type Drop,
  type FlappingDrop,
  type RecoveredDrop,
} from '../incidents/engine/drops/drop.ts'
import { isAwaited } from '../incidents/engine/drops/reboots.ts'
import { updated, type Incident, type Reason } from '../incidents/engine/incident.ts'
import type { NotificationRecord } from '../incidents/engine/notification-record.ts'
import { renotifyMs } from '../incidents/engine/state.ts'
import { maxNamed } from '../incidents/scope/places.ts'

/** The changes of an incident that are not notified yet. */
export interface Unreported {
  incident: Incident
  /** Devices that are down or flap and are not notified. */
  fresh: (DownDrop | FlappingDrop)[]
  /** Devices that were notified as down and have recovered. */
  recovered: RecoveredDrop[]
  /** Its snooze is over, and it is still open. */
  renotify: boolean
  /** It was found after an absence. */
  missed: boolean
  /** It is over, and devices of it recovered without a notification. */
  ended: boolean
}

const statusOf = ({ found }: Draft, { key }: Drop) => found.get(key)?.status ?? 'unknown'

/**
 * Returns whether a drop is not notified and Muster sees it now. Nothing is notified of devices that Muster does not
 * see (invariant 4), or that are down in the time of their reboot.
 */
export function isUnreported(draft: Draft, drop: Drop): drop is DownDrop | FlappingDrop {
  if (!isDown(drop) || drop.notified || isAwaited(drop, draft.now)) return false
  const status = statusOf(draft, drop)
  return drop.kind === 'flapping' ? status !== 'unknown' : status === 'disconnected'
}

/** Returns all changes that are not notified, whether or not they may be now. */
export function unreportedOf(draft: Draft): Unreported[] {
  const byIncident = new Map<string, Pick<Unreported, 'fresh' | 'recovered'>>()
  for (const drop of draft.drops.values()) {
    if (drop.kind === 'suspect') continue
    const of = byIncident.get(drop.incident) ?? { fresh: [], recovered: [] }
    if (isUnreported(draft, drop)) of.fresh.push(drop)
    else if (drop.kind === 'recovered' && statusOf(draft, drop) === 'connected') of.recovered.push(drop)
    byIncident.set(drop.incident, of)
  }
  return [...draft.incidents.values()].flatMap((incident) => {
    const { fresh, recovered } = byIncident.get(incident.id) ?? { fresh: [], recovered: [] }
    const { renotify: isReminder, notifiedAt } = incident.delivery
    const renotify = isReminder && incident.closedAt === null && incident.extent.down > 0
    const ended = incident.closedAt !== null && hasUnreportedRecovery(draft, incident)
    if (fresh.length + recovered.length === 0 && !renotify && !ended) return []
    const missed =
      (fresh.length > 0 && incident.origin === 'absence' && notifiedAt === null) ||
      recovered.some(({ back }) => back.notBefore !== null)
    return [{ incident, fresh, recovered, renotify, missed, ended }]
  })
}

/**
 * Returns the part of the changes that may be notified now; null when there is none. A suppressed incident notifies
 * only of its end.
 */
export function notifiableOf(draft: Draft, unreported: Unreported): Unreported | null {
  const { incident } = unreported
  const suppression = suppressionOf(draft, draft.rules, incident, draft.now)
  const isSilent = suppression !== null && suppression.why !== 'absence' && suppression.why !== 'paused'
  const fresh = isSilent ? [] : unreported.fresh
  const recovered = isSilent && incident.closedAt === null ? [] : unreported.recovered
  const renotify = unreported.renotify && !isSilent
  return fresh.length + recovered.length === 0 && !renotify && !unreported.ended
    ? null
    : { ...unreported, fresh, recovered, renotify }
}

/** Returns whether the same thing may notify again: at most once a minute. `at`: its last notification (ms). */
export function mayNotify(draft: Draft, at: number | null): boolean {
  if (at === null || at + renotifyMs <= draft.now) return true
  rateLimitedUntil(draft, at + renotifyMs)
  return false
}

export function rateLimitedUntil(draft: Draft, until: number): void {
  draft.deferredUntil = Math.min(draft.deferredUntil ?? Infinity, until)
}

/** Notifies of one incident with its own message. */
export function notifyIncident(draft: Draft, { incident, fresh, renotify }: Unreported): void {
  const { id, message, open, kind, about } = incident
  const { down, unseen, named } = incident.extent
  const content = {
    id,
    at: draft.now,
    kind: kind === 'flapping' ? ('flapping' as const) : ('offline' as const),
    message,
    devices: down === 0 ? unseen : down,
    open,
  }
  notify(
    draft,
    {
      content,
      about: [...about, ...named.map(({ key }) => key)],
      incidentIds: [id],
      digestKind: 'none',
      firstAt: draft.now,
      isGrowing: false,
    },
    fresh.map(({ key }) => key),
  )
  noteNotified(draft, incident, fresh, renotify ? 'reminder' : 'alone')
}

/** Marks an incident and its new drops as notified in this way. */
export function noteNotified(draft: Draft, incident: Incident, fresh: Unreported['fresh'], as: Reason['as']): void {
  for (const drop of fresh) draft.drops.set(drop.key, notifiedDrop(drop))
  const known = draft.incidents.get(incident.id)
  if (known === undefined) return
  const delivery = { notifiedAt: draft.now, reason: reasonOf(draft, known, as), renotify: false }
  draft.incidents.set(incident.id, updated(known, 'delivery', delivery))
  note(draft, incident.id, 'notified', { kind: 'message', message: known.message })
}

/** Returns what several incidents concern: their tenants, and a few of their devices. */
export function subjectsOf(incidents: readonly Incident[]): string[] {
  return [
    ...new Set([
      ...incidents.flatMap(({ about }) => about),
      ...incidents.slice(0, maxNamed).flatMap(({ extent }) => extent.named.map(({ key }) => key)),
    ]),
  ]
}

/** Returns the latest digest of these kinds that may still grow and began within this time (ms). */
export function growing(
  draft: Draft,
  kinds: readonly NotificationRecord['digestKind'][],
  within: number,
): NotificationRecord | undefined {
  return [...draft.notifications.values()]
    .filter(
      ({ digestKind, isGrowing, firstAt }) => isGrowing && kinds.includes(digestKind) && firstAt > draft.now - within,
    )
    .sort((a, b) => b.content.at - a.content.at)[0]
}
