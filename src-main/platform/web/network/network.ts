import { callbackify } from 'node:util'
import tls, { type SecureContext } from 'node:tls'
import { Agent, buildConnector, fetch as fetchBy, type RequestInit } from 'undici'
import type { Link, Network, ProxyLogins } from '../../../ports.ts'
import { loginFrom, type ProxyEnv } from '../../../network/proxies/environment.ts'
import { readCertificates } from '../../../network/ca.ts'
import { guardFetch } from '../../../network/guarded-fetch.ts'
import { certificateCheck } from './certificate-check.ts'
import { dialBy, type Connect, type NetworkLimits, type Target } from './dial.ts'
import { networkFault } from './network-fault.ts'
import { openTunnel, proxyFor } from './proxy.ts'

/**
 * The network of the web shell: undici and `ws`, both over the same connector, so that proxy, trust and faults are the
 * same for both (design, section 3). `env` has HTTPS_PROXY, HTTP_PROXY and NO_PROXY; `logins` answers the proxy, by
 * default from these.
 *
 * HTTP/1.1, not HTTP/2: a request that is cancelled while its body waits to be sent destroys its stream, and Node 24
 * then sends empty DATA frames for it without end; the process took 4 GB in a minute, and its event loop never
 * recovered. The spec (section 5, 1) names HTTP/2 for its lower-case header names, which all of ours are. The Electron
 * shell has Chromium's.
 */
export function openNetwork(
  env: ProxyEnv,
  { limits = usualLimits, logins = loginsOf(env) }: { limits?: NetworkLimits; logins?: Logins } = {},
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

type Logins = Pick<ProxyLogins, 'answer' | 'heard'>
interface Surroundings {
  env: ProxyEnv
  limits: NetworkLimits
  logins: Logins
}

const usualLimits: NetworkLimits = { connect: 10_000, answer: 30_000 }
const loginsOf = (env: ProxyEnv): Logins => ({
  answer: async (host, port) => loginFrom(env, host, port),
  heard: (_host, _port, said) => (said === 'taken' ? 'kept' : said),
})

function openLink(context: SecureContext, surroundings: Surroundings): Link {
  const { limits } = surroundings
  const connect = connector(context, surroundings)
  const connectBack = callbackify(connect)
  const agent = new Agent({
    connect: (options, done) => {
      const target = targetOf(options.protocol === 'https:', options.hostname, options.port)
      connectBack(target, (error, socket) => {
        if (error === null) done(null, socket as tls.TLSSocket)
        else done(error, null)
      })
    },
    headersTimeout: limits.answer,
    bodyTimeout: limits.answer,
  })
  return {
    fetch: guardFetch(fetchOver(agent), networkFault),
    dial: (headers, onFault) => dialBy(connect, headers, onFault, limits),
    close: () => agent.destroy(),
  }
}

/** Returns the fetch over an agent. The types differ only in their declarations: Node's own fetch is undici's. */
function fetchOver(agent: Agent): typeof fetch {
  return ((input: string, init?: RequestInit) =>
    fetchBy(input, { ...init, dispatcher: agent })) as unknown as typeof fetch
}

function targetOf(secure: boolean, hostname: string, port: string | number): Target {
  return { secure, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) }
}

function connector(context: SecureContext, { env, limits, logins }: Surroundings): Connect {
  const plain = buildConnector({ ...certificateCheck, secureContext: context, timeout: limits.connect, allowH2: false })
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

/**
 * Returns the trust of Node, of the system, and of this CA: a connection's CA only adds trust (invariant 8). Throws a
 * `FaultError` of kind `ca` when the text has no certificate, or anything else.
 */
export function trust(ca: string): SecureContext {
  const added = readCertificates(ca).map((certificate) => certificate.toString())
  const usual = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
  return tls.createSecureContext({ ca: [...new Set([...usual, ...added])] })
}
