import type { ActionRequest, JobPlan, Outcome, Sheet, SheetRow } from '../../../src-shared/model/jobs.ts'
import type { ActionJob, JobTarget, StoredJob } from '../../storage/journal/job-records.ts'

/** The job of a sheet, before it has an id and a time. */
export interface SheetJob {
  record: Pick<ActionJob['record'], 'kind' | 'place' | 'tenants' | 'undoes' | 'linkedDevices' | 'fields'>
  /** Those that cannot be done have the outcome `not-sent` and their obstacle. */
  targets: JobTarget[]
}

/** Prepared actions: kept for 15 minutes, in memory, a bounded number. Nothing here sends a change. */
export interface Sheets {
  /** Throws a fault of kind `input` for a request that cannot be read. */
  prepare(request: ActionRequest): Promise<Sheet>
  /** Throws `input` where the sheet is gone. */
  rows(input: { sheet: string; offset: number; limit: number }): { total: number; rows: SheetRow[] }
  /**
   * Returns the tenants (keys) of the devices that a sheet can act on; of those that wait for their tenant where there are
   * none. Throws `input` where the sheet is gone.
   */
  tenants(sheet: string): Set<string>
  /** Prepares the devices of a job that have one of these outcomes, from today's values. */
  again(job: StoredJob, outcomes: readonly Outcome[]): Promise<Sheet>
  /** Prepares the return to the values before a rename or move. */
  undo(job: StoredJob): Promise<Sheet>
  /**
   * Returns the job of a sheet, once. Throws `input` where the sheet is gone or used, no device can be done, another job
   * writes the same place, or the confirmation is not what the sheet asks for. `includeInCall` of the plan counts devices in a call as ready.
   */
  take(sheet: string, confirmation: string, plan: JobPlan): SheetJob
}
