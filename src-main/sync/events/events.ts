import type { Clock } from '../../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Change, LiveEvent } from '../../inventory/thread/protocol.ts'

/** Events of a connection that wait, whatever they tell of. */
const mostWaiting = 20_000
/** Beyond that a device has so many: all devices may drop at a time, and come back. */
const mostOfDevice = 2
/** A write that takes longer keeps the data thread from answering: this many take some 25 ms of a processor, which others may want as well. */
const mostInBatch = 500
/** Devices that were given up are reported together after this time; at once only when no event waits any more. */
const lostMs = 1_000
/** A full disk does not empty in a blink; waiting longer would make the screen late when it does. */
const retryMs = 2_000

export interface EventQueueOptions {
  /** Connections of one service may hear of the same device: what they hear is written in one order. */
  service: string
  clock: Clock
  /** Commits a batch; rejects when it could not be written, and then nothing of it was. */
  commit: (events: LiveEvent[]) => Promise<Change>
  publish: (change: Change) => void
  /** A change was written and could not be published, for this fault; null when the next one was. It is kept all the same, and never written again. */
  onPublishFault: (fault: Fault | null) => void
  /**
   * More came of these devices than can wait, or nobody knows whether it was written: it is given up, and a comparison has to
   * tell how they are. All that was heard of them before is written by now.
   */
  onLost: (ids: ReadonlySet<string>) => void
  /** The fault that keeps this many events waiting; null when they flow again. */
  onFault: (fault: Fault | null, waiting: number) => void
}

/**
 * Live events on their way to the data thread, in order. What the disk rejects waits and is tried again, and nothing is shown
 * before it is kept (invariant 2). What is over the bounds is given up and said (`onLost`): a comparison finds it.
 */
export interface EventQueue {
  push(event: LiveEvent): void
  /** Something was told of this device that cannot be used: how it is has to be asked for. */
  giveUp(id: string): void
  /** Whether all that the connections of this service have heard is written. */
  isWritten(): boolean
  /** Takes nothing more. Resolves when what waited is written. What the disk rejects now another connection of the service writes; without one it is lost, and a sync tells the rest. */
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

/** The events of a connection that wait, by device, and the devices that were given up. */
interface Load {
  count: number
  ofDevice: Map<string, number>
  lost: Set<string>
}

/** The events of one service's connections. */
interface ServiceQueue {
  members: Map<EventQueueOptions, Load>
  waiting: Heard[]
  /** Loading… to the disk. */
  batch: Heard[]
  busy: Promise<void> | null
  cancelRetry: (() => void) | null
}

interface Heard {
  event: LiveEvent
  by: EventQueueOptions
}

export function createEventQueues(): EventQueues {
  const queues = new Map<string, ServiceQueue>()
  const waiters = new Set<{ order: number; resolve: () => void }>()
  const isWritten = (order: number) =>
    [...queues.values()].every(({ batch, waiting }) => ((batch[0] ?? waiting[0])?.event.order ?? Infinity) > order)
  const onWritten = () => {
    for (const waiter of waiters) {
      if (!isWritten(waiter.order)) continue
      waiters.delete(waiter)
      waiter.resolve()
    }
  }
  return {
    start(options) {
      const queue: ServiceQueue = queues.get(options.service) ?? {
        members: new Map(),
        waiting: [],
        batch: [],
        busy: null,
        cancelRetry: null,
      }
      queues.set(options.service, queue)
      const load: Load = { count: 0, ofDevice: new Map(), lost: new Set() }
      queue.members.set(options, load)
      const giveUp = (id: string) => lose(queue, options, id)
      return {
        giveUp,
        push(event) {
          if (!queue.members.has(options)) return
          if (isOver(load, event.id)) return giveUp(event.id)
          weigh(load, event.id, 1)
          queue.waiting.push({ event, by: options })
          flush(queue, onWritten)
        },
        isWritten: () => queue.batch.length + queue.waiting.length === 0,
        stop: () => leave(queue, options, onWritten),
      }
    },
    writtenBefore: (order) =>
      isWritten(order)
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.add({ order, resolve })
          }),
  }
}

/** While a failed batch waits for its time, what comes meanwhile waits behind it. */
function flush(queue: ServiceQueue, onWritten: () => void): void {
  const first = queue.waiting[0]
  if (queue.busy !== null || first === undefined || queue.cancelRetry !== null) return
  queue.busy = write(queue, first.by).then((isGood) => {
    queue.busy = null
    onWritten()
    if (isGood) return flush(queue, onWritten)
    queue.cancelRetry = first.by.clock.after(retryMs, () => {
      queue.cancelRetry = null
      flush(queue, onWritten)
    })
  })
}

