import { UnfinishedBodyError } from './bodies.ts'
import { answerGraphRequest, replacement } from '../graphql/graphql-endpoint.ts'
import type { GraphEndpoint } from '../graphql/graphql-endpoint.ts'
import { corrupt } from '../faults/misfortune/corrupt.ts'
import { answerTokenRequest } from '../access/token-endpoint.ts'
import type { Tokens } from '../access/tokens.ts'
import { cut, header, json, pathOf, send, sendHalf, sendLast, wait } from './wire.ts'
import type { Request, Response } from './wire.ts'

const JWKS_PATH = '/.well-known/jwks.json'

/** Answers a request to the port, or closes its connection. `now`: the service's clock, for the header `date`. */
export function answerRequest(endpoint: GraphEndpoint, now: () => number, request: Request, response: Response): void {
  response.setHeader('date', new Date(now()).toUTCString())
  answer(endpoint, request, response).catch((error: unknown) => fail(request, response, error))
}

async function answer(endpoint: GraphEndpoint, request: Request, response: Response): Promise<void> {
  const path = pathOf(request)
  if (endpoint.playground.handles(request)) return send(response, await endpoint.playground.answer(request))
  if (path === '/graphql') return answerGraphRequest(endpoint, request, response)
  if (path === '/oauth/token') return answerToken(endpoint, endpoint.tokens, request, response)
  if (path === JWKS_PATH && (request.method === 'GET' || request.method === 'HEAD'))
    return send(response, json(200, endpoint.tokens.jwks(), { 'cache-control': 'max-age=60' }))
  request.resume()
  send(response, json(404, { error: 'not_found', error_description: `Nothing is served at ${path}` }))
}

async function answerToken(
  { misfortunes, bodies, context }: GraphEndpoint,
  tokens: Tokens,
  request: Request,
  response: Response,
): Promise<void> {
  const operation = { operationName: null, query: '', variables: {} }
  const { ms, kind: misfortune } = misfortunes.take('token', [operation])
  const body = await bodies.read(request)
  if (!(await wait(response, ms)) || misfortune === 'stall') return
  if (misfortune === 'reset') return cut(request)
  const instead = misfortune && replacement(misfortune, 60)
  const right =
    instead ??
    (await answerTokenRequest(tokens, context.contrary, {
      method: request.method ?? '',
      contentType: header(request, 'content-type') ?? '',
      body,
    }))
  if (misfortune === 'cut-short') sendHalf(request, response, right)
  else send(response, misfortune ? { ...right, body: corrupt(misfortune, right.body, operation) } : right)
}

/**
 * Handles a failed request: an incomplete one is the client's; any other error is a defect of the service, and the
 * connection is closed.
 */
function fail(request: Request, response: Response, error: unknown): void {
  if (error instanceof UnfinishedBodyError) return refuseUnfinished(request, response, error)
  if (!request.destroyed) console.error('A request could not be answered:', error)
  cut(request)
}

function refuseUnfinished(request: Request, response: Response, { status }: UnfinishedBodyError): void {
  if (status === null) return
  const message = status === 408 ? 'The body took too long' : 'Too many bodies are on their way'
  sendLast(request, response, json(status, { errors: [{ message }] }, status === 503 ? { 'retry-after': '1' } : {}))
}
