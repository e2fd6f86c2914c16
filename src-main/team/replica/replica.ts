import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LoggedCall, LoggedResult } from '../../inventory/thread/log-protocol.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Bell } from '../lead/bell.ts'
import { CopyLostError, follow, type Follower } from '../log/follow.ts'
import type { Entry, LogRow, LogStore, Position } from '../log/log-store.ts'
import type { Snapshot } from '../log/snapshot.ts'
import { createAwaited, type Awaited } from './awaited.ts'
import { bodiesOf, readItems, type Item, type ReadItem } from './codec.ts'

/** Name of the team's log. */
export const teamLog = 'team'
/** Calls that are carried out in one transaction at most, so that other requests come between. */
const maxCalls = 50
/** Where the log has messages alone, the position is stored this often, ms: whoever restarts reads the rest again, and old rows can go. */
const positionMs = 60_000

/** What the members of a team tell each other beside calls. */
export type Message = Exclude<Item, { is: 'call' }>

export interface ReplicaOptions {
  data: Pick<InventoryData, 'logPosition' | 'applyLog'>
  store: LogStore
  clock: Clock
  bell: Bell
  /**
   * Replaces all that the team shares by a snapshot, with its position; by nothing where there is none. `before`: the last row that was
   * carried out, which the log does not have any more; null for a copy that begins. `left`: how many rows the log has, as far as a page goes.
   */
  takeIn: (snapshot: Snapshot | null, before: Position | null, left: number) => Promise<void>
  /** Is called with each call of another member that was carried out here, and with each act of this one that was carried out again. */
  onCall: (call: LoggedCall, result: LoggedResult) => void
  /** Is called with what a call came to that answers a request. */
  onAnswer: (ask: string, result: LoggedResult) => void
  onMessage: (message: Message, row: Pick<LogRow, 'at' | 'role'>, isOwn: boolean) => void
  /** The files of this Muster cannot be written; null: they can again. */
  onStorage: (fault: Fault | null) => void
  /** The log cannot be read, or what it says not be taken over; it is tried again. */
  onFault: (fault: Fault) => void
  /** Something was erased. */
  onErased: () => void
  /** All that the log had was carried out, for the first time since the copy was opened or replaced. */
  onCaughtUp: () => void
  /** The log has rows of a newer Muster, and nothing more is carried out. */
  onNewer: () => void
}

/** This member's copy of what the team shares: it carries out the team's log in its order. */
export interface Replica {
  /**
   * Writes an item by `append`, which resolves when it is in the log, and resolves with what came of it here. Rejects with
   * the call's fault, or where it was not written.
   */
  write(item: Item, append: (entries: readonly Entry[]) => Promise<number>): Promise<unknown>
  /** Returns the last row that was carried out; null: none was. */
  position(): Position | null
  /** Returns whether all that the log had was carried out, since the copy was opened or replaced. */
  isCaughtUp(): boolean
  /** Returns since when the oldest row waits that was read and is not carried out (time of the database, ms); null: none does. */
  waitingSince(): number | null
  /** Resolves when the log was carried out up to a number. */
  reached(number: number): Promise<void>
  stop(): Promise<void>
}

