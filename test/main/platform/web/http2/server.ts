import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from 'node:http2'
import tls from 'node:tls'
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

export function respond(stream: ServerHttp2Stream, text: string, headers: Record<string, string | number> = {}): void {
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

export interface Frame {
  type: number
  stream: number
  payload: Buffer
}

const [data, headersFrame, resetFrame, settingsFrame] = [0, 1, 3, 4]
/** The codes of two frames. */
export const frameTypes = { data, reset: resetFrame }

/** Answers a request by hand. */
export interface ByHand {
  answer(): void
  body(text: string, flags?: { isLast: boolean }): void
  reset(code: number): void
}

/** HTTP/2 by hand, which takes no bytes of a body. Returns all frames of the client. */
export async function startByHand(
  answer: (request: ByHand) => void,
): Promise<{ url: string; ca: string; frames: Frame[] }> {
  const authority = await makeAuthority()
  const served = { ...(await authority.issue(['127.0.0.1'])), ALPNProtocols: ['h2'] }
  const frames: Frame[] = []
  const server = tls.createServer(served, (socket) => {
    const send = (...frame: Parameters<typeof frameOf>) => socket.write(frameOf(...frame))
    let heard: Buffer = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    // The initial window (4) is 0.
    send(settingsFrame, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0]))
    socket.once('data', (first) => {
      // The preface has 24 bytes.
      heard = first.subarray(24)
      const read = () => {
        const [frame, rest] = firstFrame(heard)
        if (frame === null) return
        heard = rest
        frames.push(frame)
        if (frame.type === headersFrame) answer(byHand(send, frame.stream))
        read()
      }
      read()
      socket.on('data', (bytes) => {
        heard = Buffer.concat([heard, bytes])
        read()
      })
    })
  })
  return { url: `https://127.0.0.1:${await listening(server)}/`, ca: authority.ca, frames }
}

function byHand(send: (...frame: Parameters<typeof frameOf>) => void, stream: number): ByHand {
  return {
    // ":status: 200", with END_HEADERS.
    answer: () => send(headersFrame, 4, stream, Buffer.from([0x88])),
    body: (text, { isLast } = { isLast: false }) => send(data, isLast ? 1 : 0, stream, Buffer.from(text)),
    reset: (code) => send(resetFrame, 0, stream, Buffer.from([0, 0, 0, code])),
  }
}

function firstFrame(bytes: Buffer): [Frame | null, Buffer] {
  if (bytes.length < 9 || bytes.length < 9 + bytes.readUIntBE(0, 3)) return [null, bytes]
  const end = 9 + bytes.readUIntBE(0, 3)
  const frame = { type: bytes.readUInt8(3), stream: bytes.readUInt32BE(5), payload: bytes.subarray(9, end) }
  return [frame, bytes.subarray(end)]
}

function frameOf(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
