import { z } from 'zod'
import { wallTime, wait, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../src-shared/model/fault.ts'
import { askedWords, asksToWait, retryAfterIn, waitMs } from '../../src-shared/lib/retry-after.ts'
import { readLimited } from './limited-text.ts'
import { createRedactor, type Redactor } from './redactor.ts'

/**
 * A token is renewed this many ms before it expires, or after four fifths of a shorter life, so that a request never
 * starts with one about to expire.
 */
const renewAheadMs = 5 * 60_000
const answerTimeoutMs = 20_000
/** Largest answer, bytes. A grant takes some hundred; a token with many claims, a few thousand. */
const answerBytes = 1024 * 1024
/** Longest token, characters: it goes into a header, and proxies accept no longer one. */
const maxTokenLength = 65_536
/**
 * Limits of the reported lifetime: a token without lifetime would be requested before each request. One that expires
 * sooner is rejected, and dropped then.
 */
const [minLifetimeMs, maxLifetimeMs] = [60_000, 400 * 24 * 3600_000]
/**
 * Tokens requested in a minute at most; further requests wait, because a service may reject each token as soon as it
 * has granted it.
 */
const maxPerMinute = 10

const grant = z.object({
  access_token: z.string().min(1).max(maxTokenLength),
  expires_in: z.unknown().optional(),
})

/** Returns the lifetime in seconds, which some servers send as text and some not at all; null for anything else. */
function lifetimeIn(value: unknown): number | null {
  const seconds =
    typeof value === 'string' && /^-?\d{1,10}(?:\.\d{1,10})?s?$/iu.test(value.trim()) ? Number.parseFloat(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : null
}

/** Lifetime of a token without a reported one, s; if it expires sooner, it is rejected and renewed then. */
const defaultLifetimeS = 3_600

/** A token that expires within this many ms is too old for a new request. */
const lastUseMs = 10_000
/** After a failed renewal, another is tried after this many ms while the previous token is valid. */
const retryMs = 30_000

/**
 * `renewAt`, `endsAt`: ms since the epoch; the others are the same by the monotonic clock. The earlier one counts: the
 * wall clock may be changed, the monotonic one stops during sleep.
 */
interface HeldToken {
  token: string
  renewAt: number
  renewBy: number
  endsAt: number
  endsBy: number
}

type State =
  | { state: 'none' }
  /** `before`: the token that remains if the renewal fails. */
  | { state: 'asking'; asking: Promise<string>; before: HeldToken | null }
  | ({ state: 'held' } & HeldToken)

export interface TokenOptions {
  fetch: typeof fetch
  clock: Clock
  /** The token endpoint (service-spec.md, section 4). */
  tokenUrl: string
  clientId: string
  /** Reads the secret from the keychain each time; null when it is unknown. */
  secret: () => Promise<string | null>
  /** The secret and the tokens are registered here. */
  redactor: Redactor
  /** Called when the value of `problem` changes. */
  onProblem?: () => void
  /** Called when another token was granted. */
  onGranted?: () => void
}

/** The reason for which no valid token is available, and since when, ms since the epoch. */
export interface TokenProblem {
  since: number
  fault: Fault
}

/** The access token of one credential set: requested once for all callers, renewed before it expires. */
export interface Tokens {
  /**
   * Returns a token that is valid now. Rejects with a `FaultError` (credentials, no-secret, keychain-locked, or a
   * network fault).
   */
  get(): Promise<string>
  /** Records that the service rejected this token; the next `get` requests another. A newer token is kept. */
  drop(token: string): void
  /** Records that the service accepted this token. */
  prove(token: string): void
  /**
   * Returns the problem from the rejection or the failed grant of a token until a later one is granted and, after a
   * rejection, accepted; null: none.
   */
  problem(): TokenProblem | null
  /** Returns when `get` requests another token than this, ms since the epoch; null: at once. */
  renewsAt(token: string): number | null
  /** Returns a service's text as it may be shown (`Redactor.safeText`). */
  redact(text: string): string
  stop(): void
}

export interface StartedTokens extends Tokens {
  /** Removes tokens and the secret from Muster's own texts, of any length. */
  redactIn(text: string): string
  /** Ends the delay that the endpoint asked for, because a person wants to try at once. */
  tryNow(): void
  /**
   * Requests another token than this one, which may have expired, and returns it where possible. Rejects as `get` does.
   */
  renew(token: string): Promise<string>
}

export function startTokens(given: Omit<TokenOptions, 'redactor'>): StartedTokens {
  const options = { ...given, redactor: createRedactor() }
  let state: State = { state: 'none' }
  /** When the last tokens were requested, monotonic ms. */
  const requests: number[] = []
  const stopping = new AbortController()
  const problem = openProblem(options, stopping.signal)
  const { set } = problem
  const delay = openDelay(options.clock)

  const failed = (before: HeldToken | null, error: unknown): string => {
    const fault = toFault(error)
    const again =
      before !== null && !final.has(fault.kind) && isValidUntil(before, options.clock, 'ends')
        ? postponed(before, options.clock)
        : null
    state = again === null ? { state: 'none' } : { state: 'held', ...again }
    if (again !== null) return again.token
    set(fault)
    throw error
  }
  const ask = (before: HeldToken | null): Promise<string> => {
    const asking = requestPaced(options, { requests, delay }, stopping.signal).then(
      (granted) => {
        state = { state: 'held', ...tokenFrom(granted, options.clock) }
        // After a rejection, only the service can show whether the new token is accepted.
        if (problem.now()?.fault.kind !== 'token') set(null)
        options.onGranted?.()
        return granted.token
      },
      (error: unknown) => failed(state.state === 'asking' ? state.before : null, error),
    )
    state = { state: 'asking', asking, before }
    return asking
  }

  const tokens: StartedTokens = {
    async get() {
      if (stopping.signal.aborted) throw new FaultError('stopped')
      if (state.state === 'asking') return state.asking
      const held = tokenIn(state)
      return held !== null && isValidUntil(held, options.clock, 'renew') ? held.token : ask(held)
    },
    renew(token) {
      // Other endpoints may still accept it, so it stays where no other is available.
      return state.state === 'held' && state.token === token && !stopping.signal.aborted ? ask(state) : tokens.get()
    },
    tryNow: delay.clear,
    drop(token) {
      if (tokenIn(state)?.token !== token) return
      state = state.state === 'asking' ? { ...state, before: null } : { state: 'none' }
      set({ kind: 'token', detail: '' })
    },
    prove(token) {
      if (state.state === 'held' && state.token === token) set(null)
    },
    problem: problem.now,
    renewsAt: (token) =>
      state.state === 'held' && state.token === token
        ? Math.min(state.renewAt, wallTime(options.clock, state.renewBy))
        : null,
    redact: options.redactor.safeText,
    redactIn: options.redactor.redact,
    stop() {
      stopping.abort(new FaultError('stopped'))
      state = { state: 'none' }
    },
  }
  return tokens
}

function openProblem({ clock, onProblem }: Pick<TokenOptions, 'clock' | 'onProblem'>, stopping: AbortSignal) {
  let problem: TokenProblem | null = null
  return {
    now: () => problem,
    set(fault: Fault | null) {
      if (stopping.aborted || problem?.fault.kind === fault?.kind) return
      problem = fault && { since: problem?.since ?? clock.now(), fault }
      onProblem?.()
    },
  }
}

/** Keeps the delay that the endpoint asks for: a token requested before its end fails at once, and nothing is sent. */
function openDelay(clock: Clock) {
  let delay: { until: number; detail: string } | null = null
  return {
    record(error: unknown) {
      if (!(error instanceof FaultError) || error.fault.kind !== 'unavailable' || error.retryAfter === null) return
      delay = { until: clock.monotonic() + error.retryAfter, detail: error.fault.detail }
    },
    assertOver() {
      const left = delay === null ? 0 : delay.until - clock.monotonic()
      if (delay !== null && left > 0) throw new FaultError('unavailable', delay.detail, { retryAfter: left })
    },
    clear() {
      delay = null
    },
  }
}

/** Requests a token at the time that Muster's own rate limit and the endpoint's delay allow. */
async function requestPaced(
  options: TokenOptions,
  { requests, delay }: { requests: number[]; delay: ReturnType<typeof openDelay> },
  signal: AbortSignal,
): ReturnType<typeof requestToken> {
  await paced(options.clock, requests, signal)
  delay.assertOver()
  try {
    const granted = await requestToken(options, signal)
    delay.clear()
    return granted
  } catch (error) {
    delay.record(error)
    throw error
  }
}

/** Resolves when another token may be requested. */
async function paced(clock: Clock, requests: number[], signal: AbortSignal): Promise<void> {
  const first = requests.length < maxPerMinute ? undefined : requests.shift()
  const left = first === undefined ? 0 : first + 60_000 - clock.monotonic()
  if (left > 0) await wait(clock, left, signal)
  requests.push(clock.monotonic())
}

/** Faults that another request in half a minute does not resolve. */
const final: ReadonlySet<string> = new Set(['credentials', 'no-secret', 'keychain-locked', 'stopped'])

const tokenIn = (state: State): HeldToken | null =>
  state.state === 'held' ? state : state.state === 'asking' ? state.before : null

function tokenFrom({ token, lifeMs }: { token: string; lifeMs: number }, clock: Clock): HeldToken {
  const [now, by, renew] = [clock.now(), clock.monotonic(), Math.max(lifeMs - renewAheadMs, lifeMs * 0.8)]
  const ends = Math.max(renew, lifeMs - lastUseMs)
  return { token, renewAt: now + renew, renewBy: by + renew, endsAt: now + ends, endsBy: by + ends }
}

/** Returns whether the token is valid, or not yet due for renewal, by both clocks. */
function isValidUntil(held: HeldToken, clock: Clock, until: 'ends' | 'renew'): boolean {
  return clock.now() < held[`${until}At`] && clock.monotonic() < held[`${until}By`]
}

function postponed(held: HeldToken, clock: Clock): HeldToken {
  return {
    ...held,
    renewAt: Math.min(held.endsAt, clock.now() + retryMs),
    renewBy: Math.min(held.endsBy, clock.monotonic() + retryMs),
  }
}

/**
 * Requests a token once, for the test of a connection. `lifeMs`: its lifetime. Rejects as `Tokens.get`, or with the
 * signal's reason.
 */
export async function requestToken(
  options: TokenOptions,
  stopping: AbortSignal,
): Promise<{ token: string; lifeMs: number }> {
  const secret = await options.secret()
  if (secret === null) throw new FaultError('no-secret')
  options.redactor.register(secret)
  const timeout = new AbortController()
  const cancel = options.clock.after(answerTimeoutMs, () => timeout.abort(new FaultError('timeout', 'token endpoint')))
  try {
    const response = await options.fetch(options.tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ client_id: options.clientId, client_secret: secret, grant_type: 'client_credentials' }),
      signal: AbortSignal.any([timeout.signal, stopping]),
    })
    const seconds = retryAfterIn(response.headers, options.clock.now())
    const granted = readGrant(response.status, await readLimited(response, answerBytes), seconds)
    options.redactor.register(granted.token)
    return granted
  } finally {
    cancel()
  }
}

