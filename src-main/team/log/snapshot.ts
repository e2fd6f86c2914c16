import { randomUUID } from 'node:crypto'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Leadership } from '../lead/lease.ts'
import { runWithin } from '../lead/statement.ts'
import { type LogStore, type Position, type SnapshotHead } from './log-store.ts'

/** Longest snapshot, bytes. */
const maxSnapshotBytes = 1 << 28
/** Length of a part, bytes: it is twice as long on its way, and is to arrive in one attempt also where that takes half a megabit a second. */
const partBytes = 1 << 19
const maxParts = maxSnapshotBytes / partBytes
/** Longest time of one attempt, and time between two, ms. */
const attemptMs = 20_000
const retryMs = 500
/** A reader begins again so many times with a newer snapshot, when the one that it reads is removed. */
const maxReads = 5

/** `stored`: it is the newest one. `fenced`: nobody sees anything of it, as the term has ended or the writer was closed. */
export type SnapshotOutcome = { is: 'stored' } | { is: 'fenced' }

export interface SnapshotOptions {
  store: LogStore
  clock: Clock
  leadership: Leadership
  onFault: (fault: Fault) => void
  signal: AbortSignal
}

/** What the rows of a log make. `position`: the last row of the log that is contained in it. */
export interface Snapshot {
  position: Position
  body: Uint8Array
}

/**
 * Writes a snapshot in parts and then makes it the newest one. What fails is tried again while the term lasts. Rejects
 * with a `FaultError`: `input` for one that is too long, `query` where the database rejects it.
 */
export async function writeSnapshot(
  options: SnapshotOptions,
  position: Position,
  body: Uint8Array,
): Promise<SnapshotOutcome> {
  const { store, leadership } = options
  if (body.length > maxSnapshotBytes)
    throw new FaultError('input', `a snapshot of ${body.length} bytes; the most are ${maxSnapshotBytes}`)
  const id = randomUUID()
  const parts = Math.max(1, Math.ceil(body.length / partBytes))
  for (let part = 0; part < parts; part += 1) {
    const piece = body.subarray(part * partBytes, (part + 1) * partBytes)
    const isPut = await insist(options, (signal) => store.putPart(leadership, id, part, piece, { signal }))
    if (isPut !== true) return end(leadership, isPut === false ? 'taken' : null)
  }
  const isDone = await insist(options, (signal) => store.publish(leadership, { id, parts, position }, { signal }))
  if (isDone === true) return { is: 'stored' }
  if (isDone === null) return end(leadership, null)
  const isHeld = await insist(options, (signal) => store.putPart(leadership, id, 0, new Uint8Array(), { signal }))
  return end(leadership, isHeld === null ? null : isHeld ? 'rewound' : 'taken')
}

function end(leadership: Leadership, reason: 'taken' | 'rewound' | null): SnapshotOutcome {
  if (reason !== null) leadership.giveUp(reason)
  return { is: 'fenced' }
}

/** Tries until there is an answer. Resolves with null when the term ends before. Rejects with a fault of kind `query`. */
async function insist<T>(
  { clock, leadership, onFault, signal }: SnapshotOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  while (leadership.isCurrent() && !signal.aborted) {
    try {
      return await runWithin(clock, attemptMs, run, signal)
    } catch (error) {
      if (error instanceof FaultError && error.fault.kind === 'query') throw error
      if (!signal.aborted) onFault(toFault(error))
    }
    await wait(clock, retryMs, leadership.signal).catch(() => {})
  }
  return null
}

/** Reads the newest snapshot of a log, and keeps what was read of it. */
export interface SnapshotReader {
  /**
   * Resolves with the newest snapshot, which is read once; null where there is none. After a fault the next call goes on where it
   * stopped. Rejects with a `FaultError`: `unavailable` where newer ones replace it faster than it is read.
   */
  read(): Promise<Snapshot | null>
  /** Keeps nothing any more. */
  forget(): void
}

interface Kept {
  head: SnapshotHead
  pieces: Uint8Array[]
  bytes: number
  whole: Uint8Array | null
}

export function createSnapshotReader({
  store,
  clock,
  signal,
}: Pick<SnapshotOptions, 'store' | 'clock'> & Partial<Pick<SnapshotOptions, 'signal'>>): SnapshotReader {
  let kept: Kept | null = null
  const newest = () => runWithin(clock, attemptMs, (given) => store.newest({ signal: given }), signal)
  /** Resolves with whether all of it is there: it may be removed meanwhile. */
  const readParts = async (of: Kept): Promise<boolean> => {
    while (of.pieces.length < of.head.parts) {
      const read = (given: AbortSignal) => store.part(of.head.id, of.pieces.length, { signal: given })
      const piece = await runWithin(clock, attemptMs, read, signal)
      if (piece === null) return false
      of.bytes += piece.length
      if (of.bytes > maxSnapshotBytes) throw new FaultError('protocol', `a snapshot of over ${of.bytes} bytes`)
      of.pieces.push(piece)
    }
    return true
  }
  return {
    async read() {
      for (let round = 0; round < maxReads; round += 1) {
        const head = await newest()
        if (head === null) return null
        if (head.parts > maxParts) throw new FaultError('protocol', `a snapshot of ${head.parts} parts is too long`)
        const of: Kept = kept?.head.id === head.id ? kept : { head, pieces: [], bytes: 0, whole: null }
        kept = of
        if (of.whole === null && (await readParts(of))) {
          of.whole = Buffer.concat(of.pieces)
          of.pieces = []
        }
        if (of.whole !== null) return { position: head.position, body: of.whole }
      }
      throw new FaultError('unavailable', 'the snapshot was replaced while it was read')
    },
    forget: () => void (kept = null),
  }
}
