import { wallTime, type Clock } from '../../../src-shared/lib/clock.ts'
import type { Gauge, Lane } from '../../../src-shared/model/gauge.ts'
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
import { operationLimit, type Costs } from '../cost/costs.ts'
import { createUnreportedBalance, type UnreportedBalance } from './unreported-balance.ts'
import type { Shape } from '../cost/shape.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

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
type CostSource = 'headers' | 'field' | 'none' | null

/** The books of one credential set: its balance, and what Muster burned in this window. */
export interface Account {
  /** The balance now, its window turned over when its time has come. */
  balance(): Balance
  costSource(): CostSource
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
  answered(costReport: CostReport, asked: boolean): void
  /** The service rejected it for lack of points, and took nothing. */
  rejected(costReport: CostReport, retryAfterMs: number | null): void
  /** The service rejected it as dearer than any operation may be, and took nothing. */
  tooExpensive(costReport: CostReport): void
  /** No answer came. `sent`: it may have been charged all the same. */
  lost(sent: boolean): void
}

interface Usage {
  clock: Clock
  costs: Costs
  balance: Balance
  costSource: CostSource
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
  rejections: Gauge['refusals']
  habit: { at: number; cost: number }[]
  others: Others
  silence: UnreportedBalance
}

const nothingBurned: Gauge['burned'] = { person: 0, reconcile: 0, visible: 0, background: 0 }

export function openAccount(clock: Clock, costs: Costs): Account {
  const usage: Usage = {
    clock,
    costs,
    balance: unknownBalance,
    costSource: null,
    onTheWay: new Set(),
    begun: 0,
    unanswered: 0,
    unclear: 0,
    lost: [],
    burned: nothingBurned,
    activities: new Map(),
    recent: [],
    said: undefined,
    rejections: { count: 0, at: null },
    habit: [],
    others: watchOthers(),
    silence: createUnreportedBalance(),
  }
  return {
    balance: () => current(usage),
    costSource: () => usage.costSource,
    silentParallel: () => (isSilent(usage) ? usage.silence.parallel() : null),
    asks: () => asks(usage),
    mostOf: (item) => mostOf(usage, item),
    kept: () => keptFree(usage),
    own: () => ownOf(usage),
    person: (ms) => personOf(usage, ms),
    others: {
      used: usage.others.used,
      usual: usage.others.usual,
      expected: (ms) => usage.others.expected(current(usage), clock.monotonic(), ms),
    },
    begin: (item) => begin(usage, item),
    gauge: () => gaugeOf(usage),
  }
}

function current(usage: Usage): Balance {
  const next = afterReset(usage.balance, usage.clock.monotonic())
  if (next !== usage.balance) turn(usage)
  usage.balance = next
  return isSilent(usage) ? { ...next, remaining: usage.silence.remaining(next.limit) } : next
}

/** Nobody says what is left: all is guessed. */
const isSilent = ({ costSource, balance }: Usage): boolean => costSource === 'none' && !balance.known

/** What a guessed cost is taken at. */
const scaleOf = (usage: Usage): number => (isSilent(usage) ? usage.silence.scale(usage.balance.limit) : 1)

function turn(usage: Usage): void {
  usage.burned = nothingBurned
  // It was charged to the window before, or not at all. Kept on, it could come to more than a window holds, and nothing would ever be sent again.
  usage.lost = []
  usage.unclear = 0
  usage.activities.clear()
  usage.silence.turn()
  usage.others.turn()
}

const keptFree = ({ onTheWay, lost }: Usage): number => sum([...onTheWay, ...lost].map(({ atMost }) => atMost))

const ownOf = ({ burned }: Usage): number => sum(Object.values(burned))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function begin(usage: Usage, item: Item): Spending {
  const { clock, costs, onTheWay } = usage
  const sentAt = clock.monotonic()
  const { likely } = costs.quote(item.shape, item.size)
  const atMost = mostOf(usage, item)
  const way = { atMost }
  onTheWay.add(way)
  usage.begun += 1
  const back = (costReport: CostReport): TimedCostReport => {
    onTheWay.delete(way)
    return { ...costReport, sentAt, at: clock.monotonic() }
  }
  return {
    answered(costReport, asked) {
      const received = back(costReport)
      noteSource(usage, costReport, asked)
      // What the service does not tell is taken at what was expected.
      if (costReport.cost === null) usage.silence.answered(likely)
      const cost = costReport.cost ?? Math.round(likely * scaleOf(usage))
      if (costReport.cost !== null && costReport.cost > 0)
        costs.learn(item.shape, item.size, costReport.cost, received.at - sentAt)
      move(
        usage,
        received,
        costReport.remaining === null
          ? afterOperation(current(usage), received, cost)
          : afterReport(current(usage), received),
      )
      burn(usage, item, received, cost)
      observe(usage, received)
    },
    rejected(costReport, retryAfterMs) {
      const received = back(costReport)
      if (costReport.cost !== null && costReport.cost > 0) costs.learn(item.shape, item.size, costReport.cost, null)
      usage.silence.rejected(sentAt, received.at)
      move(usage, received, afterRejection(current(usage), received, retryAfterMs))
      usage.rejections = { count: usage.rejections.count + 1, at: clock.now() }
      observe(usage, received)
    },
    tooExpensive(costReport) {
      const received = back(costReport)
      costs.tooExpensive(item.shape, item.size, costReport.cost === 0 ? null : costReport.cost)
      move(usage, received, afterReport(current(usage), { ...received, cost: null }))
    },
    lost(sent) {
      onTheWay.delete(way)
      if (sent) usage.lost.push({ atMost, at: clock.monotonic() })
    },
  }
}