/** Opens the copy and follows the log from where it ends. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { data, store, clock, bell } = options
  const stored = await data.logPosition()
  // What is left of an earlier copy would be carried out twice.
  if (stored === null) await options.takeIn(null, null, 0)
  const awaited = createAwaited()
  let pieces: readonly LogRow[] = []
  let [isNewer, isCaughtUp] = [false, false]
  let waitingSince: number | null = null
  const carryOut = createCarryingOut(options, awaited)
  carryOut.begin(stored)
  const follower: Follower = follow({
    store,
    clock,
    bell,
    from: stored,
    onFault: options.onFault,
    async onRows(rows) {
      if (isNewer) throw new FaultError('team-old', 'the log is of a newer Muster')
      waitingSince = rows[0]?.at ?? null
      const read = readItems(pieces, rows)
      await carryOut(read.items)
      waitingSince = null
      ;({ pieces, isNewer } = read)
      if (!isNewer) return
      awaited.rejectAll(new FaultError('team-old'))
      options.onNewer()
    },
    onRead() {
      const giveUp = awaited.missing()
      return () => {
        giveUp()
        if (isCaughtUp) return
        isCaughtUp = true
        options.onCaughtUp()
      }
    },
    async onSnapshot(snapshot, left) {
      isCaughtUp = false
      await options.takeIn(snapshot, carryOut.position(), left)
      pieces = []
      waitingSince = null
      carryOut.begin(snapshot?.position ?? null)
    },
  })
  return {
    async write(item, append) {
      if (isNewer) throw new FaultError('team-old')
      const entries = bodiesOf(item).map((body) => ({ id: randomUUID(), body }))
      const first = entries[0]
      if (first === undefined) return undefined
      return awaited.add(first.id, append(entries), follower.poke)
    },
    position: carryOut.position,
    isCaughtUp: () => isCaughtUp,
    waitingSince: () => waitingSince,
    reached: (number) => follower.reached(number),
    async stop() {
      await follower.stop()
      awaited.rejectAll(new FaultError('stopped'))
    },
  }
}

/** Returns what carries out items: their calls in the data thread, some at a time, and the messages between them. */
function createCarryingOut(options: ReplicaOptions, awaited: Awaited) {
  const { data, clock, onCall, onMessage, onStorage } = options
  let hasFailed = false
  let storedAt = clock.monotonic()
  /** The last row that was carried out, and the last one whose position is in the files. */
  let done: Position | null = null
  let stored: Position | null = null
  const apply = async (calls: readonly LoggedCall[], position: Position) => {
    try {
      const carriedOut = await data.applyLog({ calls, after: stored, position })
      stored = position
      if (hasFailed) onStorage(null)
      hasFailed = false
      storedAt = clock.monotonic()
      return carriedOut
    } catch (error) {
      const fault = toFault(error)
      hasFailed = true
      onStorage(fault)
      if (fault.kind !== 'not-found') throw error
      // What these files had before is not known.
      done = null
      throw new CopyLostError('the copy lacks rows', { cause: error })
    }
  }
  const settle = ({ id, item, row }: ReadItem, result: LoggedResult): void => {
    const own = awaited.take(id)
    if (item?.is === 'call') {
      if (item.call === 'forget') options.onErased()
      if (item.ask !== undefined) options.onAnswer(item.ask, result)
      if (own === undefined) return onCall({ call: item.call, input: item.input }, result)
      return result.ok ? own.resolve(result.value) : own.reject(new FaultError(result.fault.kind, result.fault.detail))
    }
    if (item !== null) onMessage(item, row, own !== undefined)
    own?.resolve(undefined)
  }
  const run = async (items: readonly ReadItem[]): Promise<void> => {
    // The same rows come again where a part of them could not be written.
    const left = items.filter(({ row }) => row.number > (done?.number ?? 0))
    for (let from = 0; from < left.length; from += maxCalls) {
      const some = left.slice(from, from + maxCalls)
      const calls = some.flatMap(({ item, row }): LoggedCall[] =>
        item?.is === 'call'
          ? [{ call: item.call, input: item.input, role: row.role, number: row.number, ...actOf(item) }]
          : [],
      )
      const last = some.at(-1)?.row
      if (last === undefined) return
      const position = { number: last.number, id: last.id }
      const isOld = clock.monotonic() - storedAt >= positionMs
      const { results, again } = calls.length > 0 || isOld ? await apply(calls, position) : nothing
      done = position
      for (const each of some) {
        settle(each, each.item?.is === 'call' ? (results.shift() ?? unread) : unread)
        // What waits for it goes on before the next one is told, so that changes keep their order.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      for (const { call, result } of again) onCall(call, result)
    }
  }
  /** `begin`: rows up to this one were carried out. */
  return Object.assign(run, {
    begin: (position: Position | null) => void (done = stored = position),
    position: () => done,
  })
}

const actOf = ({ act }: Extract<Item, { is: 'call' }>): Pick<LoggedCall, 'act'> => (act === undefined ? {} : { act })

const nothing = { results: [], again: [] }
const unread: LoggedResult = { ok: true, value: undefined }
