import { ClientError, GraphQLClient } from 'graphql-request'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import { retryAfterIn } from '../../src-shared/lib/retry-after.ts'
import type { Lane } from '../../src-shared/model/gauge.ts'
import { readBeginning, readLimited, tooLarge } from '../auth/limited-text.ts'
import type { StartedTokens, Tokens } from '../auth/token.ts'
import { readCostReport, type CostReport } from '../pacing/balance/ledger.ts'
import type { Pacer, Sent } from '../pacing/pacer.ts'
import { maxAnswerBytes, excessAt } from './bounds.ts'
import { classify, readErrors, type ServiceError } from './classify.ts'
import { costAlias, costReportIn, withCostField } from './cost-field.ts'
import { createDialect, type Dialect } from './dialect.ts'
import type { Operation } from './operations.ts'
import type { Turns } from './event-loop-turns.ts'

/** Longest wait for an answer, ms (design, section 5). */
const answerTimeoutMs = 30_000

export interface Request {
  operation: Operation
  variables: Record<string, unknown>
  lane: Lane
  /** Requested page size, for the cost; 1 for an operation without pages. */
  size: number
  signal: AbortSignal
  /** An earlier answer was inconsistent: the search's own `error` is requested too. */
  doubt?: boolean
}

/** A complete or partial answer: `errors` lists what failed (invariant 7). */
export interface Reply {
  data: unknown
  errors: readonly ServiceError[]
  /** Length of the answer, characters. */
  length?: number
  /** The answer exceeded the size limit: it contains only the part before the limit that is complete. */
  isCut?: boolean
  /** Removes registered secrets from texts within the data, as was done for the errors. */
  redact?: Tokens['redact']
}

export interface Api {
  /** Sends one operation through the pacer. Rejects with a `FaultError`; a rejected token is renewed once. */
  run(request: Request): Promise<Reply>
}

export interface ApiOptions {
  fetch: typeof fetch
  clock: Clock
  graphqlUrl: string
  tokens: Tokens & Pick<StartedTokens, 'renew'>
  pacer: Pacer
  /** Shared by all connections, so that one answer is read at a time. */
  turns: Turns
  /** The deviations of this service from the documented schema. Default: none is known. */
  dialect?: Dialect
  /** Called with the header `Date` of each answer. */
  onDate?: (date: string | null) => void
}

export function createApi(given: ApiOptions): Api {
  const options: Known = {
    ...given,
    dialect: given.dialect ?? createDialect(),
    renewed: new WeakSet(),
    renewedToken: '',
  }
  return {
    async run(request) {
      try {
        return await paced(options, request)
      } catch (error) {
        if (error instanceof FaultError && (error.fault.kind === 'token' || options.renewed.has(error)))
          return paced(options, request)
        throw error
      }
    },
  }
}

interface Known extends ApiOptions {
  dialect: Dialect
  /** Rejections for which another token was requested. */
  renewed: WeakSet<FaultError>
  /** The token with which such a request was repeated; a further rejection does not renew it again. */
  renewedToken: string
}

function paced(options: Known, request: Request): Promise<Reply> {
  const { operation, lane, size, signal } = request
  return options.pacer.run({
    name: operation.name,
    shape: operation.shape,
    lane,
    size,
    signal,
    send: (ask) => sendWithToken(options, request, ask),
  })
}

/** Takes the token when the request is sent, because a request that waited for points could carry an expired one. */
async function sendWithToken(options: Known, request: Request, ask: boolean): Promise<Sent<Reply>> {
  const { tokens } = options
  const token = await tokens.get()
  const sent = await sendAdapted(options, request, token, ask)
  if ('error' in sent.result && sent.result.error.fault.kind === 'token') tokens.drop(token)
  if ('error' in sent.result && sent.result.error.fault.kind === 'forbidden')
    await renewOnce(options, token, sent.result.error)
  if ('value' in sent.result) tokens.prove(token)
  return sent
}

/**
 * Renews the token once when a request is forbidden: a service may answer so to an expired token. With a new token the
 * rejection means the role.
 */
