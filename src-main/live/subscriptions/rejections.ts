import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { retryDelay } from '../transport/backoff.ts'
import { shardSize, type Shard } from './shards.ts'

/** What a service refuses for good is asked for again this seldom; what may pass must be live half a minute after it has. */
const [lastingCapMs, passingCapMs] = [30 * 60_000, 25_000]
/** Tenants that are tried at a time. */
const mostTried = 20

/**
 * Subscriptions that the service has refused while others stand: too many ids in one, on a socket or of a credential set, or ids that it
 * does not let these credentials watch. Nothing says which it is, so it is found out: a subscription is divided where the words name
 * a number, then by tenant, then in halves where one of its devices alone is taken. What is refused alone is parked: nobody hears of it
 * until it is tried again. What stands is never touched.
 */
export interface Rejections {
  refused(shard: Shard, why: Fault): void
  confirmed(shard: Shard): void
  /** Whether it is one device that is tried: its first end is a refusal. */
  isTrial(shard: Shard): boolean
  /** Devices that are not subscribed to, and why. */
  parked(): ReadonlyMap<string, Fault>
  /** Whether it is just being found out how this device can be subscribed to, or it is parked. */
  holds(id: string): boolean
  /** Whether it has refused any: then what it takes is not touched for what is new. */
  hasRefused(): boolean
  /** Most ids that a subscription is known to take. */
  size(): number
  /** Another socket: what was under way there is over. */
  begin(): void
  /** Only these are wanted still. */
  only(wanted: ReadonlyMap<string, string>): void
  stop(): void
}

export interface RejectionsOptions {
  clock: Pick<Clock, 'after'>
  random: () => number
  /** The tenant of a device; undefined where it is no longer wanted. */
  tenantOf: (id: string) => string | undefined
  /** Subscribes to these, each by itself. */
  add: (groups: readonly (readonly string[])[]) => Shard[]
  /** Calls when the service has answered what was sent up to now; not at all when the socket ends before. */
  settled: (then: () => void) => void
  /** What `parked` tells has changed. */
  onParked: () => void
}

interface Refused {
  ids: readonly string[]
  why: Fault
}

/** Whether one device of those that were refused together is taken: its first one, and then its last. */
interface Trial extends Refused {
  shard: Shard | undefined
  isLast: boolean
}

interface Book {
  options: RejectionsOptions
  parked: Map<string, Fault>
  /** The most that is worth trying, and the most that the present socket has taken. */
  most: number
  taken: number
  waiting: Refused[]
  /** All that `waiting` and `trial` name. */
  open: Set<string>
  trial: Trial | null
  /** Those of parked tenants that are tried again. */
  again: Map<Shard, string>
  isAsking: boolean
  socket: number
  tries: number
  cancel: (() => void) | null
}

export function createRejections(options: RejectionsOptions): Rejections {
  const book: Book = {
    options,
    parked: new Map(),
    most: shardSize,
    taken: 0,
    waiting: [],
    open: new Set(),
    trial: null,
    again: new Map(),
    isAsking: false,
    socket: 0,
    tries: 0,
    cancel: null,
  }
  return {
    parked: () => book.parked,
    isTrial: (shard) => book.trial?.shard === shard || book.again.has(shard),
    size: () => book.most,
    hasRefused: () => book.most < shardSize || book.parked.size + book.open.size > 0,
    holds: (id) => book.parked.has(id) || book.open.has(id),
    refused(shard, why) {
      if (book.again.delete(shard)) return
      if (book.trial?.shard === shard) failed(book, book.trial)
      else {
        book.waiting.push({ ids: [...shard.devices], why })
        for (const id of shard.devices) book.open.add(id)
      }
      work(book)
    },
    confirmed(shard) {
      book.taken = Math.max(book.taken, shard.devices.size)
      if (book.trial?.shard === shard || book.again.has(shard)) proveTaken(book, shard)
    },
    begin() {
      Object.assign(book, {
        taken: 0,
        waiting: [],
        open: new Set(),
        trial: null,
        isAsking: false,
        socket: book.socket + 1,
      })
      book.again.clear()
    },
    only(wanted) {
      const gone = [...book.parked.keys()].filter((id) => !wanted.has(id))
      for (const id of gone) book.parked.delete(id)
      if (gone.length > 0) options.onParked()
    },
    stop: () => book.cancel?.(),
  }
}

/** One refusal after the other, each when all is answered that was sent before: what one of them teaches, the next ones need not try. */
function work(book: Book): void {
  if (book.isAsking || book.trial !== null || book.waiting.length === 0) return
  book.isAsking = true
  const { socket } = book
  book.options.settled(() => {
    if (socket !== book.socket) return
    book.isAsking = false
    next(book)
  })
}

/** What has only to be divided is divided at once; what has to be tried, one by one. */
function next(book: Book): void {
  while (book.trial === null) {
    const refused = book.waiting.pop()
    if (refused === undefined) return
    take(book, refused)
  }
}

