import type { Clock } from '../../src-shared/lib/clock.ts'
import { retryAfterIn } from '../../src-shared/lib/retry-after.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import type { StartedTokens } from '../auth/token.ts'
import { readCostReport } from '../pacing/balance/ledger.ts'
import type { Shape } from '../pacing/cost/shape.ts'
import type { Lane } from '../../src-shared/model/gauge.ts'
import type { Pacer, Sent } from '../pacing/pacer.ts'
import { classify, readErrors, type ServiceError } from './classify.ts'
import { followToken } from './follow-token.ts'
import type { SendSignals } from './mutations/mutations.ts'
import { handOver, type Exchange } from './mutations/send.ts'
import { UnsentError, type Link } from '../ports.ts'

/** A query that the operator wrote. */
export interface RawRequest {
  /** Under which the cost gauge lists it. */
  name: string
  document: string
  operationName: string | null
  variables: Record<string, unknown>
  shape: Shape
  /** Requested page size, for the cost. */
  size: number
  signal: AbortSignal
  /** Receives the answer part by part, without registered secrets. */
  sink: RawSink
  /** Default: `person`. */
  lane?: Lane
  /** Most bytes of its answer, where that is less than usual. */
  maxBytes?: number
}

export interface RawSink {
  /** Called before each try: parts of an earlier one are void. */
  restart(): void
  write(part: string): Promise<void>
}

/** An answer as it came, whatever it says. Times in ms. */
export interface RawReply {
  status: number
  /** Response headers without those that set cookies, and without registered secrets. */
  headers: [string, string][]
  /** From the sending to the end of the body. */
  ms: number
  /** Points that the service reports; null: none. */
  cost: number | null
  /** False where the answer is longer than Muster keeps: the rest was not read. */
  isWhole: boolean
  /** What the answer says beside its data, as Muster understands it; null: nothing. */
  fault: Fault | null
}

export interface Raw {
  /**
   * Sends a query of the operator through the pacer, before all other requests. Resolves with any answer of the service,
   * also with a rejection; one for lack of points is repeated after the reset, and a rejected token is renewed once.
   * Rejects with a `FaultError` where there is no answer.
   */
  run(request: RawRequest): Promise<RawReply>
  /**
   * Sends a mutation of the operator once: it is not repeated for points, a token or anything else, and its answer says at most
   * what came of it. `barred`: asked at the moment before it leaves; a fault keeps it here. `reply`: null where there is no
   * answer. Never rejects.
   */
  once(
    request: RawRequest,
    withdraw: AbortSignal,
    barred: () => FaultError | null,
  ): Promise<{ exchange: Exchange; reply: RawReply | null }>
  /** Returns a service's words as they may be shown. */
  redact(text: string): string
  /** Returns the likely points of an operation. */
  expects(shape: Shape, size: number): number
  /** The points of the connection's credential set. */
  pacing: Pick<Pacer, 'costs' | 'forecast' | 'holdsUntil'>
}

export interface RawOptions {
  fetch: typeof fetch
  fetchOnce: Link['fetchOnce']
  clock: Clock
  graphqlUrl: string
  tokens: StartedTokens
  pacer: Pacer
  /** Called with the header `Date` of each answer. */
  onDate?: (date: string | null) => void
  /** Most bytes of an answer that are kept. Default: 256 MB. */
  maxBytes?: number
}

/** Longest wait for an answer, ms: the operator sees it and can end it. */
const timeoutMs = 180_000
const keptBytes = 256 * 1024 * 1024
/** Most characters of an answer that are read for what it says; a longer one has data. */
const readChars = 256 * 1024
/** Largest length of a secret in any form, characters: so many are held back, so that none is cut in two. */
const heldChars = 16_384

export function createRaw(options: RawOptions): Raw {
  return {
    redact: options.tokens.redact,
    once: (request, withdraw, barred) => once(options, request, { signal: request.signal, withdraw }, barred),
    expects: (shape, size) => options.pacer.costs.quote(shape, size).likely,
    pacing: options.pacer,
    async run(request) {
      const first = await attempt(options, request)
      return first.fault?.kind === 'token' ? attempt(options, request) : first
    },
  }
}

async function attempt(options: RawOptions, request: RawRequest): Promise<RawReply> {
  const { name, shape, size, signal, lane = 'person' } = request
  let answered: RawReply | null = null
  try {
    return await options.pacer.run<RawReply>({
      name,
      shape,
      size,
      lane,
      signal,
      async send() {
        answered = null
        const sent = await post(options, request, await options.tokens.get())
        answered = sent.reply
        return sent
      },
    })
  } catch (error) {
    // The pacer rejects with what the service rejected.
    if (answered !== null) return answered
    throw error instanceof FaultError ? error : new FaultError('abort')
  }
}

type Posted = Sent<RawReply> & {
  reply: RawReply | null
  /** What the answer says, as far as it was read; null: there is none. `thrown`: why. */
  said: Understood | null
  thrown: FaultError | null
}

