import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Handlers } from '../../../src-shared/contract/contract.ts'
import type { Log } from '../../ports.ts'
import { isLoopback } from '../../network/loopback.ts'
import type { Metrics } from './metrics.ts'

export interface StatusServerOptions {
  core: Pick<Handlers, 'app.state' | 'inventory.counts'>
  metrics: Metrics
  host: string
  /** 0: any free port. */
  port: number
  /** What `/metrics` asks for as `Authorization: Bearer …`; null: nothing, on loopback only. */
  token: string | null
  clock: Pick<Clock, 'after'>
  log: Log
}

export interface StatusServer {
  port: number
  stop(): Promise<void>
}

/** A core that has not answered within this time is not healthy (ms). */
const answerMs = 5_000

/**
 * Tells health and metrics over HTTP: `/healthz` (the core answers), `/readyz` (each connection that is not paused was read once) and
 * `/metrics`. Nothing can be changed through it. Rejects when the address cannot be listened on.
 */
export async function startStatusServer(options: StatusServerOptions): Promise<StatusServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 16 * 1024 })
  server.maxConnections = 64
  server.on('request', (request, response) => {
    answer(request, response, options).catch((error: unknown) => {
      options.log('error', `the status server failed: ${error instanceof Error ? error.message : 'unknown'}`)
      respond(response, 503, 'The core does not answer.')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      server.on('error', (error) => options.log('error', `the status server failed: ${error.message}`))
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, options: StatusServerOptions): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://status')
  if (url === null) return respond(response, 400, 'That is no address.')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return respond(response.setHeader('Allow', 'GET, HEAD'), 405, 'Only GET is answered here.')
  // A page of any site may let its own name lead to this computer.
  if (isLoopback(options.host) && !isLoopback(hostOf(request)))
    return respond(response, 403, 'Muster answers to its own address only.')
  switch (url.pathname) {
    case '/healthz':
      await within(options, options.core['inventory.counts']({ scope: 'all' }))
      return respond(response, 200, 'ok')
    case '/readyz':
      return respondReady(response, options)
    case '/metrics':
      if (options.token !== null && !isToken(request, options.token))
        return respond(response.setHeader('WWW-Authenticate', 'Bearer'), 401, 'A token is needed.')
      return respond(response, 200, await within(options, options.metrics.read()), options.metrics.contentType)
    default:
      return respond(response, 404, 'There is /healthz, /readyz and /metrics.')
  }
}

/** Returns the name or address that was asked for, without its port. */
const hostOf = (request: IncomingMessage): string =>
  (URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '').replaceAll(/^\[|\]$/gu, '')

/** Says without a name what is not ready: who asks has no token. */
async function respondReady(response: ServerResponse, options: StatusServerOptions): Promise<void> {
  const { connections } = await within(options, options.core['app.state']({}))
  const running = connections.filter(({ paused }) => !paused)
  const unread = running.filter(({ lastReadingAt }) => lastReadingAt === null).length
  if (running.length === 0) return respond(response, 503, 'There is no connection that is not paused.')
  if (unread > 0) return respond(response, 503, `${unread} of ${running.length} connections were not read yet.`)
  respond(response, 200, 'ready')
}

function within<T>({ clock }: StatusServerOptions, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(answerMs, () => reject(new Error('the core did not answer in time')))
    promise.finally(cancel).then(resolve, reject)
  })
}

/** Compares hashes, so that the time tells nothing about the token. */
function isToken(request: IncomingMessage, token: string): boolean {
  const given = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1]
  if (given === undefined) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}

function respond(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  response.end(`${text}${text.endsWith('\n') ? '' : '\n'}`)
}
