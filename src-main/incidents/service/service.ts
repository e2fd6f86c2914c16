import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Explanation } from '../../../src-shared/model/explanation.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import {
  acknowledgement,
  assignment,
  snooze,
  incidentEvent,
  type Incident as Shown,
  type IncidentEvent,
  type IncidentMarks,
  type IncidentSummary,
  type Suppression,
} from '../../../src-shared/model/incidents.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { searchText } from '../../../src-shared/text/messages.ts'
import { timeText } from '../../../src-shared/text/names.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { z } from 'zod'
import type { MaintenanceReport } from '../engine/maintenance/report.ts'
import { incidentOf, subjectOf } from '../stored/state.ts'
import type { PolicyService } from '../../policies/policies.ts'
import { familyOf } from '../grouping/split.ts'
import type { IncidentRunner } from '../runner.ts'
import { listingConnections, tenantKeysOf } from './listing-connections.ts'
import { suppressionOf } from '../suppression.ts'
import type { AlertRules } from '../engine/rules.ts'
import type { Incident } from '../engine/incident.ts'
import { byWorst, type OperatorChange, type State } from '../engine/state.ts'

export interface IncidentServiceOptions {
  data: Pick<
    InventoryData,
    'closedIncidents' | 'storedIncident' | 'incidentMembers' | 'recurrence' | 'action' | 'markUndone' | 'locations'
  >
  clock: Clock
  runner: IncidentRunner
  policies: PolicyService
  /** Returns no connections before they are opened. */
  connections: () => readonly ConnectionState[]
  explain: Explain
}

/**
 * Returns the facts that explain an incident and its notification. `connections`: those that list an open one; null for
 * a closed one.
 */
export type Explain = (
  incident: Incident,
  suppression: Suppression | null,
  rules: AlertRules,
  connections: readonly ConnectionState[] | null,
) => Explanation[]

/** The operator's queries and actions on incidents. */
export interface IncidentService {
  list(input: CallInput<'incidents.list'>): Promise<CallOutput<'incidents.list'>>
  show(id: string): Promise<CallOutput<'incidents.show'>>
  summary(): IncidentSummary
  /** Returns what operators did about these incidents, without those that are closed or unknown. */
  marks(ids: readonly string[]): IncidentMarks[]
  mark(ids: readonly string[], change: Omit<OperatorChange, 'id'>): Promise<{ undo: number }>
  undo(id: number): Promise<void>
  /** Returns all open incidents, the worst first. */
  open(): Promise<Shown[]>
  /** Returns the reports of ended maintenance windows, the latest last. */
  reports(): readonly MaintenanceReport[]
  /** Returns stored incidents in the form that the window shows. */
  shown(incidents: readonly Incident[]): Promise<Shown[]>
  /** Must be called when incidents have changed. */
  changed(): void
}

/** The span (ms) in which recurrences are counted. */
const recurrenceMs = 30 * 24 * 60 * 60_000
/** The number of worst incidents that the summary names (incidents.ts). */
const maxWorst = 8
/** The values that an action changed, before or after it. */
const operatorChange = z.object({
  acknowledged: acknowledgement.nullable().optional(),
  snoozed: snooze.nullable().optional(),
  assigned: assignment.nullable().optional(),
})
const storedChanges = z
  .array(z.object({ id: z.string(), place: z.string(), before: operatorChange, after: operatorChange }))
  .catch([])

export function openIncidentService(options: IncidentServiceOptions): IncidentService {
  const { data, clock, runner: alerts, policies } = options
  let rev = 0
  const shown = (incidents: readonly Incident[]) => shownOf(options, incidents)
  return {
    async list({ state, text, offset, limit }) {
      const { open, acknowledged } = openIncidentsOf(options)
      const closed = await data.closedIncidents({
        text: state === 'closed' ? text : '',
        offset: state === 'closed' ? offset : 0,
        limit: state === 'closed' ? limit : 1,
      })
      const counts = { open: open.length, acknowledged: acknowledged.length, closed: closed.all }
      if (state === 'closed')
        return {
          rev,
          total: closed.total,
          offset,
          rows: await shown(closed.rows.flatMap((one) => incidentOf(one) ?? [])),
          counts,
        }
      const wanted = text.toLowerCase()
      const [now, { utc }] = [clock.now(), alerts.rules()]
      const time = (at: number) => timeText(at, now, utc)
      const rows = (state === 'open' ? open : acknowledged)
        .filter(({ message }) => searchText(message, time).toLowerCase().includes(wanted))
        .sort(byWorst)
      return { rev, total: rows.length, offset, rows: await shown(rows.slice(offset, offset + limit)), counts }
    },
    async show(id) {
      const stored = await data.storedIncident({ id })
      const current = alerts.state().incidents.get(id)
      const incident = current?.closedAt === null ? current : (incidentIn(stored) ?? current ?? null)
      if (incident === null) return { rev, shown: null }
      const [one] = await shown([incident])
      const listing =
        incident.closedAt === null ? await listingConnections(options, new Set(tenantKeysOf(incident.about))) : null
      const why = options.explain(incident, one?.suppressed ?? null, alerts.rules(), listing)
      return {
        rev,
        shown: one === undefined ? null : { incident: one, why, history: (stored?.events ?? []).flatMap(eventOf) },
      }
    },
    summary: () => summaryOf(options, rev),
    marks: (ids) => marksOf(options, ids),
    mark: (ids, change) => mark(options, ids, change),
    async undo(id) {
      const action = await data.action({ id })
      if (action === null) throw new FaultError('input', 'There is nothing to undo any more.')
      if (action.kind !== 'policies') return undoChanges(alerts, id, storedChanges.parse(action.before))
      await policies.restore(action.before)
      await data.markUndone({ id })
    },
    open: () => shown([...alerts.state().incidents.values()].filter(({ closedAt }) => closedAt === null).sort(byWorst)),
    reports: () => alerts.state().maintenanceReports,
    shown,
    changed: () => void (rev += 1),
  }
}

