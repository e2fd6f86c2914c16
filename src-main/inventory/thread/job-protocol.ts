import type { CallOrder } from './call-order.ts'
import type { DeviceStatus, InventoryQuery, NamedRef, RoomFacts } from '../../../src-shared/model/inventory.ts'
import type { JobDevice, Outcome } from '../../../src-shared/model/jobs.ts'
import type { JobOwner, JobRecord, JobTarget, ListedJob, StoredJob } from '../../storage/journal/job-records.ts'

/** The data thread's calls about jobs (protocol.ts). */
export interface JobData {
  /**
   * Writes a new job and its devices, in one transaction. Fails with `input` when a device occurs twice, and where an open job
   * of another member of the team, or another one of this member, acts on one of its devices or its place; those of `absent`
   * members (ids) do not count. `absent` left out: no other job is looked at.
   */
  createJob(input: StoredJob & { absent?: string[] }): Promise<void>
  /**
   * Writes a job's record and its changed devices, in one transaction. A device is found by its key: where others of the
   * job were erased, or cannot be read, positions differ. A device that was erased stays erased. Fails with `input` where the job was
   * erased, or another member has taken it over.
   */
  saveJob(input: { record: JobRecord; changed: { position: number; target: JobTarget }[] }): Promise<void>
  /**
   * Gives an open job of the team's member `from` (id) to another owner. Fails with `input` where it is ended, or of another
   * member.
   */
  takeJob(input: { id: string; from: string; owner: JobOwner }): Promise<void>
  /**
   * Returns the jobs that are not ended, and those that ended at `endedSince` (ms) or later with devices of an unknown
   * outcome, the oldest first. A job with devices that cannot be read has the others, and a fault of kind `storage`; one of
   * which nothing can be read is left out. `member`: the jobs of this member of the team and those without an owner alone.
   */
  openJobs(input: { endedSince: number; member?: string }): Promise<StoredJob[]>
  /**
   * Returns the jobs of the team's other members than this one (id) that are not ended, or ended at `endedSince` (ms) or
   * later. `open`: the keys of the devices that a job has not sent yet, or awaits.
   */
  otherJobs(input: { member: string; endedSince: number }): Promise<{ job: ListedJob; open: string[] }[]>
  /**
   * Returns which of these devices (keys) of a member's job another member's open job awaits, or that is newer and has not
   * sent them yet: it was created while this member was away. Those of `absent` members (ids) do not count.
   */
  takenDevices(input: { job: string; member: string; keys: string[]; absent: string[] }): Promise<string[]>
  /** Returns the number of jobs that are not ended and that `openJobs` leaves out. */
  unreadableJobs(): Promise<number>
  /** Returns one job with its devices; null for an unknown id. */
  storedJob(input: { id: string }): Promise<StoredJob | null>
  /** Returns one job as lists show it; null for an unknown id. */
  job(input: { id: string }): Promise<ListedJob | null>
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
    incident?: string | undefined
    offset: number
    limit: number
  }): Promise<{ total: number; rows: ListedJob[] }>
  /** Returns a part of the history as CSV, as `jobs.export`. */
  exportJobs(input: {
    from: number
    until: number
    after: string | null
  }): Promise<{ text: string; after: string | null }>
}

export const jobCallOrder: { readonly [N in keyof JobData]: CallOrder } = {
  createJob: 'ordered',
  saveJob: 'feed',
  takeJob: 'ordered',
  openJobs: 'ordered',
  otherJobs: 'ordered',
  takenDevices: 'ordered',
  unreadableJobs: 'ordered',
  storedJob: 'ordered',
  job: 'ordered',
  jobDevices: 'read',
  jobs: 'read',
  exportJobs: 'read',
}

/** The data thread's calls about what a job may act on (protocol.ts). `now` in ms. */
export interface ActionData {
  /**
   * Returns the devices of a sheet, at most `limit`: those with these keys, in their order; those with these ids of their
   * services, at most two for each; or a query's first rows, in its order. `total`: number of all. A key or id without a
   * device is left out.
   */
  actionDevices(input: {
    of: { keys: string[] } | { ids: string[] } | { query: InventoryQuery }
    limit: number
    now: number
  }): Promise<{ total: number; devices: ActionDevice[] }>
  /**
   * Returns the accounts, sites and rooms of these tenants (keys) whose id or name is among these words. `elsewhere`: the
   * words that fit a place of this kind in another tenant.
   */
  actionPlaces(input: {
    tenants: string[]
    words: string[]
  }): Promise<{ places: ActionPlace[]; elsewhere: { kind: ActionPlace['kind']; word: string }[] }>
}

export const actionCallOrder: { readonly [N in keyof ActionData]: CallOrder } = {
  actionDevices: 'read',
  actionPlaces: 'read',
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

/**
 * A place as a sheet needs it. `tenant`: its key. `site`: of a room; null: none. `account`: id, of a site; null where it
 * is not known. `facts`: of a room.
 */
export interface ActionPlace {
  tenant: string
  kind: 'account' | 'site' | 'room'
  id: string
  name: string
  site: NamedRef | null
  account: string | null
  facts: RoomFacts | null
}
