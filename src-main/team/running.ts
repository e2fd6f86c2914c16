import { FaultError, type Fault } from '../../src-shared/model/fault.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { OpenResult } from '../inventory/thread/open-result.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { TeamPool } from './database/pool.ts'
import type { TeamTarget } from './database/connect.ts'
import { openBell } from './lead/bell.ts'
import { openLeaseStore } from './lead/lease-store.ts'
import { readTeam } from './link.ts'
import { startMember, type Member } from './member.ts'
import type { Position } from './log/log-store.ts'
import type { Snapshot } from './log/snapshot.ts'
import { openLogStore } from './log/sql-log.ts'
import { teamLog, type ReplicaOptions } from './replica/replica.ts'
import { openSnapshotBody } from './replica/snapshot-body.ts'
import { startSnapshots, type Snapshots } from './replica/snapshots.ts'

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
    'onCall' | 'onAnswer' | 'onMessage' | 'onStorage' | 'onNewer' | 'onErased' | 'onCaughtUp'
  >
  /** Returns whether this Muster is just joining: what it has of the team may be replaced by nothing. */
  isNew: () => boolean
  /** Is called when all that the team shares was replaced. `isRewound`: the database has lost what was in it before. */
  onReplaced: (opened: OpenResult, isRewound: boolean) => void
  /** Is called where the database has nothing of the team any more, which is no failover. This copy stays as it is. */
  onEmptied: (fault: Fault) => void
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
export interface Running extends Member {
  snapshots: Snapshots
}

export async function startRunning(options: RunningOptions): Promise<Running> {
  const { target, pool, clock, local } = options
  const store = openLogStore(pool, teamLog)
  const bell = openBell(target)
  const member = await startMember({
    ...options,
    ...options.replica,
    leases: openLeaseStore(pool, teamLog),
    store,
    bell,
    data: local,
    onFault: onceForEachKind(options, 'the team’s log could not be read'),
    takeIn: (snapshot, before, left) => takeIn(options, { snapshot, before, left }),
  }).catch(async (error: unknown) => {
    await bell.stop()
    throw error
  })
  const snapshots = startSnapshots({
    data: local,
    clock,
    writer: member.leads.evaluating,
    onFault: onceForEachKind(options, 'no snapshot of the team’s data could be written'),
    newest: async () => (await store.newest())?.position.number ?? 0,
  })
  return {
    ...member,
    snapshots,
    async stop() {
      snapshots.stop()
      await member.stop()
      await bell.stop()
    },
  }
}

/** A failover loses seconds: it takes neither the snapshot nor half of the log of a team that is older than this, ms. */
const youngMs = 10 * 60_000

interface Replacement {
  snapshot: Snapshot | null
  before: Position | null
  left: number
}

/** Replaces this member's copy, unless the database holds another team by now, or nothing of this one: that replaces nothing here. */
async function takeIn(options: RunningOptions, { snapshot, before, left }: Replacement): Promise<void> {
  const { pool, team, local, folder, isNew, onReplaced, onEmptied } = options
  const found = await readTeam(pool)
  if (found.id !== team) throw new FaultError('not-found', 'the database holds another team')
  const isLost = snapshot === null && before !== null && left < before.number / 2
  if (isLost && !isNew() && found.ageMs > youngMs) {
    onEmptied(emptied.fault)
    throw emptied
  }
  const file = snapshot === null ? null : await openSnapshotBody(snapshot.body, folder)
  const opened = await local.readSnapshot({ file, position: snapshot?.position ?? null })
  onReplaced(opened, before !== null && (snapshot?.position.number ?? 0) <= before.number)
}

const emptied = new FaultError(
  'not-found',
  'the team’s data is no longer in it: its tables were emptied. This Muster’s copy is whole; leave the team and join again to begin anew',
)

/** Returns what passes a fault on where it is of another kind than the one before it. */
function onceForEachKind({ onFault }: Pick<RunningOptions, 'onFault'>, what: string): (fault: Fault) => void {
  let last = ''
  return (fault) => {
    if (fault.kind !== last) onFault(what, fault)
    last = fault.kind
  }
}
