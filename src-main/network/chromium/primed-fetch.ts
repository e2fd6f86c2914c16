import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { isProxyFault } from '../proxies/fault.ts'
import { netFault } from './net-fault.ts'

/** Lets a session answer its proxy's login request. */
export type Prime = (url: string) => Priming
export interface Priming {
  /** Resolves when it was tried, or was stopped; never rejects. */
  done: Promise<void>
  stop(): void
}

/** Primes a session once for all callers, each as long as its signal allows; rejects only with that signal's reason. */
export type Ensure = (url: string, signal: AbortSignal | null) => Promise<void>

/** Returns a shared priming. Without callers it is stopped, so that the next one tries anew. */
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
      await unlessAborted(signal, own.done)
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
 * Returns the session's fetch. Where the proxy has no login, or rejects it, primes the session and sends the request
 * once more.
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
