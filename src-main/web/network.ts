import { X509Certificate } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import tls, { type SecureContext } from 'node:tls'
import { Agent, buildConnector, fetch as fetchBy, Response as ResponseOf, type RequestInfo, type RequestInit } from 'undici'
import { FaultError } from '../../src-shared/fault.ts'
import type { Link, Network } from '../ports.ts'
import { dialBy } from './dial.ts'
import { networkFault } from './network-fault.ts'
import { openTunnel, proxyFor, type ProxyEnv } from './proxy.ts'

/** Milliseconds. */
export interface NetworkLimits {
  connect: number
  /** Until the first byte of an answer, and between two pieces of its body. */
  answer: number
}

/** Opens a connection to where `hostname` is, through the proxy if there is one for it. Rejects with a `FaultError`. */
export type Connect = (target: Target, http2: boolean) => Promise<Duplex>
export interface Target {
  secure: boolean
  hostname: string
  port: number
}

/**
 * The network of the web shell: undici with HTTP/2 and `ws`, both over the same connector, so that proxy, trust and
 * faults are the same for both (design, section 3). `env` holds HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
 */
export function openNetwork(env: ProxyEnv, limits: NetworkLimits = { connect: 10_000, answer: 30_000 }): Network {
  return {
    open: (ca) => openLink(trust(ca), env, limits),
  }
}

function openLink(context: SecureContext, env: ProxyEnv, limits: NetworkLimits): Link {
  const connect = connector(context, env, limits)
  const connectBack = callbackify(connect)
  const agent = new Agent({
    connect: (options, done) => {
      const target = targetOf(options.protocol === 'https:', options.hostname, options.port)
      connectBack(target, true, (error, socket) => {
        if (error === null) done(null, socket as tls.TLSSocket)
        else done(error, null)
      })
    },
    headersTimeout: limits.answer,
    bodyTimeout: limits.answer,
  })
  return {
    // The two types differ in their declarations only: undici is where Node's own fetch comes from.
    fetch: ((input: RequestInfo, init?: RequestInit) => guardedFetch(agent, input, init)) as unknown as typeof fetch,
    dial: (headers, onFault) => dialBy(connect, headers, onFault, limits),
    close: () => agent.destroy(),
  }
}

function targetOf(secure: boolean, hostname: string, port: string | number): Target {
  return { secure, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) }
}

function connector(context: SecureContext, env: ProxyEnv, limits: NetworkLimits): Connect {
  const options = { secureContext: context, timeout: limits.connect }
  const withHttp2 = buildConnector({ ...options, allowH2: true, preferH2: true })
  const without = buildConnector({ ...options, allowH2: false })
  return async (target, http2) => {
    const { secure, hostname, port } = target
    const proxy = proxyFor(secure, hostname, port, env)
    const tunnel = proxy === null ? null : await openTunnel({ proxy, hostname, port, context, timeout: limits.connect })
    // Without TLS the tunnel is the connection.
    if (tunnel !== null && !secure) return tunnel
    return new Promise((resolve, reject) => {
      const where = { hostname, protocol: secure ? 'https:' : 'http:', port: String(port), servername: serverName(hostname) }
      const socket = tunnel === null ? {} : { httpSocket: tunnel as tls.TLSSocket }
      ;(http2 ? withHttp2 : without)({ ...where, ...socket }, (error, connected) => {
        if (error === null) resolve(connected)
        else reject(networkFault(error, `${hostname}:${port}`))
      })
    })
  }
}

/** An address is no server name (RFC 6066); its certificate is checked against the address all the same. */
function serverName(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? '' : hostname
}

async function guardedFetch(agent: Agent, input: RequestInfo, init: RequestInit = {}): Promise<ResponseOf> {
  const host = hostOf(input)
  try {
    const response = await fetchBy(input, { ...init, redirect: 'error', credentials: 'omit', cache: 'no-store', dispatcher: agent })
    return guardedBody(response, host)
  } catch (error) {
    throw given(init.signal, error) ?? networkFault(error, host)
  }
}

/** The caller's own reason for calling it off, when that is a fault already. */
function given(signal: AbortSignal | null | undefined, error: unknown): FaultError | null {
  return signal?.aborted === true && error === signal.reason && error instanceof FaultError ? error : null
}

function hostOf(input: RequestInfo): string {
  const text = typeof input === 'string' ? input : 'url' in input ? input.url : String(input)
  return URL.parse(text)?.host ?? 'the address'
}

/** A body that breaks off says so in the ports' words as well. */
function guardedBody(response: ResponseOf, host: string): ResponseOf {
  if (response.body === null) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(networkFault(error, host))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers } = response
  return new ResponseOf(body, { status, statusText, headers })
}

/**
 * What Node trusts, what the system trusts, and this CA: a connection's CA only adds trust (invariant 8). Throws a
 * `FaultError` of kind `ca` when the text holds no certificate, or something else besides.
 */
export function trust(ca: string): SecureContext {
  const added = ca.trim() === '' ? [] : certificates(ca)
  const usual = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
  return tls.createSecureContext({ ca: [...new Set([...usual, ...added])] })
}

function certificates(text: string): string[] {
  if (text.includes('PRIVATE KEY')) throw new FaultError('ca', 'the text holds a private key')
  const blocks = text.match(/-----BEGIN (TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (TRUSTED )?CERTIFICATE-----/g)
  if (blocks === null) throw new FaultError('ca', 'there is no certificate in it')
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block).toString()
    } catch {
      throw new FaultError('ca', `certificate ${index + 1} of ${blocks.length} is damaged`)
    }
  })
}
