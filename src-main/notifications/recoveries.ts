import type { PlaceNode } from '../inventory/thread/protocol.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { note, openAt, notify, type Draft } from '../incidents/engine/draft.ts'
import { commonScope, filterOf } from '../incidents/scope/scope.ts'
import { subjectsOf, mayNotify, type Unreported } from './unreported.ts'
import { familyOf } from '../incidents/grouping/split.ts'
import { statusOf } from '../incidents/engine/refresh.ts'
import { incidentIdOf, type Drop, type RecoveredDrop } from '../incidents/engine/drops/drop.ts'
import { updated, type Incident } from '../incidents/engine/incident.ts'
import type { Message, MissedRecovery } from '../../src-shared/model/messages.ts'
import { maxNamed } from '../incidents/scope/places.ts'

/** More incidents than this that recover at the same time are notified as one. */
const maxSeparate = 3
/** The filter for recovered devices when a filter cannot name all of them. */
export const recoveredScope = 'up:<1d'

/** Notifies of devices that recovered for the hold-off, incident by incident, at most once a minute for each. */
export function notifyRecoveries(draft: Draft, unreported: readonly Unreported[]): void {
  const ready = unreported.filter(
    ({ recovered, ended, incident }) =>
      (recovered.length > 0 || ended) && mayNotify(draft, incident.delivery.recoveryNotifiedAt),
  )
  if (ready.length > maxSeparate) notifyCombined(draft, ready)
  else for (const one of ready) notifyRecovery(draft, one)
}

function notifyRecovery(draft: Draft, { incident, recovered: fresh }: Unreported): void {
  const { all: recovered, unreported } = noteRecoveries(draft, incident, fresh)
  const { down, unseen } = statusOf(
    draft,
    [...draft.drops.values()].filter((drop) => isNotifiedWith(draft, incident, drop)),
  )
  // Devices that the service no longer lists have no location.
  const found = recovered.flatMap((key) => draft.found.get(key) ?? [])
  // An incident that was split has another place now than its recovered devices.
  const isThere =
    incident.scope.shape === 'node' &&
    found.length > 1 &&
    found.every(({ path }) => path.some(({ id }) => id === incident.scope.path[0]?.id))
  const { where, context } = isThere ? incident.scope : commonScope(found.map(({ path }) => path))
  const scope = isThere ? (incident.scope.path[0]?.id ?? 'all') : scopeOf(found)
  const names = found.map(({ name }) => name).slice(0, maxNamed)
  const message: Message = {
    kind: 'recovered',
    count: recovered.length,
    where,
    context: [...context],
    names,
    steady: incident.kind === 'flapping',
    left: { down: down.length, unseen },
    missed: missedOf(fresh),
  }
  const open = { ...filterOf(scope, recovered, recoveredScope), incident: incident.id }
  send(
    draft,
    { id: `${incident.id}-back`, kind: 'recovered', message, count: recovered.length, open },
    [incident],
    unreported,
  )
}

/**
 * Notifies of closed incidents with devices that were notified as down and are no longer listed, which is not a
 * recovery.
 */
export function notifyUnlisted(draft: Draft): void {
  const ready = [...draft.incidents.values()].filter(
    ({ closedAt, recovery, delivery }) =>
      closedAt !== null && recovery.unlisted.unreported > 0 && mayNotify(draft, delivery.recoveryNotifiedAt),
  )
  for (const group of ready.length > maxSeparate ? [ready] : ready.map((one) => [one])) {
    const [first] = group
    if (first === undefined) continue
    const count = group.reduce((sum, { recovery }) => sum + recovery.unlisted.unreported, 0)
    const names = group.flatMap(({ recovery }) => recovery.unlisted.named).slice(0, maxNamed)
    const scope = group.length === 1 ? { where: first.scope.where, context: [...first.scope.context] } : nowhere
    const message: Message = { kind: 'unlisted', ...scope, count, names }
    const open = group.length === 1 ? { ...first.open, incident: first.id } : openAt('all', '')
    for (const incident of group)
      draft.incidents.set(
        incident.id,
        updated(withoutUnlisted(incident), 'delivery', { recoveryNotifiedAt: draft.now }),
      )
    send(draft, { id: `${first.id}-unlisted`, kind: 'unlisted', message, count, open }, group, [])
  }
}

/** Returns an incident whose devices that are no longer listed are all reported. */
export const withoutUnlisted = (incident: Incident): Incident =>
  updated(incident, 'recovery', { unlisted: { ...incident.recovery.unlisted, unreported: 0 } })

const nowhere = { where: { kind: 'none' as const }, context: [] }

/** Returns whether a drop was in the same notification. An incident that was split off was notified with its origin. */
function isNotifiedWith({ incidents }: Draft, incident: Incident, drop: Drop): boolean {
  const of = incidents.get(incidentIdOf(drop) ?? '')
  return (
    of !== undefined &&
    (of.id === incident.id ||
      (familyOf(of) === familyOf(incident) && of.delivery.notifiedAt === incident.delivery.notifiedAt))
  )
}

