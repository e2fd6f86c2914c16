/** The result of a charge. Only `paid` was deducted from the balance (spec section 8). */
export type Charge = { outcome: 'paid' | 'too-expensive' | 'exhausted'; cost: number } & Balance

export type Balance = {
  /** Points of a whole window. */
  limit: number
  used: number
  remaining: number
  /** Whole seconds until the window's reset, at least 1. */
  secondsToReset: number
}

/** The rolling balance of each credential set: a fixed window that resets every `windowMs`, regardless of use. */
export type Ledger = {
  charge(credentialSet: string, cost: number): Charge
  /** Returns the present balance; that of an unused set where `credentialSet` is null. */
  balance(credentialSet: string | null): Balance
  /** Highest cost of one operation, points. */
  costLimit: number
  /**
   * Returns the operations rejected since the start: for their own cost, and for an empty balance. For all sets where
   * none is named.
   */
  rejections(credentialSet?: string): Rejections
}

export type Rejections = { tooExpensive: number; exhausted: number }

type LedgerOptions = {
  balance: number
  costLimit: number
  windowMs: number
  /** False: nothing is rejected and nothing deducted, for benchmarks. */
  enforced: boolean
  /** Milliseconds since 1970. */
  now: () => number
}

export function startLedger({ balance: limit, costLimit, windowMs, enforced, now }: LedgerOptions): Ledger {
  const start = now()
  const usage = new Map<string, { window: number; used: number }>()
  const rejected = new Map<string, Rejections>()

  const windowOf = (): number => Math.floor((now() - start) / windowMs)
  const usedBy = (set: string | null): number => {
    const entry = set === null ? undefined : usage.get(set)
    return entry?.window === windowOf() ? entry.used : 0
  }
  const balance = (set: string | null): Balance => {
    const used = usedBy(set)
    const reset = start + (windowOf() + 1) * windowMs - now()
    return { limit, used, remaining: limit - used, secondsToReset: Math.max(1, Math.ceil(reset / 1000)) }
  }
  return {
    costLimit,
    balance,
    charge(set, cost) {
      const before = balance(set)
      if (!enforced) return { outcome: 'paid', cost, ...before }
      const outcome = cost > costLimit ? 'too-expensive' : cost > before.remaining ? 'exhausted' : null
      if (outcome !== null) {
        const { tooExpensive, exhausted } = rejected.get(set) ?? noRejections
        rejected.set(
          set,
          outcome === 'exhausted'
            ? { tooExpensive, exhausted: exhausted + 1 }
            : { tooExpensive: tooExpensive + 1, exhausted },
        )
        return { outcome, cost, ...before }
      }
      usage.set(set, { window: windowOf(), used: before.used + cost })
      return { outcome: 'paid', cost, ...balance(set) }
    },
    rejections(set) {
      if (set !== undefined) return rejected.get(set) ?? noRejections
      const all = [...rejected.values()]
      return {
        tooExpensive: sum(all.map(({ tooExpensive }) => tooExpensive)),
        exhausted: sum(all.map(({ exhausted }) => exhausted)),
      }
    },
  }
}

const noRejections: Rejections = { tooExpensive: 0, exhausted: 0 }

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
