import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { retryDelay } from '../transport/backoff.ts'
import { shardSize, type Shard } from './shards.ts'

/**
 * Longest delay before a rejected subscription is repeated, ms: for a lasting reason, and for a passing one, which must
 * be live within half a minute.
 */
const [lastingCapMs, passingCapMs] = [30 * 60_000, 25_000]
/** Tenants that are tried at the same time. */
const maxTrialTenants = 20

/**
 * Subscriptions that the service rejected while others are subscribed: too many ids in one, on a socket or for a
 * credential set, or ids that these credentials may not watch. The service does not say which, so trials show it: a
 * subscription is divided where the message names a number, then by tenant, then in halves where one of its devices
 * alone is accepted. A device rejected alone is parked until it is tried again. Confirmed subscriptions are not
 * changed.
 */
export interface Rejections {
  rejected(shard: Shard, why: Fault): void
  confirmed(shard: Shard): void
  /** Returns whether the shard is a trial of one device: its first end is a rejection. */
  isTrial(shard: Shard): boolean
  /** Returns the devices that are not subscribed, and why. */
  parked(): ReadonlyMap<string, Fault>
  /** Returns whether the device is parked or in a trial. */
  holds(id: string): boolean
  /** Returns whether any was rejected: then new devices do not change confirmed shards. */
  hasRejected(): boolean
  /** Returns the largest number of ids that a subscription is known to accept. */
  size(): number
  /** Begins with another socket: trials on the previous one are over. */
  begin(): void
  /** Forgets all devices but these. */
  only(wanted: ReadonlyMap<string, string>): void
  stop(): void
}

export interface RejectionsOptions {
  clock: Pick<Clock, 'after'>
  random: () => number
  /** The tenant of a device; undefined where it is no longer wanted. */
  tenantOf: (id: string) => string | undefined
  /** Subscribes to these groups, each by itself. */
  add: (groups: readonly (readonly string[])[]) => Shard[]
  /** Calls `then` when the service has answered everything sent so far; not at all when the socket ends before. */
  settled: (then: () => void) => void
  /** Called when the value of `parked` changes. */
  onParked: () => void
}

interface RejectedDevices {
  ids: readonly string[]
  why: Fault
}

/** A trial of one device of a rejected group: its first one, and then its last. */
interface Trial extends RejectedDevices {
  shard: Shard | undefined
  isLast: boolean
}

interface RejectionsState {
  options: RejectionsOptions
  parked: Map<string, Fault>
  /** The largest size worth trying, and the largest one that the present socket accepted. */
  maxSize: number
  accepted: number
  waiting: RejectedDevices[]
  /** All devices of `waiting` and `trial`. */
  open: Set<string>
  trial: Trial | null
  /** Shards of parked tenants that are tried again. */
  retried: Map<Shard, string>
  isAsking: boolean
  socket: number
  tries: number
  cancel: (() => void) | null
}

export function createRejections(options: RejectionsOptions): Rejections {
  const state: RejectionsState = {
    options,
    parked: new Map(),
    maxSize: shardSize,
    accepted: 0,
    waiting: [],
    open: new Set(),
    trial: null,
    retried: new Map(),
    isAsking: false,
    socket: 0,
    tries: 0,
    cancel: null,
  }
  return {
    parked: () => state.parked,
    isTrial: (shard) => state.trial?.shard === shard || state.retried.has(shard),
    size: () => state.maxSize,
    hasRejected: () => state.maxSize < shardSize || state.parked.size + state.open.size > 0,
    holds: (id) => state.parked.has(id) || state.open.has(id),
    rejected(shard, why) {
      if (state.retried.delete(shard)) return
      if (state.trial?.shard === shard) failed(state, state.trial)
      else {
        state.waiting.push({ ids: [...shard.devices], why })
        for (const id of shard.devices) state.open.add(id)
      }
      processNext(state)
    },
    confirmed(shard) {
      state.accepted = Math.max(state.accepted, shard.devices.size)
      if (state.trial?.shard === shard || state.retried.has(shard)) confirmAccepted(state, shard)
    },
    begin() {
      Object.assign(state, {
        accepted: 0,
        waiting: [],
        open: new Set(),
        trial: null,
        isAsking: false,
        socket: state.socket + 1,
      })
      state.retried.clear()
    },
    only(wanted) {
      const gone = [...state.parked.keys()].filter((id) => !wanted.has(id))
      for (const id of gone) state.parked.delete(id)
      if (gone.length > 0) options.onParked()
    },
    stop: () => state.cancel?.(),
  }
}

/**
 * Handles one rejection after the other, each when everything sent before is answered, so that the later ones use what
 * the earlier ones taught.
 */
function processNext(state: RejectionsState): void {
  if (state.isAsking || state.trial !== null || state.waiting.length === 0) return
  state.isAsking = true
  const { socket } = state
  state.options.settled(() => {
    if (socket !== state.socket) return
    state.isAsking = false
    processAll(state)
  })
}

/** Divides at once where no trial is needed; trials run one at a time. */
function processAll(state: RejectionsState): void {
  while (state.trial === null) {
    const rejected = state.waiting.pop()
    if (rejected === undefined) return
    resolveRejection(state, rejected)
  }
}

