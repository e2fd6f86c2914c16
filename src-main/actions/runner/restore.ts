import { toFault } from '../../../src-shared/model/fault.ts'
import type { Change } from '../../inventory/thread/change.ts'
import { isAction, isOwn, type JobTarget, type StoredJob } from '../../storage/journal/job-records.ts'
import { isProvable, runningJob } from '../engine/job.ts'
import type { JobEvent } from '../engine/step.ts'
import { dropLive, noteReboots, openLive, rebootedAgainAt, targetOf, type JobsState, type Live } from './live.ts'
import { missedTransitions } from './missed.ts'
import { interruptedMutation } from './mutation-job.ts'
import { keptTargets, knownTenants, saveJob } from './save.ts'
import { endedMs, summaryOf } from './summary.ts'

type Transition = Change['transitions'][number]

/** What an ended job left unknown may still be proven for this long, ms: the longest wait for a reboot, and some tries. */
const provableMs = 125 * 60_000
/** Later than every time, ms. */
const never = Number.MAX_SAFE_INTEGER

/** Restores what an earlier run left. */
export async function restoreAll(state: JobsState): Promise<void> {
  const { clock, data, others } = state.options
  const now = clock.now()
  const member = others.member()
  await openOwn(state, now - provableMs)
  const { rows } = await data.jobs({ text: '', device: null, offset: 0, limit: 50 })
  const isRecent = (at: number | null) => at !== null && at >= now - endedMs
  for (const job of rows)
    if (isRecent(job.endedAt) && isOwn(job, member) && !state.live.has(job.id) && !state.ended.has(job.id))
      state.ended.set(job.id, others.shown(job))
}

/**
 * Opens this member's jobs that are not ended and do not run here: they were stored although the answer was lost on the way. What
 * could not be written is tried again.
 */
export async function sweep(state: JobsState): Promise<void> {
  await openOwn(state, never)
  const { clock } = state.options
  for (const { job } of state.live.values())
    if (!job.isSaved()) void job.apply({ kind: 'tick', at: clock.now() }).catch(() => {})
}

/** Writes all jobs again that run here: the team's database may have lost what is newest of them. */
export async function writeAllAgain(state: JobsState): Promise<void> {
  const known = await knownTenants(state.options.data)
  for (const live of state.live.values()) {
    const { targets } = live.job.state()
    const kept = new Set(keptTargets(targets, known))
    if (kept.size === 0) dropLive(state, live)
    else live.job.writeAgain(targets.flatMap((target, position) => (kept.has(target) ? position : [])))
  }
}

/** Drops the jobs whose devices another member has erased. */
export async function findErased(state: JobsState): Promise<void> {
  const { data } = state.options
  const known = await knownTenants(data)
  for (const live of state.live.values()) {
    const { record, targets } = live.job.state()
    if (keptTargets(targets, known).length === 0 && (await data.job({ id: record.id })) === null) dropLive(state, live)
  }
}

/** Opens this member's stored jobs that are not open, as interrupted. */
async function openOwn(state: JobsState, endedSince: number): Promise<void> {
  const { clock, data, log, others } = state.options
  const member = others.member()
  const stored = await data.openJobs({ endedSince, ...(member !== null && { member }) })
  const open = stored.filter((job) => isUnknown(state, job))
  await settleMutations(state, open)
  const jobs = open.filter(isAction).map(runningJob)
  // All of them first: a newer one explains what an older one would take as its own.
  const reboots = jobs.flatMap((job) => job.targets.map((target) => ({ job, target })))
  for (const { job, target } of reboots.toSorted((one, other) => sentAtOf(one) - sentAtOf(other)))
    noteReboots(state, job, [target])
  for (const job of jobs) {
    const missed = await missedTransitions(data, job).catch(() => {
      log('warn', 'the transitions of an interrupted job could not be read')
      return []
    })
    const live = openLive(state, job)
    // Together: what was seen meanwhile comes before any question for a proof. Where that cannot be written it is kept in
    // memory and written later.
    const restore: JobEvent = { kind: 'restore', at: clock.now() }
    const events = [restore, ...missed.filter((event) => isOf(state, live, event))]
    await Promise.all(events.map((event) => live.job.apply(event).catch(() => {})))
  }
}

/**
 * Returns whether a stored job neither runs here, nor is about to, nor has ended since it was read; or a mutation of this run may
 * not be stored as it is known here.
 */
function isUnknown({ live, starting, ended, mutations }: JobsState, { record: { id, endedAt } }: StoredJob): boolean {
  if (mutations.has(id)) return true
  return !live.has(id) && !starting.has(id) && (endedAt !== null || (ended.get(id)?.endedAt ?? null) === null)
}

/** What the operator wrote and sent before Muster ended, and has no answer, is unknown: it is not sent again. */
async function settleMutations({ options: { data, clock }, ended, mutations }: JobsState, open: readonly StoredJob[]) {
  for (const job of open.filter((each) => !isAction(each) && each.record.endedAt === null)) {
    const { id } = job.record
    const known = mutations.get(id)
    // It waits for its answer.
    if (known?.record.endedAt === null) continue
    const settled = known ?? interruptedMutation(job, clock.now())
    ended.set(id, summaryOf(settled))
    mutations.set(id, settled)
    try {
      await saveJob(
        data,
        settled,
        settled.targets.map((target, position) => ({ position, target })),
      )
      mutations.delete(id)
    } catch (error) {
      // It is written when the team's database is reached again.
      if (toFault(error).kind !== 'team-away') throw error
    }
  }
}

const sentAtOf = ({ target }: { target: JobTarget }): number => target.sentAt ?? 0

/** Returns whether a transition is of a device that a job rebooted, and that was not rebooted again before it. */
export function isOf(state: JobsState, live: Live, { key, at, notBefore }: Transition): boolean {
  const target = targetOf(live, key)
  if (target === undefined || !isProvable(target)) return false
  return (notBefore ?? at) < (rebootedAgainAt(state, live.job.state(), key) ?? Infinity)
}
