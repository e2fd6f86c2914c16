import { maxByIds } from '../../../api/operations.ts'
import type { Mutations, ReadDevice } from '../../../api/mutations/mutations.ts'
import { toFault } from '../../../../src-shared/model/fault.ts'
import type { Clock } from '../../../../src-shared/lib/clock.ts'
import type { Log } from '../../../ports.ts'
import type { PreparedRow } from '../assess.ts'

/** Reads of one connection that are on their way at the same time. */
const parallel = 4

/** The end of a wait. */
export interface Deadline {
  signal: AbortSignal
  /** Resolves when it is over. */
  over: Promise<void>
  clear(): void
}

export function startDeadline(clock: Pick<Clock, 'after'>, ms: number): Deadline {
  const controller = new AbortController()
  let end = () => {}
  const over = new Promise<void>((resolve) => (end = resolve))
  const cancel = clock.after(ms, () => {
    controller.abort()
    end()
  })
  return { signal: controller.signal, over, clear: () => (cancel(), end()) }
}

/**
 * Reads devices by their ids, in the points of each connection's credential set; returns what came before the deadline,
 * by the devices' keys. What is missing failed or came too late; null: no such device, or not readable.
 */
export async function readRows(
  rows: readonly PreparedRow[],
  { log, deadline }: { log: Log; deadline: Deadline },
): Promise<ReadonlyMap<string, ReadDevice | null>> {
  const read = new Map<string, ReadDevice | null>()
  const work = [...Map.groupBy(rows, ({ sender }) => sender?.mutations ?? null)].map(async ([mutations, own]) => {
    if (mutations === null) return
    const parts = partsOf(own)
    const readNext = async (): Promise<void> => {
      const part = deadline.signal.aborted ? undefined : parts.shift()
      if (part === undefined) return
      await readPart(mutations, part, deadline.signal, read).catch((error: unknown) =>
        log('warn', `devices could not be read before an action: ${toFault(error).kind}`),
      )
      return readNext()
    }
    await Promise.all(Array.from({ length: parallel }, readNext))
  })
  await Promise.race([Promise.all(work), deadline.over])
  return new Map(read)
}

const partsOf = (rows: readonly PreparedRow[]): PreparedRow[][] =>
  Array.from({ length: Math.ceil(rows.length / maxByIds) }, (_, at) => rows.slice(at * maxByIds, (at + 1) * maxByIds))

async function readPart(
  mutations: Mutations,
  rows: readonly PreparedRow[],
  signal: AbortSignal,
  into: Map<string, ReadDevice | null>,
): Promise<void> {
  const devices = await mutations.read(
    rows.map(({ id }) => id),
    signal,
  )
  for (const [at, { key }] of rows.entries()) into.set(key, devices[at] ?? null)
}
