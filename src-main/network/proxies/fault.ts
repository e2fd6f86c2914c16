import { FaultError, proxyKinds, type FaultKind } from '../../../src-shared/model/fault.ts'
import type { ProxyState } from '../../../src-shared/model/environment.ts'

const kinds: Record<ProxyState['state'], FaultKind> = {
  wanted: 'proxy-login',
  asked: 'proxy-login',
  kept: 'proxy-login',
  refused: 'proxy-refused',
  locked: 'proxy-locked',
}

/** What a proxy that asks for a name and password is to whoever waits for it. `address`: its `host:port`. */
export const proxyFault = (state: ProxyState['state'], address: string): FaultError =>
  new FaultError(kinds[state], address)

/** Whether it is the proxy that stands in the way. */
export const isProxyFault = (kind: FaultKind): boolean => proxyKinds.includes(kind)
