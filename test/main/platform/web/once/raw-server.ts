import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { Served } from '../certificates.ts'
import { listening } from '../servers.ts'

/** What the server does once it has read a whole request, or at the start of a connection. */
export type Deed =
  | { does: 'closes' | 'resets' | 'answers-half' | 'is-silent' | 'closes-before' | 'closes-within' }
  | { does: 'answers'; status: number; headers?: string; body?: string }

export interface RawServer {
  port: number
  /** Bodies of the requests that arrived whole, in order. */
  bodies: string[]
  /** Heads of requests, whole or not. */
  heads: string[]
  /** Connections that were opened. */
  connections: number
}

const marker = Buffer.from('\r\n\r\n')

/** HTTP/1.1 by hand, over TLS where it has a certificate. */
export async function startRaw(deed: Deed, served?: Served): Promise<RawServer> {
  const raw: RawServer = { port: 0, bodies: [], heads: [], connections: 0 }
  const accept = (socket: Socket) => {
    raw.connections += 1
    socket.on('error', () => socket.destroy())
    if (deed.does === 'closes-before') return void socket.destroy()
    let heard: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      heard = Buffer.concat([heard, bytes])
      heard = take(heard, socket)
    })
  }
  const take = (heard: Buffer, socket: Socket): Buffer => {
    const end = heard.indexOf(marker)
    if (end < 0) return heard
    const head = heard.subarray(0, end).toString()
    if (deed.does === 'closes-within') {
      raw.heads.push(head)
      socket.destroy()
      return Buffer.alloc(0)
    }
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const from = end + marker.length
    if (heard.length < from + length) return heard
    raw.heads.push(head)
    raw.bodies.push(heard.subarray(from, from + length).toString())
    act(deed, socket)
    return heard.subarray(from + length)
  }
  const server = served === undefined ? net.createServer(accept) : tls.createServer(served, accept)
  raw.port = await listening(server)
  return raw
}

/** Resets the connection; over TLS it is cut without a word. */
function reset(socket: Socket): void {
  if (socket instanceof tls.TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

function act(deed: Deed, socket: Socket): void {
  if (deed.does === 'closes') socket.end()
  if (deed.does === 'resets') reset(socket)
  if (deed.does === 'answers-half') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data":')
  if (deed.does === 'answers') {
    const { status, headers = '', body = '{}' } = deed
    socket.write(`HTTP/1.1 ${status} Word\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`)
  }
}