async function renewOnce(options: Known, token: string, rejection: FaultError): Promise<void> {
  if (token === options.renewedToken) return
  // Without another token, the rejection itself is more informative.
  options.renewedToken = await options.tokens.renew(token).catch(() => token)
  if (options.renewedToken !== token) options.renewed.add(rejection)
}

/**
 * Sends the document without the fields that the service does not know, and repeats it at once when an answer names
 * another one.
 */
async function sendAdapted(options: Known, request: Request, token: string, ask: boolean): Promise<Sent<Reply>> {
  const { dialect } = options
  for (;;) {
    const document = dialect.adapted(request.operation.document, request.doubt)
    const sent = await sendWithCost(options, request, document, token, ask)
    const isLearned = sent.errors.length > 0 && dialect.learn(document, sent.errors)
    // Another request may have learned it while this one was in flight.
    if (
      isLearned ||
      ('error' in sent.result &&
        sent.errors.length > 0 &&
        dialect.adapted(request.operation.document, request.doubt) !== document)
    )
      continue
    if ('value' in sent.result) dialect.accepted(document)
    return sent
  }
}

/**
 * Returns whether a fault may concern the cost field. A cost limit does not: the document exceeds it without the field
 * too.
 */
const mayBeOfField = (kind: FaultKind): boolean =>
  kind === 'not-found' || (kind !== 'cost-limit' && traitsOf(kind).rejects !== null)

/**
 * Sends the document with `calculateQueryCost`, and again without it where the service rejects the field: the cost
 * report is then empty.
 */
async function sendWithCost(
  options: ApiOptions,
  request: Request,
  document: string,
  token: string,
  ask: boolean,
): Promise<Answered> {
  const asking = ask ? withCostField(document) : null
  if (asking === null) return send(options, request, document, token)
  const sent = await send(options, request, asking, token)
  const rejected = 'error' in sent.result && mayBeOfField(sent.result.error.fault.kind)
  return rejected ? send(options, request, document, token) : sent
}

/** With the errors of the answer, whether or not they caused a fault. */
type Answered = Sent<Reply> & { errors: readonly ServiceError[] }

async function send(options: ApiOptions, request: Request, document: string, token: string): Promise<Answered> {
  try {
    const { answer, received } = await postDocument(options, request, document, token)
    options.onDate?.(answer.headers.get('date'))
    return read(answer, options.clock.now(), options.tokens.redact, received)
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    return { report: readCostReport(new Headers(), 0), result: { error }, errors: [] }
  }
}

/**
 * Sends a document in one request, and resolves with its answer, unless that is no bounded object of JSON. Rejects with
 * a `FaultError`.
 */
export async function postDocument(
  options: Pick<ApiOptions, 'fetch' | 'clock' | 'graphqlUrl' | 'turns'>,
  request: Pick<Request, 'operation' | 'size' | 'variables' | 'signal'>,
  document: string,
  token: string,
): Promise<{ answer: Answer; received: Body }> {
  const timeout = new AbortController()
  const cancel = options.clock.after(answerTimeoutMs, () => timeout.abort(new FaultError('timeout')))
  let received: Body = { text: '', isCut: false }
  try {
    const client = new GraphQLClient(options.graphqlUrl, {
      fetch: jsonOnly(options, request, (each) => {
        received = each
      }),
      errorPolicy: 'all',
      jsonSerializer: { parse: parsed, stringify: JSON.stringify },
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([timeout.signal, request.signal]),
    })
    return { answer: await client.rawRequest(document, request.variables).catch(responseOf), received }
  } finally {
    cancel()
  }
}

/**
 * Parses an answer. Turns `errors` given as text into a list, because graphql-request would otherwise reject the whole
 * answer.
 */
function parsed(text: string): unknown {
  const body: unknown = JSON.parse(text)
  if (typeof body === 'object' && body !== null && 'errors' in body && typeof body.errors === 'string')
    body.errors = [{ message: body.errors }]
  return body
}

/** An answer as it came: its status, its headers, and the members of its body. */
export interface Answer {
  status: number
  headers: { get(name: string): string | null }
  data?: unknown
  errors?: unknown
}

/**
 * Returns the response of a failed request. The error's message contains the whole request, so it is not used. Throws a
 * `FaultError`.
 */
