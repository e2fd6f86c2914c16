import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Http2ServerRequest } from 'node:http2'
import type { Http2ServerResponse } from 'node:http2'

/**
 * One request of HTTP/1.1 or HTTP/2; Node's compatibility layer makes them equal except in a few places, all in this
 * file.
 */
export type Request = IncomingMessage | Http2ServerRequest
export type Response = ServerResponse | Http2ServerResponse

export type Answer = { status: number; headers: Record<string, string>; body: string }

/** Waits this many ms; resolves with false when the client is gone before. */
export function wait(response: Response, ms: number): Promise<boolean> {
  if (ms === 0) return Promise.resolve(true)
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      response.off('close', end)
      resolve(!response.destroyed)
    }
    const timer = setTimeout(end, ms)
    response.once('close', end)
  })
}

/** Sends half of the answer, then closes the connection with everything else on it. */
export function sendHalf(request: Request, response: Response, answer: Answer): void {
  const bytes = Buffer.from(answer.body)
  setHead(response, answer)
  if (response instanceof ServerResponse) response.write(bytes.subarray(0, bytes.length >> 1), () => cut(request))
  else response.write(bytes.subarray(0, bytes.length >> 1), 'utf8', () => cut(request))
}

export function send(response: Response, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return
  setHead(response, answer)
  response.end(answer.body)
}

/** Sends as `send` does, then ignores the rest of the request, even of an unfinished body. */
export function sendLast(request: Request, response: Response, answer: Answer): void {
  if (!(request instanceof Http2ServerRequest))
    return send(response, { ...answer, headers: { ...answer.headers, connection: 'close' } })
  const { stream } = request
  // An HTTP/2 response finishes only when its stream is closed.
  stream.once('finish', () => stream.close())
  send(response, answer)
}

function setHead(response: Response, { status, headers, body }: Answer): void {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('content-length', Buffer.byteLength(body))
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

/** Closes the connection of a request, with everything else on it. */
export function cut(request: Request): void {
  if (request instanceof Http2ServerRequest) request.stream.session?.destroy()
  else request.socket.destroy()
}

/** Returns whether a content type is `application/json`, with or without parameters. */
export function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(type ?? '')
}

/** Returns the path without the query. */
export function pathOf(request: Request): string {
  return (request.url ?? '/').split('?')[0] ?? '/'
}

export function header(request: Request, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
