import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { LoggedCall, LoggedResult } from '../../inventory/thread/log-protocol.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { OpenResult } from '../../inventory/thread/open-result.ts'
import type { Bell } from '../lead/bell.ts'
import { follow, type Follower } from '../log/follow.ts'
import type { Entry, LogRow, LogStore, Position } from '../log/log-store.ts'
import type { Snapshot } from '../log/snapshot.ts'
import { bodiesOf, readItems, type Item, type ReadItem } from './codec.ts'
import { openSnapshotBody } from './snapshot-body.ts'

/** Name of the team's log. */
export const teamLog = 'team'
/** Calls that are carried out in one transaction at most, so that other requests come between. */
const maxCalls = 50
/** Time in which rows after a snapshot are carried out, ms. */
const afterSnapshotMs = 10_000

/** What the members of a team tell each other beside calls. */
export type Message = Exclude<Item, { is: 'call' }>

export interface ReplicaOptions {
  data: Pick<InventoryData, 'logPosition' | 'applyLog' | 'readSnapshot'>
  store: LogStore
  clock: Clock
  bell: Bell
  /** Folder for a snapshot while it is taken in. */
  folder: string
  /** Is called with each call of another member that was carried out here. */
  onCall: (call: LoggedCall, result: LoggedResult) => void
  /** Is called with what a call came to that answers a request. */
  onAnswer: (ask: string, result: LoggedResult) => void
  onMessage: (message: Message, row: Pick<LogRow, 'at' | 'role'>, isOwn: boolean) => void
  /** Is called when all that the team shares was replaced. */
  onReplaced: (opened: OpenResult) => void
  /** The files of this Muster cannot be written; null: they can again. */
  onStorage: (fault: Fault | null) => void
  /** The log cannot be read, or what it says not be taken over; it is tried again. */
  onFault: (fault: Fault) => void
  /** Something was erased. */
  onErased: () => void
  /** Returns whether the database still holds this team: another one's data replaces nothing here. */
  isSameTeam: () => Promise<boolean>
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
  position(): Position | null
  /** Returns since when the oldest row waits that was read and is not carried out (time of the database, ms); null: none does. */
  waitingSince(): number | null
  /** Resolves when the log was carried out up to a number. */
  reached(number: number): Promise<void>
  stop(): Promise<void>
}

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Opens the copy and follows the log from where it ends. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const { data, store, clock, bell } = options
  const stored = await data.logPosition()
  // What is left of an earlier copy would be carried out twice.
  if (stored === null) options.onReplaced(await data.readSnapshot({ file: null, position: null }))
  const waiting = new Map<string, Waiting>()
  let pieces: readonly LogRow[] = []
  let isNewer = false
  let waitingSince: number | null = null
  const carryOut = createCarryingOut(options, waiting)
  carryOut.begin(stored?.number ?? 0)
  const follower: Follower = follow({
    store,
    clock,
    bell,
    subject: teamLog,
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
      rejectAll(waiting, new FaultError('team-old'))
      options.onNewer()
    },
    async onSnapshot(snapshot) {
      await takeIn(options, snapshot)
      // Rows after the snapshot follow. Others were lost with the former log, or are in the snapshot: nobody knows.
      const before = new Map(waiting)
      clock.after(afterSnapshotMs, () => {
        for (const [id, one] of before)
          if (waiting.delete(id)) one.reject(new FaultError('team-away', 'the team’s log was replaced meanwhile'))
      })
      pieces = []
      waitingSince = null
      carryOut.begin(snapshot?.position.number ?? 0)
    },
  })
  return {
    async write(item, append) {
      if (isNewer) throw new FaultError('team-old')
      const entries = bodiesOf(item).map((body) => ({ id: randomUUID(), body }))
      const first = entries[0]
      if (first === undefined) return undefined
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(first.id, { resolve, reject })
      append(entries).then(
        () => follower.poke(),
        (error: unknown) => {
          waiting.delete(first.id)
          reject(error)
        },
      )
      return promise
    },
    position: follower.position,
    waitingSince: () => waitingSince,
    reached: (number) => follower.reached(number),
    async stop() {
      await follower.stop()
      rejectAll(waiting, new FaultError('stopped'))
    },
  }
}

function rejectAll(waiting: Map<string, Waiting>, fault: FaultError): void {
  for (const { reject } of waiting.values()) reject(fault)
  waiting.clear()
}

/** Returns what carries out items: their calls in the data thread, some at a time, and the messages between them. */
function createCarryingOut(options: ReplicaOptions, waiting: Map<string, Waiting>) {
  const { data, onCall, onMessage, onStorage } = options
  let hasFailed = false
  const apply = async (calls: readonly LoggedCall[], position: Position) => {
    try {
      const { results } = await data.applyLog({ calls, position })
      if (hasFailed) onStorage(null)
      hasFailed = false
      return results
    } catch (error) {
      hasFailed = true
      onStorage(toFault(error))
      throw error
    }
  }
  const settle = ({ id, item, row }: ReadItem, result: LoggedResult): void => {
    const own = waiting.get(id)
    waiting.delete(id)
    if (item?.is === 'call') {
      if (item.call === 'forget') options.onErased()
      if (item.ask !== undefined) options.onAnswer(item.ask, result)
      if (own === undefined) return onCall({ call: item.call, input: item.input }, result)
      return result.ok ? own.resolve(result.value) : own.reject(new FaultError(result.fault.kind, result.fault.detail))
    }
    if (item !== null) onMessage(item, row, own !== undefined)
    own?.resolve(undefined)
  }
  let done = 0
  const run = async (items: readonly ReadItem[]): Promise<void> => {
    // The same rows come again where a part of them could not be written.
    const left = items.filter(({ row }) => row.number > done)
    for (let from = 0; from < left.length; from += maxCalls) {
      const some = left.slice(from, from + maxCalls)
      const calls = some.flatMap(({ item, row }): LoggedCall[] =>
        item?.is === 'call' ? [{ call: item.call, input: item.input, role: row.role, ...actOf(item) }] : [],
      )
      const last = some.at(-1)?.row
      if (last === undefined) return
      const results = calls.length === 0 ? [] : await apply(calls, { number: last.number, id: last.id })
      done = last.number
      for (const each of some) {
        settle(each, each.item?.is === 'call' ? (results.shift() ?? unread) : unread)
        // What waits for it goes on before the next one is told, so that changes keep their order.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    }
  }
  /** `begin`: rows up to this number were carried out. */
  return Object.assign(run, { begin: (number: number) => void (done = number) })
}

const actOf = ({ act }: Extract<Item, { is: 'call' }>): Pick<LoggedCall, 'act'> => (act === undefined ? {} : { act })

const unread: LoggedResult = { ok: true, value: undefined }

async function takeIn(
  { data, folder, onReplaced, isSameTeam }: ReplicaOptions,
  snapshot: Snapshot | null,
): Promise<void> {
  if (!(await isSameTeam())) throw new FaultError('not-found', 'the database holds another team')
  if (snapshot === null) return onReplaced(await data.readSnapshot({ file: null, position: null }))
  const file = await openSnapshotBody(snapshot.body, folder)
  onReplaced(await data.readSnapshot({ file, position: snapshot.position }))
}
