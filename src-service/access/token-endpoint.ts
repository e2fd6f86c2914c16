import { outageAnswer } from '../faults/contrary/transport/outage.ts'
import type { Contrary } from '../faults/contrary/contrary.ts'
import type { Tokens } from './tokens.ts'
import { isJson, json } from '../net/wire.ts'
import type { Answer } from '../net/wire.ts'

/** The parts of a request that the token endpoint needs; `body` is null when it was too large. */
export type TokenRequest = { method: string; contentType: string; body: string | null }

/**
 * POST /oauth/token (spec section 4): returns a signed JWT for a valid pair, otherwise an error body of OAuth 2.0 (RFC
 * 6749, 5.2).
 */
export async function answerTokenRequest(
  tokens: Tokens,
  contrary: Contrary,
  { method, contentType, body }: TokenRequest,
): Promise<Answer> {
  const { is } = contrary
  const away = outageAnswer(contrary, 'tokenAwayFor')
  if (away !== null) return away
  if (method !== 'POST') return oauthError(405, 'invalid_request', 'Use POST', { allow: 'POST' })
  if (body === null) return oauthError(413, 'invalid_request', 'The body is too large')
  if (!isJson(contentType)) return oauthError(400, 'invalid_request', 'The content type must be application/json')
  const members = parse(body)
  if (!members) return oauthError(400, 'invalid_request', 'The body must be a JSON object')
  const { grant_type: grant, client_id: id, client_secret: secret } = members
  if (typeof grant !== 'string') return oauthError(400, 'invalid_request', 'grant_type is missing')
  if (grant !== 'client_credentials')
    return oauthError(400, 'unsupported_grant_type', 'grant_type must be client_credentials')
  if (typeof id !== 'string' || typeof secret !== 'string')
    return oauthError(400, 'invalid_request', 'client_id and client_secret must be given as strings')
  const token = await tokens.issue(id, secret)
  if (token === null) return oauthError(401, 'access_denied', 'Unauthorized')
  const answer = {
    access_token: token,
    ...(is.expiresIn === 'missing'
      ? {}
      : { expires_in: is.expiresIn === 'text' ? String(tokens.lifetimeSeconds) : tokens.lifetimeSeconds }),
    ...(is.tokenType === 'missing' ? {} : { token_type: is.tokenType }),
  }
  return json(200, answer, uncached)
}

/** RFC 6749, 5.1: tokens are never cached. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' }

function oauthError(status: number, error: string, description: string, headers: Record<string, string> = {}): Answer {
  return json(status, { error, error_description: description }, { ...uncached, ...headers })
}

function parse(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
