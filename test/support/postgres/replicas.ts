import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { TeamTarget } from '../../../src-main/team/database/connect.ts'
import { joinTeam } from '../../../src-main/team/database/members.ts'
import { openLeaseStore, type LeaseStore } from '../../../src-main/team/lead/lease-store.ts'
import {
  openLease,
  type Lease,
  type Leadership,
  type LeadEnd,
  type LeaseOptions,
} from '../../../src-main/team/lead/lease.ts'
import { follow, type FollowOptions } from '../../../src-main/team/log/follow.ts'
import type { LogRow, LogStore } from '../../../src-main/team/log/log-store.ts'
import type { Snapshot } from '../../../src-main/team/log/snapshot.ts'
import { openLogStore } from '../../../src-main/team/log/sql-log.ts'
import { entriesOf, openWriter, type LogWriter, type WriterOptions } from '../../../src-main/team/log/writer.ts'
import type { Leftovers } from '../fleet.ts'
import { poolOf } from './team.ts'

/** The name of the log, and a subject in whose terms it is written. */
export const log = 'team'
export const subject = 'a credential set'

/** A member of a team, that has joined. */
export interface Replica {
  member: string
  clock: Clock
  leases: LeaseStore
  logs: LogStore
  faults: Fault[]
  ends: LeadEnd[]
  /** The terms in which it has led. */
  terms: Leadership[]
  /** Tries to lead a subject from now on. */
  lead(subject: string, options?: Partial<LeaseOptions>): Lease
  /** `position`: the last row of which it knows. */
  writer(leadership: Leadership, options?: Partial<Pick<WriterOptions, 'limits' | 'position'>>): LogWriter
}

/** Joins a team, through a pool of its own. */
export async function openReplica(target: TeamTarget, onEnd: (stop: () => Promise<void>) => void): Promise<Replica> {
  const pool = poolOf(target, onEnd)
  const { id: member } = await joinTeam(pool, { id: null, operator: 'Anna', musterVersion: '1.2.3' })
  const { clock } = target
  const [leases, logs] = [openLeaseStore(pool, log), openLogStore(pool, log)]
  const faults: Fault[] = []
  const ends: LeadEnd[] = []
  const terms: Leadership[] = []
  const onFault = (fault: Fault) => void faults.push(fault)
  return {
    member,
    clock,
    leases,
    logs,
    faults,
    ends,
    terms,
    lead(subject, options = {}) {
      const onLead = (leadership: Leadership) => void terms.push(leadership)
      const onFollow = (end: LeadEnd) => void ends.push(end)
      const lease = openLease({ store: leases, clock, subject, member, onFault, onLead, onFollow, ...options })
      onEnd(() => lease.release())
      return lease
    },
    writer(leadership, options = {}) {
      const writer = openWriter({ store: logs, clock, leadership, position: () => null, onFault, ...options })
      onEnd(() => writer.close())
      return writer
    },
  }
}

/** The machine's clock for one member: off by `offsetMs` on the wall, and its timers stop while it is frozen. */
export interface FreezableClock extends Clock {
  freeze(): void
  thaw(): void
}

export function freezableClock(offsetMs = 0): FreezableClock {
  let isFrozen = false
  let due: (() => void)[] = []
  return {
    now: () => systemClock.now() + offsetMs,
    monotonic: systemClock.monotonic,
    after(ms, run) {
      let isCancelled = false
      const runDue = () => {
        if (!isCancelled) run()
      }
      const cancel = systemClock.after(ms, () => (isFrozen ? due.push(runDue) : runDue()))
      return () => {
        isCancelled = true
        cancel()
      }
    },
    freeze() {
      isFrozen = true
    },
    thaw() {
      isFrozen = false
      for (const run of due.splice(0)) run()
    },
  }
}

/** Rows as text, for comparisons. */
export const textsOf = (rows: readonly Pick<LogRow, 'body'>[]): string[] =>
  rows.map(({ body }) => Buffer.from(body).toString())

/** A leadership that is never renewed, so that what the tests do to the term is all that happens to it. */
export async function leading(replica: Replica, of = subject): Promise<Leadership> {
  const holder = randomUUID()
  const holders = replica.terms.map((term) => term.holder)
  const taken = await replica.leases.take({ subject: of, member: replica.member, holder, holders })
  if (taken === null) throw new Error('another member leads')
  const ending = new AbortController()
  const leadership: Leadership = {
    subject: of,
    holder,
    ...taken,
    signal: ending.signal,
    isCurrent: () => !ending.signal.aborted,
    confirm: () => {},
    giveUp(reason) {
      replica.ends.push(reason)
      ending.abort()
    },
  }
  replica.terms.push(leadership)
  return leadership
}

/** Rows of texts. */
export const bodies = (...texts: string[]) => entriesOf(texts.map((text) => Buffer.from(text)))
/** `row 1`, `row 2`, … */
export const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `row ${index + from}`)

/** Follows into a list, as a member does into its own database. */
export function followInto(leftovers: Leftovers, replica: Replica, change: Partial<FollowOptions> = {}) {
  const kept = { rows: [] as string[], snapshots: [] as (string | null)[], pages: [] as number[] }
  const follower = follow({
    store: replica.logs,
    clock: replica.clock,
    from: null,
    onRows(rows: readonly LogRow[]) {
      kept.pages.push(rows.length)
      kept.rows.push(...textsOf(rows))
    },
    onSnapshot(snapshot: Snapshot | null) {
      const text = snapshot === null ? null : Buffer.from(snapshot.body).toString()
      kept.snapshots.push(text)
      kept.rows = text === null || text === '' ? [] : text.split('\n')
    },
    onFault: (fault) => replica.faults.push(fault),
    ...change,
  })
  leftovers.push(() => follower.stop())
  return { kept, follower }
}
