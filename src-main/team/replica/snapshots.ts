import type { Clock } from '../../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { LogWriter } from '../log/writer.ts'
import { snapshotBody } from './snapshot-body.ts'

/** Time until the first snapshot of a term, and between looks whether one is due, ms. */
const firstMs = 5000
const againMs = 60_000
/**
 * The first snapshot of a log is written at once, another one after some rows and the shortest time, at once after many, or
 * after the longest time with any, ms. So whoever joins carries out little, and snapshots take a twentieth of the time.
 */
const [someRows, manyRows] = [200, 5000]
const [shortestMs, longestMs] = [2 * 60_000, 30 * 60_000]
const shareOfTime = 20

export interface SnapshotsOptions {
  data: Pick<InventoryData, 'logPosition' | 'writeSnapshot'>
  clock: Clock
  /** Returns what writes in the term of the member that evaluates; null for another member. */
  writer: () => LogWriter | null
  /** Returns the number of the newest snapshot's last row; 0 without one. */
  newest: () => Promise<number>
  /** Is called where none could be written; it is tried again. */
  onFault: (fault: Fault) => void
}

export interface Snapshots {
  /** Something was erased: the next snapshot, without it, comes soon. */
  soon(): void
  stop(): void
}

/**
 * Writes snapshots of what the team shares while this member evaluates, so that the log's old rows can go and whoever joins
 * begins with one.
 */
export function startSnapshots({ data, clock, writer, newest, onFault }: SnapshotsOptions): Snapshots {
  let cancel = () => {}
  let isAsked = false
  let writtenAt = clock.monotonic()
  let tookMs = 0
  const run = async () => {
    const now = writer()
    if (now === null) return
    const before = await newest()
    const rows = ((await data.logPosition())?.number ?? 0) - before
    const began = clock.monotonic()
    const isDue =
      isAsked ||
      (before === 0 && rows > 0) ||
      rows >= manyRows ||
      (rows >= someRows && began - writtenAt >= Math.max(shortestMs, tookMs * shareOfTime)) ||
      (rows > 0 && began - writtenAt >= longestMs)
    if (!isDue) return
    const wasAsked = isAsked
    // What is erased from here on is for the next one.
    isAsked = false
    const isStored = await write(now).catch((error: unknown) => {
      isAsked ||= wasAsked
      throw error
    })
    if (!isStored) return void (isAsked ||= wasAsked)
    writtenAt = clock.monotonic()
    tookMs = writtenAt - began
  }
  const write = async (now: LogWriter): Promise<boolean> => {
    const { file, position } = await data.writeSnapshot()
    const body = await snapshotBody(file)
    return position !== null && (await now.snapshot(position, body)).is === 'stored'
  }
  const later = (ms: number) => {
    cancel = clock.after(ms, () => {
      run()
        .catch((error: unknown) => onFault(toFault(error)))
        .finally(() => later(againMs))
    })
  }
  later(firstMs)
  return {
    soon: () => void (isAsked = true),
    stop: () => cancel(),
  }
}
