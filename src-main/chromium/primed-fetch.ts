import { FaultError } from '../../src-shared/fault.ts'
import { netFault } from './net-fault.ts'

/** Makes sure that a session has answered its proxy. */
export type Prime = (url: string) => Priming
export interface Priming {
  /** Resolves when it has been tried, or was stopped; never rejects. */
  done: Promise<void>
  stop(): void
}

/**
 * The session's fetch. Where the proxy has not been answered, or no longer takes the answer, the session is primed and
 * the request sent once more. Requests that come together wait for one priming, each for as long as its signal lets it;
 * one that nobody waits for any more is stopped, so that the next request tries anew.
 */
export function primedFetch(plain: typeof fetch, prime: Prime): typeof fetch {
  let shared: (Priming & { waiting: number }) | null = null
  const begin = (url: string) => {
    const own = { ...prime(url), waiting: 0 }
    void own.done.then(() => {
      if (shared === own) shared = null
    })
    return own
  }
  const primed = async (url: string, signal: AbortSignal | null) => {
    signal?.throwIfAborted()
    const own = (shared ??= begin(url))
    own.waiting += 1
    try {
      await unless(signal, own.done)
    } finally {
      own.waiting -= 1
      if (own.waiting === 0 && shared === own) {
        shared = null
        own.stop()
      }
    }
  }
  return async (input, init) => {
    const send = () => plain(input, init)
    try {
      const response = await send()
      if (response.status !== 407) return response
    } catch (error) {
      if (netFault(error, '').fault.kind !== 'proxy') throw error
    }
    await primed(String(input), init?.signal ?? null)
    const response = await send()
    if (response.status === 407) throw new FaultError('proxy', 'the proxy wants a name and password')
    return response
  }
}

/** What is waited for, or the reason of the signal when that comes first. */
function unless<T>(signal: AbortSignal | null, wanted: Promise<T>): Promise<T> {
  if (signal === null) return wanted
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
