import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { openBellWaiter, type Bell } from '../lead/bell.ts'
import { runWithin } from '../lead/statement.ts'
import type { LogRow, LogStore, Position } from './log-store.ts'
import { createSnapshotReader, type Snapshot, type SnapshotReader } from './snapshot.ts'

/** Rows and bytes of a page. */
const pageLimits = { rows: 1000, bytes: 1 << 20 }
/** Interval of polling, and the shortest time between two reads that a bell causes, ms. */
const pollMs = 2000
const bellMs = 200
/** Longest time of one read, ms, and time before the next one after a failed one. */
const attemptMs = 20_000
const retryMs = 1000
/** Longest time between two tries to take over a snapshot, ms: the disk may be full, or it is of another version. */
const longestRetryMs = 60_000

/** Thrown by `onRows` where what is stored here has lost rows: it is replaced by a snapshot, or read from the beginning. */
export class CopyLostError extends Error {}

export interface FollowOptions {
  store: LogStore
  clock: Clock
  /** The last row that is stored here; null where nothing is. */
  from: Position | null
  /**
   * Stores rows and the position after them, together. They come in order, without gaps. When it rejects, the same rows
   * come again.
   */
  onRows: (rows: readonly LogRow[], position: Position) => void | Promise<void>
  /**
   * Replaces all that is stored here, together with the position: the own last row is no longer in the log. null: there
   * is no snapshot, and the log begins with its first row, of which it has `left` rows (more than a page: Infinity). When it rejects, the
   * newest snapshot comes again, after ever longer times.
   */
  onSnapshot: (snapshot: Snapshot | null, left: number) => void | Promise<void>
  /** Is called before a read of rows, and what it returns when all rows that the log had then are stored. */
  onRead?: () => () => void
  onFault?: (fault: Fault) => void
  bell?: Bell
}

export interface Follower {
  /** Returns the position up to which rows were stored. */
  position(): Position | null
  /** Resolves when the position has reached a number, after a snapshot that replaces it by now. Rejects with a `FaultError` of kind `abort` when it is stopped. */
  reached(number: number): Promise<void>
  /** Reads at once, as there is a row of this member's own; during a read once more after it. */
  poke(): void
  stop(): Promise<void>
}

/**
 * Follows a log from a position: rows page by page, on the bell, a poke or every 2 s, and a snapshot first where there
 * is no position, or its row is gone or is another one.
 */
export function follow(options: FollowOptions): Follower {
  const { onFault = () => {} } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const waiter = openBellWaiter(options.clock, options.bell, signal)
  let position = options.from
  const reader = createSnapshotReader({ ...options, signal })
  let isFresh = false
  let failedSnapshots = 0
  /** The position may be of a log that is no longer there. */
  let isReplacing = false
  const watchers = createWatchers()
  const move = (to: Position | null) => {
    position = to
    isReplacing = false
    watchers.reached(to?.number ?? 0)
  }
  const step = async () => {
    const stored = options.onRead?.()
    const next = await readNext(options, position, reader, signal)
    if (signal.aborted) return
    if (next.is === 'snapshot') {
      // The row of a snapshot is always in its log: one that is not is a damaged database.
      if (isFresh) await waiter.wait({ leastMs: pollMs, mostMs: pollMs })
      isReplacing = true
      failedSnapshots += 1
      await options.onSnapshot(next.snapshot, next.left)
      failedSnapshots = 0
      reader.forget()
      isFresh = true
      return move(next.snapshot?.position ?? null)
    }
    isFresh = false
    reader.forget()
    const last = next.rows.at(-1)
    if (last !== undefined) {
      const to = { number: last.number, id: last.id }
      await options.onRows(next.rows, to)
      move(to)
    }
    if (next.isFull) return
    stored?.()
    await waiter.wait({ leastMs: bellMs, mostMs: pollMs })
  }
  const loop = async () => {
    while (!signal.aborted)
      await step().catch(async (error: unknown) => {
        if (signal.aborted) return
        if (error instanceof CopyLostError) position = nowhere
        onFault(toFault(error))
        await waiter.wait(afterFailures(failedSnapshots)).catch(() => {})
      })
  }
  const ended = loop()
  return {
    position: () => position,
    reached(number) {
      if (!isReplacing && number <= (position?.number ?? 0)) return Promise.resolve()
      if (signal.aborted) return Promise.reject(signal.reason)
      return watchers.add(number)
    },
    poke: waiter.poke,
    async stop() {
      stopping.abort(new FaultError('abort'))
      watchers.rejectAll(signal.reason)
      waiter.stop()
      await ended
    },
  }
}

/** A position that no log has. */
const nowhere: Position = { number: 0, id: '' }

/** Returns how long to wait after an error, the longer the more snapshots could not be taken over. */
function afterFailures(failures: number): { leastMs: number; mostMs: number } {
  const ms = Math.min(longestRetryMs, retryMs * 2 ** Math.max(0, failures - 1))
  return { leastMs: ms, mostMs: ms }
}

/** Who waits until a number is reached. */
function createWatchers() {
  let all: { number: number; resolve: () => void; reject: (error: unknown) => void }[] = []
  return {
    add: (number: number): Promise<void> => new Promise((resolve, reject) => all.push({ number, resolve, reject })),
    reached(number: number): void {
      for (const one of all) if (one.number <= number) one.resolve()
      all = all.filter((one) => one.number > number)
    },
    rejectAll(reason: unknown): void {
      for (const { reject } of all.splice(0)) reject(reason)
    },
  }
}

type Next =
  | { is: 'rows'; rows: LogRow[]; isFull: boolean }
  | { is: 'snapshot'; snapshot: Snapshot | null; left: number }

/** Reads the next page, or the snapshot that is needed before it. */
async function readNext(
  { store, clock }: FollowOptions,
  position: Position | null,
  reader: SnapshotReader,
  signal: AbortSignal,
): Promise<Next> {
  const read = (from: Position | null) =>
    runWithin(clock, attemptMs, (given) => store.read(from, pageLimits, { signal: given }), signal)
  if (position !== null) {
    const { isKnown, rows, isFull } = await read(position)
    if (isKnown) return { is: 'rows', rows, isFull }
  }
  const snapshot = await reader.read()
  if (snapshot !== null) return { is: 'snapshot', snapshot, left: Infinity }
  const { isKnown, rows, isFull } = await read(null)
  if (position === null) return { is: 'rows', rows, isFull }
  // Also of a log without rows: what is here was lost, and nobody could write what follows from it.
  return isKnown
    ? { is: 'snapshot', snapshot: null, left: isFull ? Infinity : rows.length }
    : { is: 'rows', rows: [], isFull: false }
}
