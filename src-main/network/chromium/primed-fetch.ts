import { FaultError } from '../../../src-shared/model/fault.ts'
import { isProxyFault } from '../proxies/fault.ts'
import { netFault } from './net-fault.ts'

/** Makes sure that a session has answered its proxy. */
export type Prime = (url: string) => Priming
export interface Priming {
  /** Resolves when it has been tried, or was stopped; never rejects. */
  done: Promise<void>
  stop(): void
}

/** Primes a session once for all who wait for it, each for as long as their signal lets them; rejects with its reason only. */
export type Ensure = (url: string, signal: AbortSignal | null) => Promise<void>

/** A priming that nobody waits for any more is stopped, so that the next one who needs it tries anew. */
export function sharedPriming(prime: Prime): Ensure {
  let shared: (Priming & { waiting: number }) | null = null
  const begin = (url: string) => {
    const own = { ...prime(url), waiting: 0 }
    void own.done.then(() => {
      if (shared === own) shared = null
    })
    return own
  }
  return async (url, signal) => {
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
}

/**
 * The session's fetch. Where the proxy has not been answered, or no longer takes the answer, the session is primed and
 * the request sent once more.
 */
export function primedFetch(plain: typeof fetch, ensure: Ensure): typeof fetch {
  return async (input, init) => {
    const send = () => plain(input, init)
    try {
      const response = await send()
      if (response.status !== 407) return response
      void response.body?.cancel()
    } catch (error) {
      if (!isProxyFault(netFault(error, '').fault.kind)) throw error
    }
    await ensure(String(input), init?.signal ?? null)
    const response = await send()
    if (response.status === 407) throw new FaultError('proxy-login', '')
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
