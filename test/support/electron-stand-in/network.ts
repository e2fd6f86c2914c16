import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import net from 'node:net'
import { callbackify } from 'node:util'
import type { Certificate, Request as Presented, Session } from 'electron'
import { Agent, fetch as setFetch, type RequestInit } from 'undici'
import { WebSocket as Socket } from 'ws'

export type VerifyProc = Parameters<Session['setCertificateVerifyProc']>[0]

/** Chromium's codes and words for what Node finds. */
const codes: Record<string, [string, number]> = {
  ENOTFOUND: ['ERR_NAME_NOT_RESOLVED', -105],
  EAI_AGAIN: ['ERR_NAME_NOT_RESOLVED', -105],
  ECONNREFUSED: ['ERR_CONNECTION_REFUSED', -102],
  ECONNRESET: ['ERR_CONNECTION_RESET', -101],
  CERT_HAS_EXPIRED: ['ERR_CERT_DATE_INVALID', -201],
  CERT_NOT_YET_VALID: ['ERR_CERT_DATE_INVALID', -201],
  ERR_TLS_CERT_ALTNAME_INVALID: ['ERR_CERT_COMMON_NAME_INVALID', -200],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['ERR_CERT_AUTHORITY_INVALID', -202],
  SELF_SIGNED_CERT_IN_CHAIN: ['ERR_CERT_AUTHORITY_INVALID', -202],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['ERR_CERT_AUTHORITY_INVALID', -202],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['ERR_CERT_AUTHORITY_INVALID', -202],
}

/** The error as Electron throws it: a text without a code and without a cause. */
function netError(thrown: unknown): Error {
  const chain: unknown[] = []
  for (let at: unknown = thrown; at instanceof Error && chain.length < 6; at = at.cause) chain.push(at)
  const known = chain.find((error) => error instanceof Error && error.message.startsWith('net::'))
  if (known !== undefined) return new Error((known as Error).message)
  const code = chain
    .map((error) => String((error as { code?: unknown }).code ?? ''))
    .find((text) => codes[text] !== undefined)
  if (chain.some((error) => error instanceof Error && error.message === 'bad port'))
    return new Error('net::ERR_UNSAFE_PORT')
  return new Error(`net::${code === undefined ? 'ERR_CONNECTION_RESET' : codes[code]?.[0]}`)
}

/** Connects, and has the certificate judged as Electron does: Chromium's finding first, then the session's own proc. */
async function connect(
  hostname: string,
  port: number,
  secure: boolean,
  alpn: string[],
  proc: VerifyProc,
): Promise<net.Socket> {
  if (!secure) return opened(net.connect(port, hostname), 'connect')
  const servername = net.isIP(hostname) === 0 ? hostname : ''
  const socket = tls.connect({ host: hostname, port, servername, ALPNProtocols: alpn, rejectUnauthorized: false })
  await opened(socket, 'secureConnect')
  const [text, errorCode] = foundBy(socket, hostname)
  const verdict = proc === null ? -3 : await judged(proc, socket, hostname, text, errorCode)
  const error = verdict === 0 ? null : verdict === -3 ? (errorCode === 0 ? null : text) : 'net::ERR_FAILED'
  if (error === null) return socket
  socket.destroy()
  throw new Error(error)
}

const connectBack = callbackify(connect)

function opened<S extends net.Socket>(socket: S, event: string): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** One error, the most serious: an unknown authority hides a wrong name. */
function foundBy(socket: tls.TLSSocket, hostname: string): [string, number] {
  const found = socket.authorizationError as unknown as string | { code?: string } | null
  const code = typeof found === 'string' ? found : (found?.code ?? null)
  const mismatch =
    tls.checkServerIdentity(hostname, socket.getPeerCertificate()) === undefined ? null : 'ERR_TLS_CERT_ALTNAME_INVALID'
  const worst = code ?? mismatch
  if (worst === null) return ['net::OK', 0]
  const [text, number] = codes[worst] ?? ['ERR_CERT_INVALID', -207]
  return [`net::${text}`, number]
}

function judged(
  proc: NonNullable<VerifyProc>,
  socket: tls.TLSSocket,
  hostname: string,
  verificationResult: string,
  errorCode: number,
): Promise<number> {
  const certificate = certificateOf(socket.getPeerX509Certificate())
  const request = {
    hostname,
    certificate,
    validatedCertificate: certificate,
    isIssuedByKnownRoot: false,
    verificationResult,
    errorCode,
  }
  return new Promise((resolve) => proc(request as Presented, resolve))
}

function certificateOf(certificate: X509Certificate | undefined, depth = 0): Certificate {
  const issuer = certificate?.issuerCertificate
  const next =
    issuer === undefined || issuer.fingerprint256 === certificate?.fingerprint256 || depth > 8
      ? undefined
      : certificateOf(issuer, depth + 1)
  return { data: certificate?.toString() ?? '', issuerCert: next } as unknown as Certificate
}

/**
 * `session.fetch`. Every request must say that nothing is followed, sent along or stored. Over HTTP/1.1: given up over
 * undici's HTTP/2, a request takes the process with it (src-main/platform/web/network/http2/exchange.ts).
 */