async function once(
  options: RawOptions,
  request: RawRequest,
  signals: SendSignals,
  barred: () => FaultError | null,
): Promise<{ exchange: Exchange; reply: RawReply | null }> {
  const { name, shape, size } = request
  const handed = await handOver(options, { name, shape, size, lane: 'person' }, signals, async (token) => {
    const bar = barred()
    const { report, result, ...posted } =
      bar === null
        ? await post({ ...options, fetch: options.fetchOnce }, request, token)
        : unanswered(new UnsentError(bar.fault.kind, bar.fault.detail))
    return { ...posted, sent: { report, result: 'value' in result ? { value: undefined } : result } }
  })
  if ('fault' in handed) return { exchange: { is: 'not-sent', fault: handed.fault }, reply: null }
  const { reply, said, thrown } = handed.posted ?? { reply: null, said: null, thrown: null }
  return { exchange: exchangeOf(reply, said, thrown), reply }
}

const unanswered = (error: FaultError): Posted => ({
  report: readCostReport(new Headers(), 0),
  result: { error },
  reply: null,
  said: null,
  thrown: error,
})

/** What is not an answer that can be read to its end may have been executed. */
function exchangeOf(reply: RawReply | null, said: Understood | null, thrown: FaultError | null): Exchange {
  if (thrown instanceof UnsentError) return { is: 'not-sent', fault: thrown.fault }
  if (reply === null || said === null)
    return { is: 'lost', fault: thrown?.fault ?? { kind: 'internal', detail: '' }, status: thrown?.status ?? null }
  const { status, isWhole } = reply
  const { body, errors } = said
  if (body !== null && isWhole) return { is: 'answered', status, data: body['data'], errors }
  const detail = said.isLong || !isWhole ? 'The answer is too long to be judged.' : 'The answer is not JSON.'
  return { is: 'lost', fault: { kind: 'not-graphql', detail }, status }
}

async function post(options: RawOptions, request: RawRequest, token: string): Promise<Posted> {
  const { clock, tokens } = options
  const timeout = new AbortController()
  const cancel = clock.after(timeoutMs, () => timeout.abort(new FaultError('timeout')))
  const began = clock.monotonic()
  try {
    const response = await options.fetch(options.graphqlUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json;q=0.9',
      },
      body: bodyOf(request),
      signal: AbortSignal.any([timeout.signal, request.signal]),
    })
    options.onDate?.(response.headers.get('date'))
    request.sink.restart()
    const { beginning, isWhole } = await passOn(response, request, options)
    const report = readCostReport(response.headers, clock.now())
    const said = understood(response, beginning, options)
    const { error } = said
    followToken(tokens, token, error, said.errors)
    const reply: RawReply = {
      status: response.status,
      headers: headersOf(response, tokens),
      ms: Math.round(clock.monotonic() - began),
      cost: report.cost,
      isWhole,
      fault: error?.fault ?? null,
    }
    return { report, result: error === null ? { value: reply } : { error }, reply, said, thrown: null }
  } catch (thrown) {
    const error = thrown instanceof FaultError ? thrown : new FaultError(toFault(thrown).kind, toFault(thrown).detail)
    return unanswered(error)
  } finally {
    cancel()
  }
}

const bodyOf = ({ document, operationName, variables }: RawRequest): string =>
  JSON.stringify({ query: document, variables, ...(operationName !== null && { operationName }) })

/** Passes the body on, up to its limit. Returns the beginning of its text. */
async function passOn(
  response: Response,
  { sink, maxBytes: most = Infinity }: RawRequest,
  { tokens, maxBytes: kept = keptBytes }: RawOptions,
): Promise<{ beginning: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const maxBytes = Math.min(most, kept)
  let [held, beginning, bytes] = ['', '', 0]
  const write = async (text: string, hold: number) => {
    const safe = tokens.redactIn(held + text)
    const until = Math.max(0, safe.length - hold)
    held = safe.slice(until)
    if (beginning.length <= readChars) beginning += safe.slice(0, until)
    if (until > 0) await sink.write(safe.slice(0, until))
  }
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    const part = value.subarray(0, maxBytes - bytes)
    bytes += part.length
    await write(decoder.decode(part, { stream: true }), heldChars)
    if (part.length < value.length) {
      reader?.cancel().catch(() => {})
      await write('', 0)
      return { beginning, isWhole: false }
    }
  }
  await write(decoder.decode(), 0)
  return { beginning, isWhole: true }
}

interface Understood {
  error: FaultError | null
  errors: readonly ServiceError[]
  /** The whole answer; null where it is no object of JSON, or too long to be read. */
  body: Record<string, unknown> | null
  isLong: boolean
}

/** Returns what an answer says beside its data. */
function understood(response: Response, beginning: string, { clock, tokens }: RawOptions): Understood {
  const { status, headers } = response
  const retryAfter = retryAfterIn(headers, clock.now())
  const isLong = beginning.length > readChars
  const body = isLong ? null : parsed(beginning)
  const errors = body === null ? [] : readErrors(body['errors'], tokens.redact)
  const hasData = isLong || (typeof body?.['data'] === 'object' && body['data'] !== null)
  return { error: classify({ status, errors, hasData, retryAfter }), errors, body, isLong }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const headersOf = ({ headers }: Response, { redactIn }: StartedTokens): [string, string][] =>
  [...headers]
    .filter(([name]) => !name.startsWith('set-cookie'))
    .map(([name, value]) => [name, redactIn(value).slice(0, 1_000)])
