import { constants, sensitiveHeaders, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import type { Dispatcher } from 'undici'
import type { Origin, Turn } from './origin.ts'

/** A request as undici's fetch sends it. */
export interface Exchange {
  headers: Record<string, string>
  body: AsyncIterable<Uint8Array> | null
  /** Time until the answer begins, and between two pieces of its body, ms. */
  answerMs: number
}

type Handler = Dispatcher.DispatchHandler

/**
 * Sends a request when its turn comes, and reports its answer to undici's handler.
 *
 * A stream that ends early is closed with the code CANCEL, never with NO_ERROR, and destroyed after that. undici 8.12
 * does it with NO_ERROR, which Node 24 sends only after the request's body; destroyed before, the stream is never reset,
 * nghttp2 asks for the rest of its body for ever and writes empty DATA frames, and the event loop stands still.
 */
export function startExchange(origin: Origin, exchange: Exchange, handler: Handler): void {
  let stream: ClientHttp2Stream | null = null
  let size = 0
  let isOver = false
  let withdraw = () => {}
  let endTurn: Turn['end'] = () => {}
  const finish = (): boolean => {
    if (isOver) return false
    isOver = true
    withdraw()
    const isSent = stream === null || stream.writableFinished
    if (stream !== null) release(stream)
    endTurn(isSent ? 0 : size)
    return true
  }
  const fail = (error: unknown) => {
    if (finish()) handler.onResponseError?.(control, asError(error))
  }
  /** A handler that throws fails its request, and not the process. */
  const report = (act: () => void) => {
    if (isOver) return
    try {
      act()
    } catch (error) {
      fail(error)
    }
  }
  const control = {
    aborted: false,
    paused: false,
    reason: null as Error | null,
    // Undici's fetch reads the headers from here.
    rawHeaders: null as IncomingHttpHeaders | null,
    abort(reason: Error) {
      if (isOver) return
      control.aborted = true
      control.reason = reason
      fail(reason)
    },
    pause() {
      control.paused = true
      // A reader that takes its time is no silence of the server.
      stream?.setTimeout(0)
      stream?.pause()
    },
    resume() {
      if (!control.paused || isOver) return
      control.paused = false
      stream?.setTimeout(exchange.answerMs)
      stream?.resume()
    },
  }
  const begin = (body: Buffer | null) => (turn: Turn) => {
    endTurn = turn.end
    size = body?.length ?? 0
    try {
      stream = requestOn(turn, exchange.headers, body)
    } catch (error) {
      turn.retire()
      return fail(error)
    }
    const opened = stream
    // A connection may be dead without a word: the next request opens another one.
    opened.setTimeout(exchange.answerMs, () => {
      fail(errorOf('ETIMEDOUT'))
      turn.retire()
    })
    listen(opened, { fail, report, finish, handler, control })
  }
  report(() => handler.onRequestStart?.(control, null))
  gather(exchange.body).then((body) => {
    if (!isOver) withdraw = origin.take(begin(body), fail)
  }, fail)
}

interface Course {
  fail(error: unknown): void
  report(act: () => void): void
  finish(): boolean
  handler: Handler
  control: Dispatcher.DispatchController
}

function listen(stream: ClientHttp2Stream, { fail, report, finish, handler, control }: Course): void {
  let expected: number | null = null
  let bytes = 0
  let isAnswered = false
  stream.on('response', (headers: IncomingHttpHeaders & { ':status'?: number }) => {
    isAnswered = true
    const { ':status': status = 0, ...rest } = headers
    expected = headers['content-length'] === undefined ? null : Number(headers['content-length'])
    control.rawHeaders = rest
    report(() => handler.onResponseStart?.(control, status, rest, ''))
  })
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length
    report(() => handler.onResponseData?.(control, piece))
  })
  stream.on('end', () => {
    // Node ends a stream that was reset without an error like one that is complete.
    const isWhole = isAnswered && (stream.rstCode ?? 0) === 0 && (expected === null || expected === bytes)
    if (!isWhole) fail(errorOf('ECONNRESET'))
    else if (finish()) handler.onResponseEnd?.(control, {})
  })
  stream.on('error', fail)
  stream.on('close', () => fail(errorOf('ECONNRESET')))
}

function requestOn({ session }: Turn, headers: Record<string, string>, body: Buffer | null): ClientHttp2Stream {
  // The token is not kept in the connection's header table (RFC 7541, 7.1).
  const stream = session.request({ ...headers, [sensitiveHeaders]: ['authorization'] }, { endStream: body === null })
  if (body !== null) stream.end(body)
  return stream
}

/** Resets a stream unless both of its sides are complete. */
function release(stream: ClientHttp2Stream): void {
  if (stream.destroyed || (stream.readableEnded && stream.writableFinished)) return
  // Whatever still comes of it was reported already.
  stream.on('error', () => {})
  stream.close(constants.NGHTTP2_CANCEL)
  stream.destroy()
}

/** Returns the whole body; all of ours are in memory. */
async function gather(body: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  if (body === null) return null
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code })
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
