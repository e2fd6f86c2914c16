import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { CallOrder } from './call-order.ts'

/** A time from `from` (included) to `until` (excluded), ms. */
export interface TimeSpan {
  readonly from: number
  readonly until: number
}

/** A maintenance window with its times. `node`: of the tree; `place`: its name when the window was created. */
export interface MaintenanceTime {
  node: string
  name: string
  place: string
  spans: readonly TimeSpan[]
}

/**
 * What is asked of a report, with the times that the core found, ms. `hours`: the service hours within it; null: always. `days`: boundaries of
 * its days, in order, with `from` and `until`.
 */
export interface ReportInput {
  place: string
  from: number
  until: number
  hours: readonly TimeSpan[] | null
  days: readonly number[]
  maintenance: readonly MaintenanceTime[]
  now: number
}

/** The data thread's calls for reports (protocol.ts). They answer null while they are not done, and are to be repeated. */
export interface ReportData {
  /** `answer`: null for an unknown place. */
  availabilityReport(input: ReportInput): Promise<{ answer: CallOutput<'reports.availability'> | null } | null>
  availabilityCsv(input: ReportInput & { offset: number }): Promise<{ answer: CallOutput<'reports.csv'> | null } | null>
}

/** How the request queue orders each of these calls. */
export const reportCallOrder: { readonly [N in keyof ReportData]: CallOrder } = {
  availabilityReport: 'read',
  availabilityCsv: 'read',
}
