import type { Incident, IncidentMember, LongStanding, Policies } from '../../src-shared/model/incidents.ts'
import type { Note } from '../../src-shared/contract/note-calls.ts'
import type { Counts } from '../../src-shared/model/inventory.ts'
import type { MaintenanceReport } from '../incidents/engine/maintenance/report.ts'
import type { ConnectionFacts } from './connection-items.ts'

/**
 * One run of a maintenance window. Both ends are null when only its report is known, because the window was changed or
 * removed.
 */
export interface MaintenanceTime {
  name: string
  /** Name of the place; '' when unknown. */
  place: string
  from: number | null
  until: number | null
  report: Pick<MaintenanceReport, 'at' | 'message'> | null
}

export interface HandoverInput {
  /** The span that is handed over, and the time of the handover, in ms. */
  from: number
  until: number
  now: number
  /** IANA name of the operator's time zone. */
  zone: string
  /** All incidents that are open now. */
  open: readonly Incident[]
  /** Incidents that were open during the span and are closed. */
  closed: readonly Incident[]
  /** A few devices of each incident, those that are down first. An incident without an entry names none. */
  members: ReadonlyMap<string, readonly IncidentMember[]>
  /** The number of devices in each incident; without an entry, the number of named ones. */
  memberCounts: ReadonlyMap<string, number>
  /** A few of the operator's notes on the devices of each incident and their places. */
  notes: ReadonlyMap<string, readonly Note[]>
  policies: Policies
  /** Maintenance windows that were active in the span, and reports of other windows. */
  maintenance: readonly MaintenanceTime[]
  /** Devices that were offline before Muster first saw them, as many as are listed, and their total with the spares. */
  longStanding: { total: number; spares: number; rows: readonly LongStanding[] }
  totals: Counts
  connections: readonly ConnectionFacts[]
  version: string
}
