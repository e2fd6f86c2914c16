import { exhausted } from './graph.ts'
import type { Graph } from './graph.ts'
import type { Misfortunes, MisfortuneKind, Operation } from './misfortune.ts'
import type { OperationLog } from './operation-log.ts'
import type { Call, GraphContext } from './resolvers.ts'
import { spoil } from './spoil.ts'
import type { Tokens } from './tokens.ts'
import { cut, header, json, readBody, send } from './wire.ts'
import type { Answer, Request, Response } from './wire.ts'

export type GraphEndpoint = {
  graph: Graph
  context: Omit<GraphContext, 'call'>
  tokens: Tokens
  misfortunes: Misfortunes
  log: OperationLog
}

/** POST /graphql (spec sections 4, 5, 7, 8). */
export async function answerGraphRequest(endpoint: GraphEndpoint, request: Request, response: Response): Promise<void> {
  endpoint.log.countRequest()
  const body = await readBody(request)
  const operation = readOperation(body)
  const misfortune = endpoint.misfortunes.take('graphql', operation)
  if (misfortune === 'stall') return
  if (misfortune === 'reset') return cut(request)
  const authorization = misfortune === 'unauthenticated' ? undefined : header(request, 'authorization')
  const call: Call = { session: await endpoint.tokens.session(authorization), charge: null }
  const answer = await answerCall(endpoint, request, body, operation, call, misfortune)
  endpoint.log.add({ ...operation, cost: call.charge?.cost ?? 0, status: answer.status, clientId: call.session?.set.clientId ?? null })
  send(response, { ...answer, headers: { ...answer.headers, ...limitHeaders(endpoint, call, misfortune) } })
}

async function answerCall(endpoint: GraphEndpoint, request: Request, body: string | null, operation: Operation, call: Call, misfortune: MisfortuneKind | null): Promise<Answer> {
  const instead = misfortune && replacement(misfortune, endpoint.context.ledger.balance(null).secondsToReset)
  if (instead) return instead
  if (request.method !== 'POST') return json(405, { errors: [{ message: 'Use POST' }] }, { allow: 'POST' })
  if (body === null) return json(413, { errors: [{ message: 'The body is larger than 1 MiB' }] })
  const headers = { accept: acceptable(header(request, 'accept')), 'content-type': header(request, 'content-type') ?? '' }
  const answer = await endpoint.graph({ body, headers }, { ...endpoint.context, call })
  return misfortune ? { ...answer, body: spoil(misfortune, answer.body, operation) } : answer
}

/** The whole answer of misfortunes that let nothing run. */
export function replacement(kind: MisfortuneKind, secondsToReset: number): Answer | null {
  if (kind === 'rate-limited') return json(429, exhausted(secondsToReset, 429), { 'retry-after': String(secondsToReset) })
  if (kind === 'http-500') return json(500, { errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
  if (kind !== 'html') return null
  const page = '<!doctype html><html><head><title>Sign in to the network</title></head><body><h1>Sign in to continue</h1></body></html>'
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page }
}

/** The four headers of spec section 8, on every answer: those of an untouched set for whoever is not logged in. */
function limitHeaders({ context }: GraphEndpoint, { session, charge }: Call, misfortune: MisfortuneKind | null): Record<string, string> {
  const balance = context.ledger.balance(session?.set.clientId ?? null)
  return {
    'graphql-ratelimit-querycost': String(charge?.cost ?? 0),
    'ratelimit-limit': String(balance.limit),
    'ratelimit-remaining': String(misfortune === 'rate-limited' ? 0 : (charge ?? balance).remaining),
    'ratelimit-reset': String(balance.secondsToReset),
  }
}

/** What can be read of the request without running it; for misfortunes and the log, never for the answer. */
function readOperation(body: string | null): Operation {
  const { query, operationName, variables } = parse(body ?? '')
  const text = typeof query === 'string' ? query : ''
  const named = typeof operationName === 'string' ? operationName : (/\b(?:query|mutation|subscription)\s+(\w+)/.exec(text)?.[1] ?? null)
  return { operationName: named, query: text, variables: typeof variables === 'object' && variables !== null ? { ...variables } : {} }
}

function parse(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Answers are whole JSON documents; a client that would rather have a stream of events or parts gets JSON as well. */
function acceptable(accept: string | undefined): string {
  return accept && /json|\*\/\*/.test(accept) && !/event-stream|multipart/.test(accept) ? accept : 'application/json'
}
