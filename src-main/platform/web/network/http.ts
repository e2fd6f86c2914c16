import type { TLSSocket } from 'node:tls'
import { callbackify } from 'node:util'
import { Agent, fetch as fetchBy, type Dispatcher, type RequestInit } from 'undici'
import type { Connect, NetworkLimits, Target } from './dial.ts'
import { NoHttp2Error, openHttp2 } from './http2/dispatcher.ts'
import { causesOf, hasNoProtocol } from '../../../network/tls/network-fault.ts'

/** How to connect, by the protocol that is offered first. */
export interface Connectors {
  http1: Connect
  http2: Connect
}

/**
 * Opens undici's fetch over these connectors. Requests are HTTP/1.1; for an origin that rejects it by ALPN they are
 * HTTP/2 until it offers HTTP/1.1 again. A request is sent once: the other protocol is tried where nothing was sent.
 */
export function openHttp(connect: Connectors, limits: NetworkLimits): { fetch: typeof fetch; close(): Promise<void> } {
  const http1 = new Agent({
    connect: connectBy(connect.http1),
    headersTimeout: limits.answer,
    bodyTimeout: limits.answer,
  })
  const http2 = openHttp2({
    connect: async ({ hostname, port }) => (await connect.http2(targetOf(true, hostname, port))) as TLSSocket,
    limits,
  })
  const http2Alone = new Set<string>()
  const run = async (input: string, init?: RequestInit) => {
    const origin = URL.parse(input)?.origin ?? ''
    const isHttp2 = http2Alone.has(origin)
    const over = (dispatcher: Dispatcher) => fetchBy(input, { ...init, dispatcher })
    try {
      return await over(isHttp2 ? http2.dispatcher : http1)
    } catch (error) {
      if (!(isHttp2 ? hasNoHttp2(error) : hasNoProtocol(error))) throw error
    }
    if (isHttp2) http2Alone.delete(origin)
    else http2Alone.add(origin)
    return over(isHttp2 ? http1 : http2.dispatcher)
  }
  return {
    // The types differ only in their declarations: Node's own fetch is undici's.
    fetch: run as unknown as typeof fetch,
    async close() {
      http2.close()
      await http1.destroy()
    },
  }
}

const hasNoHttp2 = (thrown: unknown): boolean => causesOf(thrown).some((error) => error instanceof NoHttp2Error)

type AgentConnect = Extract<NonNullable<Agent.Options['connect']>, (...args: never[]) => unknown>

/** Returns a connector as undici calls it. */
function connectBy(connect: Connect): AgentConnect {
  const connectBack = callbackify(connect)
  return ({ protocol, hostname, port }, done) =>
    connectBack(targetOf(protocol === 'https:', hostname, port), (error, socket) => {
      if (error === null) done(null, socket as TLSSocket)
      else done(error, null)
    })
}

export function targetOf(secure: boolean, hostname: string, port: string | number): Target {
  return { secure, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 443 : 80) }
}
