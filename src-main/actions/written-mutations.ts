import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { SentOutcome } from '../api/mutations/mutations.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import type { JobOwner, StoredJob } from '../storage/journal/job-records.ts'
import type { Arming } from './arming.ts'
import type { Jobs } from './runner/jobs.ts'
import { saveJob } from './runner/save.ts'
import { intendedMutation, settledMutation, type WrittenMutation } from './runner/mutation-job.ts'
import type { ActionTenants } from './tenants.ts'

/** What guards and records the mutations that the operator writes (docs/actions.md). */
export interface WrittenMutations {
  /** Returns the tenants that a running connection lists, as last read. Rejects as the data thread does. */
  tenantsOf(connection: string): Promise<{ key: string; id: string; name: string; armed: boolean }[]>
  /**
   * Checks that these tenants are still all of the connection, and are armed; a pass extends them. Rejects with `actions-off`, or
   * with `locked` or `input` that says what to do.
   */
  check(connection: string, tenants: readonly { key: string }[]): Promise<void>
  /**
   * Checks as `check` does; then writes the intent, calls `send`, which asks `barred` at the moment before it leaves, and
   * writes what came of it. Rejects with `actions-off`, `locked`, `input` or the disk's fault; then nothing was sent.
   */
  run<T extends { outcomes: readonly SentOutcome[] }>(
    connection: string,
    mutation: WrittenMutation,
    send: (barred: () => FaultError | null) => Promise<T>,
  ): Promise<T & { job: string }>
}

export interface WrittenMutationsOptions {
  data: Pick<InventoryData, 'createJob' | 'saveJob' | 'locations'>
  clock: Clock
  log: Log
  tenants: ActionTenants
  arming: Arming
  jobs: Pick<Jobs, 'restore' | 'hold' | 'note' | 'release'>
  /** Returns the owner of a new job; undefined for a Muster on its own. */
  owner: () => JobOwner | undefined
}

export function createWrittenMutations(options: WrittenMutationsOptions): WrittenMutations {
  const { data, clock, log, tenants, arming, jobs, owner } = options
  const tenantsOf = async (connection: string) => {
    await tenants.refresh()
    return tenants
      .all()
      .filter(({ senders }) => senders.some((sender) => sender.connection === connection))
      .map(({ key, id, name }) => ({ key, id, name, armed: arming.until(key) !== null }))
  }
  const save = async (job: StoredJob): Promise<void> => {
    jobs.note(job)
    const changed = job.targets.map((target, position) => ({ position, target }))
    await saveJob(data, job, changed).then(
      () => jobs.release(job.record.id),
      // The intent is on disk: the next start shows it as unknown. What a team's database did not take is written later.
      (error: unknown) => log('error', `the outcome of a mutation could not be written (${toFault(error).kind})`),
    )
  }
  const check = async (connection: string, prepared: readonly { key: string }[]) => {
    const present = await tenantsOf(connection)
    const keys = new Set(prepared.map(({ key }) => key))
    if (present.length === 0 || present.some(({ key }) => !keys.has(key)))
      throw new FaultError('input', 'sheet: The tenants of the connection have changed. Prepare the mutation again.')
    use(arming, present)
    return present
  }
  return {
    tenantsOf,
    async check(connection, prepared) {
      await check(connection, prepared)
    },
    async run(connection, mutation, send) {
      // The mutations of an earlier run have their outcome first.
      await jobs.restore()
      const present = await check(connection, mutation.tenants)
      const job = intendedMutation(mutation, owner(), clock.now())
      jobs.hold(job)
      await data.createJob(job).catch((error: unknown) => {
        // It may be written all the same, where the answer of a team's database was lost.
        jobs.hold(settledMutation(job, notSent(mutation, toFault(error)), clock.now()))
        throw error
      })
      jobs.note(job)
      // While it was written, they may have been locked.
      const failure = unlessArmed(arming, present)
      if (failure !== null) {
        await save(settledMutation(job, notSent(mutation, failure.fault), clock.now()))
        throw failure
      }
      const sent = await send(() => unlessArmed(arming, present))
      await save(settledMutation(job, sent.outcomes, clock.now()))
      return { ...sent, job: job.record.id }
    },
  }
}

type Present = readonly { key: string; name: string; armed: boolean }[]

/** Throws unless all are armed: the fault names those that are not. */
function use(arming: Arming, tenants: Present): void {
  const locked = tenants.filter(({ key }) => arming.until(key) === null)
  try {
    arming.use(tenants.map(({ key }) => key))
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.kind !== 'locked') throw error
    const names = locked.slice(0, 5).map(({ name }) => name)
    const more = locked.length > names.length ? ` and ${locked.length - names.length} more` : ''
    throw new FaultError(
      'locked',
      `A mutation may act on every tenant of its connection. Arm ${names.join(', ')}${more}.`,
    )
  }
}

function unlessArmed(arming: Arming, tenants: Present): FaultError | null {
  try {
    use(arming, tenants)
    return null
  } catch (error) {
    return error instanceof FaultError ? error : new FaultError('internal')
  }
}

const notSent = ({ fields }: WrittenMutation, fault: Fault): SentOutcome[] =>
  fields.map(() => ({ outcome: 'not-sent', fault }))
