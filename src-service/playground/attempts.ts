/** Failed logins allowed within a minute: for one name, known or not, and for all. */
const LIMIT = { name: 5, all: 50 }
const WINDOW = 60_000

/** Limits password attempts; a caller waits for the rest of a minute at most. */
type Attempts = {
  /**
   * Counts an attempt, which is a failure until `succeeded`. Returns the seconds to wait where it exceeds the limit and
   * must not be checked; otherwise 0.
   */
  begin(name: string): number
  succeeded(name: string): void
}

/** `now`: milliseconds since 1970. */
export function startAttempts(now: () => number): Attempts {
  let window = -1
  let all = 0
  const failures = new Map<string, number>()
  return {
    begin(name) {
      const at = now()
      if (Math.floor(at / WINDOW) !== window) {
        window = Math.floor(at / WINDOW)
        all = 0
        failures.clear()
      }
      const before = failures.get(name) ?? 0
      if (before >= LIMIT.name || all >= LIMIT.all) return Math.max(1, Math.ceil(((window + 1) * WINDOW - at) / 1000))
      failures.set(name, before + 1)
      all += 1
      return 0
    },
    succeeded(name) {
      all -= failures.get(name) ?? 0
      failures.delete(name)
    },
  }
}
