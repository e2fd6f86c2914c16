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
/** A person's spending rate is measured over this many ms. */
const habitMs = 30_000

/** One operation in the account. */
export interface Item {
  name: string
  lane: Lane
  shape: Shape
  /** Requested page size; 1 for an operation without pages. */
  size: number
}

/**
 * Source of the costs: headers (service-spec.md, section 8), the field `calculateQueryCost` (section 2) or none; null
 * before the first answer.
 */
type CostSource = 'headers' | 'field' | 'none' | null

/** The account of one credential set: its balance, and the points that Muster spent in this rate window. */
export interface Account {
  /** Returns the balance now, with its rate window turned over if it has ended. */
  balance(): Balance
  costSource(): CostSource
  /**
   * Returns the number of operations that may be in flight where the service does not report its points; null where it
   * does.
   */
  silentParallel(): number | null
  /** Returns whether the next operation should ask for its cost. */
  asks(): boolean
  /** Returns the highest cost of an operation, points. It is positive. */
  mostOf(item: Pick<Item, 'shape' | 'size'>): number
  /**
   * Returns the points kept free for operations in flight and for those that may have been charged without an answer.
   */
  kept(): number
  /** Returns the points that Muster spent in this rate window. */
  own(): number
  /**
   * Returns the points that the lane `person` used in this rate window, and those it is likely to use in the next `ms`.
   */
  person(ms: number): { used: number; expected: number }
  /**
   * Returns the points that other clients used in this rate window, at least, and those they are likely to use in the
   * next `ms` beyond that.
   */
  others: Pick<Others, 'used' | 'usual'> & { expected(ms: number): number }
  /** Records that an operation is sent. */
  begin(item: Item): Spending
  gauge(): Pick<
    Gauge,
    'limit' | 'remaining' | 'resetAt' | 'known' | 'burned' | 'recent' | 'activities' | 'others' | 'rejections' | 'basis'
  > &
    Partial<Pick<Gauge, 'reported'>>
}

/** An operation in flight. It ends with one of these calls. */
export interface Spending {
  /** The service answered. `asked`: the operation contained `calculateQueryCost`. */
  answered(costReport: CostReport, asked: boolean): void
  /** The service rejected the operation for lack of points, and charged nothing. */
  rejected(costReport: CostReport, retryAfterMs: number | null): void
  /** The service rejected the operation because it exceeds the cost limit, and charged nothing. */
  tooExpensive(costReport: CostReport): void
  /** No answer came. `sent`: the operation may have been charged. */
  lost(sent: boolean): void
}

interface Usage {
  clock: Clock
  costs: Costs
  balance: Balance
  costSource: CostSource
  onTheWay: Set<{ atMost: number }>
  /** Number of operations sent so far. */
  begun: number
  /** Number of consecutive times the service was asked for a cost and did not report it. */
  unanswered: number
  /** Points that may have been charged in this rate window without an answer. */
  unclear: number
  /** Operations without an answer, until a later answer reports the balance or the rate window ends. */
  lost: { atMost: number; at: number }[]
  burned: Gauge['burned']
  activities: Map<string, Gauge['activities'][number]>
  recent: Gauge['recent']
  reported: Gauge['reported']
  rejections: Gauge['rejections']
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
    reported: undefined,
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

/** True when the service reports neither costs nor balance, so that all are estimates. */
const isSilent = ({ costSource, balance }: Usage): boolean => costSource === 'none' && !balance.known

/** Returns the factor for estimated costs. */
const scaleOf = (usage: Usage): number => (isSilent(usage) ? usage.silence.scale(usage.balance.limit) : 1)

function turn(usage: Usage): void {
  usage.burned = nothingBurned
  // These were charged to the previous rate window or not at all. Kept, they could exceed a rate window, and nothing
  // would be sent again.
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
      // A cost that the service does not report counts as the expected one.
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

/**
 * After this many consecutive answers without a cost the service counts as unreporting; then one operation in every
 * `askAgainEvery` asks again.
 */
const silentAfter = 2
const askAgainEvery = 100

/**
 * Sets the source of costs: headers first, then the field `calculateQueryCost`, and none where the service answers
 * neither.
 */
function noteSource(usage: Usage, { source }: CostReport, asked: boolean): void {
  if (source !== null) usage.unanswered = 0
  else if (asked) usage.unanswered += 1
  usage.costSource = source ?? (usage.unanswered >= silentAfter ? 'none' : 'field')
}

/**
 * Returns whether the operation should ask for its cost. Headers are free, so the field is used only where there are
 * none.
 */
function asks({ costSource, begun }: Usage): boolean {
  return costSource === 'field' || (costSource === 'none' && begun % askAgainEvery === 0)
}

/** Returns the highest cost of an operation, points. The service rejects anything above `operationLimit`. */
function mostOf(usage: Usage, { shape, size }: Pick<Item, 'shape' | 'size'>): number {
  return Math.min(operationLimit, usage.costs.quote(shape, size).atMost) * scaleOf(usage)
}

/** Sets the balance after an answer, and begins a new rate window for the whole account if the answer shows one. */
function move(usage: Usage, received: TimedCostReport, after: Balance): void {
  const before = usage.balance
  // The first answer does not begin a new rate window.
  if (before.turns !== null && after.since !== before.since) turn(usage)
  usage.balance = after
  if (received.remaining !== null && after !== before) {
    usage.reported = { remaining: after.remaining, at: usage.clock.now(), resetAt: resetAt(usage) ?? usage.clock.now() }
    usage.unclear += sum(usage.lost.filter(({ at }) => at <= received.sentAt).map(({ atMost }) => atMost))
    usage.lost = usage.lost.filter(({ at }) => at > received.sentAt)
  }
}

function burn(usage: Usage, { name, lane }: Item, received: TimedCostReport, cost: number): void {
  const at = usage.clock.now()
  usage.recent = [{ name, lane, cost, at }, ...usage.recent].slice(0, recentKept)
  if (lane === 'person')
    usage.habit = [...usage.habit.filter(({ at: then }) => received.at - then < habitMs), { at: received.at, cost }]
  // Points that were charged to the previous rate window do not count in this one.
  if (!belongs(usage.balance, received)) return
  usage.burned = { ...usage.burned, [lane]: usage.burned[lane] + cost }
  const key = `${lane} ${name}`
  const before = usage.activities.get(key) ?? { name, lane, points: 0, count: 0 }
  usage.activities.set(key, { name, lane, points: before.points + cost, count: before.count + 1 })
}

/**
 * An answer to an operation of the previous rate window may carry that window's balance with this reset: it is not
 * counted as spending of others.
 */
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
  const { burned, recent, reported, rejections, costSource } = usage
  return {
    limit,
    remaining,
    resetAt: resetAt(usage),
    known,
    burned,
    recent: [...recent],
    rejections,
    basis: costSource === 'none' || costSource === null ? 'guess' : costSource,
    activities: [...usage.activities.values()].toSorted((one, other) => other.points - one.points),
    others: Math.round(usage.others.used()),
    ...(reported !== undefined && { reported }),
  }
}
