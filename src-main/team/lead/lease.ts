import { randomUUID } from 'node:crypto'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { openBellWaiter, type Bell, type BellWaiter } from './bell.ts'
import { leaseMs, type Claim, type LeaseStore, type LeaseView, type Taken } from './lease-store.ts'
import { runWithin } from './statement.ts'

/** Interval of renewals, and the longest one between two looks at another member's lease, ms. */
const renewMs = 2000
/** A lease is given up this long before the database lets another member in, ms. */
const marginMs = 500
/** Longest time of one attempt, and time before the next one after a failed one, ms. */
const attemptMs = 2000
const retryMs = 250
/** Time before the next look after a failed one, ms. */
const seekRetryMs = 1000
/** Members try to take an expired lease at random times within this duration, ms. */
const spreadMs = 500
/** A bell makes a member look at a lease at most this often, ms. */
const bellMs = 500
/** Former holders that are remembered. */
const maxHolders = 10

/**
 * Why leading ended. `expired`: the lease could not be renewed in time. `taken`: another member leads. `rewound`: the
 * database has lost batches that were committed (a failover, a restored backup). `released`: the lease was stopped.
 */
export type LeadEnd = 'expired' | 'taken' | 'rewound' | 'released'

/** A term in which this member leads. */
export interface Leadership extends Claim, Taken {
  /** Aborts when it ends. */
  readonly signal: AbortSignal
  /** Returns whether it has not ended, by the clock of this moment. */
  isCurrent(): boolean
  /** Tells how many batches are known to be committed. A renewal that finds fewer ends with `rewound`. */
  confirm(revision: number): void
  /** Ends it, as a write found the term taken or batches lost. */
  giveUp(reason: 'taken' | 'rewound'): void
}

export interface LeaseOptions {
  store: LeaseStore
  clock: Clock
  subject: string
  /** The own id in the team. */
  member: string
  /** Returns whether this member can lead now. Asked before each attempt. */
  canLead?: () => boolean
  /** Is called with a new term. Whoever writes first reads the log up to its last row, which another member wrote. */
  onLead: (leadership: Leadership) => void
  /** Is called at once when leading ends. */
  onFollow: (reason: LeadEnd) => void
  /** Is called for each attempt that failed. */
  onFault?: (fault: Fault) => void
  bell?: Bell
  random?: () => number
}

export interface Lease {
  /** Returns the term of this member; null while it does not lead. */
  leadership(): Leadership | null
  /** Returns whose lease was seen last; null before that. */
  seen(): LeaseView | null
  /** Stops leading and trying, so that another member leads at once. */
  release(): Promise<void>
}

interface Seeking {
  options: LeaseOptions
  waiter: BellWaiter
  signal: AbortSignal
  holders: string[]
  onSeen: (view: LeaseView | null) => void
}

/** A lease that was taken by a request that was sent at this moment. */
interface Found {
  claim: Claim
  taken: Taken
  sent: Moment
}

/** A moment of the own clocks. The wall clock can only end a lease sooner: it also advances while the computer sleeps. */
interface Moment {
  monotonic: number
  wall: number
}

/**
 * Takes the lease of a subject whenever it is free, and renews it while it leads. Times are those of the database, and
 * differences of the own clock, which count from before a request was sent. Never rejects.
 */
export function openLease(options: LeaseOptions): Lease {
  const { clock, store } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Leadership | null = null
  let seen: LeaseView | null = null
  let end = (_reason: LeadEnd) => {}
  const waiter = openBellWaiter(clock, options.bell, signal)
  const seeking: Seeking = { options, waiter, signal, holders: [], onSeen: (view) => (seen = view) }
  const loop = async () => {
    while (!signal.aborted) {
      const found = await seek(seeking)
      if (found === null) continue
      let isTold = false
      const leading = startLeading(options, found, (reason) => isTold && options.onFollow(reason))
      current = leading.leadership
      end = leading.end
      isTold = !signal.aborted
      if (isTold) options.onLead(current)
      else end('released')
      await leading.ended
    }
  }
  const ended = loop()
  return {
    leadership: () => (current?.isCurrent() === true ? current : null),
    seen: () => seen,
    async release() {
      stopping.abort(new FaultError('abort'))
      end('released')
      waiter.stop()
      await ended
      if (current === null) return
      const claim = current
      await runWithin(clock, attemptMs, (given) => store.release(claim, { signal: given })).catch((error: unknown) =>
        options.onFault?.(toFault(error)),
      )
    },
  }
}

