import type { Incident, IncidentMember, LongStanding, Policies } from '../../src-shared/model/incidents.ts'
import type { Counts } from '../../src-shared/model/inventory.ts'
import type { MaintenanceReport } from '../incidents/engine/maintenance-report.ts'
import type { ConnectionFacts } from './connection-items.ts'

/** One time of a maintenance window; null for both ends when only its report is known, because the window is another one now, or gone. */
export interface MaintenanceTime {
  name: string
  /** Over which place; '' when that is not known any more. */
  place: string
  from: number | null
  until: number | null
  report: Pick<MaintenanceReport, 'at' | 'message'> | null
}

export interface HandoverInput {
  /** The span that is handed over, and the moment at which it is, in ms. */
  from: number
  until: number
  now: number
  /** IANA name of the zone in which the operator reads times. */
  zone: string
  /** All that are open now. */
  open: readonly Incident[]
  /** Those that were open at some time in the span and are closed. */
  closed: readonly Incident[]
  /** A few devices each, those that are down first; one that is missing names none. */
  members: ReadonlyMap<string, readonly IncidentMember[]>
  /** How many devices were in each; one that is missing: as many as are named. */
  inside: ReadonlyMap<string, number>
  policies: Policies
  /** Maintenance windows that held in the span, and what was reported of others. */
  quiet: readonly MaintenanceTime[]
  /** What was offline before Muster first saw it, as many as are listed; how many there are, spares among them. */
  longStanding: { total: number; spares: number; rows: readonly LongStanding[] }
  totals: Counts
  connections: readonly ConnectionFacts[]
  version: string
}
