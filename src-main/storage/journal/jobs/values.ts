import { z } from 'zod'
import { lazy } from '../../../../src-shared/lib/lazy.ts'
import { faultKinds } from '../../../../src-shared/model/fault.ts'
import type { JobState, Obstacle, Outcome, RecordedKind } from '../../../../src-shared/model/jobs.ts'
import type { JobRecord, JobTarget } from '../job-records.ts'

/*
 * Readers of the JSON that the journal keeps of jobs and their devices. The schemas of src-shared/model/jobs.ts would
 * bring those of the whole contract into the data thread (inventory/keys.ts), so these are its own, tied by type.
 */

/** What is stored of a job as JSON; the rest has columns. */
export type JobText = Omit<JobRecord, 'id' | 'kind' | 'createdAt' | 'endedAt' | 'undoes' | 'tenants'>
/** What is stored of a device as JSON; the rest has columns. */
export type TargetText = Omit<JobTarget, 'key' | 'outcome'>
export type Tenants = JobRecord['tenants']

/** The outcomes by their number in the journal, which is their order on a page. A number never changes. */
export const outcomesInOrder: readonly Outcome[] = [
  'unknown',
  'not-back',
  'refused',
  'sent',
  'pending',
  'not-sent',
  'done',
]

const kinds: Record<RecordedKind, true> = {
  reboot: true,
  rename: true,
  move: true,
  update: true,
  site: true,
  room: true,
  mutation: true,
}
const states: Record<JobState, true> = {
  scheduled: true,
  running: true,
  paused: true,
  interrupted: true,
  stopped: true,
  done: true,
}
const obstacles: Record<Obstacle, true> = {
  offline: true,
  unknown: true,
  'in-call': true,
  unchanged: true,
  'changed-since': true,
  'not-offered': true,
  role: true,
  'not-armed': true,
  paused: true,
  gone: true,
  duplicate: true,
  ambiguous: true,
  'no-place': true,
  'other-tenant': true,
  'too-long': true,
  empty: true,
  busy: true,
}

const oneOf = <T extends string>(values: Record<T, true>) => z.enum(Object.keys(values) as [T, ...T[]])

const schemas = lazy(() => {
  const text = z.string()
  const time = z.number().nullable()
  const namedRef = z.object({ id: text, name: text })
  const tenant = z.object({ key: text, name: text })
  const values = z.object({
    name: text.optional(),
    site: namedRef.nullable().optional(),
    room: namedRef.nullable().optional(),
  })
  const job = z.object({
    state: oneOf(states),
    startedAt: time,
    plan: z.object({
      batch: z.int().min(1).nullable(),
      waitMinutes: z.int().min(1),
      stopAfter: z.int().min(1).nullable(),
      at: time,
      includeInCall: z.boolean(),
    }),
    fault: z.object({ kind: z.enum(faultKinds), detail: text }).nullable(),
    place: z
      .object({
        tenant: text,
        kind: z.enum(['site', 'room']),
        id: text.nullable(),
        name: text,
        created: z.boolean().optional(),
      })
      .nullable(),
    linkedDevices: z.boolean(),
    fields: z
      .object({
        name: text,
        account: text.nullable().exactOptional(),
        site: text.nullable().exactOptional(),
        capacity: z.number().nullable().exactOptional(),
        size: text.nullable().exactOptional(),
        floor: text.nullable().exactOptional(),
      })
      .nullable(),
    // Rows of before have none.
    owner: z.object({ member: text, operator: text }).exactOptional(),
  }) satisfies z.ZodType<JobText>
  const target = z.object({
    id: text,
    name: text,
    tenant,
    site: namedRef.nullable(),
    room: namedRef.nullable(),
    before: values,
    after: values,
    obstacle: oneOf(obstacles).nullable(),
    words: text.nullable(),
    sentAt: time,
    answeredAt: time,
    provenAt: time,
    provenBy: z.enum(['disconnect', 'check-in', 'answer', 'read']).nullable(),
    backAfter: time,
    droppedAt: time,
    backAt: time,
    checkIn: time,
  }) satisfies z.ZodType<TargetText>
  return { kind: oneOf(kinds), job, target, tenants: z.array(tenant) }
})

/** Each returns null for a value that is not one. */
export const readKind = (value: unknown): RecordedKind | null => schemas().kind.safeParse(value).data ?? null
export const readJobText = (value: unknown): JobText | null => schemas().job.safeParse(value).data ?? null
export const readTargetText = (value: unknown): TargetText | null => schemas().target.safeParse(value).data ?? null
export const readTenants = (value: unknown): Tenants | null => schemas().tenants.safeParse(value).data ?? null
