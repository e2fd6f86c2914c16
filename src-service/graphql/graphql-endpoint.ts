import type { GraphQLError } from 'graphql'
import type { Bodies } from '../net/bodies.ts'
import { MAX_BATCH, MAX_NESTING, nestsTooDeep } from './bounds.ts'
import type { Call } from './call.ts'
import type { GraphContext } from './context.ts'
import { outageAnswer } from '../faults/contrary/transport/outage.ts'
import { shaped } from '../faults/contrary/transport/shapes.ts'
import { exhausted } from './graph.ts'
import type { Graph } from './graph.ts'
import type { Charge } from './points/ledger.ts'
import type { Effect, Misfortunes, MisfortuneKind, Operation } from '../faults/misfortune/misfortune.ts'
import type { OperationLog } from './operation-log.ts'
import type { Playground } from '../playground/playground.ts'
import { corrupt } from '../faults/misfortune/corrupt.ts'
import type { Session, Tokens } from '../access/tokens.ts'
import { cut, header, isJson, json, send, sendHalf, wait } from '../net/wire.ts'
import type { Answer, Request, Response } from '../net/wire.ts'

export type GraphEndpoint = {
  graph: Graph
  context: Omit<GraphContext, 'call'>
  tokens: Tokens
  misfortunes: Misfortunes
  log: OperationLog
  playground: Playground
  bodies: Bodies
}

/** POST /graphql (spec sections 4, 5, 7, 8): one operation, or an array of them. */
export async function answerGraphRequest(endpoint: GraphEndpoint, request: Request, response: Response): Promise<void> {
  endpoint.log.countRequest()
  const text = await endpoint.bodies.read(request)
  const refused = refusal(request, text)
  const away = outageAnswer(endpoint.context.contrary, 'awayFor')
  if (away !== null) return send(response, away)
  const body = refused === null && text !== null ? text : ''
  const batch = batchOf(body)
  const operations = (batch ?? [body]).map(readOperation)
  const { ms, kind: misfortune } = endpoint.misfortunes.take('graphql', operations)
  if (!(await wait(response, ms)) || misfortune === 'stall') return
  if (misfortune === 'reset') return cut(request)
  const session = misfortune === 'unauthenticated' ? null : await sessionOf(endpoint, request)
  const sent: RequestState = { request, refused, session, misfortune }
  const { answer, charge } =
    answerByMisfortune(endpoint, sent, operations) ??
    (batch === null ? await answerOne(endpoint, sent, body) : await answerBatch(endpoint, sent, batch))
  const shown = shaped(endpoint.context.contrary, answer)
  const whole = { ...shown, headers: { ...shown.headers, ...limitHeaders(endpoint, { session, charge }, misfortune) } }
  if (misfortune === 'cut-short') sendHalf(request, response, whole)
  else send(response, whole)
}

/** Returns the session of a bearer token where there is one, valid or not; otherwise that of the playground's login. */
function sessionOf({ tokens, playground }: GraphEndpoint, request: Request): Promise<Session | null> | Session | null {
  const authorization = header(request, 'authorization')
  return authorization === undefined ? playground.session(request) : tokens.session(authorization)
}

/** Returns the rejection of a request without a readable operation; null for a readable one. */
function refusal(request: Request, body: string | null): Answer | null {
  const bad = (status: number, message: string): Answer =>
    json(status, { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] })
  if (request.method !== 'POST') return json(405, { errors: [{ message: 'Use POST' }] }, { allow: 'POST' })
  if (body === null) return json(413, { errors: [{ message: 'The body is larger than 1 MiB' }] })
  if (nestsTooDeep(body, MAX_NESTING)) return bad(400, `The body nests deeper than ${MAX_NESTING} brackets`)
  if (!isJson(header(request, 'content-type'))) return bad(415, 'The content type must be application/json')
  return parsed(body) === undefined ? bad(400, 'The body is not JSON') : null
}

type RequestState = { request: Request; refused: Answer | null; session: Session | null; misfortune: Effect['kind'] }
type Answered = { answer: Answer; charge: Charge | null }

/** Returns the answer of a misfortune that runs nothing; null where there is none. */
function answerByMisfortune(
  { context, log }: GraphEndpoint,
  { session, misfortune }: RequestState,
  operations: readonly Operation[],
): Answered | null {
  const answer = misfortune && replacement(misfortune, context.ledger.balance(null).secondsToReset)
  if (!answer) return null
  for (const operation of operations)
    log.add({ ...operation, cost: 0, status: answer.status, clientId: session?.set.clientId ?? null })
  return { answer, charge: null }
}

