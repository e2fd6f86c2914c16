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
import { openHour, type Hour } from './hour.ts'
import { createUnreportedBalance, type UnreportedBalance } from './unreported-balance.ts'
import type { Shape } from '../cost/shape.ts'
import { largest } from '../../../src-shared/lib/extremes.ts'

const maxRecent = 20
/** A person's spending rate is measured over this many ms. */
const personPeriodMs = 30_000

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
  parallelLimit(): number | null
  /** Returns whether the next operation should ask for its cost. */
  shouldAskCost(): boolean
  /** Returns the highest cost of an operation, points. It is positive. */
  maxCost(item: Pick<Item, 'shape' | 'size'>): number
  /**
   * Returns the points kept free for operations in flight and for those that may have been charged without an answer.
   */
  inFlight(): number
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
  /** Returns the points that were used in the last hour. */
  hour: Hour['read']
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
  sending: Set<{ atMost: number }>
  /** Number of operations sent so far. */
  sentCount: number
  /** Number of consecutive times the service was asked for a cost and did not report it. */
  unanswered: number
  /** Points that may have been charged in this rate window without an answer. */
  uncertain: number
  /** Operations without an answer, until a later answer reports the balance or the rate window ends. */
  lost: { atMost: number; at: number }[]
  burned: Gauge['burned']
  activities: Map<string, Gauge['activities'][number]>
  recent: Gauge['recent']
  reported: Gauge['reported']
  rejections: Gauge['rejections']
  personHistory: { at: number; cost: number }[]
  others: Others
  /** Points of other clients in this rate window that the hour has. */
  othersNoted: number
  hour: Hour
  unreported: UnreportedBalance
}

const nothingBurned: Gauge['burned'] = { person: 0, reconcile: 0, visible: 0, background: 0 }

export function openAccount(clock: Clock, costs: Costs): Account {
  const usage: Usage = {
    clock,
    costs,
    balance: unknownBalance,
    costSource: null,
    sending: new Set(),
    sentCount: 0,
    unanswered: 0,
    uncertain: 0,
    lost: [],
    burned: nothingBurned,
    activities: new Map(),
    recent: [],
    reported: undefined,
    rejections: { count: 0, at: null },
    personHistory: [],
    others: watchOthers(),
    othersNoted: 0,
    hour: openHour(clock),
    unreported: createUnreportedBalance(),
  }
  return {
    balance: () => current(usage),
    costSource: () => usage.costSource,
    parallelLimit: () => (isUnreported(usage) ? usage.unreported.parallel() : null),
    shouldAskCost: () => shouldAskCost(usage),
    maxCost: (item) => maxCost(usage, item),
    inFlight: () => inFlightCost(usage),
    own: () => ownOf(usage),
    person: (ms) => personOf(usage, ms),
    others: {
      used: usage.others.used,
      usual: usage.others.usual,
      expected: (ms) => usage.others.expected(current(usage), clock.monotonic(), ms),
    },
    begin: (item) => begin(usage, item),
    gauge: () => gaugeOf(usage),
    hour: usage.hour.read,
  }
}

function current(usage: Usage): Balance {
  const next = afterReset(usage.balance, usage.clock.monotonic())
  if (next !== usage.balance) startWindow(usage)
  usage.balance = next
  return isUnreported(usage) ? { ...next, remaining: usage.unreported.remaining(next.limit) } : next
}

/** True when the service reports neither costs nor balance, so that all are estimates. */
const isUnreported = ({ costSource, balance }: Usage): boolean => costSource === 'none' && !balance.known

/** Returns the factor for estimated costs. */
const scaleOf = (usage: Usage): number => (isUnreported(usage) ? usage.unreported.scale(usage.balance.limit) : 1)

function startWindow(usage: Usage): void {
  usage.burned = nothingBurned
  // These were charged to the previous rate window or not at all. Kept, they could exceed a rate window, and nothing
  // would be sent again.
  usage.lost = []
  usage.uncertain = 0
  usage.activities.clear()
  usage.unreported.startWindow()
  usage.others.startWindow()
  usage.othersNoted = 0
}

const inFlightCost = ({ sending, lost }: Usage): number => sum([...sending, ...lost].map(({ atMost }) => atMost))