/** Returns whether an event is over the bounds. A device that was given up stays so until all before it is written: a later event would hide that one is missing. */
function isOver({ count, ofDevice, lost }: Load, id: string): boolean {
  return lost.has(id) || (count >= mostWaiting && (ofDevice.get(id) ?? 0) >= mostOfDevice)
}

function weigh(load: Load | undefined, id: string, by: 1 | -1): void {
  if (load === undefined) return
  load.count += by
  const left = (load.ofDevice.get(id) ?? 0) + by
  if (left === 0) load.ofDevice.delete(id)
  else load.ofDevice.set(id, left)
}

async function write(
  queue: ServiceQueue,
  { commit, publish, onPublishFault: onUntold }: EventQueueOptions,
): Promise<boolean> {
  queue.batch = queue.waiting.splice(0, mostInBatch)
  const { batch } = queue
  const change = await commit(batch.map(({ event }) => event)).catch(toFault)
  if ('kind' in change && change.kind === 'storage') {
    queue.batch = []
    queue.waiting = [...batch, ...queue.waiting]
    notify(queue, change)
    return false
  }
  // Behind the commit nothing may bring the batch back: it would be entered again.
  queue.batch = []
  for (const { event, by } of batch) weigh(queue.members.get(by), event.id, -1)
  if ('kind' in change) {
    // The data thread ended with the batch: it may be written or not, and is not written twice.
    for (const { event, by } of batch) lose(queue, by, event.id)
    notify(queue, change)
  } else {
    notify(queue, null)
    publishSafely(() => publish(change), onUntold)
  }
  if (queue.waiting.length === 0) notifyLost(queue)
  return true
}

function notify({ members, waiting }: ServiceQueue, fault: Fault | null): void {
  for (const { onFault } of members.keys()) onFault(fault, waiting.length)
}

function publishSafely(publish: () => void, onUntold: EventQueueOptions['onPublishFault']): void {
  try {
    publish()
  } catch (thrown) {
    return onUntold(toFault(thrown))
  }
  onUntold(null)
}

function lose(queue: ServiceQueue, by: EventQueueOptions, id: string): void {
  const lost = queue.members.get(by)?.lost
  if (lost === undefined) return
  lost.add(id)
  if (lost.size === 1) notifyLostLater(queue, by)
}

function notifyLostLater(queue: ServiceQueue, by: EventQueueOptions): void {
  by.clock.after(lostMs, () => {
    notifyLost(queue)
    // Of some of these more was still to be written.
    if ((queue.members.get(by)?.lost.size ?? 0) > 0) notifyLostLater(queue, by)
  })
}

function notifyLost({ members }: ServiceQueue): void {
  for (const [{ onLost }, { lost, ofDevice }] of members) {
    const written = new Set([...lost].filter((id) => !ofDevice.has(id)))
    for (const id of written) lost.delete(id)
    if (written.size > 0) onLost(written)
  }
}

/** Takes a connection out. Its events are written at once, with those that others heard before them. */
async function leave(queue: ServiceQueue, member: EventQueueOptions, onWritten: () => void): Promise<void> {
  queue.members.delete(member)
  await idle(queue)
  // Also what somebody else who leaves is trying to write.
  const isLeft = () => isOf(queue.batch, member) || isOf(queue.waiting, member)
  if (isLeft()) {
    queue.cancelRetry?.()
    queue.cancelRetry = null
    flush(queue, onWritten)
    await idle(queue)
  }
  if (!isLeft()) return
  const [heir] = queue.members.keys()
  queue.waiting = queue.waiting.flatMap((heard): Heard[] => {
    if (heard.by !== member) return [heard]
    if (heir === undefined) return []
    weigh(queue.members.get(heir), heard.event.id, 1)
    return [{ ...heard, by: heir }]
  })
  if (queue.waiting.length === 0) queue.cancelRetry?.()
  if (queue.waiting.length === 0) queue.cancelRetry = null
  onWritten()
}

const isOf = (heard: readonly Heard[], member: EventQueueOptions): boolean => heard.some(({ by }) => by === member)

/** One batch follows the other: until there is none, or the disk rejects one. */
async function idle(queue: ServiceQueue): Promise<void> {
  while (queue.busy !== null) await queue.busy
}
