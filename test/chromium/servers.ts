import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import net, { type Socket } from 'node:net'
import tls, { type TlsOptions } from 'node:tls'
import { listening } from '../main/platform/web/servers.ts'

/** Takes whatever is sent first, says this, and ends: on a free port of loopback until the running test is over. */
export function saying(answer: string, served?: TlsOptions): Promise<number> {
  const say = (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(answer))
  }
  return listening(served === undefined ? net.createServer(say) : tls.createServer(served, say))
}

/** Does this with the connection as soon as something comes in. */
export function doing(act: (socket: Socket) => unknown): Promise<number> {
  return listening(net.createServer((socket) => void socket.once('data', () => act(socket))))
}

/** HTTP/2 alone; each request is answered by this. */
export function speakingHttp2(served: TlsOptions, answer: (stream: ServerHttp2Stream) => unknown): Promise<number> {
  const server = createSecureServer(served)
  // What is closed with a code on purpose tells it as an error as well.
  server.on('stream', (stream) => void answer(stream.on('error', () => {})))
  server.on('sessionError', () => {})
  return listening(server)
}

/** Agrees on HTTP/2, and says this to the first request. */
export function sayingInHttp2(served: TlsOptions, answer: string): Promise<number> {
  return listening(
    tls.createServer({ ...served, ALPNProtocols: ['h2'] }, (socket) => {
      let heard = Buffer.alloc(0)
      socket.on('error', () => socket.destroy())
      socket.on('data', (bytes) => {
        heard = Buffer.concat([heard, bytes])
        if (hasHeaders(heard)) socket.end(answer)
      })
    }),
  )
}

/** Frames follow a preface of 24 bytes: three bytes of length, one of type, five more. HEADERS is 1. What comes before them is no request yet. */
function hasHeaders(heard: Buffer): boolean {
  for (let at = 24; at + 9 <= heard.length; at += 9 + heard.readUIntBE(at, 3)) if (heard[at + 3] === 1) return true
  return false
}
