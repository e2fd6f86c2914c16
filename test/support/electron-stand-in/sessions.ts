import type { CallbackResponse, OnBeforeRequestListenerDetails, Session } from 'electron'
import type { Served } from './messages.ts'
import { fetchOn, type VerifyProc } from './network.ts'

type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type Before = (details: OnBeforeRequestListenerDetails, callback: (response: CallbackResponse) => void) => void
type Calls = Pick<
  Session,
  | 'setCertificateVerifyProc'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setDevicePermissionHandler'
  | 'closeAllConnections'
  | 'clearAuthCache'
  | 'resolveProxy'
>

export interface StandInSession extends Calls {
  fetch: typeof fetch
  protocol: { handle(scheme: string, handler: (request: Request) => Promise<Response>): void }
  webRequest: { onBeforeRequest(listener: Before): void }
  verifyProc(): VerifyProc
  serve(url: string): Promise<Served | null>
  check(permission: string, origin: string): boolean
}

export interface Known {
  isReady(): boolean
  /** Schemes that were registered in time. */
  schemes: Set<string>
}

/** `session.fromPartition`: the same name gives the same session, as there. */
export function createSessions({ isReady, schemes }: Known) {
  const sessions = new Map<string, StandInSession>()
  return {
    fromPartition(partition: string, options: { cache: boolean }): StandInSession {
      if (!isReady()) throw new Error('Session can only be received when app is ready')
      if (partition.startsWith('persist:') || options.cache)
        throw new Error('a session of Muster is kept in memory alone')
      const known = sessions.get(partition) ?? createSession(schemes)
      sessions.set(partition, known)
      return known
    },
  }
}

function createSession(schemes: Set<string>): StandInSession {
  let proc: VerifyProc = null
  let check: CheckHandler | null = null
  let before: Before | null = null as Before | null
  const handlers = new Map<string, (request: Request) => Promise<Response>>()
  const network = fetchOn(() => proc)
  return {
    fetch: network.fetch,
    closeAllConnections: () => network.close(),
    // Nothing is held: no proxy asks.
    clearAuthCache: async () => {},
    // No proxy of the system is in the way of a test.
    resolveProxy: async () => 'DIRECT',
    setCertificateVerifyProc: (given) => void (proc = given),
    setPermissionCheckHandler: (handler) => void (check = handler),
    setPermissionRequestHandler: () => {},
    setDevicePermissionHandler: () => {},
    webRequest: { onBeforeRequest: (listener) => void (before = listener) },
    protocol: {
      handle(scheme, handler) {
        if (!schemes.has(scheme)) throw new Error(`the scheme ${scheme} was not registered as privileged before ready`)
        handlers.set(scheme, handler)
      },
    },
    verifyProc: () => proc,
    check: (permission, origin) =>
      check?.(null, permission as Parameters<CheckHandler>[1], origin, {} as never) ?? true,
    async serve(url) {
      const ask = before
      const cancelled =
        ask !== null &&
        (await new Promise<boolean>((resolve) =>
          ask({ url } as OnBeforeRequestListenerDetails, ({ cancel }) => resolve(cancel === true)),
        ))
      const handler = handlers.get(new URL(url).protocol.slice(0, -1))
      if (cancelled || handler === undefined) return null
      const response = await handler(new Request(url))
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
      }
    },
  }
}
