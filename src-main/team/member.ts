import { createListeners } from '../../src-shared/lib/listeners.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import { openLeads, type Leads, type LeadsOptions } from './leads.ts'
import type { Entry } from './log/log-store.ts'
import { postRows } from './log/post.ts'
import { openReplica, type Replica, type ReplicaOptions } from './replica/replica.ts'

/** What `team-away` says of rows that are not in the log and never will be. */
export const nothingChanged = 'nothing was changed'
/** Longest time in which rows that need no lease are written, ms. */
const postMs = 8000

export interface MemberOptions extends Omit<LeadsOptions, 'reached' | 'position' | 'isHealthy'>, ReplicaOptions {
  /** The credential sets that this member can read, and the channels through which it can send, from the first moment on. */
  sets: ReadonlySet<string>
  channels: ReadonlySet<string>
}

/** What a member does over the team's log: it carries out what it says, leads what it can, and writes. */
export interface Member {
  replica: Replica
  leads: Leads
  /** Appends rows that need no lease. Rejects with `team-away`. */
  post(entries: readonly Entry[]): Promise<number>
  stop(): Promise<void>
}

/** Opens the copy, then tries to lead. Rejects where the copy cannot be opened. */
export async function startMember(options: MemberOptions): Promise<Member> {
  const { store, clock, sets, channels } = options
  const stopping = new AbortController()
  let isHealthy = true
  // Rings for a lease that could be taken: also when this member has caught up.
  const bell = createListeners()
  let leading: Leads | null = null
  const replica = await openReplica({
    ...options,
    takeIn(snapshot, before, left) {
      // What was decided from the former copy is not written, and nothing is decided from this one before it is up to date.
      leading?.giveUp()
      return options.takeIn(snapshot, before, left)
    },
    onCaughtUp() {
      bell.emit()
      options.onCaughtUp()
    },
    onStorage(fault) {
      isHealthy = fault === null
      if (!isHealthy) leading?.giveUp()
      options.onStorage(fault)
    },
  })
  const off = options.bell.on(bell.emit)
  const leads = openLeads({
    ...options,
    reached: replica.reached,
    position: replica.position,
    bell,
    // Whoever takes a lease and has yet to catch up keeps those from it that have.
    isHealthy: () => isHealthy && replica.isCaughtUp(),
  })
  leading = leads
  leads.canRead(sets)
  leads.canSend(channels)
  return {
    replica,
    leads,
    async post(entries) {
      const posting = { store, clock, signal: stopping.signal }
      const outcome = await postRows(posting, entries, { giveUpMs: postMs }).catch((error: unknown) => {
        throw new FaultError('team-away', toFault(error).detail)
      })
      if (outcome.is === 'stored') return outcome.number
      throw new FaultError(
        'team-away',
        outcome.is === 'unsent' ? nothingChanged : 'whether it was written is not known',
      )
    },
    async stop() {
      stopping.abort(new FaultError('stopped'))
      off()
      await leads.stop()
      await replica.stop()
    },
  }
}
