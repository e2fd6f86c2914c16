import type { Operation } from '../faults/misfortune/misfortune.ts'

/**
 * One answered request to /graphql. `cost` is its operation's cost, even if rejected; `clientId` is the credential
 * set's, null without a login.
 */
export type LoggedOperation = Operation & { cost: number; status: number; clientId: string | null }

/** The answered operations, for tests. Holds the last 5,000, and fewer large ones, so that a long run stays small. */
export type OperationLog = {
  countRequest(): void
  /** Adds an operation; `size`: characters of its body. */
  add(operation: LoggedOperation, size?: number): void
  /** Returns the number of requests to /graphql since the start, answered or not. */
  requests(): number
  operations(): LoggedOperation[]
}

const KEPT = 5000
/** Characters of all stored bodies; usual operations need less. */
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
