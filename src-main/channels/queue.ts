import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { deliveryRow, type StoredDelivery } from '../incidents/stored/delivery.ts'
import type { Log } from '../ports.ts'
import { afterAttempt, isEnded, isReplaced, longestAskedMs, nextOf, withoutJump } from './attempts.ts'
import { type Outcome, reasons } from './outcome.ts'

/**
 * Sends what waits, one after the other in each channel, and tries again what may succeed later. It records each result before the next
 * message: a message is sent twice only where Muster is killed between a server's acceptance and the record, and then with the same id.
 */
export interface DeliveryQueue {
  /** Adds messages of channels that are sent from here, which the journal has or will have with the next write. */
  add(deliveries: readonly StoredDelivery[]): void
  /** Sends what waits for a channel (null: for all) without further delay: a secret or a setting has changed. */
  wake(channel: string | null): void
  /** Ends what waits for a channel, for this reason. */
  drop(channel: string, reason: string): Promise<void>
  waiting(channel: string): readonly StoredDelivery[]
  /** Sends messages once more that had failed, and that the journal has as waiting. */
  again(deliveries: readonly StoredDelivery[]): void
  /** Looks again at what is due: the clock may have been set, or something is not held any more. */
  review(): void
  /** Lets nothing be sent or recorded while `run` changes the journal. What waits is read again afterwards. */
  pause<T>(run: () => Promise<T>, read: () => Promise<readonly StoredDelivery[]>): Promise<T>
  /** Ends when what is being sent is recorded. What is not answered by then is given up after a moment. */
  stop(): Promise<void>
}

export interface QueueOptions {
  data: Pick<InventoryData, 'settleDeliveries'>
  clock: Clock
  log: Log
  random: () => number
  /** Sends one message. Never rejects. */
  send(delivery: StoredDelivery, signal: AbortSignal): Promise<Outcome>
  /** Returns whether messages of a channel are sent from here: in a team one member sends them. */
  sends(channel: string): boolean
  /** A message that the journal does not have is added with what became of it. */
  adds: boolean
  /** Returns whether a message that is due waits on (held.ts). */
  isHeld(delivery: StoredDelivery): boolean
  /** Returns why a message that was never sent is not needed any more; null while it is. */
  obsolete(delivery: StoredDelivery): string | null
  /** Returns why a message is not for its channel any more; null while it is. */
  closed(delivery: StoredDelivery): string | null
  /** Called before a message is sent for the first time. */
  onAttempt(delivery: StoredDelivery): void
  /** Called when the state of a message has changed. */
  onChange(delivery: StoredDelivery): void
}

/** Results that the disk rejected are written again after this time, ms. */
const rewriteMs = 30_000
/** At the end a server has this time to answer, ms: it is part of the time in which all of Muster ends. */
const lastMs = 1_500

interface Lane {
  rows: StoredDelivery[]
  /** The id of the message that is being sent. */
  sending: string | null
  /** The server takes nothing more before this time (ms). */
  notBefore: number
  cancel: () => void
}

interface Queue {
  readonly options: QueueOptions
  readonly lanes: Map<string, Lane>
  /** What is settled and not written. */
  readonly unrecorded: Map<string, StoredDelivery>
  /** Ids of messages that were erased while they were sent. */
  readonly erased: Set<string>
  readonly running: Set<Promise<void>>
  /** Number of pauses now; results are recorded when there is none. */
  pauses: number
  gate: { promise: Promise<void>; open: () => void }
  readonly stopping: AbortController
  stopped: boolean
  cancelRewrite: () => void
}

