import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Handlers } from '../../../src-shared/contract/contract.ts'
import type { Log } from '../../ports.ts'
import { openAccessGuard, type AccessGuard } from './sign-in/access-guard.ts'
import { openFiles, policy, type Files } from './files.ts'
import { startPipe, type PipeCore } from './pipe.ts'
import type { Sessions } from './sign-in/sessions.ts'

export interface WebServer {
  port: number
  /** Returns an address with a fresh one-time key that is valid until it is used. */
  newUrl(): string
  stop(): Promise<void>
}

export interface WebServerOptions {
  core: PipeCore
  clock: Clock
  log: Log
  /** Folder of the built window. */
  window: string
  /** 0: any free port. */
  port: number
  /** The token that a second start must present to get a key (see `takeLock`). */
  token: string
  /** Sessions of windows that may sign in without a new key. */
  sessions: Sessions
  /** Called when a one-time key was used or has expired. */
  onKeyGone(key: string): void
}

/** Lifetime of a second start's key, ms: long enough for a slow browser. */
const secondKeyLifetime = 5 * 60_000

/**
 * Serves the window and its pipe on 127.0.0.1 only. The window's files are the same for everybody and contain no data;
 * the pipe opens after proof of a key (sign-in.ts). A one-time key follows the `#` of an address, which no
 * browser sends. Rejects when the port is not available, and leaves nothing running then.
 */
export async function startServer(options: WebServerOptions): Promise<WebServer> {
  const server = createServer()
  const port = () => (server.address() as AddressInfo | null)?.port ?? options.port
  const guard = openAccessGuard(port, options.clock, options.sessions, options.onKeyGone)
  const files = openFiles(options.window)
  const pipe = startPipe(
    { ...options.core, handlers: { ...options.core.handlers, ...guardHandlers(guard) } },
    guard,
    options.clock,
    options.log,
  )
  const newUrl = (lifetime: number | null) => `${guard.origin()}/#key=${guard.newKey(lifetime)}`
  const offEnd = options.sessions.onEnd(pipe.signOut)
  server.on('request', (request, response) => {
    try {
      answerRequest(request, response, { guard, files, token: options.token, newUrl })
    } catch (error) {
      options.log('error', `the web server failed: ${error instanceof Error ? error.message : 'unknown'}`)
      if (response.headersSent) response.destroy()
      else respond(response, 500, 'Something went wrong in Muster.')
    }
  })
  server.on('upgrade', (request, socket, head) => {
    const rejection =
      guard.upgrade(request) ??
      (request.url === '/pipe' ? null : 'path') ??
      (pipe.upgrade(request, socket, head) ? null : 'limit')
    if (rejection === null) return
    options.log('warn', `a pipe was rejected: ${rejection}`)
    rejectUpgrade(socket)
  })
  try {
    await listen(server, options.port, (error) => options.log('error', `the web server failed: ${error.message}`))
  } catch (error) {
    offEnd()
    await pipe.stop()
    throw error
  }
  const stop = () => {
    offEnd()
    return close(server, () => pipe.stop())
  }
  return { port: port(), newUrl: () => newUrl(null), stop }
}

/** Only signed-in pipes can call this, so a signed-in window vouches for each admitted one. */
const guardHandlers = (guard: AccessGuard): Pick<Handlers, 'windows.admit'> => ({
  'windows.admit': async (verifier) => {
    guard.admit(verifier)
    return {}
  },
})

interface RequestContext {
  guard: AccessGuard
  files: Files
  token: string
  newUrl(lifetime: number | null): string
}

function answerRequest(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
  const { guard } = context
  setSecurityHeaders(request, response)
  const url = URL.parse(`http://window${request.url ?? '/'}`)
  if (url === null) return respond(response, 400, 'That is no address.')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (guard.host(request) !== null) {
    // Another program may own that name's IPv6 address: a window has one origin, and the session belongs to it.
    if (!isRead || request.headers.host !== guard.origin().replace('http://127.0.0.1', 'localhost'))
      return respond(response, 403, 'Muster answers to its own address only.')
    return void response
      .writeHead(307, { Location: `${guard.origin()}${url.pathname}`, 'Cache-Control': 'no-store' })
      .end()
  }
  if (request.method === 'POST' && url.pathname === '/key') return sendKey(request, response, context)
  if (!isRead) return respond(response, 405, 'Only GET is answered here.')
  if (!context.files(request, response)) respond(response, 404, 'There is nothing here.')
}

/** Returns a key to a second start on the same profile. A page can neither send this header nor omit its Origin. */
function sendKey(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
  const known = request.headers.origin === undefined && context.guard.hasToken(request, context.token)
  if (!known) return respond(response, 403, 'Muster answers to its own page only.')
  const body = JSON.stringify({ url: context.newUrl(secondKeyLifetime) })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body)
}

function setSecurityHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', policy(request.headers.host ?? '', null))
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
}

function respond(response: ServerResponse, status: number, line: string): void {
  response
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
    .end(`${line}\n`)
}

function rejectUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** Listens on a port. `onError` receives later errors (such as no free handles), which must not end Muster. */
function listen(server: Server, port: number, onError: (error: Error) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} on 127.0.0.1 is in use.`) : error)
    })
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error')
      server.on('error', onError)
      resolve()
    })
  })
}

async function close(server: Server, stopPipe: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await stopPipe()
  server.closeAllConnections()
  await closed
}
