import { wallTime, type Clock } from '../../src-shared/lib/clock.ts'
import type { Gauge, Lane } from '../../src-shared/model/gauge.ts'
import {
  belongs,
  afterRejection,
  afterReport,
  afterReset,
  afterOperation,
  unknownBalance,
  type Balance,
  type CostReport,
  type TimedCostReport,
} from './ledger.ts'
import { watchOthers, type Others } from './others.ts'
import { operationLimit, type Costs } from './costs.ts'
import { createUnreportedBalance, type UnreportedBalance } from './unreported-balance.ts'
import type { Shape } from './shape.ts'
import { largest } from '../../src-shared/lib/extremes.ts'

const recentKept = 20
/** How a person spends is judged by this much of the past. */
const habitMs = 30_000

/** One operation as the books see it. */
export interface Item {
  name: string
  lane: Lane
  shape: Shape
  /** Requested page size; 1 for what has no pages. */
  size: number
}

/** How the service tells what things cost: by headers (service-spec.md, section 8), by the field `calculateQueryCost` (section 2), or not at all; null before its first answer. */
type Voice = 'headers' | 'field' | 'none' | null

/** The books of one credential set: its balance, and what Muster burned in this window. */
export interface Account {
  /** The balance now, its window turned over when its time has come. */
  balance(): Balance
  voice(): Voice
  /** Operations that may be under way at the same time where the service tells nothing of points; null where it does. */
  silentParallel(): number | null
  /** Whether the next operation is to ask what it costs. */
  asks(): boolean
  /** At most what this operation costs; more than one may cost, none does. */
  mostOf(item: Pick<Item, 'shape' | 'size'>): number
  /** Points that are kept free for what is on its way, and for what may have been charged although no answer came. */
  kept(): number
  /** What Muster spent in this window. */
  own(): number
  /** Points that a person's acts took in this window, and what they are likely to take in the next `ms`. */
  person(ms: number): { used: number; expected: number }
  /** What other clients used in this window, at least, and what they are likely to use in the next `ms` beyond what is known. */
  others: Pick<Others, 'used' | 'usual'> & { expected(ms: number): number }
  /** An operation leaves. */
  begin(item: Item): Spending
  gauge(): Pick<
    Gauge,
    'limit' | 'remaining' | 'resetAt' | 'known' | 'burned' | 'recent' | 'activities' | 'others' | 'refusals' | 'basis'
  > &
    Partial<Pick<Gauge, 'said'>>
}

/** An operation that is on its way: it ends in one of these. */
export interface Spending {
  /** The service answered; `asked`: the operation held `calculateQueryCost`. */
  answered(figures: CostReport, asked: boolean): void
  /** The service refused it for lack of points, and took nothing. */
  refused(figures: CostReport, retryAfterMs: number | null): void
  /** The service refused it as dearer than any operation may be, and took nothing. */
  tooDear(figures: CostReport): void
  /** No answer came. `sent`: it may have been charged all the same. */
  lost(sent: boolean): void
}

interface Books {
  clock: Clock
  prices: Costs
  balance: Balance
  voice: Voice
  onTheWay: Set<{ atMost: number }>
  /** Operations so far. */
  begun: number
  /** How often in a row the service was asked what an operation cost and did not say. */
  unanswered: number
  /** What may have been charged in this window without an answer: nobody's, as far as is known. */
  unclear: number
  /** Of what no answer came: until an answer to something later tells what is left, or the window ends. */
  lost: { atMost: number; at: number }[]
  burned: Gauge['burned']
  activities: Map<string, Gauge['activities'][number]>
  recent: Gauge['recent']
  said: Gauge['said']
  refusals: Gauge['refusals']
  habit: { at: number; cost: number }[]
  others: Others
  silence: UnreportedBalance
}

const nothingBurned: Gauge['burned'] = { person: 0, reconcile: 0, visible: 0, background: 0 }