const incidentIn = (stored: Awaited<ReturnType<InventoryData['storedIncident']>>): Incident | null =>
  stored === null ? null : incidentOf(stored.incident)

/** Returns a stored history entry as a list of one; empty when it cannot be read. */
const eventOf = (stored: unknown): IncidentEvent[] => {
  const { data } = incidentEvent.safeParse(stored)
  return data === undefined ? [] : [data]
}

/** Returns the open incidents, and separately those that are acknowledged or snoozed. */
function openIncidentsOf({ runner: alerts, clock }: IncidentServiceOptions): {
  open: Incident[]
  acknowledged: Incident[]
} {
  const all = [...alerts.state().incidents.values()].filter(({ closedAt }) => closedAt === null)
  const isTaken = ({ operator: { acknowledged, snoozed } }: Incident) =>
    acknowledged !== null || (snoozed !== null && (snoozed.until ?? Infinity) > clock.now())
  return { open: all.filter((one) => !isTaken(one)), acknowledged: all.filter(isTaken) }
}

async function shownOf(
  { data, runner: alerts, clock }: IncidentServiceOptions,
  incidents: readonly Incident[],
): Promise<Shown[]> {
  const subjects = incidents.map(subjectOf)
  const recurrences =
    subjects.length === 0 ? [] : await data.recurrence({ subjects, since: clock.now() - recurrenceMs })
  const rules = alerts.rules()
  return incidents.map((incident, at) => shownAs(alerts.state(), rules, incident, clock.now(), recurrences[at] ?? 1))
}

function shownAs(state: State, rules: AlertRules, incident: Incident, now: number, recurrence: number): Shown {
  const { id, kind, severity, message, openedAt, changedAt, closedAt, open } = incident
  const { since, foundAt, down, unseen, othersDown, total, watched } = incident.extent
  const { last, unlisted } = incident.recovery
  const suppression = closedAt === null ? suppressionOf(state, rules, incident, now) : null
  return {
    id,
    kind,
    shape: incident.scope.shape,
    severity,
    message,
    places: incident.scope.path
      .filter(({ placeless }) => !placeless)
      .map((place) => ({ id: place.id, kind: place.kind, name: place.name })),
    since,
    foundAt: foundAt ?? since ?? openedAt,
    openedAt,
    changedAt,
    closedAt,
    closedNotBefore: closedAt !== null && last !== null && last.from < last.at ? last.from : null,
    devices: { down, others: othersDown, unseen, peak: peakOf(incident), total },
    ...(unlisted.count > 0 && { unlisted: unlisted.count }),
    watched,
    ...presentMarks(incident, now),
    suppressed: suppression,
    notifiedAt: incident.delivery.notifiedAt,
    recurrence: subjectOf(incident) === '' ? null : Math.max(1, recurrence),
    open,
  }
}

/** Returns what operators did about an incident, without a snooze that is over. */
function presentMarks({ operator }: Incident, now: number): Omit<IncidentMarks, 'id'> {
  const { acknowledged, snoozed, assigned } = operator
  return { acknowledged, snoozed: snoozed !== null && (snoozed.until ?? Infinity) > now ? snoozed : null, assigned }
}

function marksOf({ runner: alerts, clock }: IncidentServiceOptions, ids: readonly string[]): IncidentMarks[] {
  const { incidents } = alerts.state()
  return ids.flatMap((id) => {
    const incident = incidents.get(id)
    return incident?.closedAt === null ? [{ id, ...presentMarks(incident, clock.now()) }] : []
  })
}

