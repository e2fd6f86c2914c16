import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import { askedWords, asksToWait } from '../../src-shared/lib/retry-after.ts'
import { mentionsDepth } from './depth.ts'
import { withheldText, withoutTokens } from '../auth/redactor.ts'

/** One entry of an answer's `errors` (service-spec.md, section 7), with the members that Muster reads. */
export interface ServiceError {
  message: string
  code: string | null
  path: readonly (string | number)[] | null
  /** Positions in the document's text, from 1. */
  locations?: readonly { line: number; column: number }[]
}

/** Number of entries whose messages are read. */
const maxMessages = 20
/** Number of entries whose codes and paths are read: a page has a few fields for each of its devices. */
const maxErrors = 10_000
const maxCodeLength = 100

/**
 * Reads `errors` of any shape, including a single error or plain text. Leaves out what is not an error entry, and
 * entries beyond 10,000. `redact` removes registered secrets from messages; where a secret may be spread over several
 * messages, all of them are withheld.
 */
export function readErrors(errors: unknown, redact: (text: string) => string): ServiceError[] {
  const entries = listOf(errors)
    .slice(0, maxErrors)
    .map((entry: unknown) => (typeof entry === 'string' && entry !== '' ? { message: entry } : entry))
    .filter((entry): entry is Record<string, unknown> => typeof entry === 'object' && entry !== null)
  const messages = messagesOf(
    entries.slice(0, maxMessages).map(({ message }) => (typeof message === 'string' ? message : '')),
    redact,
  )
  return entries.map(({ extensions, path, locations }, at) => {
    const code = codeOf(extensions)
    return {
      message: messages[at] ?? '',
      code,
      path: Array.isArray(path) ? path.filter((part) => typeof part === 'string' || typeof part === 'number') : null,
      locations: Array.isArray(locations) ? locations.slice(0, 10).flatMap(locationOf) : [],
    }
  })
}

const listOf = (errors: unknown): unknown[] =>
  Array.isArray(errors) ? errors : isObject(errors) && Object.keys(errors).length === 0 ? [] : [errors]

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Returns the code of an error. An unknown or missing code beside words about permission becomes `FORBIDDEN`, because
 * services have their own codes.
 */
function codeOf(extensions: unknown): string | null {
  if (typeof extensions !== 'object' || extensions === null) return null
  const { code } = extensions as Record<string, unknown>
  const known = typeof code === 'string' && code.length <= maxCodeLength ? code : null
  if (known !== null && kindsByCode.has(known)) return known
  return mentionsPermission(extensions, 2) ? 'FORBIDDEN' : known
}

const permissionWords = /forbidden|permission|access.?denied/i

function mentionsPermission(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= maxCodeLength && permissionWords.test(value)
  if (typeof value !== 'object' || value === null || depth === 0) return false
  return Object.entries(value)
    .slice(0, maxMessages)
    .some(([name, part]) => (permissionWords.test(name) && isFilled(part)) || mentionsPermission(part, depth - 1))
}

const isFilled = (part: unknown): boolean => (Array.isArray(part) ? part.length > 0 : Boolean(part))

function locationOf(value: unknown): { line: number; column: number }[] {
  const { line, column } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return typeof line === 'number' && typeof column === 'number' ? [{ line, column }] : []
}

/**
 * Returns the redacted messages. Withholds all of them where two adjacent messages together contain a secret that
 * neither contains alone.
 */
function messagesOf(given: readonly string[], redact: (text: string) => string): string[] {
  const isSpread = (one: string, other: string) => redact(`${one}${other}`) !== `${redact(one)}${redact(other)}`
  const isSplit = given.some(
    (text, at) => at > 0 && isSpread((given[at - 1] ?? '').slice(-edgeLength), text.slice(0, edgeLength)),
  )
  const letters = given.filter(({ length }) => length <= edgeLength / maxMessages).join('')
  return isSplit || (given.length > 1 && redact(letters) !== letters)
    ? given.map(() => withheldText)
    : given.map(redact)
}

/** Characters on each side of the boundary between two messages. */
const edgeLength = 400

const kindsByCode = new Map<string, FaultKind>(
  Object.entries({
    UNAUTHENTICATED: 'token',
    FORBIDDEN: 'forbidden',
    GRAPHQL_VALIDATION_FAILED: 'query',
    GRAPHQL_PARSE_FAILED: 'query',
    BAD_USER_INPUT: 'query',
    RATE_LIMITED: 'exhausted',
    TOO_MANY_REQUESTS: 'exhausted',
    THROTTLED: 'exhausted',
  } as const),
)

