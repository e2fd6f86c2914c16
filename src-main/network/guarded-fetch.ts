import { FaultError } from '../../src-shared/model/fault.ts'
import { UnsentError } from '../ports.ts'

/** Returns the port fault for an error of a shell's own fetch. `host` is all that it may contain of the address. */
export type FaultOf = (thrown: unknown, host: string) => FaultError

export interface GuardOptions {
  /**
   * True where cancelling a body does not end its request, as in Electron (net-fetch.ts there), whose loader keeps the
   * connection until the request's signal aborts.
   */
  tied?: boolean
}

/**
 * Returns a fetch as the ports require it (design, section 3): follows no redirect, stores nothing, sends no cookie.
 * Every failure, also of a body, is a `FaultError`: the caller's own reason where it aborted with one.
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
    // An aborted request need not fail with its reason: Electron's bodies do not.
    const failed = (error: unknown) => {
      if (error instanceof UnsentError) return error
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

/** Returns a response whose body fails with a port fault. `end` ends its request. */
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
