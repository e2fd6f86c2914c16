import { FaultError } from '../../../src-shared/model/fault.ts'
import { maxBodyBytes, type Entry, type Position } from './log-store.ts'

/** Rows and bytes of the batches that wait together, at most. One call is never divided. */
const maxBatchRows = 1000
const maxBatchBytes = 1 << 22
/** Rows and bytes of one call at most. */
const maxCallRows = 10_000
const maxCallBytes = 1 << 23

/** One call that waits to be written. */
export interface Call<Outcome> {
  entries: readonly Entry[]
  /** The last row of which its writer knew. */
  known: Position | null
  bytes: number
  settle: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/** Returns the length of a call, bytes. Throws a `FaultError` of kind `input` for one without rows, or that can never be written. */
export function measure(entries: readonly Entry[]): number {
  if (entries.length === 0) throw new FaultError('input', 'no rows')
  let bytes = 0
  for (const { body } of entries) {
    if (body.length > maxBodyBytes)
      throw new FaultError('input', `a row of ${body.length} bytes; the most are ${maxBodyBytes}`)
    bytes += body.length
  }
  if (bytes > maxCallBytes || entries.length > maxCallRows)
    throw new FaultError('input', `${entries.length} rows of ${bytes} bytes at once`)
  return bytes
}

/** Takes the calls that go together from the head of the queue. */
export function takeCalls<Outcome>(queue: Call<Outcome>[]): Call<Outcome>[] {
  let rows = 0
  let bytes = 0
  let count = 0
  for (const call of queue) {
    rows += call.entries.length
    bytes += call.bytes
    if (count > 0 && (rows > maxBatchRows || bytes > maxBatchBytes)) break
    count += 1
  }
  return queue.splice(0, count)
}
