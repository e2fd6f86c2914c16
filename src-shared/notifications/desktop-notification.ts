import type { Incident, IncidentSummary, Severity } from '../model/incidents.ts'
import type { Notification } from '../model/inventory.ts'

/**
 * Notices on the desktop, by whichever shell: one for each incident, which changes in its place (design, section 8).
 * Pure but for what stands; how one is shown is the shell's.
 */
export interface DesktopNotification {
  /** By which the system knows it: the same for an incident's beginning and its end. */
  id: string
  told: Notification
  /** It only grew since it was told last: no reason to call anybody a second time. */
  silent: boolean
}

/** What the shell shows for a notice. */
export interface Shown {
  close(): void
}

export interface Board {
  /** Shows it, in the place of what told of the same. `severity` is that of its incident now; null where it is about none, or it is not known. */
  show(told: Notification, severity: Severity | null): void
  /** By the summary of now. An incident that has become worse than when somebody was called calls again, in its words of now. */
  weigh(summary: Pick<IncidentSummary, 'worst'>): void
  /** All that stand, the oldest first. */
  standing(): Notification[]
  /** Takes those away for which this holds. */
  take(which: (told: Notification) => boolean): void
  /** Forgets one that the operator has clicked or the system has not shown; it is closed. */
  drop(id: string): void
}

interface ShownNotification {
  told: Notification
  /** When somebody was called. */
  severity: Severity | null
  shown: Shown
}

/** More of them than this nobody clicks on any more. */
const most = 50
const ranks: Record<Severity, number> = { minor: 0, major: 1, critical: 2 }

/** `put` shows one, in the place of the one `before` that has the same id; null when the system shows none. */
export function createBoard(put: (notice: DesktopNotification, before: Shown | null) => Shown | null): Board {
  const all = new Map<string, ShownNotification>()
  const drop = (id: string) => {
    const known = all.get(id)
    all.delete(id)
    known?.shown.close()
  }
  const take = (which: (told: Notification) => boolean) => {
    for (const [id, { told }] of all) if (which(told)) drop(id)
  }
  const show: Board['show'] = (told, severity) => {
    const id = desktopNotificationId(told)
    const before = all.get(id)
    const silent = before !== undefined && onlyGrew(before, told, severity)
    all.delete(id)
    take((other) => isOfTheSame(other, told))
    const shown = put({ id, told, silent }, before?.shown ?? null)
    if (shown === null) return
    all.set(id, { told, severity: silent ? (before.severity ?? severity) : severity, shown })
    const oldest = all.size > most ? all.keys().next().value : undefined
    if (oldest !== undefined) drop(oldest)
  }
  return {
    show,
    weigh(summary) {
      for (const [id, standing] of all) {
        const incident = summary.worst.find((one) => one.id === standing.told.open.incident)
        if (incident === undefined || isEnd(standing.told)) continue
        if (isWorse(incident.severity, standing.severity)) show(toldNow(standing.told, incident), incident.severity)
        else all.set(id, { ...standing, severity: standing.severity ?? incident.severity })
      }
    },
    standing: () => [...all.values()].map(({ told }) => told),
    take,
    drop,
  }
}

export const isEnd = ({ kind }: Pick<Notification, 'kind'>): boolean => kind === 'recovered' || kind === 'unlisted'

/** The notice that tells this: an end has the place of its beginning. */
export function desktopNotificationId({ id, kind, open }: Pick<Notification, 'id' | 'kind' | 'open'>): string {
  return isEnd({ kind }) ? (open.incident ?? id) : id
}

/** A telling of the same incident alone. */
function isOfTheSame(one: Notification, { open: { incident } }: Notification): boolean {
  return typeof incident === 'string' && one.open.incident === incident
}

/** The same devices or more in the same place, and nothing worse than that. */
function onlyGrew(
  { told: before, severity: was }: ShownNotification,
  told: Notification,
  severity: Severity | null,
): boolean {
  return (
    told.id === before.id &&
    told.kind === before.kind &&
    told.open.scope === before.open.scope &&
    told.devices >= before.devices &&
    !isWorse(severity, was)
  )
}

function toldNow(told: Notification, { id, message, devices: { down, unseen }, open }: Incident): Notification {
  return { ...told, message, devices: down === 0 ? unseen : down, open: { ...open, incident: id } }
}

function isWorse(now: Severity | null, before: Severity | null): boolean {
  return now !== null && before !== null && ranks[now] > ranks[before]
}

/** How bad the incident of a telling is, as far as the summary says. */
export function severityIn(
  { worst }: Pick<IncidentSummary, 'worst'>,
  { open }: Pick<Notification, 'open'>,
): Severity | null {
  return worst.find(({ id }) => id === open.incident)?.severity ?? null
}

/** Incidents that are open and neither acknowledged nor silent: they call for somebody. */
export function callingIn({ open }: Pick<IncidentSummary, 'open'>): number {
  return open.critical + open.major + open.minor
}

/** Whether some that called for somebody may no longer do so. */
export function mayHaveSettled(before: IncidentSummary, now: IncidentSummary): boolean {
  const taken = ({ acknowledged, snoozed }: IncidentSummary) => acknowledged + snoozed
  const all = (summary: IncidentSummary) => callingIn(summary) + taken(summary) + summary.suppressed
  return taken(now) > taken(before) || all(now) < all(before)
}

/**
 * Takes away what stands of incidents that somebody has taken on meanwhile, or that are over and of whose end nothing is
 * told; what Muster cannot see, when it sees all. `ask` answers null for an incident that is known no longer, and
 * undefined when it could not be asked: then its notice stays.
 */
export async function takeSettled(
  board: Pick<Board, 'standing' | 'take'>,
  summary: IncidentSummary,
  ask: (incident: string) => Promise<Incident | null | undefined>,
): Promise<void> {
  if (summary.monitoringLost === 0) board.take(({ kind }) => kind === 'monitoring-lost')
  const loud = new Set(summary.worst.map(({ id }) => id))
  for (const told of board.standing()) {
    const { incident } = told.open
    if (isEnd(told) || typeof incident !== 'string' || loud.has(incident)) continue
    const known = await ask(incident)
    // What was shown in its place meanwhile stays.
    if (known !== undefined && isSettled(known)) board.take((one) => one === told)
  }
}

const isSettled = (incident: Incident | null): boolean =>
  incident === null || incident.closedAt !== null || incident.acknowledged !== null || incident.snoozed !== null