export function fetchOn(proc: () => VerifyProc): { fetch: typeof fetch; close(): Promise<void> } {
  const make = () =>
    new Agent({
      allowH2: false,
      connect: ({ hostname, port, protocol }, done) => {
        const target = [
          hostname.replace(/^\[(.*)\]$/, '$1'),
          Number(port) || (protocol === 'https:' ? 443 : 80),
          protocol === 'https:',
        ] as const
        connectBack(...target, ['http/1.1'], proc(), (error, socket) => {
          if (error === null) done(null, socket as tls.TLSSocket)
          else done(error, null)
        })
      },
    })
  let agent = make()
  const run = async (input: string, init: RequestInit = {}) => {
    for (const [key, wanted] of [
      ['redirect', 'error'],
      ['credentials', 'omit'],
      ['cache', 'no-store'],
    ] as const) {
      if (init[key] !== wanted) throw new Error(`a request must say ${key}: ${wanted}`)
    }
    try {
      const response = await setFetch(input, { ...init, redirect: 'manual', dispatcher: agent })
      if (response.status < 300 || response.status > 399) return loosely(response, init.signal ?? null)
    } catch (error) {
      if (init.signal?.aborted === true) throw init.signal.reason
      throw netError(error)
    }
    throw new Error("Attempted to redirect, but redirect policy was 'error'")
  }
  return {
    fetch: run as unknown as typeof fetch,
    close: async () => {
      const old = agent
      agent = make()
      await old.destroy()
    },
  }
}

/**
 * What a socket's close says of a failure. Electron opens sockets without an observer (electron_api_web_socket.cc, `CreateWebSocket`), so
 * whatever is wrong with a certificate is ERR_INSECURE_RESPONSE; and it puts a code behind every text that has none (`Fail`).
 */
function socketFailure(error: Error): string {
  const status = /Unexpected server response: (\d{3})/.exec(error.message)?.[1]
  // Chromium takes this one for an answer to a login (net/websockets/websocket_stream.cc), and the code beside it is that of no error.
  if (status === '401') return 'HTTP Authentication failed; no valid credentials available (net::OK)'
  if (status !== undefined)
    return `Error during WebSocket handshake: Unexpected response code: ${status} (net::ERR_FAILED)`
  return `Error in connection establishment: ${netError(error).message.replace(/ERR_CERT_[A-Z_]+/, 'ERR_INSECURE_RESPONSE')}`
}

/**
 * A body as `session.fetch` gives it (net-fetch.ts, net-client-request.ts): its cancel destroys the stream in JavaScript and leaves the
 * loader as it is, which goes on holding the connection; only the signal ends that, and then the body fails without the signal's reason.
 */
function loosely(response: Answered, signal: AbortSignal | null): Answered {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(
          signal?.aborted === true ? new DOMException('The operation was aborted', 'AbortError') : netError(error),
        )
      }
    },
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers: [...headers] }) as unknown as Answered
}

type Answered = Awaited<ReturnType<typeof setFetch>>

interface SocketOptions {
  protocols?: string | string[]
  headers?: Record<string, string>
  session?: { verifyProc(): VerifyProc }
}

/** `net.WebSocket`: an error event without a word, then a close that has it (1006), as Electron's. */
export class StandInSocket extends EventTarget {
  static readonly [Symbol.toStringTag] = 'WebSocket'
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSING = 2
  readonly CLOSED = 3
  readyState = 0
  protocol = ''
  #socket: Socket
  #failure = ''
  #handlers = new Map<string, EventListener>()

  constructor(address: string, { protocols = [], headers = {}, session }: SocketOptions) {
    super()
    const url = new URL(address)
    if (session === undefined) throw new Error('a socket without a session of its own would go by the default one')
    const secure = url.protocol === 'wss:'
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const port = Number(url.port) || (secure ? 443 : 80)
    this.#socket = new Socket(address, protocols, {
      headers: { Origin: url.origin, ...headers },
      perMessageDeflate: false,
      createConnection: ((_options: unknown, done: (error: Error | null, socket?: net.Socket) => void) => {
        connectBack(hostname, port, secure, ['http/1.1'], session.verifyProc(), done)
      }) as never,
    })
    this.#listen()
  }

  #listen(): void {
    this.#socket.on('open', () => {
      this.readyState = 1
      this.protocol = this.#socket.protocol
      this.dispatchEvent(new Event('open'))
    })
    this.#socket.on('message', (data, binary) => {
      if (this.readyState === 1) this.dispatchEvent(new MessageEvent('message', { data: binary ? data : String(data) }))
    })
    this.#socket.on('error', (error) => {
      this.#failure = socketFailure(error)
      this.readyState = 3
      this.dispatchEvent(new Event('error'))
    })
    this.#socket.on('close', (code, reason) => {
      this.readyState = 3
      const failed = this.#failure !== ''
      this.dispatchEvent(
        Object.assign(new Event('close'), {
          code: failed ? 1006 : code,
          reason: failed ? this.#failure : String(reason),
          wasClean: !failed && code !== 1006,
        }),
      )
    })
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount
  }

  send(data: string): void {
    if (this.readyState === 0) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError')
    if (this.readyState === 1) this.#socket.send(data)
  }

  close(code?: number, reason?: string): void {
    if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999))
      throw new DOMException(
        `The close code must be either 1000, or between 3000 and 4999. ${code} is neither.`,
        'InvalidAccessError',
      )
    if (this.readyState > 1) return
    this.readyState = 2
    this.#socket.close(code, reason)
  }

  #set(type: string, listener: EventListener | null): void {
    const before = this.#handlers.get(type)
    if (before !== undefined) this.removeEventListener(type, before)
    this.#handlers.delete(type)
    if (listener === null) return
    this.#handlers.set(type, listener)
    this.addEventListener(type, listener)
  }
  set onopen(listener: EventListener | null) {
    this.#set('open', listener)
  }
  set onmessage(listener: EventListener | null) {
    this.#set('message', listener)
  }
  set onerror(listener: EventListener | null) {
    this.#set('error', listener)
  }
  set onclose(listener: EventListener | null) {
    this.#set('close', listener)
  }
}