function responseOf(thrown: unknown): Answer {
  if (thrown instanceof FaultError) throw thrown
  if (thrown instanceof ClientError) return thrown.response as unknown as Answer
  throw new FaultError('not-graphql')
}

function read(answer: Answer, wall: number, redact: Tokens['redact'], { text, isCut }: Body): Answered {
  const report = costReportOf(answer, wall)
  // An error of the cost field is not part of the answer.
  const errors = readErrors(answer.errors, redact).filter(({ path }) => path?.[0] !== costAlias)
  const hasData = typeof answer.data === 'object' && answer.data !== null
  const error = classify({ status: answer.status, errors, hasData, retryAfter: retryAfterIn(answer.headers, wall) })
  return {
    report,
    result:
      error === null
        ? { value: { data: answer.data, errors, length: text.length, ...(isCut && { isCut }), redact } }
        : { error },
    errors,
  }
}

/** Returns the reported points: those of the headers, completed by those of the body. */
export function costReportOf({ headers, data }: Answer, wall: number): CostReport {
  const report = readCostReport(headers, wall)
  const asked = report.cost === null ? costReportIn(data) : null
  if (asked === null) return report
  const { limit, remaining, resetIn } = report
  return {
    ...asked,
    limit: limit ?? asked.limit,
    remaining: remaining ?? asked.remaining,
    resetIn: resetIn ?? asked.resetIn,
  }
}

/**
 * Returns a fetch whose answers are JSON of bounded length and depth. Rejects with a fault for anything else, such as a
 * login page.
 */
function jsonOnly(
  { fetch, turns, clock }: Pick<ApiOptions, 'fetch' | 'turns' | 'clock'>,
  { operation, size }: Pick<Request, 'operation' | 'size'>,
  onBody: (received: Body) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const received = await parsable(await bodyOf(response, operation, size), operation, turns)
    onBody(received)
    const { text } = received
    if (isObject(text)) return readAlready(response, text, turns)
    throw plainFault(response, text, clock.now())
  }
}

interface Body {
  text: string
  isCut: boolean
}

async function bodyOf(response: Response, { bytes, partOf }: Operation, size: number): Promise<Body> {
  const maxBytes = bytes ?? maxAnswerBytes(size)
  if (partOf === undefined) return { text: await readLimited(response, maxBytes), isCut: false }
  const { text, isWhole } = await readBeginning(response, maxBytes)
  return { text, isCut: !isWhole }
}

/** Returns the text that may be parsed at once: all of it, or its complete part where a part is enough. */
async function parsable({ text, isCut }: Body, { partOf }: Operation, turns: Turns): Promise<Body> {
  await turns()
  const over = excessAt(text)
  if (over?.isDeep === true) throw new FaultError('http', 'the answer is nested too deep')
  if (over === null && !isCut) return { text, isCut }
  await turns()
  const part = partOf?.(over === null ? text : text.slice(0, over.at)) ?? null
  if (part === null) throw new FaultError('http', tooLarge)
  return { text: part, isCut: true }
}

/** Checks both ends of the text, so that a truncated object is not parsed as a complete one. */
function isObject(text: string): boolean {
  return text.trimStart().startsWith('{') && text.trimEnd().endsWith('}')
}

/**
 * Returns the response with the text that was already read, so that it is not encoded and read again. Scanning a long
 * text takes as long as parsing it, so other tasks run in between.
 */
function readAlready(response: Response, text: string, turns: Turns): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  return Object.assign(new Response(null, { status: response.status, headers }), {
    text: () => turns().then(() => text),
  })
}

/**
 * Returns the fault of a body that is not JSON: by its status where that is clear, otherwise as the page of an
 * intermediary.
 */
function plainFault(response: Response, text: string, wall: number): FaultError {
  const { status } = response
  const description = text.trimStart().startsWith('<') ? 'a web page' : 'not an object of JSON'
  const isClear = status === 401 || status === 429 || status >= 500
  const rejection = { status, errors: [], retryAfter: retryAfterIn(response.headers, wall), hasData: false }
  return (
    (isClear ? classify(rejection) : null) ??
    new FaultError('not-json', `${description}, HTTP ${status}`, { status, answerText: text.slice(0, 500) })
  )
}