function resolveRejection(state: RejectionsState, { ids: all, why }: RejectedDevices): void {
  const {
    options: { tenantOf, add },
    parked,
  } = state
  for (const id of all) state.open.delete(id)
  const ids = all.filter((id) => tenantOf(id) !== undefined && !parked.has(id))
  const allowed = limitIn(why.detail)
  if (allowed !== null && allowed < ids.length) learn(state, ids.length, allowed)
  const tenants = Map.groupBy(ids, tenantOf)
  if (ids.length > state.maxSize) add(divided(ids, state.maxSize))
  else if (tenants.size > 1) add([...tenants.values()])
  else if (ids.length === 1) park(state, ids, why)
  else if (ids.length > 1) tryOne(state, { ids, why, isLast: false })
}

/** Learns the size limit. Where this socket accepted as many ids before, their number is not the reason. */
function learn(state: RejectionsState, rejected: number, fits: number): void {
  if (rejected > state.accepted) state.maxSize = Math.max(1, state.accepted, Math.min(state.maxSize, fits))
}

function tryOne(state: RejectionsState, { ids, why, isLast }: Omit<Trial, 'shard'>): void {
  const id = ids.at(isLast ? -1 : 0)
  const trial: Trial = { ids, why, isLast, shard: undefined }
  for (const each of ids) state.open.add(each)
  state.trial = trial
  const [shard] = id === undefined ? [] : state.options.add([[id]])
  trial.shard = shard
}

/**
 * Records that a shard is accepted when it is still subscribed at the next Pong: a rejection may follow right behind
 * the first.
 */
function confirmAccepted(state: RejectionsState, shard: Shard): void {
  const { socket } = state
  state.options.settled(() => {
    if (socket !== state.socket) return
    const tenant = state.retried.get(shard)
    if (state.retried.delete(shard) && tenant !== undefined) unpark(state, tenant, shard)
    if (state.trial?.shard === shard) divide(state, state.trial)
    processNext(state)
  })
}

function end(state: RejectionsState): void {
  for (const id of state.trial?.ids ?? []) state.open.delete(id)
  state.trial = null
}

function failed(state: RejectionsState, { ids, why, isLast }: Trial): void {
  end(state)
  if (isLast) park(state, ids, why)
  else tryOne(state, { ids, why, isLast: true })
}

function divide(state: RejectionsState, { ids, shard }: Trial): void {
  end(state)
  const half = Math.ceil(ids.length / 2)
  learn(state, ids.length, half)
  state.options.add(
    divided(
      ids.filter((id) => shard?.devices.has(id) !== true),
      Math.min(half, state.maxSize),
    ),
  )
}

function divided(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))
}

function park(state: RejectionsState, ids: readonly string[], why: Fault): void {
  for (const id of ids) state.parked.set(id, why)
  state.options.onParked()
  plan(state)
}

function unpark(state: RejectionsState, tenant: string, accepted: Shard): void {
  const {
    parked,
    options: { tenantOf, add, onParked },
  } = state
  const ids = [...parked.keys()].filter((id) => tenantOf(id) === tenant)
  for (const id of ids) parked.delete(id)
  add(
    divided(
      ids.filter((id) => !accepted.devices.has(id)),
      state.maxSize,
    ),
  )
  onParked()
}

const isLasting = ({ kind, detail }: Fault): boolean => kind === 'forbidden' || limitIn(detail) !== null

function plan(state: RejectionsState): void {
  const {
    parked,
    options: { clock, random },
  } = state
  if (state.cancel !== null || parked.size === 0) return
  state.tries += 1
  const cap = [...parked.values()].every(isLasting) ? lastingCapMs : passingCapMs
  state.cancel = clock.after(retryDelay(state.tries + 3, random(), cap), () => {
    state.cancel = null
    tryAgain(state)
    if (parked.size === 0) state.tries = 0
    plan(state)
  })
}

/**
 * Tries one device of each parked tenant; when it is accepted, the others follow. Tried ones go to the end of the
 * order.
 */
function tryAgain(state: RejectionsState): void {
  const {
    parked,
    options: { tenantOf, add },
  } = state
  if (state.retried.size > 0 || state.trial !== null || state.waiting.length > 0) return
  const first = new Map<string, string>()
  for (const id of parked.keys()) {
    const tenant = tenantOf(id) ?? ''
    if (first.size < maxTrialTenants && !first.has(tenant)) first.set(tenant, id)
  }
  for (const id of first.values()) {
    const why = parked.get(id)
    parked.delete(id)
    if (why !== undefined) parked.set(id, why)
  }
  const tenants = [...first.keys()]
  add([...first.values()].map((id) => [id])).forEach((shard, at) => state.retried.set(shard, tenants[at] ?? ''))
}

/** Returns the number of ids that a rejection allows; null where it names none. */
export function limitIn(words: string): number | null {
  if (/\d (?:subscription|operation|stream|socket|connection|request)|per (?:second|minute|hour)/iu.test(words))
    return null
  const allowed =
    /(?:at most|maximum|max\.?|limit|up to|more than|between \d{1,7} and|exceeds?)\D{0,24}(\d{1,7})/iu.exec(words)
  const count = Number(allowed?.[1] ?? 0)
  return count >= 1 ? count : null
}
