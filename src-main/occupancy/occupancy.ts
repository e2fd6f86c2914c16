import { repeat, type Clock } from '../../src-shared/lib/clock.ts'
import type { CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import type { Occupied, OccupancySource } from '../../src-shared/contract/occupancy-calls.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { RawState, RawSubscription } from '../live/raw/subscription.ts'
import type { RawSubscriptions } from '../live/raw/subscriptions.ts'
import type { Log } from '../ports.ts'
import { openOccupancyDay, type OccupancyDay } from './day.ts'
import { peopleDocument, readPeopleEvent } from './event.ts'
import { isSameStream, planStreams, type ConnectionPlan, type StreamPlan } from './plan.ts'

/** A running connection. `offered`: whether its schema has people counts; null where that is not known. */
export interface PeopleSource {
  id: string
  name: string
  offered: boolean | null
  /** When its tenants were last read completely, ms; null: never. */
  readAt: number | null
  subscriptions: Pick<RawSubscriptions, 'start'>
}

export interface OccupancyOptions {
  data: Pick<InventoryData, 'streamedRooms'>
  clock: Clock
  log: Log
  isOn: () => boolean
  /** Returns the connections that run and have read their schema, or were refused it. */
  sources: () => readonly PeopleSource[]
}

/**
 * Streams the people counts of rooms while the setting is on. The stream is edge-triggered (twin, section 12) and there is no query for the
 * present state: a room is known from its first event until its stream is cut.
 */
export interface Occupancy {
  handlers: Pick<Handlers, 'occupancy.read'>
  /** Must be called when the setting, or what the connections are, may have changed. It is cheap where nothing did. */
  changed(): void
  stop(): void
}

/** What changes together is looked at once (ms). */
const groupingMs = 1_000
/** Rooms come and go: the streams are compared with them this often, and those that were rejected tried again (ms). */
const reviewMs = 15 * 60_000
/** The sum of the day is continued this often (ms). */
const lookMs = 10_000
/** A stream that the service completed is begun again after this time (ms). */
const againMs = 30_000
const maxFullest = 10

interface Stream {
  plan: StreamPlan
  /** Null until it is started. */
  raw: RawSubscription | null
  state: RawState
  /** The error that the service sent in the place of a count; null after a count. */
  error: Fault | null
}

interface Known {
  count: number
  updatedAt: number | null
  at: number
}

interface Streaming {
  options: OccupancyOptions
  streams: Map<string, Stream>
  plans: ReadonlyMap<string, ConnectionPlan>
  sources: readonly PeopleSource[]
  /** The setting and the connections that the last review was of; null: it must be looked at again. */
  reviewed: { isOn: boolean; sources: readonly PeopleSource[] } | null
  /** By the node of the room. */
  counts: Map<string, Known>
  day: OccupancyDay
  /** The end of the last review. Reviews run one after the other. */
  review: Promise<void>
  pending: (() => void) | null
  stopped: boolean
}

export function openOccupancy(options: OccupancyOptions): Occupancy {
  const streaming: Streaming = {
    options,
    streams: new Map(),
    plans: new Map(),
    sources: [],
    reviewed: null,
    counts: new Map(),
    day: openOccupancyDay(),
    review: Promise.resolve(),
    pending: null,
    stopped: false,
  }
  const { clock } = options
  const stopReviews = repeat(clock, reviewMs, () => {
    for (const { state, plan } of streaming.streams.values())
      if (state.is === 'ended') streaming.streams.delete(plan.key)
    later(streaming, 0)
  })
  const stopLooks = repeat(clock, lookMs, () => look(streaming))
  return {
    handlers: { 'occupancy.read': async () => read(streaming) },
    changed() {
      if (!isReviewed(streaming)) later(streaming, groupingMs)
    },
    stop() {
      streaming.stopped = true
      streaming.pending?.()
      for (const stop of [stopReviews, stopLooks]) stop()
      for (const { raw } of streaming.streams.values()) raw?.stop()
    },
  }
}

/** Plans a review, unless one is planned. */
function later(streaming: Streaming, ms: number): void {
  if (streaming.stopped || streaming.pending !== null) return
  streaming.pending = streaming.options.clock.after(ms, () => {
    streaming.pending = null
    streaming.review = streaming.review
      .then(() => review(streaming))
      .catch(() => {
        streaming.reviewed = null
        streaming.options.log('warn', 'the rooms for people counts could not be read')
      })
  })
}

/** Connections change their state with each event: rooms are read again only where something else changed. */
function isReviewed({ reviewed, options }: Streaming): boolean {
  if (reviewed === null || reviewed.isOn !== options.isOn()) return false
  const sources = options.sources()
  return (
    sources.length === reviewed.sources.length &&
    sources.every((source, index) => {
      const before = reviewed.sources[index]
      return (
        before !== undefined &&
        source.id === before.id &&
        source.name === before.name &&
        source.offered === before.offered &&
        source.readAt === before.readAt &&
        source.subscriptions === before.subscriptions
      )
    })
  )
}

/** Begins and ends streams so that they are those of the present rooms and connections. */
async function review(streaming: Streaming): Promise<void> {
  const { data } = streaming.options
  const [isOn, running] = [streaming.options.isOn(), streaming.options.sources()]
  streaming.reviewed = { isOn, sources: running }
  const asked = isOn ? running.filter(({ offered }) => offered !== false) : []
  const tenants = await Promise.all(
    asked.map(async ({ id }) => ({ id, tenants: await data.streamedRooms({ connection: id }) })),
  )
  if (streaming.stopped) return
  streaming.sources = running
  streaming.plans = planStreams(tenants)
  const wanted = new Map(
    [...streaming.plans.values()].flatMap(({ streams }) => streams.map((plan) => [plan.key, plan])),
  )
  for (const stream of streaming.streams.values()) {
    const plan = wanted.get(stream.plan.key)
    if (plan !== undefined && isSameStream(plan, stream.plan)) {
      // A name may have changed.
      stream.plan = plan
      continue
    }
    end(streaming, stream)
  }
  for (const plan of wanted.values()) {
    if (streaming.streams.has(plan.key)) continue
    try {
      begin(streaming, plan)
    } catch {
      // Its connection ends at this moment, and is another one when it is back.
      streaming.streams.delete(plan.key)
    }
  }
}

function end(streaming: Streaming, stream: Stream): void {
  streaming.streams.delete(stream.plan.key)
  forget(streaming, stream.plan)
  stream.raw?.stop()
}

/** From now on the counts of these rooms are not known. */
function forget(streaming: Streaming, plan: StreamPlan): void {
  look(streaming)
  for (const { id } of plan.rooms.values()) streaming.counts.delete(id)
  look(streaming)
}

function begin(streaming: Streaming, plan: StreamPlan): void {
  const source = streaming.sources.find(({ id }) => id === plan.connection)
  if (source === undefined) return
  const stream: Stream = { plan, raw: null, state: { is: 'connecting', attempt: 0 }, error: null }
  const isPresent = () => streaming.streams.get(plan.key) === stream
  streaming.streams.set(plan.key, stream)
  const variables = { tenantId: plan.tenant.id, roomIds: [...plan.rooms.keys()] }
  stream.raw = source.subscriptions.start({
    operation: { document: peopleDocument, operationName: null, variables },
    onEvent(text, at) {
      if (isPresent()) count(streaming, stream, text, at)
    },
    onGap() {
      if (isPresent()) forget(streaming, stream.plan)
    },
    onState(state) {
      const wasLive = stream.state.is === 'live'
      stream.state = state
      if (!isPresent() || state.is === 'live') return
      if (wasLive) forget(streaming, stream.plan)
      if (state.is === 'ended') ended(streaming, stream, state.end.is)
    },
  })
}

/** One that was rejected is kept with its reason until the next review tries it again; one that ended with its connection is not. */
function ended(streaming: Streaming, stream: Stream, how: 'stopped' | 'completed' | 'rejected' | 'failed'): void {
  if (how === 'rejected' || how === 'failed' || (how === 'completed' && stream.error !== null)) return
  streaming.streams.delete(stream.plan.key)
  if (how === 'completed') streaming.options.clock.after(againMs, () => later(streaming, 0))
}

function count(streaming: Streaming, stream: Stream, text: string, at: number): void {
  const event = readPeopleEvent(text)
  if (event === null) return
  if ('fault' in event) return void (stream.error = event.fault)
  stream.error = null
  const room = stream.plan.rooms.get(event.room)
  if (room === undefined) return
  const before = streaming.counts.get(room.id)
  // A late event must not undo a newer one.
  if (before?.updatedAt != null && event.updatedAt !== null && event.updatedAt < before.updatedAt) return
  look(streaming)
  streaming.counts.set(room.id, { count: event.count, updatedAt: event.updatedAt, at })
  look(streaming)
}

function look({ options, counts, day }: Streaming): void {
  let inUse = 0
  for (const { count: people } of counts.values()) if (people > 0) inUse += 1
  day.look(options.clock.now(), { known: counts.size, inUse })
}

function read(streaming: Streaming): CallOutput<'occupancy.read'> {
  const { options, streams, counts, day } = streaming
  look(streaming)
  const tenants = new Map<string, CallOutput<'occupancy.read'>['tenants'][number]>()
  const fullest: CallOutput<'occupancy.read'>['fullest'] = []
  for (const { plan } of streams.values()) {
    const { node, name } = plan.tenant
    const sum = tenants.get(node) ?? { id: node, name, ...nobody }
    tenants.set(node, sum)
    for (const { id, name: room, site, capacity } of plan.rooms.values()) {
      sum.rooms += 1
      const known = counts.get(id)
      if (known === undefined) continue
      sum.known += 1
      sum.people += known.count
      if (known.count === 0) continue
      sum.inUse += 1
      fullest.push({ id, name: room, site, tenant: name, capacity, count: known.count, at: known.at })
    }
  }
  const all = [...tenants.values()].toSorted((one, other) => one.name.localeCompare(other.name))
  return {
    on: options.isOn(),
    sources: options.sources().map((source) => sourceOf(streaming, source)),
    now: all.reduce(added, nobody),
    tenants: all,
    fullest: fullest.toSorted((one, other) => other.count - one.count || other.at - one.at).slice(0, maxFullest),
    day: day.read(options.clock.now()),
  }
}

const nobody: Occupied = { rooms: 0, known: 0, inUse: 0, people: 0 }

const added = (one: Occupied, other: Occupied): Occupied => ({
  rooms: one.rooms + other.rooms,
  known: one.known + other.known,
  inUse: one.inUse + other.inUse,
  people: one.people + other.people,
})

function sourceOf({ streams, plans }: Streaming, { id, name, offered }: PeopleSource): OccupancySource {
  const own = [...streams.values()].filter(({ plan }) => plan.connection === id)
  const plan = plans.get(id)
  return {
    id,
    name,
    offer: offered === null ? 'unknown' : offered ? 'offered' : 'absent',
    tenants: plan?.tenants ?? 0,
    leftOut: plan?.leftOut ?? 0,
    streams: own.length,
    live: own.filter(({ state }) => state.is === 'live').length,
    fault: own.map(({ state, error }) => error ?? faultOf(state)).find((fault) => fault !== null) ?? null,
  }
}

function faultOf(state: RawState): Fault | null {
  if (state.is === 'waiting') return state.fault
  return state.is === 'ended' && 'fault' in state.end ? state.end.fault : null
}
