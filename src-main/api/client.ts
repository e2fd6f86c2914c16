import { ClientError, GraphQLClient } from 'graphql-request'
import type { Clock } from '../../src-shared/clock.ts'
import { FaultError, proxyKinds } from '../../src-shared/fault.ts'
import type { Lane } from '../../src-shared/gauge.ts'
import { textWithin } from '../auth/text-within.ts'
import type { Tokens } from '../auth/token.ts'
import { readFigures, type Figures } from '../pacing/ledger.ts'
import type { Pacer, Sent } from '../pacing/pacer.ts'
import { classify, readErrors, type ServiceError } from './classify.ts'
import { costAlias, figuresIn, withCostField } from './cost-field.ts'
import type { Operation } from './operations.ts'
import type { Turns } from './turns.ts'

/** A page that takes longer than this never arrives (design, section 5). */
const answerTimeoutMs = 30_000
/** No answer of such a service is this large; a larger one is an accident or an attack. */
const answerBytes = 64 * 1024 * 1024

export interface Request {
  operation: Operation
  variables: Record<string, unknown>
  lane: Lane
  /** Requested page size, for the price; 1 for what has no pages. */
  size: number
  signal: AbortSignal
}

/** A good answer, or one that is good in part: `errors` tell what failed (invariant 7). */
export interface Reply {
  data: unknown
  errors: readonly ServiceError[]
}

export interface Api {
  /** Sends one operation through the pacer. Rejects with a `FaultError`; a refused token is renewed once. */
  run(request: Request): Promise<Reply>
}

export interface ApiOptions {
  fetch: typeof fetch
  clock: Clock
  graphqlUrl: string
  tokens: Tokens
  pacer: Pacer
  /** Shared by all connections: one answer is read at a time. */
  turns: Turns
  /** Hears the header `Date` of each answer. */
  onDate?: (date: string | null) => void
}

export function createApi(options: ApiOptions): Api {
  return {
    async run(request) {
      try {
        return await paced(options, request)
      } catch (error) {
        if (error instanceof FaultError && error.fault.kind === 'token') return paced(options, request)
        throw error
      }
    },
  }
}

function paced(options: ApiOptions, request: Request): Promise<Reply> {
  const { operation, lane, size, signal } = request
  return options.pacer.run({ name: operation.name, shape: operation.shape, lane, size, signal, send: (ask) => sendWithToken(options, request, ask) })
}

/** The token is taken when it is needed: who has waited for points would else come with one that has ended. */
async function sendWithToken(options: ApiOptions, request: Request, ask: boolean): Promise<Sent<Reply>> {
  const { tokens } = options
  const token = await tokens.get()
  const sent = await sendWithFigures(options, request, token, ask)
  if ('error' in sent.result && sent.result.error.fault.kind === 'token') tokens.drop(token)
  if ('value' in sent.result) tokens.prove(token)
  return sent
}

/** These are no word about the field. */
const otherwise: ReadonlySet<string> = new Set(['cost-limit', 'exhausted', 'token', 'name', 'connect', 'tls', ...proxyKinds, 'reset', 'timeout', 'abort', 'not-json'])

/** Where the service refuses `calculateQueryCost`, in whatever words, the same goes without it: the figures then tell whoever has asked that there are none. */
async function sendWithFigures(options: ApiOptions, request: Request, token: string, ask: boolean): Promise<Sent<Reply>> {
  const asking = ask ? withCostField(request.operation.document) : null
  if (asking === null) return send(options, request, request.operation.document, token)
  const sent = await send(options, request, asking, token)
  const refused = 'error' in sent.result && !otherwise.has(sent.result.error.fault.kind)
  return refused ? send(options, request, request.operation.document, token) : sent
}

async function send(options: ApiOptions, request: Request, document: string, token: string): Promise<Sent<Reply>> {
  const timeout = new AbortController()
  const cancel = options.clock.after(answerTimeoutMs, () => timeout.abort(new FaultError('timeout')))
  try {
    const client = new GraphQLClient(options.graphqlUrl, {
      fetch: jsonOnly(options.fetch, options.turns),
      errorPolicy: 'all',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([timeout.signal, request.signal]),
    })
    const answer = await client.rawRequest(document, request.variables).catch(responseOf)
    options.onDate?.(answer.headers.get('date'))
    return read(answer, options.clock.now(), options.tokens.hide)
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    return { figures: readFigures(new Headers(), 0), result: { error } }
  } finally {
    cancel()
  }
}

interface Answer {
  status: number
  headers: { get(name: string): string | null }
  data?: unknown
  errors?: unknown
}

/** graphql-request throws on a bad status; its message holds the whole request, so only the response is taken. */
function responseOf(thrown: unknown): Answer {
  if (thrown instanceof FaultError) throw thrown
  if (thrown instanceof ClientError) return thrown.response as unknown as Answer
  throw new FaultError('not-graphql')
}

function read(answer: Answer, wall: number, hide: Tokens['hide']): Sent<Reply> {
  const figures = figuresOf(answer, wall)
  // What fails of the question about the cost is no part of the answer.
  const errors = readErrors(answer.errors, hide).filter(({ path }) => path?.[0] !== costAlias)
  const hasData = typeof answer.data === 'object' && answer.data !== null
  const error = classify({ status: answer.status, errors, hasData, retryAfter: retryAfterOf(answer.headers) })
  return { figures, result: error === null ? { value: { data: answer.data, errors } } : { error } }
}

/** The headers come first, they are there where the body tells nothing, too; what they leave out, the body may tell. */
function figuresOf({ headers, data }: Answer, wall: number): Figures {
  const figures = readFigures(headers, wall)
  const asked = figures.cost === null ? figuresIn(data) : null
  if (asked === null) return figures
  const { limit, remaining, resetIn } = figures
  return { ...asked, limit: limit ?? asked.limit, remaining: remaining ?? asked.remaining, resetIn: resetIn ?? asked.resetIn }
}

/** `retry-after` in seconds; its date form is not used by services of this kind. */
function retryAfterOf(headers: Answer['headers']): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** A fetch whose answers are JSON with a bounded length, or a fault: a login page never reaches the parser. */
function jsonOnly(fetch: typeof globalThis.fetch, turns: Turns): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const text = await textWithin(response, answerBytes)
    await turns()
    if (isObject(text)) return readAlready(response, text)
    throw plainFault(response, text.trimStart().startsWith('<') ? 'a web page' : 'not an object of JSON')
  }
}

/** Cheap look at both ends: a truncated object is not sent on to the parser as if it were whole. */
function isObject(text: string): boolean {
  return text.trimStart().startsWith('{') && text.trimEnd().endsWith('}')
}

/** The response with its text, which was read once and is not put into bytes and read again. */
function readAlready(response: Response, text: string): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  return Object.assign(new Response(null, { status: response.status, headers }), { text: async () => text })
}

/** A body without JSON: some statuses speak for themselves, else it is the page of somebody in between. */
function plainFault(response: Response, looks: string): FaultError {
  const { status } = response
  const telling = status === 401 || status === 429 || status >= 500
  const refusal = { status, errors: [], retryAfter: retryAfterOf(response.headers), hasData: false }
  return (telling ? classify(refusal) : null) ?? new FaultError('not-json', `${looks}, HTTP ${status}`)
}
