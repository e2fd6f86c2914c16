import type { Clock } from '../../src-shared/clock.ts'
import type { Gauge, Lane } from '../../src-shared/model.ts'
import { exhausted, noted, rolled, unknownBalance, type Balance, type Figures } from './ledger.ts'
import { createPrices, type Prices } from './prices.ts'

const recentKept = 20

/** The books of one credential set: its balance, its prices, and what Muster burned in this window, lane by lane. */
export interface Account {
  prices: Prices
  /** The balance now, its window turned over when its time has come. */
  balance(): Balance
  enter(entry: { name: string; lane: Lane; size: number }, figures: Figures): void
  /** The service refused for lack of points. */
  empty(retryAfterMs: number | null): void
  gauge(): Omit<Gauge, 'name' | 'waiting'>
}

const nothingBurned: Gauge['burned'] = { person: 0, reconcile: 0, visible: 0, background: 0 }

export function openAccount(clock: Clock): Account {
  const prices = createPrices()
  const recent: Gauge['recent'] = []
  let balance: Balance = unknownBalance
  let burned = nothingBurned
  let said: Gauge['said'] = undefined

  const current = (): Balance => {
    const next = rolled(balance, clock.monotonic())
    if (next !== balance) burned = nothingBurned
    balance = next
    return balance
  }

  const resetAt = (): number | null => {
    const at = current().resetAt
    return at === null ? null : Math.round(clock.now() + at - clock.monotonic())
  }

  /** Not what was reckoned since: that is nobody's word. */
  function note(before: Balance) {
    if (balance !== before) said = { remaining: balance.remaining, at: clock.now(), resetAt: resetAt() ?? clock.now() }
  }

  return {
    prices,
    balance: current,
    enter(entry, figures) {
      const before = current()
      balance = noted(before, figures, clock.monotonic())
      if (figures.remaining !== null) note(before)
      if (figures.cost === null) return
      if (figures.cost > 0) prices.learn(entry.name, entry.size, figures.cost)
      burned = { ...burned, [entry.lane]: burned[entry.lane] + figures.cost }
      recent.unshift({ name: entry.name, lane: entry.lane, cost: figures.cost, at: clock.now() })
      recent.length = Math.min(recent.length, recentKept)
    },
    empty(retryAfterMs) {
      const before = current()
      balance = exhausted(before, clock.monotonic(), retryAfterMs)
      note(before)
    },
    gauge() {
      const { limit, remaining, known } = current()
      return { limit, remaining, resetAt: resetAt(), known, burned, recent: [...recent], ...(said !== undefined && { said }) }
    },
  }
}
