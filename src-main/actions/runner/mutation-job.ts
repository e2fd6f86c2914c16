import { randomUUID } from 'node:crypto'
import type { SentOutcome } from '../../api/mutations/mutations.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Outcome } from '../../../src-shared/model/jobs.ts'
import { unanswered, type JobOwner, type JobTarget, type StoredJob } from '../../storage/journal/job-records.ts'

/**
 * A mutation that the operator wrote, as the history has it: its root fields are in the place of devices. It has no values of
 * theirs, which may be secrets.
 */
export interface WrittenMutation {
  /** Name of the operation; null: it has none. */
  name: string | null
  /** The root fields, each under its name in the answer. */
  fields: readonly { name: string; field: string }[]
  /** All tenants of its connection. */
  tenants: readonly { key: string; name: string }[]
}

/** Returns the intent: what is about to be sent counts as sent, so that a crash leaves it unknown and never unsent. */
export function intendedMutation(
  { name, fields, tenants }: WrittenMutation,
  owner: JobOwner | undefined,
  now: number,
): StoredJob {
  const [first] = tenants
  if (first === undefined) throw new Error('a mutation without a tenant')
  return {
    record: {
      id: randomUUID(),
      kind: 'mutation',
      place: null,
      tenants: [...tenants],
      plan: { batch: null, waitMinutes: 1, stopAfter: null, at: null, includeInCall: false },
      state: 'running',
      fault: null,
      createdAt: now,
      startedAt: now,
      endedAt: null,
      undoes: null,
      linkedDevices: false,
      fields: name === null ? null : { name },
      ...(owner !== undefined && { owner }),
    },
    targets: fields.map((each) => targetOf(each, first, now)),
  }
}

/** Its key is below that of a tenant, and goes with it. */
const targetOf = (
  { name, field }: WrittenMutation['fields'][number],
  tenant: { key: string; name: string },
  now: number,
): JobTarget => ({
  key: `${tenant.key}/mutation:${name}`,
  id: '',
  name: name === field ? field : `${name}: ${field}`,
  tenant,
  site: null,
  room: null,
  before: {},
  after: {},
  outcome: 'sent',
  obstacle: null,
  words: null,
  sentAt: now,
  ...unanswered,
})

/** Returns what came of it. `outcomes`: of each root field, in their order. */
export function settledMutation(job: StoredJob, outcomes: readonly SentOutcome[], now: number): StoredJob {
  return {
    record: { ...job.record, state: 'done', endedAt: now },
    targets: job.targets.map((target, index) => ({ ...target, ...settledBy(outcomes[index], now) })),
  }
}

/** Returns a mutation that has no answer, because Muster ended. */
export const interruptedMutation = (job: StoredJob, now: number): StoredJob => ({
  record: { ...job.record, state: 'done', endedAt: now },
  targets: job.targets.map((target) =>
    target.outcome === 'sent' ? { ...target, outcome: 'unknown', words: 'Muster ended before its answer.' } : target,
  ),
})

function settledBy(outcome: SentOutcome | undefined, now: number): Partial<JobTarget> & { outcome: Outcome } {
  switch (outcome?.outcome) {
    case 'confirmed':
      return { outcome: 'done', answeredAt: now, provenAt: now, provenBy: 'answer' }
    case 'refused':
      return { outcome: 'refused', answeredAt: now, words: outcome.words }
    case 'not-sent': {
      const { kind, detail } = outcome.fault
      return { outcome: 'not-sent', sentAt: null, words: detail === '' ? explain({ kind, detail }).title : detail }
    }
    case 'unknown':
      return { outcome: 'unknown', words: outcome.words }
    case undefined:
      return { outcome: 'unknown', words: '' }
  }
}
