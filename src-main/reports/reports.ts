import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Note } from '../../src-shared/contract/note-calls.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Incident, IncidentMember } from '../../src-shared/model/incidents.ts'
import { maxHandoverMs } from '../../src-shared/model/bounds.ts'
import type { Counts } from '../../src-shared/model/inventory.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { configuredZone } from '../../src-shared/maintenance/zones.ts'
import { queriesFor } from '../api/operations.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { IncidentService } from '../incidents/service/service.ts'
import { evidenceOf } from './evidence.ts'
import { maintenanceTimes } from './handover-maintenance.ts'
import { handoverOf, maxLongStanding, maxShown } from './handover.ts'
import type { HandoverInput } from './handover-input.ts'
import { incidentOf } from '../incidents/stored/state.ts'
import type { PolicyService } from '../policies/policies.ts'
import type { Incidents } from '../incidents/open.ts'
import type { LogLine, RingLog } from './log-ring.ts'
import { idsInKey } from '../incidents/scope/member-key.ts'
import { listingConnections, tenantKeysOf } from '../incidents/service/listing-connections.ts'

export interface ReportDeps {
  service: Pick<IncidentService, 'show' | 'open' | 'shown' | 'reports'>
  longStanding: Incidents['longStanding']
  data: Pick<InventoryData, 'incidentMembers' | 'incidentsBetween' | 'storedIncident' | 'locations' | 'notesAbout'>
  policies: Pick<PolicyService, 'policies'>
  lines: RingLog['lines']
  connections: () => readonly ConnectionState[]
  totals: () => Counts
  /** Returns whether the operator reads times in UTC. */
  utc: () => boolean
  clock: Clock
  version: string
}

/** Returns the calls that write a report of an incident and of a shift. */
export const reportHandlers = (deps: ReportDeps): Pick<Handlers, 'incidents.evidence' | 'handover.make'> => ({
  'incidents.evidence': async ({ id }) => ({ text: await incidentEvidence(deps, id) }),
  'handover.make': (input) => shiftHandover(deps, input),
})

const maxMembers = 200
/** Most notes of an incident, in evidence and in a handover. */
const [maxNotes, pageNotes] = [50, 4]
/** The maximum number of devices that a handover reads for each incident: for the page, and for the CSV. */
const pageMembers = 6
const csvMembers = 500
/** The maximum number of devices that a CSV names in total, so that the file stays usable. */
const maxNamed = 50_000
/** The log in an evidence report begins this long (ms) before the incident and ends this long after it closed. */
const logBeforeMs = 15 * 60_000
const logAfterMs = 5 * 60_000
/** The end of the year 9999, in ms. */
const maxTime = 253_402_300_799_999

/**
 * Returns the evidence of an incident as Markdown. Times are in the zone of its place, when one is set. Throws a fault
 * of kind `input` for an unknown id.
 */
export async function incidentEvidence(deps: ReportDeps, id: string): Promise<string> {
  const { service, data, policies, clock, version } = deps
  const [{ shown }, members, stored] = [
    await service.show(id),
    await data.incidentMembers({ id, offset: 0, limit: maxMembers }),
    await data.storedIncident({ id }),
  ]
  if (shown === null) throw new FaultError('input', 'This incident is not known any more.')
  const { incident, why, history } = shown
  const parts = members.rows.map(({ key }) => idsInKey(key))
  const tenants = new Set([...parts.map(({ tenantKey }) => tenantKey), ...tenantKeysOf(stored?.incident.about ?? [])])
  const connections = await listingConnections(deps, tenants)
  const now = clock.now()
  const queries = queriesFor(
    [...tenants].map((key) => ({ id: idsInKey(key).tenant })),
    parts.map(({ device }) => device),
  )
  return evidenceOf({
    incident,
    why,
    members,
    notes: (await data.notesAbout({ keys: members.rows.map(({ key }) => key), limit: maxNotes })).notes,
    history,
    connections,
    queries,
    log: linesOf(deps, incident, connections),
    now,
    zone: zoneOf(incident, policies),
    version,
  })
}