function take(book: Book, { ids: all, why }: Refused): void {
  const {
    options: { tenantOf, add },
    parked,
  } = book
  for (const id of all) book.open.delete(id)
  const ids = all.filter((id) => tenantOf(id) !== undefined && !parked.has(id))
  const said = limitIn(why.detail)
  if (said !== null && said < ids.length) learn(book, ids.length, said)
  const tenants = Map.groupBy(ids, tenantOf)
  if (ids.length > book.most) add(divided(ids, book.most))
  else if (tenants.size > 1) add([...tenants.values()])
  else if (ids.length === 1) park(book, ids, why)
  else if (ids.length > 1) tryOne(book, { ids, why, isLast: false })
}

/** Of so many together this socket has taken some: then it is not their number. */
function learn(book: Book, refused: number, fits: number): void {
  if (refused > book.taken) book.most = Math.max(1, book.taken, Math.min(book.most, fits))
}

function tryOne(book: Book, { ids, why, isLast }: Omit<Trial, 'shard'>): void {
  const id = ids.at(isLast ? -1 : 0)
  const trial: Trial = { ids, why, isLast, shard: undefined }
  for (const each of ids) book.open.add(each)
  book.trial = trial
  const [shard] = id === undefined ? [] : book.options.add([[id]])
  trial.shard = shard
}

/** A refusal may come right behind the Pong: it is taken when it stands at the next one. */
function proveTaken(book: Book, shard: Shard): void {
  const { socket } = book
  book.options.settled(() => {
    if (socket !== book.socket) return
    const tenant = book.again.get(shard)
    if (book.again.delete(shard) && tenant !== undefined) unpark(book, tenant, shard)
    if (book.trial?.shard === shard) divide(book, book.trial)
    work(book)
  })
}

function end(book: Book): void {
  for (const id of book.trial?.ids ?? []) book.open.delete(id)
  book.trial = null
}

function failed(book: Book, { ids, why, isLast }: Trial): void {
  end(book)
  if (isLast) park(book, ids, why)
  else tryOne(book, { ids, why, isLast: true })
}

function divide(book: Book, { ids, shard }: Trial): void {
  end(book)
  const half = Math.ceil(ids.length / 2)
  learn(book, ids.length, half)
  book.options.add(
    divided(
      ids.filter((id) => shard?.devices.has(id) !== true),
      Math.min(half, book.most),
    ),
  )
}

function divided(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size))
}

function park(book: Book, ids: readonly string[], why: Fault): void {
  for (const id of ids) book.parked.set(id, why)
  book.options.onParked()
  plan(book)
}

function unpark(book: Book, tenant: string, taken: Shard): void {
  const {
    parked,
    options: { tenantOf, add, onParked },
  } = book
  const ids = [...parked.keys()].filter((id) => tenantOf(id) === tenant)
  for (const id of ids) parked.delete(id)
  add(
    divided(
      ids.filter((id) => !taken.devices.has(id)),
      book.most,
    ),
  )
  onParked()
}

const isLasting = ({ kind, detail }: Fault): boolean => kind === 'forbidden' || limitIn(detail) !== null

function plan(book: Book): void {
  const {
    parked,
    options: { clock, random },
  } = book
  if (book.cancel !== null || parked.size === 0) return
  book.tries += 1
  const cap = [...parked.values()].every(isLasting) ? lastingCapMs : passingCapMs
  book.cancel = clock.after(retryDelay(book.tries + 3, random(), cap), () => {
    book.cancel = null
    tryAgain(book)
    if (parked.size === 0) book.tries = 0
    plan(book)
  })
}

/** One device of each tenant: when it is taken, the others are tried. Those that were tried go behind the others. */
function tryAgain(book: Book): void {
  const {
    parked,
    options: { tenantOf, add },
  } = book
  if (book.again.size > 0 || book.trial !== null || book.waiting.length > 0) return
  const first = new Map<string, string>()
  for (const id of parked.keys()) {
    const tenant = tenantOf(id) ?? ''
    if (first.size < mostTried && !first.has(tenant)) first.set(tenant, id)
  }
  for (const id of first.values()) {
    const why = parked.get(id)
    parked.delete(id)
    if (why !== undefined) parked.set(id, why)
  }
  const tenants = [...first.keys()]
  add([...first.values()].map((id) => [id])).forEach((shard, at) => book.again.set(shard, tenants[at] ?? ''))
}

/** How many ids a refusal says that there may be; null where it says nothing of it. */
export function limitIn(words: string): number | null {
  if (/\d (?:subscription|operation|stream|socket|connection|request)|per (?:second|minute|hour)/iu.test(words))
    return null
  const said = /(?:at most|maximum|max\.?|limit|up to|more than|between \d{1,7} and|exceeds?)\D{0,24}(\d{1,7})/iu.exec(
    words,
  )
  const count = Number(said?.[1] ?? 0)
  return count >= 1 ? count : null
}
