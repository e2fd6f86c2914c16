import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2'
import { expect, onTestFinished, vi } from 'vitest'
import type { NetworkLimits } from '../../../../../src-main/platform/web/network/dial.ts'
import { openNetwork } from '../../../../../src-main/platform/web/network/network.ts'
import type { ProxyEnv } from '../../../../../src-main/network/proxies/environment.ts'
import type { Link } from '../../../../../src-main/ports.ts'
import { FaultError } from '../../../../../src-shared/model/fault.ts'
import { makeAuthority, type Served } from '../certificates.ts'
import { listening } from '../servers.ts'

export interface Http2Server {
  port: number
  url: string
  ca: string
  /** Every connection that agreed on HTTP/2. */
  sessions: ServerHttp2Session[]
  /** The code of each stream that is closed. */
  codes: (number | undefined)[]
}

type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, at: number) => unknown

/** HTTP/2 alone, for 127.0.0.1 and service.test. Each request is answered by this; `at` counts from 0. */
export async function startHttp2(
  answer: Answer,
  { settings = {}, served }: { settings?: Settings; served?: Served } = {},
): Promise<Http2Server> {
  const authority = await makeAuthority()
  // What is not read of its answers is stored.
  const server = createSecureServer({
    ...(served ?? (await authority.issue(['127.0.0.1', 'service.test']))),
    settings,
    maxSessionMemory: 1_000,
  })
  const sessions: ServerHttp2Session[] = []
  const codes: (number | undefined)[] = []
  let at = 0
  server.on('session', (session) => void sessions.push(session))
  server.on('sessionError', () => {})
  server.on('stream', (stream, headers) => {
    // A stream that is closed with a code is an error too.
    stream.on('error', () => {})
    stream.on('close', () => void codes.push(stream.rstCode))
    answer(stream, headers, at)
    at += 1
  })
  const port = await listening(server)
  return { port, url: `https://127.0.0.1:${port}/`, ca: authority.ca, sessions, codes }
}

export function say(stream: ServerHttp2Stream, text: string, headers: Record<string, string | number> = {}): void {
  if (stream.destroyed) return
  stream.respond({ ':status': 200, ...headers })
  stream.end(text)
}

export function openLink(ca: string, env: ProxyEnv = {}, limits?: NetworkLimits): Link {
  const link = openNetwork(env, limits === undefined ? {} : { limits }).open(ca)
  onTestFinished(() => link.close())
  return link
}

/** The fault of a call that must fail, as "kind: detail", without ports. */
export async function faultOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  )
  if (!(thrown instanceof FaultError)) throw new Error(`not a fault: ${String(thrown)}`)
  return thrown.message.replaceAll(/:\d{4,5}\b/g, '')
}

export const textOf = async (link: Link, url: string, init?: RequestInit): Promise<string> =>
  (await link.fetch(url, init)).text()

export const until = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 10_000, interval: 10 })

/** Waits until so many streams are closed with these codes. */
export const whenClosed = ({ codes }: Http2Server, expected: number[]): Promise<void> =>
  until(() => expect(codes).toEqual(expected))
