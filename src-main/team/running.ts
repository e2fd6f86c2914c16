import { toFault, FaultError, type Fault } from '../../src-shared/model/fault.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { TeamPool } from './database/pool.ts'
import type { TeamTarget } from './database/connect.ts'
import { openBell } from './lead/bell.ts'
import { openLeaseStore } from './lead/lease-store.ts'
import { openLeads, type Leads } from './leads.ts'
import { readTeam } from './link.ts'
import type { Entry } from './log/log-store.ts'
import { postRows } from './log/post.ts'
import { openLogStore } from './log/sql-log.ts'
import { openReplica, teamLog, type Replica, type ReplicaOptions } from './replica/replica.ts'
import { startSnapshots, type Snapshots } from './replica/snapshots.ts'

/** Longest time in which an act of this member is written, ms. */
const postMs = 8000

export interface RunningOptions {
  target: TeamTarget
  pool: TeamPool
  clock: Clock
  local: InventoryData
  member: string
  /** The database's own id of the team. */
  team: string
  folder: string
  /** The credential sets that this member can read from the first moment on. */
  sets: ReadonlySet<string>
  replica: Pick<
    ReplicaOptions,
    'onCall' | 'onAnswer' | 'onMessage' | 'onReplaced' | 'onStorage' | 'onNewer' | 'onErased'
  >
  /** Is called with what failed and is tried again, once for each fault of a kind. */
  onFault: (what: string, fault: Fault) => void
  /** The channels through which it can send from the first moment on. */
  channels: ReadonlySet<string>
  onSet: (set: string, leads: boolean) => void
  onChannel: (channel: string) => void
  onEvaluating: (evaluates: boolean) => void
}

/**
 * What a member does while it has its id: it follows the log, and leads what it can. Each part tries again by itself what
 * fails; whether the database is reached is found out every few seconds (link.ts).
 */
export interface Running {
  replica: Replica
  leads: Leads
  snapshots: Snapshots
  /** Appends rows that need no lease. Rejects with `team-away`. */
  post(entries: readonly Entry[]): Promise<number>
  stop(): Promise<void>
}

export async function startRunning(options: RunningOptions): Promise<Running> {
  const { target, pool, clock, local, member, folder, sets, channels, onSet, onChannel, onEvaluating } = options
  const store = openLogStore(pool, { log: teamLog })
  const bell = openBell(target)
  const stopping = new AbortController()
  let isHealthy = true
  let leading: Leads | null = null
  const replica = await openReplica({
    ...options.replica,
    data: local,
    store,
    clock,
    bell,
    folder,
    onFault: onceForEachKind(options, 'the team’s log could not be read'),
    isSameTeam: async () => (await readTeam(pool)) === options.team,
    onStorage(fault) {
      isHealthy = fault === null
      if (!isHealthy) leading?.giveUp()
      options.replica.onStorage(fault)
    },
  })
  const leads = openLeads({
    leases: openLeaseStore(pool, { log: teamLog }),
    store,
    clock,
    bell,
    member,
    reached: replica.reached,
    onSet,
    onChannel,
    onEvaluating,
    isHealthy: () => isHealthy,
  })
  leading = leads
  leads.canRead(sets)
  leads.canSend(channels)
  const snapshots = startSnapshots({
    data: local,
    clock,
    writer: leads.evaluating,
    onFault: onceForEachKind(options, 'no snapshot of the team’s data could be written'),
    newest: async () => (await store.newest(teamLog))?.position.number ?? 0,
  })
  return {
    replica,
    leads,
    snapshots,
    async post(entries) {
      const options = { store, clock, log: teamLog, signal: stopping.signal }
      const outcome = await postRows(options, entries, { giveUpMs: postMs }).catch((error: unknown) => {
        throw new FaultError('team-away', toFault(error).detail)
      })
      if (outcome.is === 'stored') return outcome.number
      throw new FaultError(
        'team-away',
        outcome.is === 'unsent' ? 'nothing was changed' : 'whether it was written is not known',
      )
    },
    async stop() {
      snapshots.stop()
      stopping.abort(new FaultError('stopped'))
      await leads.stop()
      await Promise.all([replica.stop(), bell.stop()])
    },
  }
}

/** Returns what passes a fault on where it is of another kind than the one before it. */
function onceForEachKind({ onFault }: Pick<RunningOptions, 'onFault'>, what: string): (fault: Fault) => void {
  let last = ''
  return (fault) => {
    if (fault.kind !== last) onFault(what, fault)
    last = fault.kind
  }
}
