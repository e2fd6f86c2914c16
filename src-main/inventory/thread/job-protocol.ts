import type { CallOrder } from './call-order.ts'
import type { DeviceStatus, NamedRef } from '../../../src-shared/model/inventory.ts'
import type { Job, JobDevice, Outcome } from '../../../src-shared/model/jobs.ts'
import type { JobRecord, JobTarget, StoredJob } from '../../storage/journal/job-records.ts'

/** The data thread's calls about jobs (protocol.ts). */
export interface JobData {
  /** Writes a new job and its devices, in one transaction. Fails with `input` when a device occurs twice. */
  createJob(input: StoredJob): Promise<void>
  /**
   * Writes a job's record and its changed devices, in one transaction. A device is found by its key: where others of the
   * job were erased, or cannot be read, positions differ. A job or device that was erased stays erased.
   */
  saveJob(input: { record: JobRecord; changed: { position: number; target: JobTarget }[] }): Promise<void>
  /**
   * Returns the jobs that are not ended, the oldest first. A job with devices that cannot be read has the others, and a
   * fault of kind `storage`; one of which nothing can be read is left out.
   */
  openJobs(): Promise<StoredJob[]>
  /** Returns the number of jobs that are not ended and that `openJobs` leaves out. */
  unreadableJobs(): Promise<number>
  /** Returns one job with its devices; null for an unknown id. */
  storedJob(input: { id: string }): Promise<StoredJob | null>
  /** Returns one job as lists show it; null for an unknown id. */
  job(input: { id: string }): Promise<Job | null>
  /** Returns a page of a job's devices with these outcomes (null: all), in the order of `jobs.devices`. */
  jobDevices(input: {
    id: string
    outcomes: Outcome[] | null
    offset: number
    limit: number
  }): Promise<{ total: number; rows: JobDevice[] }>
  /** Returns a page of the jobs, the newest first, as `jobs.list`. */
  jobs(input: {
    text: string
    device: string | null
    offset: number
    limit: number
  }): Promise<{ total: number; rows: Job[] }>
  /** Returns a part of the history as CSV, as `jobs.export`. */
  exportJobs(input: {
    from: number
    until: number
    after: string | null
  }): Promise<{ text: string; after: string | null }>
}

export const jobCallOrder: { readonly [N in keyof JobData]: CallOrder } = {
  createJob: 'ordered',
  saveJob: 'ordered',
  openJobs: 'ordered',
  unreadableJobs: 'ordered',
  storedJob: 'ordered',
  job: 'ordered',
  jobDevices: 'read',
  jobs: 'read',
  exportJobs: 'read',
}

/** A device as a sheet needs it. `connections`: those that list it. `serial`: empty where it is not known. */
export interface ActionDevice {
  key: string
  id: string
  service: string
  tenant: { key: string; name: string }
  name: string
  site: NamedRef | null
  room: NamedRef | null
  status: DeviceStatus
  hardwareModel: string
  serial: string
  connections: string[]
}
