import { repeat, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Job } from '../../../src-shared/model/jobs.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'
import { shownJob, type JobOwner, type ListedJob } from '../../storage/journal/job-records.ts'
import { endedMs } from './summary.ts'

/** The team with whose members a Muster shares its jobs. */
export interface JobTeam {
  /** Returns this member's id; null before it was there for the first time. */
  member(): string | null
  operator(): string
  /** Returns all members, and when the database saw each of them last, by its clock, ms. */
  members(): readonly { id: string; seenAt: number; isSelf: boolean }[]
}

/** The jobs of the team's other members, as last read; none for a Muster on its own. */
export interface OtherJobs {
  /** Jobs that are not ended, and those that ended in the last hour. */
  list(): Job[]
  /** Returns whether a job of another member that counts has not sent a device yet, or awaits it. */
  isBusy(key: string): boolean
  /** Returns the ids of members whose jobs do not count (`absentMembers`). */
  absent(): string[]
  /** Returns a job of any member as the window of this one shows it. */
  shown(job: ListedJob): Job
  /** Returns whether a job (id) is to be waited for: not where its member is absent. */
  counts(job: string): boolean
  /** Returns this member's id: '' before it was there for the first time; null for a Muster on its own. */
  member(): string | null
  /**
   * Returns what a new job of this member has as its owner; undefined for a Muster on its own. Throws `team-away` before it was
   * there for the first time.
   */
  owner(): JobOwner | undefined
  /** Reads them again soon. */
  soon(): void
  stop(): void
}

/** The jobs of a member that the database has not seen for longer, ms, keep nobody from acting on their devices. */
const absentMs = 10 * 60_000
/** Shortest time between two readings, ms: a job of another member changes with each answer. */
const readMs = 1_000
/** Interval of looks whether a member has become absent, or is back, ms. */
const lookMs = 30_000

export interface OtherJobsOptions {
  data: Pick<InventoryData, 'otherJobs'>
  clock: Clock
  log: Log
  /** Null for a Muster on its own. */
  team: JobTeam | null
  onChange: () => void
}

type Found = readonly { job: ListedJob; open: ReadonlySet<string> }[]

export function openOtherJobs({ data, clock, log, team, onChange }: OtherJobsOptions): OtherJobs {
  let found: Found = []
  let cancel: (() => void) | null = null
  let isStopped = false
  const member = () => (team === null ? null : (team.member() ?? ''))
  const absentOf = (jobs: Parameters<typeof absentMembers>[0]) => absentMembers(jobs, team?.members() ?? [])
  const absent = () => absentOf(found)
  const shownWith = (gone: readonly string[], listed: ListedJob): Job => {
    const job = shownJob(listed, member())
    if (job.owner === undefined || job.endedAt !== null) return job
    return { ...job, ownerAway: gone.includes(listed.owner?.member ?? '') }
  }
  const list = () => {
    const gone = absent()
    return found.map(({ job }) => shownWith(gone, job))
  }
  let known = ''
  const look = () => {
    const now = list()
      .flatMap(({ id, ownerAway = false }) => (ownerAway ? id : []))
      .join(' ')
    if (now === known) return
    known = now
    onChange()
  }
  const stopLooking = team === null ? () => {} : repeat(clock, lookMs, look)
  const read = async () => {
    const jobs = await data.otherJobs({ member: member() ?? '', endedSince: clock.now() - endedMs })
    found = jobs.map(({ job, open }) => ({ job, open: new Set(open) }))
    onChange()
  }
  const plan = () => {
    cancel = clock.after(readMs, () => {
      cancel = null
      read().catch(() => log('warn', 'the jobs of the team could not be read'))
    })
  }
  return {
    list,
    shown: (job) => shownWith(absentOf([...found, { job }]), job),
    isBusy(key) {
      if (!found.some(({ open }) => open.has(key))) return false
      const gone = absent()
      return found.some(({ job, open }) => open.has(key) && !gone.includes(job.owner?.member ?? ''))
    },
    absent,
    counts(id) {
      const owner = found.find(({ job }) => job.id === id)?.job.owner
      return owner === undefined || !absent().includes(owner.member)
    },
    member,
    owner() {
      if (team === null) return undefined
      const id = member()
      if (id === null || id === '') throw new FaultError('team-away')
      return { member: id, operator: team.operator() }
    },
    soon() {
      if (team !== null && cancel === null && !isStopped) plan()
    },
    stop() {
      isStopped = true
      stopLooking()
      cancel?.()
    },
  }
}

/**
 * Returns the members that the database has not seen for over ten minutes, so that a lost computer blocks nobody. One that is on
 * the list no longer was there when it created its job. Both times are those of this member's last reading of the list: where
 * it could not read it for long, nobody counts as absent.
 */
export function absentMembers(
  jobs: readonly { job: Pick<ListedJob, 'owner' | 'createdAt'> }[],
  members: ReturnType<JobTeam['members']>,
): string[] {
  const now = members.find(({ isSelf }) => isSelf)?.seenAt
  if (now === undefined) return []
  const seen = new Map(members.map(({ id, seenAt }) => [id, seenAt]))
  for (const { job } of jobs) {
    const { owner, createdAt } = job
    if (owner !== undefined && !members.some(({ id }) => id === owner.member))
      seen.set(owner.member, Math.max(createdAt, seen.get(owner.member) ?? 0))
  }
  return [...seen].flatMap(([id, seenAt]) => (now - seenAt > absentMs ? id : []))
}
