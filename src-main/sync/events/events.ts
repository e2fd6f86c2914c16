import type { Clock } from '../../../src-shared/lib/clock.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Change } from '../../inventory/thread/change.ts'
import type { LiveEvent, UnplacedDevice } from '../../inventory/thread/update-protocol.ts'

/** Largest number of waiting events of a connection. */
const maxWaiting = 20_000
/** Beyond that number, each device may have this many: all devices may drop at a time, and recover. */
const maxOfDevice = 2
/** Events of one write: this many take some 25 ms of a processor; a longer write blocks the data thread. */
const maxInBatch = 500
/** Devices with lost events are reported together after this many ms; at once when no event waits. */
const lostMs = 1_000
/** Delay after a failed write, ms. */
const retryMs = 2_000

export interface EventQueueOptions {
  /** The events of one service are written in one order: its connections may receive the same device's. */
  service: string
  clock: Clock
  /** Commits a batch; rejects when it could not be written, and then nothing of it was. */
  commit: (events: LiveEvent[]) => Promise<Change & { unplaced?: readonly UnplacedDevice[] }>
  publish: (change: Change) => void
  /** A written change could not be published, for this fault; null when the next one was. It is not written again. */
  onPublishFault: (fault: Fault | null) => void
  /**
   * Called with devices that have more events than can wait, or events that may not be written: they are dropped, and a
   * comparison has to find the status. All earlier events are written by now.
   */
  onLost: (ids: ReadonlySet<string>) => void
  /** Called with devices whose written events name a place that is not known: it has to be read. */
  onUnplaced?: (devices: readonly UnplacedDevice[]) => void
  /** Called with the fault that keeps this many events waiting; null when they are written again. */
  onFault: (fault: Fault | null, waiting: number) => void
}

/**
 * Live events on their way to the data thread, in order. A failed write is repeated, and nothing is shown before it is
 * stored (invariant 2). Events over the limits are dropped and reported (`onLost`): a comparison finds the status.
 */
export interface EventQueue {
  push(event: LiveEvent): void
  /** Drops an unusable event of this device: its status has to be requested. */
  giveUp(id: string): void
  /** Returns whether all received events of the service's connections are written. */
  isWritten(): boolean
  /**
   * Stops accepting events. Resolves when the waiting ones are written. A failed write is left to another connection of
   * the service; without one it is lost, and a sync finds the status.
   */
  stop(): Promise<void>
}

/** The queues of all connections. */
export interface EventQueues {
  start(options: EventQueueOptions): EventQueue
  /**
   * Resolves when all events received before this position are written. A page requested at it waits: written first, it
   * would make unwritten events outdated, and a short drop would be lost.
   */
  writtenBefore(order: number): Promise<void>
}

/** The waiting events of a connection, by device, and the devices with lost events. */
interface Load {
  count: number
  ofDevice: Map<string, number>
  lost: Set<string>
}

/** The events of one service's connections. */
interface ServiceQueue {
  members: Map<EventQueueOptions, Load>
  waiting: QueuedEvent[]
  /** Events being written. */
  batch: QueuedEvent[]
  busy: Promise<void> | null
  cancelRetry: (() => void) | null
}