/** Returns the log lines of these connections around an incident. A ticket must not mention other customers. */
function linesOf(
  { lines, clock, connections: all }: ReportDeps,
  { foundAt, openedAt, closedAt }: Incident,
  connections: readonly ConnectionState[],
): LogLine[] {
  const names = all()
    .map(({ name }) => name)
    .sort((one, other) => other.length - one.length)
  const own = new Set(connections.map(({ name }) => name))
  const isOwn = (text: string) => own.has(names.find((name) => text.startsWith(`${name}: `)) ?? '')
  return lines(Math.min(foundAt, openedAt) - logBeforeMs, (closedAt ?? clock.now()) + logAfterMs).filter(({ text }) =>
    isOwn(text),
  )
}

function zoneOf({ places }: Incident, policies: ReportDeps['policies']): string {
  return configuredZone(
    places.map(({ id }) => id),
    policies.policies(),
  ).zone
}

/**
 * Returns a shift handover and its file name, from stored data alone. Throws a fault of kind `input` for a span that is
 * empty or longer than 31 days.
 */
export async function shiftHandover(
  deps: ReportDeps,
  { from, until, format }: { from: number; until: number; format: 'md' | 'csv' },
): Promise<{ text: string; name: string }> {
  if (!(from >= 0 && until <= maxTime)) throw new FaultError('input', 'No calendar has this span.')
  if (from >= until) throw new FaultError('input', 'The span ends before it begins.')
  if (until - from > maxHandoverMs) throw new FaultError('input', 'A handover covers at most 31 days.')
  const { service, policies, data, clock, totals, connections, utc, version } = deps
  const open = await service.open()
  const isOpen = new Set(open.map(({ id }) => id))
  const between = (await data.incidentsBetween({ from, until })).flatMap((one) => incidentOf(one) ?? [])
  const closed = (await service.shown(between.filter(({ id, closedAt }) => closedAt !== null && !isOpen.has(id)))).sort(
    (one, other) => (other.closedAt ?? 0) - (one.closedAt ?? 0),
  )
  const current = policies.policies()
  return handoverOf(
    {
      from,
      until,
      now: clock.now(),
      zone: utc() ? 'UTC' : current.ownZone,
      open,
      closed,
      ...(await (format === 'csv'
        ? csvNamedMembers(deps, [...open, ...closed])
        : namedMembers(deps, open.slice(0, maxShown)))),
      policies: current,
      maintenance: maintenanceTimes(current, service.reports(), { from, until }),
      longStanding: await deps.longStanding({ offset: 0, limit: maxLongStanding }),
      totals: totals(),
      connections: connections(),
      version,
    },
    format,
  )
}

type Named = Pick<HandoverInput, 'members' | 'memberCounts' | 'notes'>

async function namedMembers(
  { data }: ReportDeps,
  incidents: readonly Incident[],
  limitOf: (named: number) => number = () => pageMembers,
): Promise<Named> {
  const members = new Map<string, IncidentMember[]>()
  const memberCounts = new Map<string, number>()
  const notes = new Map<string, Note[]>()
  let named = 0
  for (const { id } of incidents) {
    const limit = limitOf(named)
    const { rows, total } = await data.incidentMembers({ id, offset: 0, limit: Math.max(1, limit) })
    members.set(id, rows.slice(0, limit))
    memberCounts.set(id, total)
    const keys = rows.slice(0, pageMembers).map(({ key }) => key)
    notes.set(id, (await data.notesAbout({ keys, limit: pageNotes })).notes)
    named += rows.length
  }
  return { members, memberCounts, notes }
}

const csvNamedMembers = (deps: ReportDeps, incidents: readonly Incident[]): Promise<Named> =>
  namedMembers(deps, incidents, (named) => Math.min(csvMembers, Math.max(0, maxNamed - named)))
