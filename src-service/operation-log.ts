import type { Operation } from './misfortune.ts'

/**
 * One request to /graphql that was answered. `cost` is what its operation costs, also where that was refused; `clientId`
 * is the credential set's, null when nobody was logged in.
 */
export type LoggedOperation = Operation & { cost: number; status: number; clientId: string | null }

/** What came in, for tests to look at. Holds the last 5,000 operations, so that a long run stays small. */
export type OperationLog = {
  countRequest(): void
  add(operation: LoggedOperation): void
  /** Requests to /graphql since the start, answered or not. */
  requests(): number
  operations(): LoggedOperation[]
}

const KEPT = 5000

export function startOperationLog(): OperationLog {
  let requests = 0
  const operations: LoggedOperation[] = []
  return {
    countRequest: () => void (requests += 1),
    add(operation) {
      operations.push(operation)
      if (operations.length >= 2 * KEPT) operations.splice(0, operations.length - KEPT)
    },
    requests: () => requests,
    operations: () => operations.slice(-KEPT),
  }
}