function notifyCombined(draft: Draft, unreported: readonly Unreported[]): void {
  const keys = unreported.flatMap(({ incident, recovered }) => noteRecoveries(draft, incident, recovered).unreported)
  const fresh = unreported.flatMap(({ recovered }) => recovered)
  const found = keys.flatMap((key) => draft.found.get(key) ?? [])
  const message: Message = {
    kind: 'recovered',
    ...nowhere,
    count: keys.length,
    names: found.map(({ name }) => name).slice(0, maxNamed),
    steady: false,
    left: { down: 0, unseen: 0 },
    missed: missedOf(fresh),
  }
  const incidents = unreported.map(({ incident }) => incident)
  send(
    draft,
    {
      id: `${incidents[0]?.id ?? ''}-backs-${draft.now.toString(36)}`,
      kind: 'recovered',
      message,
      count: keys.length,
      open: filterOf(scopeOf(found), keys, recoveredScope),
    },
    incidents,
    keys,
  )
}

/** Returns the span of the recoveries that nobody saw; null when there are none. */
function missedOf(recovered: readonly RecoveredDrop[]): MissedRecovery | null {
  const missed = recovered.flatMap(({ back: { at, notBefore } }) =>
    notBefore === null ? [] : [{ from: notBefore, until: at }],
  )
  return missed.reduce<MissedRecovery | null>(
    (all, { from, until }) => ({
      count: missed.length,
      from: Math.min(all?.from ?? from, from),
      until: Math.max(all?.until ?? until, until),
    }),
    null,
  )
}

const scopeOf = (found: readonly { path: readonly PlaceNode[] }[]): string =>
  commonScope(found.map(({ path }) => path)).path[0]?.id ?? 'all'

/**
 * Removes recovered devices from the state. `all`: all recovered devices of the incident, the latest first;
 * `unreported`: those of them that were not notified before.
 */
export function noteRecoveries(
  draft: Draft,
  incident: Incident,
  fresh: readonly Drop[],
): { all: string[]; unreported: string[] } {
  const recovered = removeRecovered(draft, incident, fresh)
  const known = draft.incidents.get(incident.id)
  if (known !== undefined && fresh.length + known.recovery.unreported.length > 0)
    draft.incidents.set(
      incident.id,
      updated(updated(known, 'recovery', { recovered, unreported: [] }), 'delivery', { recoveryNotifiedAt: draft.now }),
    )
  // A device that is down again, even briefly, does not count as recovered.
  const all = recovered.filter((key) => !draft.drops.has(key))
  const pending = new Set([...fresh.map(({ key }) => key), ...incident.recovery.unreported])
  return { all, unreported: all.filter((key) => pending.has(key)) }
}

/** Removes recovered devices without a notification. The next recovery notification of the incident includes them. */
export function leaveUnreported(draft: Draft, incident: Incident, fresh: readonly Drop[]): void {
  const recovered = removeRecovered(draft, incident, fresh)
  const known = draft.incidents.get(incident.id)
  const unreported = new Set([...fresh.map(({ key }) => key), ...incident.recovery.unreported])
  if (known !== undefined)
    draft.incidents.set(
      incident.id,
      updated(known, 'recovery', { recovered, unreported: recovered.filter((key) => unreported.has(key)) }),
    )
}

/**
 * Removes drops. Returns the keys of all recovered devices of the incident, the latest first. A device within a new
 * hold-off still counts as recovered.
 */
function removeRecovered(draft: Draft, incident: Incident, fresh: readonly Drop[]): string[] {
  for (const { key } of fresh) draft.drops.delete(key)
  if (fresh.length > 0 && draft.incidents.has(incident.id))
    note(draft, incident.id, 'recovered', { kind: 'devices', count: fresh.length })
  return [...new Set([...fresh.map(({ key }) => key), ...incident.recovery.recovered])].filter(
    (key) => incidentIdOf(draft.drops.get(key)) === null,
  )
}

interface RecoveryNotification extends Pick<Notification, 'id' | 'kind' | 'open'> {
  message: Message
  count: number
}

function send(
  draft: Draft,
  { id, kind, message, count, open }: RecoveryNotification,
  incidents: readonly Incident[],
  keys: readonly string[],
): void {
  const about = [...new Set([...subjectsOf(incidents).filter((key) => key.endsWith('/')), ...keys.slice(0, maxNamed)])]
  const content: Notification = {
    id,
    at: draft.now,
    kind,
    message,
    devices: count,
    open,
  }
  notify(
    draft,
    {
      content,
      about,
      incidentIds: incidents.map((one) => one.id),
      digestKind: 'none',
      firstAt: draft.now,
      isGrowing: false,
    },
    keys,
  )
}
