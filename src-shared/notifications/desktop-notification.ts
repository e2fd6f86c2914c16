import type { Incident, IncidentSummary, Severity } from '../model/incidents.ts'
import type { Notification } from '../model/inventory.ts'

/**
 * A desktop notification of either shell. Each incident has one, which is replaced when the incident changes (design,
 * section 8). This module decides what to show; the shell shows it.
 */
export interface DesktopNotification {
  /** The id for the system, the same for an incident's beginning and end. */
  id: string
  notification: Notification
  /** True when the incident only grew since its last notification, so that no sound is needed. */
  silent: boolean
}

/** A desktop notification that the shell shows. */
export interface Shown {
  close(): void
}

export interface Board {
  /**
   * Shows a notification in place of the previous one about the same thing. `severity` is the present one of its
   * incident; null without an incident or when unknown.
   */
  show(notification: Notification, severity: Severity | null): void
  /**
   * Applies the present summary: an incident that became worse since its notification notifies again, with its present
   * message.
   */
  evaluate(summary: Pick<IncidentSummary, 'worst'>): void
  /** Returns all shown notifications, the oldest first. */
  shown(): Notification[]
  /** Closes the notifications that match. */
  closeMatching(matches: (notification: Notification) => boolean): void
  /** Closes and drops a notification that the operator clicked or the system did not show. */
  drop(id: string): void
}

interface ShownNotification {
  notification: Notification
  /** The incident's severity when it last notified with sound. */
  severity: Severity | null
  shown: Shown
}

/** The maximum number of shown notifications. Older ones are closed. */
const maxShown = 50
const ranks: Record<Severity, number> = { minor: 0, major: 1, critical: 2 }

/**
 * Creates a board. `put` shows a notification in place of `before`, which has the same id, and returns null when the
 * system shows none.
 */
export function createBoard(put: (desktop: DesktopNotification, before: Shown | null) => Shown | null): Board {
  const all = new Map<string, ShownNotification>()
  const drop = (id: string) => {
    const known = all.get(id)
    all.delete(id)
    known?.shown.close()
  }
  const closeMatching = (matches: (notification: Notification) => boolean) => {
    for (const [id, { notification }] of all) if (matches(notification)) drop(id)
  }
  const show: Board['show'] = (notification, severity) => {
    const id = desktopNotificationId(notification)
    const before = all.get(id)
    const silent = before !== undefined && hasOnlyGrown(before, notification, severity)
    all.delete(id)
    closeMatching((other) => isSameIncident(other, notification))
    const shown = put({ id, notification, silent }, before?.shown ?? null)
    if (shown === null) return
    all.set(id, { notification, severity: silent ? (before.severity ?? severity) : severity, shown })
    const oldest = all.size > maxShown ? all.keys().next().value : undefined
    if (oldest !== undefined) drop(oldest)
  }
  return {
    show,
    evaluate(summary) {
      for (const [id, known] of all) {
        const incident = summary.worst.find((one) => one.id === known.notification.open.incident)
        if (incident === undefined || isEnd(known.notification)) continue
        if (isWorse(incident.severity, known.severity))
          show(currentNotification(known.notification, incident), incident.severity)
        else all.set(id, { ...known, severity: known.severity ?? incident.severity })
      }
    },
    shown: () => [...all.values()].map(({ notification }) => notification),
    closeMatching,
    drop,
  }
}

export const isEnd = ({ kind }: Pick<Notification, 'kind'>): boolean => kind === 'recovered' || kind === 'unlisted'

/** Returns the id of a desktop notification. An incident's end replaces its beginning. */
export function desktopNotificationId({ id, kind, open }: Pick<Notification, 'id' | 'kind' | 'open'>): string {
  return isEnd({ kind }) ? (open.incident ?? id) : id
}

/** Returns whether a notification is about the same single incident. */
function isSameIncident(one: Notification, { open: { incident } }: Notification): boolean {
  return typeof incident === 'string' && one.open.incident === incident
}

/** Returns whether a notification reports the same devices or more in the same place, at no higher severity. */
function hasOnlyGrown(
  { notification: before, severity: was }: ShownNotification,
  notification: Notification,
  severity: Severity | null,
): boolean {
  return (
    notification.id === before.id &&
    notification.kind === before.kind &&
    notification.open.scope === before.open.scope &&
    notification.devices >= before.devices &&
    !isWorse(severity, was)
  )
}

function currentNotification(
  notification: Notification,
  { id, message, devices: { down, unseen }, open }: Incident,
): Notification {
  return { ...notification, message, devices: down === 0 ? unseen : down, open: { ...open, incident: id } }
}

function isWorse(now: Severity | null, before: Severity | null): boolean {
  return now !== null && before !== null && ranks[now] > ranks[before]
}

/** Returns the severity of a notification's incident; null when the summary does not have it. */
export function severityIn(
  { worst }: Pick<IncidentSummary, 'worst'>,
  { open }: Pick<Notification, 'open'>,
): Severity | null {
  return worst.find(({ id }) => id === open.incident)?.severity ?? null
}

/** Returns the number of incidents that need attention: open, and neither acknowledged, snoozed nor suppressed. */
export function attentionCount({ open }: Pick<IncidentSummary, 'open'>): number {
  return open.critical + open.major + open.minor
}

/** Returns whether incidents that needed attention may have been acknowledged, snoozed or closed. */
export function mayHaveSettled(before: IncidentSummary, now: IncidentSummary): boolean {
  const taken = ({ acknowledged, snoozed }: IncidentSummary) => acknowledged + snoozed
  const all = (summary: IncidentSummary) => attentionCount(summary) + taken(summary) + summary.suppressed
  return taken(now) > taken(before) || all(now) < all(before)
}

/**
 * Closes the notifications of incidents that were acknowledged or snoozed meanwhile, or that closed without a
 * notification of their end, and those of lost monitoring when all of it is restored. `ask` resolves with null for an
 * unknown incident, and with undefined when the query failed; then its notification stays.
 */
export async function closeSettled(
  board: Pick<Board, 'shown' | 'closeMatching'>,
  summary: IncidentSummary,
  ask: (incident: string) => Promise<Incident | null | undefined>,
): Promise<void> {
  if (summary.monitoringLost === 0) board.closeMatching(({ kind }) => kind === 'monitoring-lost')
  const loud = new Set(summary.worst.map(({ id }) => id))
  for (const notification of board.shown()) {
    const { incident } = notification.open
    if (isEnd(notification) || typeof incident !== 'string' || loud.has(incident)) continue
    const known = await ask(incident)
    // A notification that replaced it meanwhile stays.
    if (known !== undefined && isSettled(known)) board.closeMatching((one) => one === notification)
  }
}

const isSettled = (incident: Incident | null): boolean =>
  incident === null || incident.closedAt !== null || incident.acknowledged !== null || incident.snoozed !== null
