import { z } from 'zod'
import type { Clock } from '../../src-shared/clock.ts'
import { assertNever, FaultError, type Fault } from '../../src-shared/fault.ts'
import { textWithin } from './text-within.ts'
import { createVeil, type Veil } from './veil.ts'

/** Renewed this long before it expires, or after four fifths of a shorter life: a request never starts with a token about to end. */
const renewAheadMs = 5 * 60_000
const answerTimeoutMs = 20_000
/** A grant takes some hundred bytes; a token with many claims, a few thousand. */
const answerBytes = 1024 * 1024

const grant = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive(),
})

type State =
  | { state: 'none' }
  | { state: 'asking'; asking: Promise<string> }
  | { state: 'held'; token: string; renewAt: number }

export interface TokenOptions {
  fetch: typeof fetch
  clock: Clock
  /** The token endpoint (service-spec.md, section 4). */
  tokenUrl: string
  clientId: string
  /** Read anew each time: it lives in the keychain. Null when it is not known. */
  secret: () => Promise<string | null>
  /** Covers what is given and granted. */
  veil: Veil
}

/** The access token of one credential set: asked for once however many want it, renewed before it ends. */
export interface Tokens {
  /** A token that is good now. Rejects with a `FaultError` (credentials, no-secret, or a leg of the network). */
  get(): Promise<string>
  /** Says that the service refused this token; the next `get` asks for another. A newer token is not thrown away. */
  drop(token: string): void
  /** When `get` asks for another token than this, ms since the epoch; null when it does so at once. */
  renewsAt(token: string): number | null
  /** A text of the service without its tokens and the secret. */
  hide(text: string): string
  stop(): void
}

export function startTokens(given: Omit<TokenOptions, 'veil'>): Tokens {
  const options = { ...given, veil: createVeil() }
  let state: State = { state: 'none' }
  const stopping = new AbortController()

  const ask = (): Promise<string> => {
    const asking = requestToken(options, stopping.signal).then(
      (granted) => {
        state = { state: 'held', token: granted.token, renewAt: renewalTime(granted.lifeMs, options.clock.now()) }
        return granted.token
      },
      (error: unknown) => {
        state = { state: 'none' }
        throw error
      },
    )
    state = { state: 'asking', asking }
    return asking
  }

  return {
    async get() {
      if (stopping.signal.aborted) throw new FaultError('stopped')
      switch (state.state) {
        case 'none':
          return ask()
        case 'asking':
          return state.asking
        case 'held':
          return options.clock.now() < state.renewAt ? state.token : ask()
        default:
          return assertNever(state)
      }
    },
    drop(token) {
      if (state.state === 'held' && state.token === token) state = { state: 'none' }
    },
    renewsAt: (token) => (state.state === 'held' && state.token === token ? state.renewAt : null),
    hide: options.veil.hide,
    stop() {
      stopping.abort(new FaultError('stopped'))
      state = { state: 'none' }
    },
  }
}

function renewalTime(lifeMs: number, now: number): number {
  return now + Math.max(lifeMs - renewAheadMs, lifeMs * 0.8)
}

/** Asks once, for whoever tries a connection. `lifeMs` is how long the token is good. Rejects as `Tokens.get`, or with the signal's reason. */
export async function requestToken(options: TokenOptions, stopping: AbortSignal): Promise<{ token: string; lifeMs: number }> {
  const secret = await options.secret()
  if (secret === null) throw new FaultError('no-secret')
  options.veil.cover(secret)
  const timeout = new AbortController()
  const cancel = options.clock.after(answerTimeoutMs, () => timeout.abort(new FaultError('timeout', 'token endpoint')))
  try {
    const response = await options.fetch(options.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ client_id: options.clientId, client_secret: secret, grant_type: 'client_credentials' }),
      signal: AbortSignal.any([timeout.signal, stopping]),
    })
    const granted = readGrant(response.status, await textWithin(response, answerBytes))
    options.veil.cover(granted.token)
    return granted
  } finally {
    cancel()
  }
}

function readGrant(status: number, text: string): { token: string; lifeMs: number } {
  const refusal = refusalOf(status, text)
  if (refusal !== null) throw new FaultError(refusal.kind, refusal.detail)
  const body = parseJson(text)
  const granted = grant.safeParse(body)
  if (granted.success) return { token: granted.data.access_token, lifeMs: granted.data.expires_in * 1000 }
  // Some token servers answer 200 with an error member instead of a status (service-twin.md, section 2).
  if (typeof body === 'object' && body !== null && 'error' in body) throw new FaultError('credentials')
  throw new FaultError('not-json', 'the token endpoint answered without a token')
}

function refusalOf(status: number, text: string): Fault | null {
  if (status >= 200 && status < 300) return null
  if (status === 401) return { kind: 'credentials', detail: `HTTP ${status}` }
  if (status === 400 || status === 403) return refusedBy(status, text)
  if (status === 404 || status === 405) return { kind: 'not-found', detail: `token endpoint, HTTP ${status}` }
  if (status === 429) return { kind: 'exhausted', detail: 'token endpoint, HTTP 429' }
  return { kind: 'http', detail: `token endpoint, HTTP ${status}` }
}

/** A token server says in JSON what it refuses; anything else with such a status comes from somebody in between. */
function refusedBy(status: number, text: string): Fault {
  const isJson = /^\s*\{[^]*\}\s*$/.test(text)
  return isJson ? { kind: 'credentials', detail: `HTTP ${status}` } : { kind: 'not-json', detail: `${describeText(text)}, HTTP ${status}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FaultError('not-json', `the token endpoint answered with ${describeText(text)}`, { cause: error })
  }
}

/** What a text that should have been JSON looks like, without quoting it. */
function describeText(text: string): string {
  if (text.trim() === '') return 'nothing'
  return /^\s*</.test(text) ? 'a web page' : `${text.length} characters that are not JSON`
}

