import type { Clock } from '../../../src-shared/lib/clock.ts'
import { maxUnconfirmed, type ActionRequest, type Obstacle, type Sheet } from '../../../src-shared/model/jobs.ts'
import type { StoredJob } from '../../storage/journal/job-records.ts'
import type { PreparedRow } from './assess.ts'
import { costOf } from './cost.ts'
import type { PreparedPlace } from './place.ts'

/** A prepared action, with what its job needs. */
export interface PreparedSheet {
  id: string
  request: ActionRequest
  rows: readonly PreparedRow[]
  place: PreparedPlace | null
  ignored: readonly string[]
  /** Name of the site whose devices these are, all of them; null: not a whole site. */
  site: string | null
  /** The job that it undoes. */
  undoes: StoredJob['record']['id'] | null
}

export const isReady = ({ obstacle }: Pick<PreparedRow, 'obstacle'>): boolean => obstacle === null

/** Returns the tenants (keys) of the rows that can be done, devices in a call included; of those that are not armed where there are none. */
export function tenantsOf(rows: PreparedSheet['rows']): Set<string> {
  const keysOf = (meets: (row: PreparedRow) => boolean) => new Set(rows.filter(meets).map(({ tenant }) => tenant.key))
  const ready = keysOf((row) => isReady(row) || row.obstacle === 'in-call')
  return ready.size > 0 ? ready : keysOf(({ obstacle }) => obstacle === 'not-armed')
}

/** Returns the summary of a prepared action (model/jobs.ts). */
export function summaryOf(
  { id, request, rows, ignored, site }: PreparedSheet,
  { clock, isArmed }: { clock: Pick<Clock, 'now'>; isArmed: (tenant: string) => boolean },
): Sheet {
  const ready = rows.filter(isReady)
  const counts = new Map<Obstacle, number>()
  for (const { obstacle } of rows) if (obstacle !== null) counts.set(obstacle, (counts.get(obstacle) ?? 0) + 1)
  const inCall = counts.get('in-call') ?? 0
  const tenants = new Map(rows.flatMap(({ tenant }) => (tenant.key === '' ? [] : [[tenant.key, tenant] as const])))
  const isReboot = request.kind === 'reboot'
  return {
    id,
    request: shownRequest(request),
    tenants: [...tenants.values()].map((tenant) => ({ ...tenant, armed: isArmed(tenant.key) })),
    total: rows.length,
    ready: ready.length,
    obstacles: [...counts].map(([obstacle, devices]) => ({ obstacle, devices })),
    inCall,
    callsUnknown: isReboot ? ready.filter(({ call }) => call === 'unknown').length : 0,
    ...costOf(
      clock,
      request.kind,
      ready.map(({ sender }) => sender),
    ),
    confirm: confirmOf(site, ready.length, inCall),
    endsCalls: isReboot,
    suppressed: isReboot ? ready.length : 0,
    ignored: [...ignored],
  }
}

/** The text of a file of any size is not sent back. */
const shownRequest = (request: ActionRequest): ActionRequest =>
  request.kind === 'update' ? { ...request, text: '' } : request

/** Longest name of a site that an operator has to type, characters. */
const maxTyped = 100

/** Returns what the operator types to confirm; null: a click does. Devices in a call may be included yet. */
export function confirmOf(site: string | null, ready: number, inCall: number): string | null {
  if (site !== null && site.trim() !== '' && site.length <= maxTyped) return site
  if (ready > maxUnconfirmed) return String(ready)
  return ready + inCall > maxUnconfirmed ? String(ready + inCall) : null
}
