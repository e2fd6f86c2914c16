import type tls from 'node:tls'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import type { Link, Network, ProxyLogins } from '../../../ports.ts'
import { loginFrom, type ProxyEnv } from '../../../network/proxies/environment.ts'
import { guardFetch } from '../../../network/guarded-fetch.ts'
import { certificateCheck } from '../../../network/tls/certificate-check.ts'
import { dialBy, type Connect, type NetworkLimits } from './dial.ts'
import { openHttp } from './http.ts'
import { networkFault } from '../../../network/tls/network-fault.ts'
import { fetchOnceBy } from './once.ts'
import { openTunnel, proxyFor } from './proxy.ts'
import { trust } from '../../../network/tls/trust.ts'

/**
 * The network of the web shell: undici and `ws`, both over the same connector, so that proxy, trust and faults are the
 * same for both (design, section 3). `env` has HTTPS_PROXY, HTTP_PROXY and NO_PROXY; `logins` answers the proxy, by
 * default from these.
 *
 * HTTP/1.1, and HTTP/2 where a service offers nothing else (spec, section 5, 1). WebSockets are HTTP/1.1 alone.
 */
export function openNetwork(
  env: ProxyEnv,
  { limits = defaultLimits, logins = loginsOf(env) }: { limits?: NetworkLimits; logins?: Logins } = {},
): Network {
  const contexts = new Map<string, { context: SecureContext; users: number }>()
  return {
    async proxyOf(address) {
      const { protocol, hostname, port } = new URL(address)
      const secure = protocol !== 'http:' && protocol !== 'ws:'
      return proxyFor(secure, hostname, Number(port === '' ? (secure ? 443 : 80) : port), env)?.host ?? null
    },
    open(ca) {
      // Hundreds of certificates, more than a megabyte: links with the same trust share it.
      const shared = contexts.get(ca) ?? { context: trust(ca), users: 0 }
      contexts.set(ca, shared)
      shared.users += 1
      const link = openLink(shared.context, { env, limits, logins })
      let closed = false
      return {
        ...link,
        async close() {
          if (closed) return
          closed = true
          shared.users -= 1
          if (shared.users === 0) contexts.delete(ca)
          await link.close()
        },
      }
    },
  }
}

type Logins = Pick<ProxyLogins, 'answer' | 'report'>
interface NetworkContext {
  env: ProxyEnv
  limits: NetworkLimits
  logins: Logins
}

const defaultLimits: NetworkLimits = { connect: 10_000, answer: 30_000 }
const loginsOf = (env: ProxyEnv): Logins => ({
  answer: async (host, port) => loginFrom(env, host, port),
  report: (_host, _port, outcome) => (outcome === 'accepted' ? 'stored' : outcome),
})

function openLink(context: SecureContext, networkContext: NetworkContext): Link {
  const { limits } = networkContext
  const connect = connector(context, networkContext, http1)
  const { fetch, close } = openHttp({ http1: connect, http2: connector(context, networkContext, http2) }, limits)
  return {
    fetch: guardFetch(fetch, networkFault),
    fetchOnce: guardFetch(fetchOnceBy(connector(context, networkContext, either), limits), networkFault),
    dial: (headers, onFault) => dialBy(connect, headers, onFault, limits),
    close,
  }
}

const http1 = { allowH2: false }
const http2 = { allowH2: true, preferH2: true }
/** The server chooses. */
const either = { allowH2: true }

function connector(
  context: SecureContext,
  { env, limits, logins }: NetworkContext,
  protocols: { allowH2: boolean },
): Connect {
  const plain = buildConnector({
    ...certificateCheck,
    ...protocols,
    secureContext: context,
    timeout: limits.connect,
  })
  return async (target) => {
    const { secure, hostname, port } = target
    const proxy = proxyFor(secure, hostname, port, env)
    const tunnel =
      proxy === null ? null : await openTunnel({ proxy, hostname, port, context, timeout: limits.connect }, logins)
    // Without TLS the tunnel is the connection.
    if (tunnel !== null && !secure) return tunnel
    return new Promise((resolve, reject) => {
      const where = {
        hostname,
        protocol: secure ? 'https:' : 'http:',
        port: String(port),
        servername: serverName(hostname),
      }
      const socket = tunnel === null ? {} : { httpSocket: tunnel as tls.TLSSocket }
      plain({ ...where, ...socket }, (error, connected) => {
        if (error === null) resolve(connected)
        else reject(networkFault(error, `${hostname}:${port}`))
      })
    })
  }
}

/**
 * Returns the TLS server name; '' for an address, which is none (RFC 6066). Its certificate is checked against the
 * address nevertheless.
 */
function serverName(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? '' : hostname
}