export function openAccount(clock: Clock, prices: Costs): Account {
  const books: Books = {
    clock,
    prices,
    balance: unknownBalance,
    voice: null,
    onTheWay: new Set(),
    begun: 0,
    unanswered: 0,
    unclear: 0,
    lost: [],
    burned: nothingBurned,
    activities: new Map(),
    recent: [],
    said: undefined,
    refusals: { count: 0, at: null },
    habit: [],
    others: watchOthers(),
    silence: createUnreportedBalance(),
  }
  return {
    balance: () => current(books),
    voice: () => books.voice,
    silentParallel: () => (isSilent(books) ? books.silence.parallel() : null),
    asks: () => asks(books),
    mostOf: (item) => mostOf(books, item),
    kept: () => keptFree(books),
    own: () => ownOf(books),
    person: (ms) => personOf(books, ms),
    others: {
      used: books.others.used,
      usual: books.others.usual,
      expected: (ms) => books.others.expected(current(books), clock.monotonic(), ms),
    },
    begin: (item) => begin(books, item),
    gauge: () => gaugeOf(books),
  }
}

function current(books: Books): Balance {
  const next = afterReset(books.balance, books.clock.monotonic())
  if (next !== books.balance) turn(books)
  books.balance = next
  return isSilent(books) ? { ...next, remaining: books.silence.remaining(next.limit) } : next
}

/** Nobody says what is left: all is guessed. */
const isSilent = ({ voice, balance }: Books): boolean => voice === 'none' && !balance.known

/** What a guessed cost is taken at. */
const scaleOf = (books: Books): number => (isSilent(books) ? books.silence.scale(books.balance.limit) : 1)

function turn(books: Books): void {
  books.burned = nothingBurned
  // It was charged to the window before, or not at all. Kept on, it could come to more than a window holds, and nothing would ever be sent again.
  books.lost = []
  books.unclear = 0
  books.activities.clear()
  books.silence.turn()
  books.others.turn()
}

const keptFree = ({ onTheWay, lost }: Books): number => sum([...onTheWay, ...lost].map(({ atMost }) => atMost))

const ownOf = ({ burned }: Books): number => sum(Object.values(burned))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function begin(books: Books, item: Item): Spending {
  const { clock, prices, onTheWay } = books
  const sentAt = clock.monotonic()
  const { likely } = prices.quote(item.shape, item.size)
  const atMost = mostOf(books, item)
  const way = { atMost }
  onTheWay.add(way)
  books.begun += 1
  const back = (figures: CostReport): TimedCostReport => {
    onTheWay.delete(way)
    return { ...figures, sentAt, at: clock.monotonic() }
  }
  return {
    answered(figures, asked) {
      const heard = back(figures)
      hear(books, figures, asked)
      // What the service does not tell is taken at what was expected.
      if (figures.cost === null) books.silence.answered(likely)
      const cost = figures.cost ?? Math.round(likely * scaleOf(books))
      if (figures.cost !== null && figures.cost > 0)
        prices.learn(item.shape, item.size, figures.cost, heard.at - sentAt)
      move(
        books,
        heard,
        figures.remaining === null ? afterOperation(current(books), heard, cost) : afterReport(current(books), heard),
      )
      burn(books, item, heard, cost)
      look(books, heard)
    },
    refused(figures, retryAfterMs) {
      const heard = back(figures)
      if (figures.cost !== null && figures.cost > 0) prices.learn(item.shape, item.size, figures.cost, null)
      books.silence.refused(sentAt, heard.at)
      move(books, heard, afterRejection(current(books), heard, retryAfterMs))
      books.refusals = { count: books.refusals.count + 1, at: clock.now() }
      look(books, heard)
    },
    tooDear(figures) {
      const heard = back(figures)
      prices.tooDear(item.shape, item.size, figures.cost === 0 ? null : figures.cost)
      move(books, heard, afterReport(current(books), { ...heard, cost: null }))
    },
    lost(sent) {
      onTheWay.delete(way)
      if (sent) books.lost.push({ atMost, at: clock.monotonic() })
    },
  }
}