export function openQueue(options: QueueOptions): DeliveryQueue {
  const queue: Queue = {
    options,
    lanes: new Map(),
    unrecorded: new Map(),
    erased: new Set(),
    running: new Set(),
    pauses: 0,
    gate: { promise: Promise.resolve(), open() {} },
    stopping: new AbortController(),
    stopped: false,
    cancelRewrite: () => {},
  }
  const review = () => {
    for (const id of queue.lanes.keys()) step(queue, id)
  }
  return {
    add: (deliveries) => add(queue, deliveries),
    wake: (channel) => wake(queue, channel),
    async drop(channel, reason) {
      const lane = laneOf(queue, channel)
      const rows = lane.rows.filter(({ id }) => id !== lane.sending)
      lane.rows = lane.rows.filter(({ id }) => id === lane.sending)
      if (rows.length > 0)
        await record(
          queue,
          rows.map((row) => dropped(row, reason, options.clock.now())),
        )
    },
    waiting: (channel) => queue.lanes.get(channel)?.rows ?? [],
    again(deliveries) {
      for (const one of deliveries) {
        const lane = laneOf(queue, one.channel)
        // Whoever tries again does not wait for what the server has asked before.
        lane.notBefore = 0
        if (options.sends(one.channel) && !lane.rows.some(({ id }) => id === one.id)) lane.rows.push(one)
        step(queue, one.channel)
      }
    },
    review,
    pause: (run, read) => pause(queue, run, read),
    async stop() {
      queue.stopped = true
      queue.cancelRewrite()
      for (const lane of queue.lanes.values()) lane.cancel()
      const giveUp = options.clock.after(lastMs, () => queue.stopping.abort(new FaultError('stopped')))
      await Promise.allSettled(queue.running)
      giveUp()
      if (queue.unrecorded.size > 0) await record(queue, [])
    },
  }
}

function laneOf({ lanes }: Queue, channel: string): Lane {
  const lane = lanes.get(channel) ?? { rows: [], sending: null, notBefore: 0, cancel: () => {} }
  lanes.set(channel, lane)
  return lane
}

const dropped = (row: StoredDelivery, reason: string, now: number): StoredDelivery => ({
  ...row,
  state: 'dropped',
  nextAt: null,
  settledAt: now,
  reason,
})

function add(queue: Queue, deliveries: readonly StoredDelivery[]): void {
  const now = queue.options.clock.now()
  for (const one of deliveries) {
    if (!queue.options.sends(one.channel)) continue
    const lane = laneOf(queue, one.channel)
    if (lane.rows.some(({ id }) => id === one.id)) continue
    const isIdle = ({ id }: StoredDelivery) => id !== lane.sending
    const replaced = lane.rows.filter((row) => isIdle(row) && isReplaced(row, one))
    const ended = lane.rows.filter((row) => isIdle(row) && isEnded(row, one))
    lane.rows = [...lane.rows.filter((row) => !replaced.includes(row) && !ended.includes(row)), one]
    const gone = [
      ...replaced.map((row) => dropped(row, reasons.newer, now)),
      ...ended.map((row) => dropped(row, reasons.over, now)),
    ]
    if (gone.length > 0) void record(queue, gone)
    step(queue, one.channel)
  }
}

function wake(queue: Queue, channel: string | null): void {
  const now = queue.options.clock.now()
  for (const [id, lane] of queue.lanes) {
    if (channel !== null && id !== channel) continue
    lane.notBefore = 0
    lane.rows = lane.rows.map((row) => (row.dueAt <= now ? { ...row, nextAt: now } : row))
    step(queue, id)
  }
}

/** Sends the next message of a channel, or waits until it is due. */
function step(queue: Queue, channel: string): void {
  const { clock, log, isHeld } = queue.options
  const lane = laneOf(queue, channel)
  lane.cancel()
  if (queue.pauses > 0 || queue.stopped || lane.sending !== null || !queue.options.sends(channel)) return
  // A clock that was set back makes no message wait longer than it was to.
  const now = clock.now()
  lane.rows = lane.rows.map((row) => withoutJump(row, now))
  if (lane.notBefore - now > longestAskedMs) lane.notBefore = now
  const next = nextOf(lane.rows, (row) => (row.nextAt ?? 0) <= now && isHeld(row))
  if (next === null) return
  const wait = Math.max(next.nextAt ?? 0, lane.notBefore) - now
  if (wait > 0) return void (lane.cancel = clock.after(wait, () => step(queue, channel)))
  lane.sending = next.id
  const one = attempt(queue, lane, next)
    .catch(() => log('error', 'a message to a channel could not be handled'))
    .finally(() => {
      lane.sending = null
      queue.running.delete(one)
      step(queue, channel)
    })
  queue.running.add(one)
}