async function answerOne(
  endpoint: GraphEndpoint,
  { request, refused, session, misfortune }: RequestState,
  body: string,
): Promise<Answered> {
  const operation = readOperation(body)
  const call: Call = { session, charge: null }
  const answer = refused ?? (await answerCall(endpoint, request, body, operation, call, misfortune))
  endpoint.log.add(
    { ...operation, cost: call.charge?.cost ?? 0, status: answer.status, clientId: session?.set.clientId ?? null },
    body.length,
  )
  return { answer, charge: call.charge }
}

/** Runs the operations one after the other, each charged and failing separately; the headers cover all of them. */
async function answerBatch(endpoint: GraphEndpoint, sent: RequestState, batch: readonly string[]): Promise<Answered> {
  if (batch.length === 0 || batch.length > MAX_BATCH)
    return { answer: json(400, { errors: [{ message: `An array holds 1 to ${MAX_BATCH} operations` }] }), charge: null }
  const bodies: string[] = []
  const charges: Charge[] = []
  for (const body of batch) {
    const { answer, charge } = await answerOne(endpoint, sent, body)
    bodies.push(answer.body)
    if (charge !== null) charges.push(charge)
  }
  const last = charges.at(-1)
  const cost = charges.reduce((sum, charge) => sum + charge.cost, 0)
  return {
    answer: { ...json(200, null), body: `[${bodies.join(',')}]` },
    charge: last === undefined ? null : { ...last, cost },
  }
}

async function answerCall(
  endpoint: GraphEndpoint,
  request: Request,
  body: string,
  operation: Operation,
  call: Call,
  misfortune: Effect['kind'],
): Promise<Answer> {
  const answer = await endpoint.graph(
    { body, accept: acceptable(header(request, 'accept')) },
    { ...endpoint.context, call },
  )
  return misfortune ? { ...answer, body: corrupt(misfortune, answer.body, operation) } : answer
}

/** Returns the whole answer of misfortunes that run nothing; null for others. */
export function replacement(kind: MisfortuneKind, secondsToReset: number): Answer | null {
  if (kind === 'rate-limited')
    return json(
      429,
      { errors: exhausted(secondsToReset, 429).errors?.map(toClient) },
      { 'retry-after': String(secondsToReset) },
    )
  if (kind === 'http-500')
    return json(500, { errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
  if (kind !== 'html') return null
  const page =
    '<!doctype html><html><head><title>Sign in to the network</title></head><body><h1>Sign in to continue</h1></body></html>'
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

/** Returns an error as the client gets it, without its status. */
function toClient({ message, extensions: { code } }: GraphQLError): unknown {
  return { message, extensions: { code } }
}

/**
 * Returns the four headers of spec section 8, on every answer; without a login those of an unused set. The contrary
 * profile can leave them out.
 */
function limitHeaders(
  { context }: GraphEndpoint,
  { session, charge }: Call,
  misfortune: Effect['kind'],
): Record<string, string> {
  if (!context.contrary.is.costHeaders) return {}
  const balance = context.ledger.balance(session?.set.clientId ?? null)
  return {
    'graphql-ratelimit-querycost': String(charge?.cost ?? 0),
    'ratelimit-limit': String(balance.limit),
    'ratelimit-remaining': String(misfortune === 'rate-limited' ? 0 : (charge ?? balance).remaining),
    // Taken with the balance: an operation that runs past the reset must not report the old balance for the new window.
    'ratelimit-reset': String(
      (charge ?? balance).secondsToReset + (context.contrary.is.resetAs === 'epoch' ? context.nowSeconds() : 0),
    ),
  }
}

/**
 * Returns the operations of an array body, each as a body of its own; null for any other body. Beyond the limit it
 * contains only one more.
 */
function batchOf(body: string): string[] | null {
  const value = body.trimStart().startsWith('[') ? parsed(body) : null
  return Array.isArray(value) ? value.slice(0, MAX_BATCH + 1).map((one) => JSON.stringify(one)) : null
}

/** Returns what can be read of the request without running it, for misfortunes and the log only. */
function readOperation(body: string): Operation {
  const { query, operationName, variables } = members(body)
  const text = typeof query === 'string' ? query : ''
  const named =
    typeof operationName === 'string'
      ? operationName
      : (/\b(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1] ?? null)
  return {
    operationName: named,
    query: text,
    variables: typeof variables === 'object' && variables !== null ? { ...variables } : {},
  }
}

function members(body: string): Record<string, unknown> {
  const value = parsed(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Returns undefined for invalid JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/**
 * Returns an accepted type. Answers are complete JSON documents, even for a client that prefers a stream of events or
 * parts.
 */
function acceptable(accept: string | undefined): string {
  return accept && /json|\*\/\*/.test(accept) && !/event-stream|multipart/.test(accept) ? accept : 'application/json'
}