/** So often in a row it has to say nothing before it counts as silent, and of so many operations one is asked with the question again. */
const silentAfter = 2
const askAgainEvery = 100

/** Figures in headers are the service's own; where there are none, it is asked for them, and where it does not answer that either, it is silent. */
function hear(books: Books, { source }: CostReport, asked: boolean): void {
  if (source !== null) books.unanswered = 0
  else if (asked) books.unanswered += 1
  books.voice = source ?? (books.unanswered >= silentAfter ? 'none' : 'field')
}

/** The figures come free with every answer; only where they do not, the service is asked for them. */
function asks({ voice, begun }: Books): boolean {
  return voice === 'field' || (voice === 'none' && begun % askAgainEvery === 0)
}

/** More than this an operation cannot cost: the service would refuse it. */
function mostOf(books: Books, { shape, size }: Pick<Item, 'shape' | 'size'>): number {
  return Math.min(operationLimit, books.prices.quote(shape, size).atMost) * scaleOf(books)
}

/** The books after an answer; a window that it shows to have turned is a new one for all of them. */
function move(books: Books, heard: TimedCostReport, after: Balance): void {
  const before = books.balance
  // Only a window that is heard of for the first time begins anew.
  if (before.turns !== null && after.since !== before.since) turn(books)
  books.balance = after
  if (heard.remaining !== null && after !== before) {
    books.said = { remaining: after.remaining, at: books.clock.now(), resetAt: resetAt(books) ?? books.clock.now() }
    books.unclear += sum(books.lost.filter(({ at }) => at <= heard.sentAt).map(({ atMost }) => atMost))
    books.lost = books.lost.filter(({ at }) => at > heard.sentAt)
  }
}

function burn(books: Books, { name, lane }: Item, heard: TimedCostReport, cost: number): void {
  const at = books.clock.now()
  books.recent = [{ name, lane, cost, at }, ...books.recent].slice(0, recentKept)
  if (lane === 'person')
    books.habit = [...books.habit.filter(({ at: then }) => heard.at - then < habitMs), { at: heard.at, cost }]
  // What was charged to the window before is no part of this one.
  if (!belongs(books.balance, heard)) return
  books.burned = { ...books.burned, [lane]: books.burned[lane] + cost }
  const key = `${lane} ${name}`
  const before = books.activities.get(key) ?? { name, lane, points: 0, count: 0 }
  books.activities.set(key, { name, lane, points: before.points + cost, count: before.count + 1 })
}

/** What was sent in the window before may tell of its balance and of this reset: nobody else has spent that. */
function look(books: Books, heard: TimedCostReport): void {
  if (heard.remaining !== null && heard.sentAt >= books.balance.since)
    books.others.look(books.balance, ownOf(books), keptFree(books) + books.unclear, heard.at)
}

function personOf({ burned, habit, clock }: Books, ms: number): { used: number; expected: number } {
  const lately = habit.filter(({ at }) => clock.monotonic() - at < habitMs).map(({ cost }) => cost)
  const rate = sum(lately) / habitMs
  return { used: burned.person, expected: lately.length === 0 ? 0 : rate * ms + largest(lately) }
}

function resetAt({ balance, clock }: Books): number | null {
  return balance.turns === null ? null : wallTime(clock, balance.turns.until)
}

function gaugeOf(books: Books): ReturnType<Account['gauge']> {
  const { limit, remaining, known } = current(books)
  const { burned, recent, said, refusals, voice } = books
  return {
    limit,
    remaining,
    resetAt: resetAt(books),
    known,
    burned,
    recent: [...recent],
    refusals,
    basis: voice === 'none' || voice === null ? 'guess' : voice,
    activities: [...books.activities.values()].toSorted((one, other) => other.points - one.points),
    others: Math.round(books.others.used()),
    ...(said !== undefined && { said }),
  }
}