/**
 * Returns the most devices that were down at the same time, including a larger former extent. For an open incident with
 * a total, only an extent of the same place counts.
 */
function peakOf({ scope, extent: { peak, total }, largest, closedAt }: Incident): number {
  const isHere =
    largest !== null && (closedAt !== null || total === null || largest.scope.path[0]?.id === scope.path[0]?.id)
  return isHere ? Math.max(peak, largest.extent.peak) : peak
}

function summaryOf(options: IncidentServiceOptions, rev: number): IncidentSummary {
  const { runner: alerts, clock } = options
  const now = clock.now()
  const { open, acknowledged } = openIncidentsOf(options)
  const rules = alerts.rules()
  const alerting = open.filter((one) => !isSilent(suppressionOf(alerts.state(), rules, one, now)?.why)).sort(byWorst)
  const count = (severity: Incident['severity']) => alerting.filter((one) => one.severity === severity).length
  return {
    rev,
    open: { critical: count('critical'), major: count('major'), minor: count('minor') },
    acknowledged: acknowledged.filter(({ operator }) => operator.acknowledged !== null).length,
    snoozed: acknowledged.filter(({ operator }) => operator.acknowledged === null).length,
    suppressed: open.length - alerting.length,
    monitoringLost: [...alerts.state().monitoringLost.values()].filter(({ restoredAt }) => restoredAt === null).length,
    // The summary does not count recurrences; they are read where they are shown.
    worst: alerting.slice(0, maxWorst).map((one) => shownAs(alerts.state(), rules, one, now, 1)),
  }
}

const placeOf = ({ scope }: Incident): string => scope.path[0]?.id ?? ''

/** Returns the fields of an incident that a change affects. */
function pickedFrom({ operator }: Incident, change: Omit<OperatorChange, 'id'>): Omit<OperatorChange, 'id'> {
  const { acknowledged, snoozed, assigned } = operator
  return {
    ...('acknowledged' in change ? { acknowledged } : {}),
    ...('snoozed' in change ? { snoozed } : {}),
    ...('assigned' in change ? { assigned } : {}),
  }
}

async function undoChanges(alerts: IncidentRunner, id: number, stored: z.infer<typeof storedChanges>): Promise<void> {
  const changes = stored.flatMap((one) => revertingChanges(alerts, one))
  if (changes.length === 0)
    throw new FaultError('input', 'Nothing to undo: the incidents are over, have grown, or were changed since.')
  await alerts.mark(changes, { undone: id })
}

/**
 * Returns the changes that undo an action. Later changes stay. Parts that were split off took the changes along and lose
 * them too; an incident that moved to another place gets none.
 */
function revertingChanges(
  alerts: IncidentRunner,
  { id, place, before, after }: z.infer<typeof storedChanges>[number],
): OperatorChange[] {
  const family = [...alerts.state().incidents.values()].filter(
    (incident) => incident.closedAt === null && (incident.id === id || familyOf(incident) === id),
  )
  return family.flatMap((incident) => {
    const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
    const isBack = (key: 'acknowledged' | 'snoozed' | 'assigned') =>
      key in after &&
      isSame(incident.operator[key], after[key]) &&
      !isSame(before[key], after[key]) &&
      (isSame(before[key], null) || placeOf(incident) === place)
    const back = {
      ...(isBack('acknowledged') ? { acknowledged: before.acknowledged ?? null } : {}),
      ...(isBack('snoozed') ? { snoozed: before.snoozed ?? null } : {}),
      ...(isBack('assigned') ? { assigned: before.assigned ?? null } : {}),
    }
    return Object.keys(back).length === 0 ? [] : [{ id: incident.id, ...back }]
  })
}

/** Returns whether a suppression hides an incident from the summary. A pause of the notifications does not. */
const isSilent = (why: string | undefined): boolean => why !== undefined && why !== 'paused' && why !== 'absence'

async function mark(
  { runner: alerts, clock }: IncidentServiceOptions,
  ids: readonly string[],
  change: Omit<OperatorChange, 'id'>,
): Promise<{ undo: number }> {
  const incidents = ids
    .flatMap((id) => alerts.state().incidents.get(id) ?? [])
    .filter(({ closedAt }) => closedAt === null)
  if (incidents.length === 0)
    throw new FaultError('input', ids.length === 1 ? 'This incident is closed.' : 'These incidents are closed.')
  const before = incidents.map((incident) => ({
    id: incident.id,
    place: placeOf(incident),
    before: pickedFrom(incident, change),
    after: change,
  }))
  const undo = await alerts.mark(
    incidents.map(({ id }) => ({ id, ...change })),
    { action: { at: clock.now(), kind: 'incidents', before } },
  )
  return { undo }
}
