import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../src-shared/clock.ts'
import type { Log } from '../ports.ts'
import { openDoor, type Door, type Refusal } from './door.ts'
import { openFiles, policy, type Files } from './files.ts'
import { startPipe, type Spoken } from './pipe.ts'
import type { Sessions } from './sessions.ts'

export interface WebServer {
  port: number
  /** An address with a fresh one-time key that lives until it is used. */
  newUrl(): string
  stop(): Promise<void>
}

export interface WebServerOptions {
  core: Spoken
  clock: Clock
  log: Log
  /** Folder of the built window. */
  window: string
  /** 0: any free port. */
  port: number
  /** What a second start must show to be given a key (see `takeLock`). */
  token: string
  /** Browsers that may come in without a key. */
  sessions: Sessions
}

/** Long enough for a slow browser to start. */
const secondKeyLifetime = 5 * 60_000

/**
 * Serves the window and its pipe on 127.0.0.1 alone, to whoever came in with a one-time key. Throws when the port cannot
 * be had, and leaves nothing running then.
 */
export async function startServer(options: WebServerOptions): Promise<WebServer> {
  const server = createServer()
  const port = () => (server.address() as AddressInfo | null)?.port ?? options.port
  const door = openDoor(port, options.clock, options.sessions)
  const files = openFiles(options.window)
  const pipe = startPipe(options.core, options.clock, options.log)
  const newUrl = (lifetime: number | null) => `http://127.0.0.1:${port()}/?key=${door.newKey(lifetime)}`
  server.on('request', (request, response) => {
    try {
      answerRequest(request, response, { door, files, token: options.token, newUrl })
    } catch (error) {
      options.log('error', `the web server failed: ${error instanceof Error ? error.message : 'unknown'}`)
      if (response.headersSent) response.destroy()
      else say(response, 500, 'Something went wrong in Muster.')
    }
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = door.admit(request, true) ?? (request.url === '/pipe' ? null : 'path')
    if (refusal === null) return pipe.upgrade(request, socket, head)
    options.log('warn', `a pipe was refused: ${refusal}`)
    refuseUpgrade(socket)
  })
  try {
    await listen(server, options.port, (error) => options.log('error', `the web server failed: ${error.message}`))
  } catch (error) {
    await pipe.stop()
    throw error
  }
  return { port: port(), newUrl: () => newUrl(null), stop: () => close(server, () => pipe.stop()) }
}

interface Inside {
  door: Door
  files: Files
  token: string
  newUrl(lifetime: number | null): string
}

function answerRequest(request: IncomingMessage, response: ServerResponse, inside: Inside): void {
  const { door } = inside
  harden(request, response)
  if (door.host(request) !== null) return say(response, 403, words.host)
  const url = URL.parse(`http://window${request.url ?? '/'}`)
  if (url === null) return say(response, 400, 'That is no address.')
  if (request.method === 'POST' && url.pathname === '/key') return giveKey(request, response, inside)
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'Only GET is answered here.')
  const key = url.searchParams.get('key')
  if (url.pathname === '/' && key !== null && request.method === 'GET') return enter(request, response, door, key)
  const refusal = door.admit(request, false)
  if (refusal !== null) return say(response, 403, words[refusal])
  if (!inside.files(request, response)) say(response, 404, 'There is nothing here.')
}

const words: Record<Refusal, string> = {
  host: 'Muster answers to its own address only.',
  origin: 'Muster answers to its own page only.',
  cookie: 'This browser has no way in. Run npm start again: it prints an address with a new key, which works once.',
}

function enter(request: IncomingMessage, response: ServerResponse, door: Door, key: string): void {
  const cookie = door.enter(key)
  // Whoever reloads the address has a session already.
  if (cookie === null && door.admit(request, false) !== null) {
    return say(response, 403, 'This key has been used or is too old. Run npm start again: it prints an address with a new one.')
  }
  if (cookie !== null) response.setHeader('Set-Cookie', cookie)
  // After a click on another site's page a redirect would still count as that site's, and the strict cookie stay out.
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    response.setHeader('Refresh', '0;url=/')
    return say(response, 200, 'Opening Muster.')
  }
  response.writeHead(303, { Location: '/' }).end()
}

/** For a second start on the same profile. A page can send neither this header nor leave out its Origin. */
function giveKey(request: IncomingMessage, response: ServerResponse, inside: Inside): void {
  const known = request.headers.origin === undefined && inside.door.bears(request, inside.token)
  if (!known) return say(response, 403, words.origin)
  const body = JSON.stringify({ url: inside.newUrl(secondKeyLifetime) })
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body)
}

function harden(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', policy(request.headers.host ?? '', null))
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
}

function say(response: ServerResponse, status: number, line: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(`${line}\n`)
}

function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

/** `onError` hears what goes wrong later on (no handles left for another browser): nothing that would end Muster. */
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
