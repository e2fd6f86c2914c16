import type { Job, JobDevice, JobKind, JobState } from '../../../src-shared/model/jobs.ts'

/** A site or room that a job creates (`id` null) or edits. A member that is left out stays. */
export interface PlaceFields {
  name: string
  /** Of a site: id of its account. */
  account?: string | null
  /** Of a room: id of its site. */
  site?: string | null
  capacity?: number | null
  size?: string | null
  floor?: string | null
}

/** A job as the journal has it, without its devices. */
export interface JobRecord extends Pick<
  Job,
  'id' | 'kind' | 'place' | 'tenants' | 'plan' | 'fault' | 'createdAt' | 'startedAt' | 'endedAt' | 'undoes'
> {
  state: JobState
  /** A reboot includes linked devices. */
  linkedDevices: boolean
  /** What is written to `place`; null for devices. Of a `mutation` its `name` is that of the operation, and null where it has none. */
  fields: PlaceFields | null
}

/**
 * A device of a job, or its one place: then `key` is the key of the place's tenant. Times in ms. `droppedAt`, `backAt`:
 * of its reboot, as seen. `checkIn`: its `lastConfigRequestDate` just before it was sent, of the service's clock; null:
 * unknown.
 */
export interface JobTarget extends JobDevice {
  /** The service's id of the device; empty for a place. */
  id: string
  droppedAt: number | null
  backAt: number | null
  checkIn: number | null
}

/** The members of a device or place of which nothing has come yet. */
export const unanswered = {
  answeredAt: null,
  provenAt: null,
  provenBy: null,
  backAfter: null,
  droppedAt: null,
  backAt: null,
  checkIn: null,
}

/** A job with its devices, in their order. */
export interface StoredJob {
  record: JobRecord
  targets: JobTarget[]
}

/** A job of Muster's own actions, which can be continued, repeated and undone. */
export interface ActionJob extends StoredJob {
  record: JobRecord & { kind: JobKind }
}

/** Returns whether a job is an action; the others are mutations that the operator wrote. */
export const isAction = (job: StoredJob): job is ActionJob => job.record.kind !== 'mutation'

/** Returns the name of the operation of a mutation that the operator wrote, for lists; none for others. */
export const mutationName = ({ kind, fields }: Pick<JobRecord, 'kind' | 'fields'>): Pick<Job, 'name'> =>
  kind === 'mutation' && fields !== null ? { name: fields.name } : {}
