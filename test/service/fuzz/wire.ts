import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import type { ClientHttp2Session } from 'node:http2'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'

export type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | string }
/** Null: the line was cut. */
export type Got = { status: number; type: string; text: string } | null

export type Sender = { send(sent: Sent): Promise<Got>; stop(): void }

/** HTTP/2 over one connection at a time; one that breaks is replaced. */
export function http2Sender(origin: string, ca: string): Sender {
  let session: ClientHttp2Session | undefined
  const open = (): ClientHttp2Session => {
    if (session && !session.destroyed && !session.closed) return session
    session = connectHttp2(origin, { ca })
    session.on('error', () => undefined)
    return session
  }
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const stream = open().request({ ':method': method, ':path': path, ...headers })
        let head: { status: number; type: string } | null = null
        stream.on(
          'response',
          (got) => (head = { status: Number(got[':status']), type: String(got['content-type'] ?? '') }),
        )
        // What is no text is no answer either.
        const body_ = text(stream).catch(() => null)
        stream.on('error', () => undefined)
        stream.once(
          'close',
          () => void body_.then((all) => resolve(head === null || all === null ? null : { ...head, text: all })),
        )
        // Node ends the others by itself.
        if (!stream.writableEnded) stream.end(body)
      }),
    stop: () => session?.destroy(),
  }
}

export function http1Sender(origin: string, ca: string): Sender {
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 8 })
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve) => {
        const asked = request(
          new URL(origin),
          { agent, method, path, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
          (response) => {
            const { statusCode: status = 0, headers: got } = response
            text(response).then(
              (all) => resolve({ status, type: got['content-type'] ?? '', text: all }),
              () => resolve(null),
            )
          },
        )
        asked.on('error', () => resolve(null))
        asked.end(body)
      }),
    stop: () => agent.destroy(),
  }
}

/** Bytes on the bare line, under TLS or not even that; over when the service has closed it, or has said something. */
export async function sendRaw(
  origin: string,
  ca: string,
  { bytes, protocol, hangUp }: { bytes: Buffer; protocol: 'h2' | 'http/1.1'; hangUp: boolean },
): Promise<void> {
  const { hostname, port } = new URL(origin)
  const socket = connectTls({ host: hostname, port: Number(port), ca, ALPNProtocols: [protocol] })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  socket.write(bytes)
  if (hangUp) socket.end()
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const heard = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  // A half request is waited for by the service, rightly; cutting it is the rest of this test.
  if (!hangUp) await Promise.race([ended, heard, new Promise<void>((resolve) => setImmediate(resolve))])
  socket.destroy()
  await ended
}
