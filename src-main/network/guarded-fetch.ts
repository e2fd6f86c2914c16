import { FaultError } from '../../src-shared/model/fault.ts'

/** What a shell's own fetch throws, as a fault of the ports' closed list. `host` is all that may be told of the address. */
export type FaultOf = (thrown: unknown, host: string) => FaultError

export interface GuardOptions {
  /**
   * A body's cancel does not end its request by itself. So it is in Electron (net-fetch.ts there), whose body is cut off from the loader:
   * that one goes on holding the connection until the request's signal ends it.
   */
  tied?: boolean
}

/**
 * The same fetch as the ports want it (design, section 3): no redirect is followed, nothing is stored, no cookie is sent,
 * and every failure, that of a body as well, is a `FaultError`: the caller's own reason where they called it off with one.
 */
export function guardFetch(
  fetch: typeof globalThis.fetch,
  faultOf: FaultOf,
  { tied = false }: GuardOptions = {},
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const host = hostOf(input)
    const given = init.signal ?? null
    const own = tied ? new AbortController() : null
    const signal = own === null || given === null ? (own?.signal ?? given) : AbortSignal.any([given, own.signal])
    // What fails because it was called off need not say so itself: Electron's bodies do not.
    const failed = (error: unknown) => {
      const why: unknown = given?.aborted === true ? given.reason : error
      return why instanceof FaultError ? why : faultOf(why, host)
    }
    try {
      const response = await fetch(input, {
        ...init,
        signal,
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
      })
      return guardedBody(response, failed, () => own?.abort())
    } catch (error) {
      throw failed(error)
    }
  }
}

function hostOf(input: RequestInfo | URL): string {
  const text = typeof input === 'string' ? input : 'url' in input ? input.url : String(input)
  return URL.parse(text)?.host ?? 'the address'
}

/** A body that breaks off says so in the ports' words as well. `end` ends its request. */
function guardedBody(response: Response, failed: (error: unknown) => FaultError, end: () => void): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(failed(error))
      }
    },
    cancel: (reason) => reader.cancel(reason).finally(end),
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
