import type { Notification } from '../../src-shared/model/inventory.ts'
import { recoveredScope, leaveUnreported, notifyRecoveries, notifyUnlisted, withoutUnlisted } from './recoveries.ts'
import { endMaintenance, growingStorm, headlinesOf, notifyAbsence, notifyStorm } from './digest.ts'
import { newId, type Draft } from '../incidents/engine/draft.ts'
import { isPaused } from '../incidents/engine/drops/due.ts'
import { commonScope, filterOf } from '../incidents/scope/scope.ts'
import { mayNotify, unreportedOf, notifyIncident, notifiableOf, type Unreported } from './unreported.ts'
import {
  growingAbsence,
  mayNotifyFound,
  notifyMonitoringLost,
  notifyMonitoringRestored,
  awaitingResync,
} from './visibility.ts'
import { notifiesOnlyRecovery } from '../incidents/suppression.ts'
import type { Slices } from '../incidents/cooperative.ts'
import { isDownIn } from '../incidents/engine/drops/drop.ts'
import { updated } from '../incidents/engine/incident.ts'
import { byWorst, type Observation } from '../incidents/engine/state.ts'
import type { IncidentsOptions } from '../incidents/open.ts'
import { explainIncident, monitoringHealth } from './explain.ts'
import type { ShellKind } from '../../src-shared/model/explanation.ts'
import type { Message } from '../../src-shared/model/messages.ts'

/** More incidents than this that begin at the same time are one storm. */
const stormFrom = 4

/** Adds all pending notifications to the draft. A pause suppresses them, and its end sends them as one. */
export function* notifyAll(draft: Draft, { tenants }: Observation): Slices<void> {
  discardPartialRecoveries(draft)
  if (isPaused(draft, draft.now)) return
  endMaintenance(draft)
  notifyMonitoringLost(draft, tenants)
  const awaiting = awaitingResync(draft, tenants)
  if (draft.rules.notifyRecovered) notifyUnlisted(draft)
  else discardRecoveries(draft)
  yield
  const unreported = unreportedOf(draft)
    .flatMap((one) => notifiableOf(draft, one) ?? [])
    .filter((one) => mayNotifyFound(draft, awaiting, one))
  const rest = notifyMissed(draft, notifyMonitoringRestored(draft, tenants, awaiting, unreported))
  yield
  notifyFresh(draft, rest)
  yield
  notifyRecoveries(draft, rest)
  if (draft.pause !== null) endPause(draft)
}

/**
 * Removes recovered devices from acknowledged and snoozed incidents, of which only the end is notified. A device that
 * drops again later is a new drop.
 */
function discardPartialRecoveries(draft: Draft): void {
  for (const { incident, recovered } of unreportedOf(draft)) {
    // It was never notified, so its end need not wait.
    if (notifiesOnlyRecovery(incident) && incident.closedAt === null && recovered.length > 0)
      leaveUnreported(draft, incident, recovered)
  }
}

/** Discards recoveries while their notifications are off. They are not notified later either. */
function discardRecoveries(draft: Draft): void {
  for (const [id, incident] of draft.incidents)
    if (incident.recovery.unlisted.unreported > 0) draft.incidents.set(id, withoutUnlisted(incident))
  for (const { incident, recovered } of unreportedOf(draft)) {
    leaveUnreported(draft, incident, recovered)
    const known = draft.incidents.get(incident.id)
    if (known !== undefined && known.recovery.unreported.length > 0)
      draft.incidents.set(
        incident.id,
        updated(known, 'recovery', { recovered: incident.recovery.recovered, unreported: [] }),
      )
  }
}

/**
 * Notifies of the incidents found after an absence in one digest, which later ones join. A single incident is notified
 * by itself. Returns the rest.
 */
function notifyMissed(draft: Draft, unreported: readonly Unreported[]): Unreported[] {
  const missed = unreported.filter((one) => one.missed)
  const known = growingAbsence(draft, missed)
  if (
    missed.length === 0 ||
    (known === undefined && (missed.length < 2 || missed.every(({ fresh }) => fresh.length === 0)))
  )
    return [...unreported]
  if (mayNotify(draft, known?.content.at ?? null)) notifyAbsence(draft, known, missed)
  return unreported.filter((one) => !one.missed)
}