function readGrant(status: number, text: string, seconds: number | null): { token: string; lifeMs: number } {
  if (asksToWait(status, seconds))
    throw new FaultError('unavailable', `token endpoint, HTTP ${status}, ${askedWords(seconds)}`, {
      retryAfter: waitMs(seconds === null ? null : seconds * 1000),
    })
  const rejection = rejectionOf(status, text)
  if (rejection !== null) throw new FaultError(rejection.kind, rejection.detail)
  const body = parseJson(text)
  const granted = grant.safeParse(body)
  if (granted.success)
    return {
      token: granted.data.access_token,
      lifeMs: Math.min(
        maxLifetimeMs,
        Math.max(minLifetimeMs, (lifetimeIn(granted.data.expires_in) ?? defaultLifetimeS) * 1000),
      ),
    }
  // Some token servers answer 200 with an error member instead of a status (service-twin.md, section 2).
  if (typeof body === 'object' && body !== null && 'error' in body) throw new FaultError('credentials')
  throw new FaultError('not-json', 'the token endpoint answered without a token')
}

function rejectionOf(status: number, text: string): Fault | null {
  if (status >= 200 && status < 300) return null
  if (status === 401) return { kind: 'credentials', detail: `HTTP ${status}` }
  if (status === 400 || status === 403) return rejectionFault(status, text)
  if (status === 404 || status === 405) return { kind: 'not-found', detail: `token endpoint, HTTP ${status}` }
  return { kind: 'http', detail: `token endpoint, HTTP ${status}` }
}

/**
 * Returns the fault of a rejection: credentials where the answer is JSON; any other body comes from an intermediary.
 */
function rejectionFault(status: number, text: string): Fault {
  const isJson = /^\s*\{[^]*\}\s*$/.test(text)
  return isJson
    ? { kind: 'credentials', detail: `HTTP ${status}` }
    : { kind: 'not-json', detail: `${describeText(text)}, HTTP ${status}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new FaultError('not-json', `the token endpoint answered with ${describeText(text)}`, { cause: error })
  }
}

/** Describes a text that is not JSON without quoting it. */
function describeText(text: string): string {
  if (text.trim() === '') return 'nothing'
  return /^\s*</.test(text) ? 'a web page' : `${text.length} characters that are not JSON`
}
