import { randomUUID } from 'node:crypto'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { LoggedResult } from '../inventory/thread/log-protocol.ts'
import type { Message } from './replica/replica.ts'

/** Longest time in which another member carries out what it is asked, ms. Its operator is told a little later that it came to nothing. */
const askMs = 15_000
const lateMs = 1000

/** A request as it was read from the log. `at`: when it was written (ms, the database's clock). */
export interface Request {
  message: Message
  role: string
  at: number
}

/** What members ask the one that evaluates, and what came of it. */
export interface Requests {
  /** Asks by `tell`. Resolves with what its call came to. Rejects with its fault, or `team-away`. */
  ask(tell: (message: Message) => Promise<void>, what: 'mark', input: unknown): Promise<unknown>
  /** Notes a request until it is answered, for when this member begins to evaluate. */
  add(id: string, request: Request): void
  answered(id: string, result: LoggedResult): void
  /** Returns the requests that are not answered and whose operators still wait. */
  open(): Request[]
  /** Returns whether nobody waits any more for what was asked at a time. */
  isStale(at: number): boolean
}

/** `clock`: with the database's time. */
export function createRequests(clock: Clock): Requests {
  const asked = new Map<string, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  const requests = new Map<string, Request>()
  const isStale = (at: number) => clock.now() - at > askMs
  const forgetStale = () => {
    for (const [id, { at }] of requests) if (isStale(at)) requests.delete(id)
  }
  return {
    async ask(tell, what, input) {
      const id = randomUUID()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      asked.set(id, { resolve, reject })
      const cancel = clock.after(askMs + lateMs, () =>
        reject(new FaultError('team-away', 'no member that turns changes into incidents answers')),
      )
      try {
        await tell({ is: 'ask', id, what, input })
        return await promise
      } catch (error) {
        throw error instanceof FaultError ? error : new FaultError('team-away', toFault(error).detail)
      } finally {
        cancel()
        asked.delete(id)
      }
    },
    add(id, request) {
      forgetStale()
      requests.set(id, request)
    },
    answered(id, result) {
      requests.delete(id)
      const own = asked.get(id)
      asked.delete(id)
      if (result.ok) own?.resolve(result.value)
      else own?.reject(new FaultError(result.fault.kind, result.fault.detail))
    },
    open() {
      forgetStale()
      return [...requests.values()]
    },
    isStale,
  }
}
