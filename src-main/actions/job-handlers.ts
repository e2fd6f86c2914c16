import type { Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Job } from '../../src-shared/model/jobs.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { ListedJob, StoredJob } from '../storage/journal/job-records.ts'
import type { PlaceGuard } from './place-guard.ts'
import type { Jobs } from './runner/jobs.ts'
import type { Sheets } from './sheets/sheets.ts'

type JobCall = Extract<keyof Handlers, `jobs.${string}`>
export type JobHandlers = Pick<Handlers, JobCall>

export interface JobHandlerOptions {
  data: Pick<InventoryData, 'storedJob' | 'job' | 'jobDevices' | 'jobs' | 'exportJobs'>
  jobs: Jobs
  sheets: Sheets
  places: Pick<PlaceGuard, 'holding'>
  /** Throws `actions-off`, or `locked` unless all of these tenants (keys) are armed. */
  use: (tenants: Iterable<string>) => void
  /** Returns a job as this member's window shows it. */
  shown: (job: ListedJob) => Job
}

/** Returns the handlers of the calls about jobs. What starts or continues one checks that its tenants are armed. */
export function jobHandlers({ data, jobs, sheets, places, use, shown }: JobHandlerOptions): JobHandlers {
  const stored = async (id: string): Promise<StoredJob> => {
    const job = await data.storedJob({ id })
    if (job === null) throw new FaultError('input', 'job: There is no such job.')
    return job
  }
  return {
    'jobs.prepare': (request) => sheets.prepare(request),
    'jobs.sheetRows': async (input) => sheets.rows(input),
    'jobs.start': async ({ sheet, confirmation, plan }) => {
      // The jobs of an earlier run count, and a sheet is not used up for a disk that fails.
      await jobs.restore()
      // Before the sheet is used up: a locked tenant is unlocked, and the sheet starts then.
      use(sheets.tenants(sheet))
      const taken = sheets.take(sheet, confirmation, plan)
      return { job: await places.holding(taken.record.place, () => jobs.start(taken, plan)) }
    },
    'jobs.control': async ({ job, command }) => {
      if (command === 'continue') {
        // Before its tenants are known: it may not have been restored yet.
        await jobs.restore()
        use(await jobs.tenantsOf(job))
      }
      await jobs.control(job, command)
      return {}
    },
    'jobs.take': async ({ job }) => {
      await jobs.take(job)
      return {}
    },
    'jobs.again': async ({ job, outcomes }) => sheets.again(await stored(job), outcomes),
    'jobs.undo': async ({ job }) => sheets.undo(await stored(job)),
    'jobs.show': async ({ job: id }) => {
      const job = await data.job({ id })
      return { job: job && shown(job) }
    },
    'jobs.devices': ({ job, ...page }) => data.jobDevices({ id: job, ...page }),
    'jobs.list': async (input) => {
      const { total, rows } = await data.jobs(input)
      return { total, rows: rows.map(shown) }
    },
    'jobs.export': (input) => data.exportJobs(input),
  }
}
