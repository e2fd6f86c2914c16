import { FaultError } from '../../src-shared/fault.ts'

/** What a shell's own fetch throws, as a fault of the ports' closed list. `host` is all that may be told of the address. */
export type FaultOf = (thrown: unknown, host: string) => FaultError

/**
 * The same fetch as the ports want it (design, section 3): no redirect is followed, nothing is stored, no cookie is sent,
 * and every failure, that of a body as well, is a `FaultError`.
 */
export function guardFetch(fetch: typeof globalThis.fetch, faultOf: FaultOf): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const host = hostOf(input)
    try {
      const response = await fetch(input, { ...init, redirect: 'error', credentials: 'omit', cache: 'no-store' })
      return guardedBody(response, host, faultOf)
    } catch (error) {
      throw given(init.signal, error) ?? faultOf(error, host)
    }
  }
}

/** The caller's own reason for calling it off, when that is a fault already. */
function given(signal: AbortSignal | null | undefined, error: unknown): FaultError | null {
  return signal?.aborted === true && error === signal.reason && error instanceof FaultError ? error : null
}

function hostOf(input: RequestInfo | URL): string {
  const text = typeof input === 'string' ? input : 'url' in input ? input.url : String(input)
  return URL.parse(text)?.host ?? 'the address'
}

/** A body that breaks off says so in the ports' words as well. */
function guardedBody(response: Response, host: string, faultOf: FaultOf): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(faultOf(error, host))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