async function attempt(queue: Queue, lane: Lane, row: StoredDelivery): Promise<void> {
  const next = await attempted(queue, lane, row)
  lane.rows = lane.rows.flatMap((one) => (one.id !== row.id ? [one] : next.state === 'waiting' ? [next] : []))
  await record(queue, [next])
}

async function attempted({ options, stopping }: Queue, lane: Lane, row: StoredDelivery): Promise<StoredDelivery> {
  const { clock, obsolete, closed, send, onAttempt, random } = options
  const before = closed(row) ?? (row.attempts === 0 ? obsolete(row) : null)
  if (before !== null) return dropped(row, before, clock.now())
  if (row.attempts === 0) onAttempt(row)
  const outcome = await send(row, stopping.signal)
  // What a server asks for one message holds for all: they would only be rejected, and count.
  if (outcome.is === 'later' && outcome.waitMs !== null)
    lane.notBefore = clock.now() + Math.min(outcome.waitMs, longestAskedMs)
  const next = afterAttempt(row, outcome, clock.now(), random())
  const after = next.state === 'sent' ? null : closed(row)
  return after === null ? next : dropped(next, after, clock.now())
}

/** Writes what became of messages, and what could not be written before. */
async function record(queue: Queue, rows: readonly StoredDelivery[]): Promise<void> {
  const { data, clock, log, onChange, sends, adds } = queue.options
  for (const row of rows) if (!queue.erased.delete(row.id)) queue.unrecorded.set(row.id, row)
  while (queue.pauses > 0) await queue.gate.promise
  queue.cancelRewrite()
  const present = new Set(rows.map(({ id }) => id).filter((id) => queue.unrecorded.has(id)))
  // Of a channel that another member sends now, the member that sent the message cannot write any more.
  const byChannel = Map.groupBy(queue.unrecorded.values(), ({ channel }) => channel)
  try {
    for (const [channel, all] of byChannel) {
      if (!sends(channel)) continue
      await data.settleDeliveries({ channel, rows: all.map(deliveryRow), adds })
      for (const row of all) if (queue.unrecorded.get(row.id) === row) queue.unrecorded.delete(row.id)
    }
  } catch {
    log('warn', 'what became of messages to channels could not be stored yet')
    if (!queue.stopped) queue.cancelRewrite = clock.after(rewriteMs, () => void record(queue, []))
  }
  for (const row of rows) if (present.has(row.id)) onChange(row)
}

async function pause<T>(
  queue: Queue,
  run: () => Promise<T>,
  read: () => Promise<readonly StoredDelivery[]>,
): Promise<T> {
  if (queue.pauses === 0) {
    const { promise, resolve: open } = Promise.withResolvers<void>()
    queue.gate = { promise, open }
  }
  queue.pauses += 1
  try {
    return await run()
  } finally {
    try {
      replaceRows(queue, await read())
    } catch {
      queue.options.log('warn', 'messages to channels could not be read again')
    }
    queue.pauses -= 1
    if (queue.pauses === 0) {
      queue.gate.open()
      for (const id of queue.lanes.keys()) step(queue, id)
      if (queue.unrecorded.size > 0) await record(queue, [])
    }
  }
}

/**
 * Replaces what waits with what the journal has, and with what became of it and is not written yet. The rest was erased, also while it
 * was sent.
 */
function replaceRows(queue: Queue, stored: readonly StoredDelivery[]): void {
  const present = new Set(stored.map(({ id }) => id))
  for (const id of queue.unrecorded.keys()) if (!present.has(id)) queue.unrecorded.delete(id)
  for (const lane of queue.lanes.values()) {
    if (lane.sending !== null && !present.has(lane.sending)) queue.erased.add(lane.sending)
    lane.rows = []
  }
  const known = stored.map((row) => queue.unrecorded.get(row.id) ?? row)
  add(
    queue,
    known.filter(({ state }) => state === 'waiting'),
  )
}
