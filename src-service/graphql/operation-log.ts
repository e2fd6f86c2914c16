import type { Operation } from '../misfortune/misfortune.ts'

/**
 * One request to /graphql that was answered. `cost` is what its operation costs, also where that was refused; `clientId`
 * is the credential set's, null when nobody was logged in.
 */
export type LoggedOperation = Operation & { cost: number; status: number; clientId: string | null }

/** What came in, for tests to look at. Holds the last 5,000 operations, and of large ones fewer, so that a long run stays small. */
export type OperationLog = {
  countRequest(): void
  /** `size`: characters of its body. */
  add(operation: LoggedOperation, size?: number): void
  /** Requests to /graphql since the start, answered or not. */
  requests(): number
  operations(): LoggedOperation[]
}

const KEPT = 5000
/** Characters of all bodies that are kept; those of usual operations come to less. */
const KEPT_SIZE = 4 * 1024 * 1024

export function startOperationLog(): OperationLog {
  let [requests, held] = [0, 0]
  let entries: { operation: LoggedOperation; size: number }[] = []
  const cutBack = (): void => {
    const kept = entries.slice(-KEPT).toReversed()
    let sum = 0
    const end = kept.findIndex(({ size }) => (sum += size) > KEPT_SIZE)
    entries = (end < 0 ? kept : kept.slice(0, Math.max(1, end))).toReversed()
    held = entries.reduce((total, { size }) => total + size, 0)
  }
  return {
    countRequest: () => void (requests += 1),
    add(operation, size = 0) {
      entries.push({ operation, size })
      held += size
      if (entries.length >= 2 * KEPT || held > 2 * KEPT_SIZE) cutBack()
    },
    requests: () => requests,
    operations: () => entries.slice(-KEPT).map(({ operation }) => operation),
  }
}
