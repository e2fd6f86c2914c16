import { randomUUID } from 'node:crypto'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { maxBodyBytes, maxStateBytes, type Batch, type Entry, type SavedState } from './log-store.ts'

/** Rows and bytes of the batches that wait together, at most. One call is never divided. */
const maxBatchRows = 1000
const maxBatchBytes = 1 << 22
/** Rows and bytes of one call at most. */
const maxCallRows = 10_000
const maxCallBytes = 1 << 23

/** One call that waits to be written. */
export interface Call<Outcome> {
  entries: readonly Entry[]
  state: SavedState | null
  bytes: number
  settle: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/** Returns the length of a call, bytes. Throws a `FaultError` of kind `input` for one that can never be written. */
export function measure(entries: readonly Entry[], state: SavedState | null): number {
  let bytes = state?.value.length ?? 0
  if (bytes > maxStateBytes) throw new FaultError('input', `a state of ${bytes} bytes; the most are ${maxStateBytes}`)
  let rowBytes = 0
  for (const { body } of entries) {
    if (body.length > maxBodyBytes)
      throw new FaultError('input', `a row of ${body.length} bytes; the most are ${maxBodyBytes}`)
    rowBytes += body.length
  }
  if (rowBytes > maxCallBytes || entries.length > maxCallRows)
    throw new FaultError('input', `${entries.length} rows of ${rowBytes} bytes at once`)
  bytes += rowBytes
  return bytes
}

/** Takes the calls that go together from the head of the queue. A call with a state goes alone. */
export function takeCalls<Outcome>(queue: Call<Outcome>[]): Call<Outcome>[] {
  let rows = 0
  let bytes = 0
  let count = 0
  for (const call of queue) {
    rows += call.entries.length
    bytes += call.bytes
    const isTooMuch = rows > maxBatchRows || bytes > maxBatchBytes
    if (count > 0 && (call.state !== null || isTooMuch)) break
    count += 1
    if (call.state !== null || isTooMuch) break
  }
  return queue.splice(0, count)
}

/** Returns calls as one batch, with a new id. */
export function batchOf<Outcome>(calls: readonly Call<Outcome>[]): Batch {
  return { id: randomUUID(), entries: calls.flatMap(({ entries }) => entries), state: calls[0]?.state ?? null }
}