/** So often in a row it has to say nothing before it counts as silent, and of so many operations one is asked with the question again. */
const silentAfter = 2
const askAgainEvery = 100

/** Figures in headers are the service's own; where there are none, it is asked for them, and where it does not answer that either, it is silent. */
function noteSource(usage: Usage, { source }: CostReport, asked: boolean): void {
  if (source !== null) usage.unanswered = 0
  else if (asked) usage.unanswered += 1
  usage.costSource = source ?? (usage.unanswered >= silentAfter ? 'none' : 'field')
}

/** The figures come free with every answer; only where they do not, the service is asked for them. */
function asks({ costSource, begun }: Usage): boolean {
  return costSource === 'field' || (costSource === 'none' && begun % askAgainEvery === 0)
}

/** More than this an operation cannot cost: the service would reject it. */
function mostOf(usage: Usage, { shape, size }: Pick<Item, 'shape' | 'size'>): number {
  return Math.min(operationLimit, usage.costs.quote(shape, size).atMost) * scaleOf(usage)
}

/** The books after an answer; a window that it shows to have turned is a new one for all of them. */
function move(usage: Usage, received: TimedCostReport, after: Balance): void {
  const before = usage.balance
  // Only a window that is heard of for the first time begins anew.
  if (before.turns !== null && after.since !== before.since) turn(usage)
  usage.balance = after
  if (received.remaining !== null && after !== before) {
    usage.said = { remaining: after.remaining, at: usage.clock.now(), resetAt: resetAt(usage) ?? usage.clock.now() }
    usage.unclear += sum(usage.lost.filter(({ at }) => at <= received.sentAt).map(({ atMost }) => atMost))
    usage.lost = usage.lost.filter(({ at }) => at > received.sentAt)
  }
}

function burn(usage: Usage, { name, lane }: Item, received: TimedCostReport, cost: number): void {
  const at = usage.clock.now()
  usage.recent = [{ name, lane, cost, at }, ...usage.recent].slice(0, recentKept)
  if (lane === 'person')
    usage.habit = [...usage.habit.filter(({ at: then }) => received.at - then < habitMs), { at: received.at, cost }]
  // What was charged to the window before is no part of this one.
  if (!belongs(usage.balance, received)) return
  usage.burned = { ...usage.burned, [lane]: usage.burned[lane] + cost }
  const key = `${lane} ${name}`
  const before = usage.activities.get(key) ?? { name, lane, points: 0, count: 0 }
  usage.activities.set(key, { name, lane, points: before.points + cost, count: before.count + 1 })
}

/** What was sent in the window before may tell of its balance and of this reset: nobody else has spent that. */
function observe(usage: Usage, received: TimedCostReport): void {
  if (received.remaining !== null && received.sentAt >= usage.balance.since)
    usage.others.observe(usage.balance, ownOf(usage), keptFree(usage) + usage.unclear, received.at)
}

function personOf({ burned, habit, clock }: Usage, ms: number): { used: number; expected: number } {
  const lately = habit.filter(({ at }) => clock.monotonic() - at < habitMs).map(({ cost }) => cost)
  const rate = sum(lately) / habitMs
  return { used: burned.person, expected: lately.length === 0 ? 0 : rate * ms + largest(lately) }
}

function resetAt({ balance, clock }: Usage): number | null {
  return balance.turns === null ? null : wallTime(clock, balance.turns.until)
}

function gaugeOf(usage: Usage): ReturnType<Account['gauge']> {
  const { limit, remaining, known } = current(usage)
  const { burned, recent, said, rejections: refusals, costSource } = usage
  return {
    limit,
    remaining,
    resetAt: resetAt(usage),
    known,
    burned,
    recent: [...recent],
    refusals,
    basis: costSource === 'none' || costSource === null ? 'guess' : costSource,
    activities: [...usage.activities.values()].toSorted((one, other) => other.points - one.points),
    others: Math.round(usage.others.used()),
    ...(said !== undefined && { said }),
  }
}
