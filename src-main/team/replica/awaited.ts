import { FaultError } from '../../../src-shared/model/fault.ts'

/** A call of this member whose row is to be carried out here. */
interface Call {
  /** It was in the log; a failover may have lost it since. */
  isWritten: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** This member's own calls that wait for their rows, by the id of the first entry of each. */
export interface Awaited {
  /** Resolves or rejects with what came of the call. `append` resolves when its rows are in the log. */
  add(id: string, append: Promise<unknown>, onWritten: () => void): Promise<unknown>
  /** Removes a call whose row was carried out. Returns undefined for a row of another member. */
  take(id: string): Pick<Call, 'resolve' | 'reject'> | undefined
  /**
   * Returns what gives up those that are written by now and still wait, once all that the log has was carried out: a failover
   * lost them, or they are in a snapshot, and nobody knows.
   */
  missing(): () => void
  rejectAll(fault: FaultError): void
}

export function createAwaited(): Awaited {
  const calls = new Map<string, Call>()
  const reject = (id: string, error: unknown) => {
    const call = calls.get(id)
    calls.delete(id)
    call?.reject(error)
  }
  return {
    add(id, append, onWritten) {
      const { promise, resolve, reject: fail } = Promise.withResolvers<unknown>()
      const call: Call = { isWritten: false, resolve, reject: fail }
      calls.set(id, call)
      append.then(
        () => {
          call.isWritten = true
          onWritten()
        },
        (error: unknown) => reject(id, error),
      )
      return promise
    },
    take(id) {
      const call = calls.get(id)
      calls.delete(id)
      return call
    },
    missing() {
      const written = [...calls].flatMap(([id, { isWritten }]) => (isWritten ? [id] : []))
      return () => {
        for (const id of written) reject(id, new FaultError('team-away', 'whether it was done is not known'))
      }
    },
    rejectAll(fault) {
      for (const id of calls.keys()) reject(id, fault)
    },
  }
}