function notifyFresh(draft: Draft, unreported: readonly Unreported[]): void {
  const ready = unreported
    .filter(
      ({ fresh, renotify, incident }) =>
        renotify || (fresh.length > 0 && mayNotify(draft, incident.delivery.notifiedAt)),
    )
    .toSorted((a, b) => byWorst(a.incident, b.incident))
  const begun = ready.filter(({ incident, renotify }) => incident.delivery.notifiedAt === null && !renotify)
  const storm = growingStorm(draft)
  const isStorm = begun.length > stormFrom || (storm !== undefined && begun.length > 0)
  if (isStorm && mayNotify(draft, storm?.content.at ?? null))
    notifyStorm(
      draft,
      storm,
      begun.map((one) => ({ ...one, recovered: [] })),
    )
  for (const one of ready) if (!isStorm || !begun.includes(one)) notifyIncident(draft, one)
}

/** Sends the notifications of a pause as one. Its parts stay in the notification list below it. */
function endPause(draft: Draft): void {
  draft.pause = null
  if (draft.outgoing.length < 2) return
  const parts = draft.outgoing
  // A notified device that is not down has recovered; a digest reports both.
  const isDown = (key: string) => (draft.drops.get(key)?.kind ?? 'recovered') !== 'recovered'
  const sum = (down: boolean) =>
    parts.reduce((sum, { keys }) => sum + keys.filter((key) => isDown(key) === down).length, 0)
  // A reminder after a snooze reports mostly devices that were notified before.
  const renotify = parts.filter(({ content }) => draft.incidents.get(content.id)?.delivery.reason?.as === 'reminder')
  const still = (kind: Notification['kind']) =>
    renotify.reduce(
      (sum, { content, keys }) => sum + (content.kind === kind ? Math.max(0, content.devices - keys.length) : 0),
      0,
    )
  const counts = {
    offline: sum(true),
    back: sum(false),
    stillOffline: still('offline'),
    stillFlapping: still('flapping'),
  }
  const down = counts.offline + counts.stillOffline + counts.stillFlapping
  const [first] = parts
  const kind = down > 0 ? 'offline' : counts.back > 0 ? 'recovered' : (first?.content.kind ?? 'monitoring-lost')
  const message: Message = { kind: 'pause', ...counts, ...headlinesOf(parts.map(({ content }) => content.message)) }
  const keys = [
    ...new Set(
      [...parts, ...renotify.map(({ content }) => ({ keys: downIn(draft, content.id) }))].flatMap((part) => part.keys),
    ),
  ]
  const scope = commonScope(keys.map((key) => draft.found.get(key)?.path ?? [])).path[0]?.id ?? 'all'
  const open = filterOf(scope, keys, down > 0 ? 'connected:no' : counts.back > 0 ? recoveredScope : '')
  const content: Notification = { id: newId(draft), at: draft.now, kind, message, devices: down + counts.back, open }
  for (const [id, incident] of draft.incidents) {
    const { reason } = incident.delivery
    if (reason?.at === draft.now)
      draft.incidents.set(id, updated(incident, 'delivery', { reason: { ...reason, as: 'pause' } }))
  }
  const of = parts.flatMap(({ content: { id } }) => draft.notifications.get(id)?.incidentIds ?? [])
  const about = parts.flatMap(({ content: { id } }) => draft.notifications.get(id)?.about ?? [])
  draft.notifications.set(content.id, {
    content,
    about: [...new Set(about)],
    incidentIds: [...new Set(of)],
    digestKind: 'none',
    firstAt: draft.now,
    isGrowing: false,
    earlier: [],
    times: 1,
  })
  draft.outgoing = [{ content, keys: [...new Set(parts.flatMap((part) => part.keys))] }]
}

/** Returns the keys of the devices that are down or flap in the incidents of a notification. */
function downIn({ drops, notifications }: Draft, notification: string): string[] {
  const of = notifications.get(notification)?.incidentIds ?? []
  return [...drops.values()].filter((drop) => of.some((id) => isDownIn(drop, id))).map(({ key }) => key)
}

/** Returns the functions that the incidents layer needs of this one. */
export const createNotifier = (shell: ShellKind): IncidentsOptions['notifier'] => ({
  notify: notifyAll,
  explain: (incident, suppression, rules, connections) => [
    ...explainIncident(incident, suppression, rules, shell),
    ...(connections === null ? [] : [monitoringHealth(connections)]),
  ],
})
