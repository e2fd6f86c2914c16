import { FaultError, proxyKinds, type FaultKind } from '../../../src-shared/model/fault.ts'
import type { ProxyState } from '../../../src-shared/model/environment.ts'

const kinds: Record<ProxyState['state'], FaultKind> = {
  required: 'proxy-login',
  erased: 'proxy-login',
  stored: 'proxy-login',
  rejected: 'proxy-refused',
  locked: 'proxy-locked',
}

/** Returns the fault of a request that needs a proxy's login. `address`: its `host:port`. */
export const proxyFault = (state: ProxyState['state'], address: string): FaultError =>
  new FaultError(kinds[state], address)

/** Returns whether the proxy is the cause. */
export const isProxyFault = (kind: FaultKind): boolean => proxyKinds.includes(kind)
