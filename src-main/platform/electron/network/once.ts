import type { Session } from 'electron'
import { toFault } from '../../../../src-shared/model/fault.ts'
import { afterBody } from '../../../network/after-body.ts'
import { netFault } from '../../../network/chromium/net-fault.ts'
import { neverSent } from '../../../network/chromium/never-sent.ts'
import type { Ensure } from '../../../network/chromium/primed-fetch.ts'
import type { FaultOf } from '../../../network/guarded-fetch.ts'
import { isProxyFault } from '../../../network/proxies/fault.ts'
import { UnsentError } from '../../../ports.ts'

/** A session that nothing else uses until it is released. */
export interface LentSession {
  session: Pick<Session, 'fetch' | 'closeAllConnections'>
  faultOf: FaultOf
  ensure: Ensure
  /** Returns whether our own check rejected the server's certificate. */
  hasRejected(host: string): boolean
  release(): void
}

/**
 * Returns a fetch for `Link.fetchOnce`: each request has a session of its own without open connections, because
 * Chromium repeats a request, POST too, whose connection was used before and has ended. It still repeats one that the
 * server rejects unprocessed over HTTP/2 (REFUSED_STREAM; RFC 9113, section 8.7), which no session can switch off.
 */
export function fetchOnceBy(lend: () => LentSession): typeof fetch {
  return async (input, init) => {
    const address = String(input)
    const host = URL.parse(address)?.host ?? 'the address'
    const lent = lend()
    const end = () => void lent.session.closeAllConnections().finally(lent.release)
    try {
      const response = await sendOn(lent, address, init ?? {})
      return afterBody(response, end)
    } catch (error) {
      end()
      const isUnsent = neverSent(error, address) || lent.hasRejected(host)
      if (error instanceof UnsentError || !isUnsent)
        throw error instanceof UnsentError ? error : lent.faultOf(error, host)
      throw unsent(lent.faultOf(error, host))
    }
  }
}

async function sendOn({ session, ensure }: LentSession, address: string, init: RequestInit): Promise<Response> {
  const { signal = null } = init
  const send = () => {
    if (signal?.aborted === true) throw unsent(signal.reason)
    // The types of Electron and of the DOM differ only in their declarations.
    return session.fetch(address, init as never)
  }
  await session.closeAllConnections()
  try {
    return await send()
  } catch (error) {
    // The tunnel wants a login, so that nothing was sent: it is opened once more, with one.
    if (!isProxyFault(netFault(error, '').fault.kind) || !neverSent(error, address)) throw error
    await ensure(address, signal).catch((reason: unknown) => Promise.reject(unsent(reason)))
    await session.closeAllConnections()
    return await send()
  }
}

function unsent(thrown: unknown): UnsentError {
  const { kind, detail } = toFault(thrown)
  return new UnsentError(kind === 'internal' ? 'abort' : kind, detail)
}
