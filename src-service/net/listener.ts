import { createSecureServer } from 'node:http2'
import type { Http2SecureServer } from 'node:http2'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Certificates } from './certificates.ts'
import type { Request, Response } from './wire.ts'

/** A port: TLS, with HTTP/2 and, optionally, HTTP/1.1 by ALPN, and WebSocket upgrades on HTTP/1.1. */
export type Listener = {
  /** Opens the port, once, and resolves with its number. */
  open(): Promise<number>
  /** Closes the port and every connection on it. */
  pause(): Promise<void>
  /** Opens the same port again. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export type ListenerOptions = {
  host: string
  /** 0: any free port. */
  port: number
  certificates: Certificates
  /** False: HTTP/2 only. Upgrades need HTTP/1.1. */
  http1: boolean
  onRequest: (request: Request, response: Response) => void
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Concurrent requests of one HTTP/2 connection; more wait at the client. */
const MAX_STREAMS = 100

/** Returns a listener; `open` opens the port. */
export function makeListener(options: ListenerOptions): Listener {
  const { host, certificates } = options
  const server = createSecureServer({
    allowHTTP1: options.http1,
    cert: certificates.certificate,
    key: certificates.key,
    settings: { maxConcurrentStreams: MAX_STREAMS },
  })
  const connections = new Set<Socket>()
  // The TCP connection, so that one within its handshake is closed too.
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // A client that drops the connection is not an error of the service.
  server.on('secureConnection', (socket: TLSSocket) => void socket.on('error', () => socket.destroy()))
  server.on('request', options.onRequest)
  server.on('upgrade', options.onUpgrade)
  server.on('sessionError', () => undefined)
  let { port } = options
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of connections) socket.destroy()
    await closed
  }
  return {
    open: async () => (port = await listen(server, port, host)),
    pause: close,
    stop: close,
    resume: async () => void (server.listening || (await listen(server, port, host))),
  }
}

function listen(server: Http2SecureServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