/**
 * Returns the kind of an error by its code, otherwise by the documented or observed texts (service-twin.md, section 4).
 */
export function kindOf(error: ServiceError): FaultKind | null {
  if (
    /exceeds maximum cost limit|(complexity|cost) (of \d{1,9} )?(exceeds|is too high)|too complex/i.test(error.message)
  )
    return 'cost-limit'
  const byCode = error.code === null ? undefined : kindsByCode.get(error.code)
  if (byCode !== undefined) return byCode
  if (/rate.?limit|too many requests|throttl/i.test(error.message)) return 'exhausted'
  if (mentionsAccess(error.message)) return 'token'
  return null
}

/** Returns whether a message rejects the access token. A rejected or expired token of the next page does not. */
function mentionsAccess(message: string): boolean {
  return (
    /must be logged in|authorization failed|jwt|access.?token|bearer/i.test(message) &&
    !/next.?token|pagination|page.?token/i.test(message)
  )
}

export interface Rejection {
  status: number
  errors: readonly ServiceError[]
  /** The delay of a `retry-after` header, seconds; null when there is none. */
  retryAfter: number | null
  /** True when the body contained `data`: then the request itself was accepted. */
  hasData: boolean
}

/**
 * Returns the fault of an answer, or null when it is complete or partial. In order of precedence: the documented cost
 * rejection, the codes of the errors, the HTTP status.
 */
export function classify(rejection: Rejection): FaultError | null {
  const kinds = rejection.errors.map(kindOf)
  const decisive = (['cost-limit', 'exhausted', 'token'] as const).find((kind) => kinds.includes(kind))
  if (decisive !== undefined) return faultOf(decisive, rejection)
  // The reported points decide whether it waits for points (pacer.ts), because no status does.
  if (asksToWait(rejection.status, rejection.retryAfter)) return faultOf('unavailable', rejection)
  if (rejection.status === 401) return faultOf('token', rejection)
  if (rejection.hasData && rejection.status < 400) return null
  const first = kinds.find((kind) => kind !== null)
  if (first !== undefined) return faultOf(first, rejection)
  if (rejection.status === 403) return faultOf('forbidden', rejection)
  if (rejection.status === 404 || rejection.status === 405) return faultOf('not-found', rejection)
  if (rejection.status >= 400) return faultOf('http', rejection)
  return rejection.errors.length > 0 ? faultOf('query', rejection) : faultOf('not-graphql', rejection)
}

function faultOf(kind: FaultKind, rejection: Rejection): FaultError {
  const text = rejection.errors.find(({ message }) => message !== '')?.message ?? ''
  const need = kind === 'query' || kind === 'http' ? needOf(messageText(rejection.errors)) : ''
  const status =
    kind === 'unavailable'
      ? `HTTP ${rejection.status}, ${askedWords(rejection.retryAfter)}`
      : `HTTP ${rejection.status}`
  const detail = text === '' ? status : `${status}: ${redacted(text)}${need}`
  return new FaultError(kind, detail, {
    status: rejection.status,
    answerText: messageText(rejection.errors),
    ...(rejection.retryAfter === null ? {} : { retryAfter: rejection.retryAfter * 1000 }),
  })
}

/**
 * Returns the rejected feature that Muster needs, so that the service's administrator knows what to allow; '' where it
 * is none.
 */
function needOf(words: string): string {
  if (mentionsDepth(words)) return ' (Muster needs a depth of 6 to read devices)'
  return variableWords.test(words) ? ' (Muster needs variables in its queries)' : ''
}

const variableWords =
  /\bvariables? (are|is) (not|disabled|disallowed|forbidden|prohibited)|\b(no|without|forbids?|disallows?|rejects?) variables\b/i

/** Number of characters examined before a text is shortened for display. */
const maxExamined = 2000

/** Returns all errors with their codes as one text to search, because any of them may contain the reason. */
export const messageText = (errors: readonly ServiceError[]): string =>
  errors
    .slice(0, 10)
    .map(({ message, code }) => `${message.slice(0, 500)} ${code?.slice(0, 60) ?? ''}`)
    .join(' ')

/**
 * Returns a service's text in a form that is safe to show: without tokens and secrets, on one line of at most `length`
 * characters.
 */
export function redacted(text: string, length = 200): string {
  return withoutTokens(text.slice(0, maxExamined))
    .replace(/(bearer|client_secret|secret|password)(["'\s:=]+)\S+/gi, '$1$2[hidden]')
    .replace(/\s+/g, ' ')
    .slice(0, length)
}
