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
type Control = Dispatcher.DispatchController & { aborted: boolean; paused: boolean; reason: Error | null }

/** A request under way. */
interface Course {
  handler: Handler
  answerMs: number
  control: Control
  isOver: boolean
  stream: ClientHttp2Stream | null
  /** Size of the body, bytes. */
  size: number
  /** Gives up waiting for a turn. */
  withdraw(): void
  turn: Turn | null
}

/** Sends a request when its turn comes, and reports its answer to undici's handler. */
export function startExchange(origin: Origin, { headers, body, answerMs }: Exchange, handler: Handler): void {
  const course: Course = {
    handler,
    answerMs,
    control: controlOf(() => course),
    isOver: false,
    stream: null,
    size: 0,
    withdraw: () => {},
    turn: null,
  }
  report(course, () => handler.onRequestStart?.(course.control, null))
  readBody(body).then(
    (whole) => {
      if (course.isOver) return
      course.withdraw = origin.take(
        (turn) => begin(course, turn, headers, whole),
        (error) => fail(course, error),
      )
    },
    (error: unknown) => fail(course, error),
  )
}

function begin(course: Course, turn: Turn, headers: Record<string, string>, body: Buffer | null): void {
  course.turn = turn
  course.size = body?.length ?? 0
  try {
    const stream = requestOn(turn, headers, body)
    course.stream = stream
    // The connection may be dead without a word: the next request opens another one.
    stream.setTimeout(course.answerMs, () => {
      fail(course, errorOf('ETIMEDOUT'))
      turn.retire()
    })
    listen(course, stream)
  } catch (error) {
    turn.retire()
    fail(course, error)
  }
}

function requestOn({ session }: Turn, headers: Record<string, string>, body: Buffer | null): ClientHttp2Stream {
  // The token is not kept in the connection's header table (RFC 7541, 7.1).
  const stream = session.request({ ...headers, [sensitiveHeaders]: ['authorization'] }, { endStream: body === null })
  if (body !== null) stream.end(body)
  return stream
}

function listen(course: Course, stream: ClientHttp2Stream): void {
  const { handler, control } = course
  let isAnswered = false
  stream.on('response', (headers: IncomingHttpHeaders & { ':status'?: number }) => {
    const { ':status': status = 0, ...fields } = headers
    isAnswered = true
    control.rawHeaders = fields
    report(course, () => handler.onResponseStart?.(control, status, fields, ''))
  })
  stream.on('data', (piece: Buffer) => report(course, () => handler.onResponseData?.(control, piece)))
  stream.on('end', () => {
    // Node ends a stream that was cancelled like one that is complete.
    const isWhole = isAnswered && (stream.rstCode ?? 0) === constants.NGHTTP2_NO_ERROR
    if (!isWhole) fail(course, errorOf('ECONNRESET'))
    else if (finish(course)) handler.onResponseEnd?.(control, {})
  })
  stream.on('error', (error) => fail(course, error))
  stream.on('close', () => fail(course, errorOf('ECONNRESET')))
}

/** Returns what undici's fetch holds of its request. */
function controlOf(of: () => Course): Control {
  const control: Control = {
    aborted: false,
    paused: false,
    reason: null,
    // The fetch reads the headers of the answer from here.
    rawHeaders: null,
    abort(reason) {
      if (of().isOver) return
      control.aborted = true
      control.reason = reason
      fail(of(), reason)
    },
    pause() {
      control.paused = true
      // A reader that takes its time is no silence of the server.
      of().stream?.setTimeout(0)
      of().stream?.pause()
    },
    resume() {
      const { isOver, stream, answerMs } = of()
      if (!control.paused || isOver) return
      control.paused = false
      stream?.setTimeout(answerMs)
      stream?.resume()
    },
  }
  return control
}

/** Calls the handler; one that throws fails its request, and not the process. */
function report(course: Course, act: () => void): void {
  if (course.isOver) return
  try {
    act()
  } catch (error) {
    fail(course, error)
  }
}

function fail(course: Course, thrown: unknown): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (finish(course)) course.handler.onResponseError?.(course.control, error)
}

/** Ends a request and its turn. Returns false when it was over before. */
function finish(course: Course): boolean {
  if (course.isOver) return false
  course.isOver = true
  course.withdraw()
  const isSent = course.stream === null || course.stream.writableFinished
  if (course.stream !== null) release(course.stream)
  course.turn?.end(isSent ? 0 : course.size)
  return true
}

/**
 * Resets a stream unless both of its sides are complete: with the code CANCEL, never with NO_ERROR. undici 8.12 calls
 * `close()`, which means NO_ERROR, and `destroy()`. Node 24 sends that reset only after the request's body, and not at
 * all once the stream is destroyed; nghttp2 then asks for the rest of the body for ever, writes empty DATA frames, and
 * the event loop stands still.
 */
function release(stream: ClientHttp2Stream): void {
  if (stream.destroyed || (stream.readableEnded && stream.writableFinished)) return
  // Whatever still comes of it was reported already.
  stream.on('error', () => {})
  stream.close(constants.NGHTTP2_CANCEL)
  stream.destroy()
}

/** Returns the whole body; all of ours are in memory. */
async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<Buffer | null> {
  if (body === null) return null
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code })