const ownOf = ({ burned }: Usage): number => sum(Object.values(burned))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function begin(usage: Usage, item: Item): Spending {
  const { clock, costs, sending } = usage
  const sentAt = clock.monotonic()
  const { likely } = costs.quote(item.shape, item.size)
  const atMost = maxCost(usage, item)
  const entry = { atMost }
  sending.add(entry)
  usage.sentCount += 1
  const receive = (costReport: CostReport): TimedCostReport => {
    sending.delete(entry)
    return { ...costReport, sentAt, at: clock.monotonic() }
  }
  return {
    answered(costReport, asked) {
      const received = receive(costReport)
      noteSource(usage, costReport, asked)
      // A cost that the service does not report counts as the expected one.
      if (costReport.cost === null) usage.unreported.answered(likely)
      const cost = costReport.cost ?? Math.round(likely * scaleOf(usage))
      if (costReport.cost !== null && costReport.cost > 0)
        costs.learn(item.shape, item.size, costReport.cost, received.at - sentAt)
      setBalance(
        usage,
        received,
        costReport.remaining === null
          ? afterOperation(current(usage), received, cost)
          : afterReport(current(usage), received),
      )
      recordSpending(usage, item, received, cost)
      observe(usage, received)
    },
    rejected(costReport, retryAfterMs) {
      const received = receive(costReport)
      if (costReport.cost !== null && costReport.cost > 0) costs.learn(item.shape, item.size, costReport.cost, null)
      usage.unreported.rejected(sentAt, received.at)
      setBalance(usage, received, afterRejection(current(usage), received, retryAfterMs))
      usage.rejections = { count: usage.rejections.count + 1, at: clock.now() }
      usage.hour.rejected()
      observe(usage, received)
    },
    tooExpensive(costReport) {
      const received = receive(costReport)
      costs.tooExpensive(item.shape, item.size, costReport.cost === 0 ? null : costReport.cost)
      setBalance(usage, received, afterReport(current(usage), { ...received, cost: null }))
    },
    lost(sent) {
      sending.delete(entry)
      if (sent) usage.lost.push({ atMost, at: clock.monotonic() })
    },
  }
}

/**
 * After this many consecutive answers without a cost the service counts as unreporting; then one operation in every
 * `askAgainEvery` asks again.
 */
const unreportedAfter = 2
const askAgainEvery = 100

/**
 * Sets the source of costs: headers first, then the field `calculateQueryCost`, and none where the service answers
 * neither.
 */
function noteSource(usage: Usage, { source }: CostReport, asked: boolean): void {
  if (source !== null) usage.unanswered = 0
  else if (asked) usage.unanswered += 1
  usage.costSource = source ?? (usage.unanswered >= unreportedAfter ? 'none' : 'field')
}

/**
 * Returns whether the operation should ask for its cost. Headers are free, so the field is used only where there are
 * none.
 */
function shouldAskCost({ costSource, sentCount }: Usage): boolean {
  return costSource === 'field' || (costSource === 'none' && sentCount % askAgainEvery === 0)
}

/** Returns the highest cost of an operation, points. The service rejects anything above `operationLimit`. */
function maxCost(usage: Usage, { shape, size }: Pick<Item, 'shape' | 'size'>): number {
  return Math.min(operationLimit, usage.costs.quote(shape, size).atMost) * scaleOf(usage)
}

/** Sets the balance after an answer, and begins a new rate window for the whole account if the answer shows one. */
function setBalance(usage: Usage, received: TimedCostReport, after: Balance): void {
  const before = usage.balance
  // The first answer does not begin a new rate window.
  if (before.resetSpan !== null && after.since !== before.since) startWindow(usage)
  usage.balance = after
  if (received.remaining !== null && after !== before) {
    usage.hour.reported(after.remaining)
    usage.reported = { remaining: after.remaining, at: usage.clock.now(), resetAt: resetAt(usage) ?? usage.clock.now() }
    usage.uncertain += sum(usage.lost.filter(({ at }) => at <= received.sentAt).map(({ atMost }) => atMost))
    usage.lost = usage.lost.filter(({ at }) => at > received.sentAt)
  }
}

function recordSpending(usage: Usage, { name, lane }: Item, received: TimedCostReport, cost: number): void {
  const at = usage.clock.now()
  usage.recent = [{ name, lane, cost, at }, ...usage.recent].slice(0, maxRecent)
  usage.hour.spent({ name, lane }, cost)
  if (lane === 'person')
    usage.personHistory = [
      ...usage.personHistory.filter(({ at: earlier }) => received.at - earlier < personPeriodMs),
      { at: received.at, cost },
    ]
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
  if (received.remaining === null || received.sentAt < usage.balance.since) return
  usage.others.observe(usage.balance, ownOf(usage), inFlightCost(usage) + usage.uncertain, received.at)
  const used = usage.others.used()
  usage.hour.byOthers(Math.round(used - usage.othersNoted))
  usage.othersNoted = used
}

function personOf({ burned, personHistory, clock }: Usage, ms: number): { used: number; expected: number } {
  const recentCosts = personHistory.filter(({ at }) => clock.monotonic() - at < personPeriodMs).map(({ cost }) => cost)
  const rate = sum(recentCosts) / personPeriodMs
  return { used: burned.person, expected: recentCosts.length === 0 ? 0 : rate * ms + largest(recentCosts) }
}

function resetAt({ balance, clock }: Usage): number | null {
  return balance.resetSpan === null ? null : wallTime(clock, balance.resetSpan.until)
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
