import { createServer as createHttp, type IncomingMessage, type Server } from 'node:http'
import { createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import net, { type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Served } from './certificates.ts'

/** Listens on a free port of loopback until the running test is over. */
export async function listening<S extends net.Server>(server: S): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}

/** HTTP/2 and HTTP/1.1 over TLS, as the reference service. */
export function secureServer(
  served: Served, answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
): Http2SecureServer {
  return createSecureServer({ ...served, allowHTTP1: true }, answer)
}

export interface Proxy {
  url: string
  /** What it was asked to connect to. */
  asked: string[]
  /** Proxy-Authorization of each. */
  credentials: (string | undefined)[]
}

/** A real CONNECT proxy. It leads every name to `to` on loopback, or answers with `status`. */
export async function startProxy(to: number, status = 200): Promise<Proxy> {
  const asked: string[] = []
  const credentials: (string | undefined)[] = []
  const proxy: Server = createHttp()
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '')
    credentials.push(request.headers['proxy-authorization'])
    client.on('error', () => client.destroy())
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const upstream = net.connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client)
      client.pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  return { url: `http://127.0.0.1:${await listening(proxy)}`, asked, credentials }
}
