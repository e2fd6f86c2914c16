import { randomUUID } from 'node:crypto'
import { repeat, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Leadership } from '../lead/lease.ts'
import { runWithin } from '../lead/statement.ts'
import { attemptMs, deliver, type Delivered } from './deliver.ts'
import type { Entry, LogStore, Position } from './log-store.ts'
import { measure, takeCalls, type Call } from './queue.ts'
import { writeSnapshot, type SnapshotOutcome } from './snapshot.ts'

/** Bytes that may wait, with what is being written. */
const maxWaitingBytes = 1 << 25
/** Rows are kept for so long, ms, so that a follower that is a little behind needs no snapshot; and how often older ones go. */
const keepMs = 10 * 60_000
const pruneMs = 60_000

/**
 * What became of a call. `stored`: its rows are in the log once, the last one with this number.
 * `fenced`: they are not, and never will be, as the term has ended. `unknown`: the writer was closed before that was
 * known. `full`: too much waits, and nothing was taken.
 */
export type AppendOutcome = { is: 'stored'; number: number } | { is: 'fenced' } | { is: 'unknown' } | { is: 'full' }

export interface WriterOptions {
  store: LogStore
  clock: Clock
  /** The term in which it writes; the writer ends with it. */
  leadership: Leadership
  /** Returns the last row of which it knows what it says. A batch is written only where the log still has that row. */
  position: () => Position | null
  onFault?: (fault: Fault) => void
  /** For tests: bytes that may wait, and the least age of rows that are removed, ms. */
  limits?: { waitingBytes?: number; keepMs?: number }
}

/** Writes the log in a subject's term. One batch is written at a time; what comes meanwhile goes together. */
export interface LogWriter {
  /**
   * Appends rows in one transaction. The term ends with `rewound` where the log lacks the row of which this member knew
   * when it appended them. Rejects with a `FaultError`: `input` for no rows, and where a row or all of them are too long,
   * `query` where the database rejects them.
   */
  append(entries: readonly Entry[]): Promise<AppendOutcome>
  /**
   * Writes a snapshot of the state at a position of the log, so that older rows can go. The term ends with `rewound`
   * where the position is not in the log. Rejects with a `FaultError`: `input` for one that is too long.
   */
  snapshot(position: Position, body: Uint8Array): Promise<SnapshotOutcome>
  /** Removes old rows now; happens every minute by itself. Resolves with how many. Rejects with a `FaultError`. */
  prune(): Promise<number>
  /** Resolves when no more waits than half of what may, or the term has ended. */
  room(): Promise<void>
  /** Gives up what waits. Resolves when nothing is in the works. */
  close(): Promise<void>
}

/** Returns bodies as rows with random ids. */
export function entriesOf(bodies: readonly Uint8Array[]): Entry[] {
  return bodies.map((body) => ({ id: randomUUID(), body }))
}

/** Opens the writer of a term. It writes nothing by itself, except that it removes old rows. */
export function openWriter(options: WriterOptions): LogWriter {
  const { store, clock, leadership, onFault = () => {} } = options
  const waitingBytes = options.limits?.waitingBytes ?? maxWaitingBytes
  const closing = new AbortController()
  const queue = createQueue(options, closing.signal)
  const prune = () =>
    runWithin(clock, attemptMs, (signal) => store.prune(leadership, options.limits?.keepMs ?? keepMs, { signal }))
  const stopPruning = repeat(clock, pruneMs, () => {
    if (leadership.isCurrent()) prune().catch((error: unknown) => onFault(toFault(error)))
  })
  leadership.signal.addEventListener('abort', stopPruning, { once: true })
  return {
    async append(entries) {
      const bytes = measure(entries)
      if (!leadership.isCurrent() || closing.signal.aborted) return { is: 'fenced' }
      if (queue.bytes() > 0 && queue.bytes() + bytes > waitingBytes) return { is: 'full' }
      return queue.add(entries, bytes)
    },
    snapshot: (position, body) =>
      writeSnapshot({ store, clock, leadership, onFault, signal: closing.signal }, position, body),
    prune,
    room: () => queue.whenAtMost(waitingBytes / 2),
    async close() {
      stopPruning()
      closing.abort(new FaultError('abort'))
      queue.giveUp()
      await queue.idle()
    },
  }
}

interface Queue {
  add(entries: readonly Entry[], bytes: number): Promise<AppendOutcome>
  bytes(): number
  whenAtMost(bytes: number): Promise<void>
  idle(): Promise<void>
  giveUp(): void
}

/** The calls that wait. They are settled in their order. */
function createQueue(
  { store, clock, leadership, position, onFault = () => {} }: WriterOptions,
  signal: AbortSignal,
): Queue {
  const calls: Call<AppendOutcome>[] = []
  let { revision } = leadership
  let waiting = 0
  let running: Promise<void> | null = null
  let watchers: { bytes: number; resolve: () => void }[] = []
  const changeWaiting = (by: number) => {
    waiting += by
    for (const { bytes, resolve } of watchers) if (waiting <= bytes) resolve()
    watchers = watchers.filter(({ bytes }) => waiting > bytes)
  }
  const giveUp = () => {
    for (const { bytes, settle } of calls.splice(0)) {
      changeWaiting(-bytes)
      settle({ is: 'fenced' })
    }
  }
  leadership.signal.addEventListener('abort', giveUp, { once: true })
  const write = async (taken: readonly Call<AppendOutcome>[]) => {
    try {
      const batch = { entries: taken.flatMap(({ entries }) => entries), known: taken.at(-1)?.known ?? null }
      const delivered = await deliver({ store, clock, leadership, revision, onFault, signal }, batch)
      if (delivered.is === 'stored') leadership.confirm((revision += 1))
      settleAll(taken, delivered)
    } catch (error) {
      // One of them is rejected: the others are written without it.
      if (taken.length > 1) for (const call of taken) await write([call])
      else for (const { reject } of taken) reject(error)
    }
  }
  const run = async () => {
    while (calls.length > 0) {
      const taken = takeCalls(calls)
      await write(taken)
      changeWaiting(-taken.reduce((bytes, call) => bytes + call.bytes, 0))
    }
    running = null
  }
  return {
    add(entries, bytes) {
      const { promise, resolve: settle, reject } = Promise.withResolvers<AppendOutcome>()
      calls.push({ entries, known: position(), bytes, settle, reject })
      changeWaiting(bytes)
      running ??= run()
      return promise
    },
    bytes: () => waiting,
    whenAtMost: (bytes) =>
      waiting <= bytes ? Promise.resolve() : new Promise((resolve) => watchers.push({ bytes, resolve })),
    idle: async () => void (await running),
    giveUp,
  }
}

/** Tells each call what became of its part of the batch. */
function settleAll(calls: readonly Call<AppendOutcome>[], delivered: Delivered): void {
  if (delivered.is !== 'stored') {
    for (const { settle } of calls) settle(delivered)
    return
  }
  let number = delivered.last - calls.reduce((rows, { entries }) => rows + entries.length, 0)
  for (const { entries, settle } of calls) {
    number += entries.length
    settle({ is: 'stored', number })
  }
}
