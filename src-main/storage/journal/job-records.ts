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

/** The member of a team whose job it is, and its operator, as the member named it. */
export interface JobOwner {
  member: string
  operator: string
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
  /** Left out for a job of a Muster on its own. */
  owner?: JobOwner
}

/** A job as lists show it, with its owner as the journal has it. */
export type ListedJob = Omit<Job, 'owner' | 'ownerAway'> & Pick<JobRecord, 'owner'>

/** Returns whether a job is a member's own; one without an owner is of whoever has it. */
export const isOwn = ({ owner }: Pick<JobRecord, 'owner'>, member: string | null): boolean =>
  owner === undefined || owner.member === member

/** Returns a job as the window of a member shows it. */
export function shownJob(listed: ListedJob, member: string | null): Job {
  const { owner, ...job } = listed
  return owner === undefined || isOwn(listed, member) ? job : { ...job, owner: owner.operator }
}

/** Returns whether two jobs write one place: by name where both create it. Rooms of one name in two sites are the same here. */
export function isSamePlace(one: NonNullable<Job['place']>, other: NonNullable<Job['place']>): boolean {
  if (one.tenant !== other.tenant || one.kind !== other.kind) return false
  return isNewPlace(one) && isNewPlace(other) ? one.name === other.name : one.id !== null && one.id === other.id
}

/** Returns whether a job creates its place, or has created it. */
export const isNewPlace = ({ id, created = false }: NonNullable<Job['place']>): boolean => id === null || created

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