interface QueuedEvent {
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
          adjustLoad(load, event.id, 1)
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

/** Writes the next batch. While a failed one waits, later events wait behind it. */
function flush(queue: ServiceQueue, onWritten: () => void): void {
  const first = queue.waiting[0]
  if (queue.busy !== null || first === undefined || queue.cancelRetry !== null) return
  queue.busy = write(queue, first.by).then((isWritten) => {
    queue.busy = null
    onWritten()
    if (isWritten) return flush(queue, onWritten)
    queue.cancelRetry = first.by.clock.after(retryMs, () => {
      queue.cancelRetry = null
      flush(queue, onWritten)
    })
  })
}

/**
 * Returns whether an event is over the limits. A device with a lost event stays so until all before it is written: a
 * later event would hide the gap.
 */
function isOver({ count, ofDevice, lost }: Load, id: string): boolean {
  return lost.has(id) || (count >= maxWaiting && (ofDevice.get(id) ?? 0) >= maxOfDevice)
}

function adjustLoad(load: Load | undefined, id: string, by: 1 | -1): void {
  if (load === undefined) return
  load.count += by
  const left = (load.ofDevice.get(id) ?? 0) + by
  if (left === 0) load.ofDevice.delete(id)
  else load.ofDevice.set(id, left)
}

async function write(queue: ServiceQueue, { commit, publish, onPublishFault }: EventQueueOptions): Promise<boolean> {
  queue.batch = queue.waiting.splice(0, maxInBatch)
  const { batch } = queue
  const change = await commit(batch.map(({ event }) => event)).catch(toFault)
  if ('kind' in change && change.kind === 'storage') {
    queue.batch = []
    queue.waiting = [...batch, ...queue.waiting]
    notify(queue, change)
    return false
  }
  // After the commit nothing may return the batch: it would be written twice.
  queue.batch = []
  for (const { event, by } of batch) adjustLoad(queue.members.get(by), event.id, -1)
  if ('kind' in change) {
    // The data thread ended with the batch, which may be written or not: it is not written twice.
    for (const { event, by } of batch) lose(queue, by, event.id)
    notify(queue, change)
  } else {
    notify(queue, null)
    const { unplaced = [], ...published } = change
    publishSafely(() => publish(published), onPublishFault)
    if (unplaced.length > 0) notifyUnplaced(batch, unplaced)
  }
  if (queue.waiting.length === 0) notifyLost(queue)
  return true
}

function notify({ members, waiting }: ServiceQueue, fault: Fault | null): void {
  for (const { onFault } of members.keys()) onFault(fault, waiting.length)
}

/** Reports each device to the connections whose events named its place. */
function notifyUnplaced(batch: readonly QueuedEvent[], unplaced: readonly UnplacedDevice[]): void {
  const byId = Map.groupBy(unplaced, ({ id }) => id)
  for (const [by, events] of Map.groupBy(batch, (queued) => queued.by)) {
    const own = new Set(
      events.flatMap(({ event: { id, tenant } }) => byId.get(id)?.find((each) => each.tenant === tenant) ?? []),
    )
    if (own.size > 0) by.onUnplaced?.([...own])
  }
}

function publishSafely(publish: () => void, onPublishFault: EventQueueOptions['onPublishFault']): void {
  try {
    publish()
  } catch (thrown) {
    return onPublishFault(toFault(thrown))
  }
  onPublishFault(null)
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
    // Some of these have more unwritten events.
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

/** Removes a connection. Its events are written at once, with earlier ones of others. */
async function leave(queue: ServiceQueue, member: EventQueueOptions, onWritten: () => void): Promise<void> {
  queue.members.delete(member)
  await idle(queue)
  // Includes events that another leaving connection is writing.
  const isLeft = () => isOf(queue.batch, member) || isOf(queue.waiting, member)
  if (isLeft()) {
    queue.cancelRetry?.()
    queue.cancelRetry = null
    flush(queue, onWritten)
    await idle(queue)
  }
  if (!isLeft()) return
  const [successor] = queue.members.keys()
  queue.waiting = queue.waiting.flatMap((queued): QueuedEvent[] => {
    if (queued.by !== member) return [queued]
    if (successor === undefined) return []
    adjustLoad(queue.members.get(successor), queued.event.id, 1)
    return [{ ...queued, by: successor }]
  })
  if (queue.waiting.length === 0) queue.cancelRetry?.()
  if (queue.waiting.length === 0) queue.cancelRetry = null
  onWritten()
}

const isOf = (queued: readonly QueuedEvent[], member: EventQueueOptions): boolean =>
  queued.some(({ by }) => by === member)

/** Resolves when no batch is being written: none is left, or one has failed. */
async function idle(queue: ServiceQueue): Promise<void> {
  while (queue.busy !== null) await queue.busy
}
