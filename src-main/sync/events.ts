import type { Clock } from '../../src-shared/clock.ts'
import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { Change, LiveEvent } from '../data/protocol.ts'

/** A full disk does not empty in a blink; waiting longer would make the screen late when it does. */
const retryMs = 2_000

export interface EventQueueOptions {
  /** Connections of one service may hear of the same device: what they hear is written in one order. */
  service: string
  clock: Clock
  /** Commits a batch; rejects when it could not be written, and then nothing of it was. */
  commit: (events: LiveEvent[]) => Promise<Change>
  publish: (change: Change) => void
  /** The fault that keeps this many events waiting; null when they flow again. */
  onFault: (fault: Fault | null, waiting: number) => void
}

/**
 * Live events on their way to the data thread, in order. What cannot be written waits and is tried again: an event is
 * never dropped, and never shown before it is kept (invariant 2).
 */
export interface EventQueue {
  push(event: LiveEvent): void
  /** Whether all that the connections of this service have heard is written. */
  isWritten(): boolean
  /** Takes nothing more. Resolves when what waited is written. What the disk refuses now another connection of the service writes; without one it is lost, and a reading tells the rest. */
  stop(): Promise<void>
}

/** The queues of all connections. */
export interface EventQueues {
  start(options: EventQueueOptions): EventQueue
  /**
   * Resolves when all that came in before this place in the order is written. A page that was asked for there waits for it:
   * written first, it would make old of events that nobody has entered yet, and a blip that was heard would be lost.
   */
  writtenBefore(order: number): Promise<void>
}

/** What one service's connections have heard. */
interface Line {
  members: Set<EventQueueOptions>
  waiting: Heard[]
  /** On its way to the disk. */
  batch: Heard[]
  busy: Promise<void> | null
  cancelRetry: (() => void) | null
}

interface Heard {
  event: LiveEvent
  by: EventQueueOptions
}

export function createEventQueues(): EventQueues {
  const lines = new Map<string, Line>()
  const waiters = new Set<{ order: number; resolve: () => void }>()
  const isWritten = (order: number) => [...lines.values()].every(({ batch, waiting }) => ((batch[0] ?? waiting[0])?.event.order ?? Infinity) > order)
  const onWritten = () => {
    for (const waiter of waiters) {
      if (!isWritten(waiter.order)) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }
  return {
    start(options) {
      const line = lines.get(options.service) ?? { members: new Set(), waiting: [], batch: [], busy: null, cancelRetry: null }
      lines.set(options.service, line)
      line.members.add(options)
      return {
        push(event) {
          if (!line.members.has(options)) return
          line.waiting.push({ event, by: options })
          flush(line, onWritten)
        },
        isWritten: () => line.batch.length + line.waiting.length === 0,
        stop: () => leave(line, options, onWritten),
      }
    },
    writtenBefore: (order) => (isWritten(order) ? Promise.resolve() : new Promise((resolve) => { waiters.add({ order, resolve }) })),
  }
}

/** While a failed batch waits for its time, what comes meanwhile waits behind it. */
function flush(line: Line, onWritten: () => void): void {
  const first = line.waiting[0]
  if (line.busy !== null || first === undefined || line.cancelRetry !== null) return
  line.busy = write(line, first.by).then((isGood) => {
    line.busy = null
    onWritten()
    if (isGood) return flush(line, onWritten)
    line.cancelRetry = first.by.clock.after(retryMs, () => {
      line.cancelRetry = null
      flush(line, onWritten)
    })
  })
}

async function write(line: Line, { commit, publish }: EventQueueOptions): Promise<boolean> {
  const { batch } = Object.assign(line, { batch: line.waiting, waiting: [] })
  const tell = (fault: Fault | null) => line.members.forEach(({ onFault }) => onFault(fault, line.waiting.length))
  try {
    const change = await commit(batch.map(({ event }) => event))
    line.batch = []
    tell(null)
    publish(change)
    return true
  } catch (error) {
    Object.assign(line, { batch: [], waiting: [...batch, ...line.waiting] })
    tell(toFault(error))
    return false
  }
}

/** What it has heard goes at once, with what others heard before it. */
async function leave(line: Line, member: EventQueueOptions, onWritten: () => void): Promise<void> {
  line.members.delete(member)
  await line.busy
  // Also what somebody else who leaves is trying to write.
  const isLeft = () => [...line.batch, ...line.waiting].some(({ by }) => by === member)
  if (isLeft()) {
    line.cancelRetry?.()
    line.cancelRetry = null
    flush(line, onWritten)
    await line.busy
  }
  if (!isLeft()) return
  const [heir] = line.members
  line.waiting = line.waiting.flatMap((heard) => (heard.by !== member ? [heard] : heir === undefined ? [] : [{ ...heard, by: heir }]))
  if (line.waiting.length === 0) line.cancelRetry?.()
  if (line.waiting.length === 0) line.cancelRetry = null
  onWritten()
}