/** Looks once, and takes the lease when it is free. Resolves with null when it is to be tried again. */
async function seek({ options, waiter, signal, holders, onSeen }: Seeking): Promise<Found | null> {
  const { clock, store, subject, member, canLead = () => true, random = Math.random } = options
  try {
    const view = await runWithin(clock, attemptMs, (given) => store.look(subject, holders, { signal: given }), signal)
    onSeen(view)
    const leftMs = view === null || view.isOwn ? 0 : view.leftMs
    if (leftMs > 0 || !canLead()) {
      await waiter.wait({ leastMs: bellMs, mostMs: leftMs > 0 ? Math.min(renewMs, leftMs) : renewMs })
      return null
    }
    if (view?.isOwn !== true) await wait(clock, random() * spreadMs, signal)
    const holder = randomUUID()
    const taking = { subject, member, holder, holders: [...holders] }
    holders.unshift(holder)
    holders.splice(maxHolders)
    const sent = momentOf(clock)
    // Not given up by the signal: whoever stops would leave a lease that nobody uses.
    const taken = await runWithin(clock, attemptMs, (given) => store.take(taking, { signal: given }))
    return taken === null ? null : { claim: { subject, term: taken.term, holder }, taken, sent }
  } catch (error) {
    if (signal.aborted) return null
    options.onFault?.(toFault(error))
    await wait(clock, seekRetryMs, signal).catch(() => {})
    return null
  }
}

function momentOf(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), wall: clock.now() }
}

interface Leading {
  leadership: Leadership
  ended: Promise<void>
  end: (reason: LeadEnd) => void
}

function startLeading(options: LeaseOptions, { claim, taken, sent }: Found, onEnd: (reason: LeadEnd) => void): Leading {
  const { clock } = options
  const ending = new AbortController()
  const { signal } = ending
  let confirmed = taken.revision
  const end = (reason: LeadEnd) => {
    if (signal.aborted) return
    validity.stop()
    ending.abort(new FaultError('abort', 'this member no longer leads'))
    onEnd(reason)
  }
  const validity = startValidity(clock, sent, () => end('expired'))
  const isCurrent = () => {
    if (!signal.aborted && !validity.holds()) end('expired')
    return !signal.aborted
  }
  const renew = async () => {
    const known = confirmed
    const at = momentOf(clock)
    const renewed = await runWithin(clock, attemptMs, (given) => options.store.renew(claim, { signal: given }), signal)
    if (renewed === null) return end('taken')
    if (renewed.revision < known) return end('rewound')
    if (isCurrent()) validity.extend(at)
  }
  const leadership: Leadership = {
    ...claim,
    ...taken,
    signal,
    isCurrent,
    confirm(revision) {
      confirmed = Math.max(confirmed, revision)
    },
    giveUp: end,
  }
  return { leadership, ended: keepRenewing(options, renew, signal), end }
}

/** Renews until the signal. Never rejects. */
async function keepRenewing(
  { clock, onFault }: LeaseOptions,
  renew: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = renewMs
  while (!signal.aborted) {
    await wait(clock, pauseMs, signal).catch(() => {})
    if (signal.aborted) return
    const began = clock.monotonic()
    try {
      await renew()
      pauseMs = Math.max(retryMs, renewMs - (clock.monotonic() - began))
    } catch (error) {
      if (!signal.aborted) onFault?.(toFault(error))
      pauseMs = retryMs
    }
  }
}

/** How long a lease counts here, which is less than in the database: from before its request was sent. */
function startValidity(clock: Clock, since: Moment, onExpired: () => void) {
  const validMs = leaseMs - marginMs
  let from = since
  let cancel = () => {}
  const holds = () => clock.monotonic() - from.monotonic < validMs && clock.now() - from.wall < validMs
  const arm = () => {
    cancel()
    const leftMs = from.monotonic + validMs - clock.monotonic()
    cancel = clock.after(Math.max(1, leftMs), () => (holds() ? arm() : onExpired()))
  }
  arm()
  return {
    holds,
    extend(at: Moment) {
      from = at
      arm()
    },
    stop: () => cancel(),
  }
}
