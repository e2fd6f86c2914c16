import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import { askedWords, asksToWait } from '../../src-shared/lib/retry-after.ts'
import { tellsOfDepth } from './depth.ts'
import { withheldText, withoutTokens } from '../auth/redactor.ts'

/** One entry of an answer's `errors` (service-spec.md, section 7), as far as Muster reads it. */
export interface ServiceError {
  message: string
  code: string | null
  path: readonly (string | number)[] | null
  /** Places in the document's text, from 1. */
  locations?: readonly { line: number; column: number }[]
}

/** Of so many entries the words are read: nobody reads more of them. */
const mostMessages = 20
/** So many entries are read at all, for their codes and paths: a page has a few fields for each of its devices. */
const mostErrors = 10_000
const longestCode = 100

/**
 * Reads `errors` of any shape, also a single one or mere words; what is not an error entry is left out, and of more than 10,000 entries what is over them. `hide` frees messages of what
 * was given to the service; where a secret may be spread over several of them, none is told.
 */
export function readErrors(errors: unknown, redact: (text: string) => string): ServiceError[] {
  const entries = listOf(errors)
    .slice(0, mostErrors)
    .map((entry: unknown) => (typeof entry === 'string' && entry !== '' ? { message: entry } : entry))
    .filter((entry): entry is Record<string, unknown> => typeof entry === 'object' && entry !== null)
  const messages = messagesOf(
    entries.slice(0, mostMessages).map(({ message }) => (typeof message === 'string' ? message : '')),
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

/** A code that is not known, or none, beside words about permission is that of a rejection: services have codes of their own. */
function codeOf(extensions: unknown): string | null {
  if (typeof extensions !== 'object' || extensions === null) return null
  const { code } = extensions as Record<string, unknown>
  const known = typeof code === 'string' && code.length <= longestCode ? code : null
  if (known !== null && kindsByCode.has(known)) return known
  return tellsOfPermission(extensions, 2) ? 'FORBIDDEN' : known
}

const permissionWords = /forbidden|permission|access.?denied/i

function tellsOfPermission(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= longestCode && permissionWords.test(value)
  if (typeof value !== 'object' || value === null || depth === 0) return false
  return Object.entries(value)
    .slice(0, mostMessages)
    .some(([name, part]) => (permissionWords.test(name) && saysSomething(part)) || tellsOfPermission(part, depth - 1))
}

const saysSomething = (part: unknown): boolean => (Array.isArray(part) ? part.length > 0 : Boolean(part))

function locationOf(value: unknown): { line: number; column: number }[] {
  const { line, column } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  return typeof line === 'number' && typeof column === 'number' ? [{ line, column }] : []
}

/** What two messages hide together is more than each hides alone where one begins what the other ends. */
function messagesOf(given: readonly string[], redact: (text: string) => string): string[] {
  const isSpread = (one: string, other: string) => redact(`${one}${other}`) !== `${redact(one)}${redact(other)}`
  const met = given.some((text, at) => at > 0 && isSpread((given[at - 1] ?? '').slice(-atEdge), text.slice(0, atEdge)))
  const letters = given.filter(({ length }) => length <= atEdge / mostMessages).join('')
  return met || (given.length > 1 && redact(letters) !== letters) ? given.map(() => withheldText) : given.map(redact)
}

/** Characters on each side of where two messages meet. */
const atEdge = 400

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

/** Codes first, then the texts that are documented or seen (service-twin.md, section 4). */
function kindOf(error: ServiceError): FaultKind | null {
  if (
    /exceeds maximum cost limit|(complexity|cost) (of \d{1,9} )?(exceeds|is too high)|too complex/i.test(error.message)
  )
    return 'cost-limit'
  const byCode = error.code === null ? undefined : kindsByCode.get(error.code)
  if (byCode !== undefined) return byCode
  if (/rate.?limit|too many requests|throttl/i.test(error.message)) return 'exhausted'
  if (tellsOfAccess(error.message)) return 'token'
  return null
}

/** A token of the paging that is rejected or too old is no reason to ask for another access token. */
function tellsOfAccess(message: string): boolean {
  return (
    /must be logged in|authorization failed|jwt|access.?token|bearer/i.test(message) &&
    !/next.?token|pagination|page.?token/i.test(message)
  )
}

export interface Refusal {
  status: number
  errors: readonly ServiceError[]
  /** Seconds of a `retry-after` header; null when there is none. */
  retryAfter: number | null
  /** Whether the body held `data` at all: then the request itself was accepted. */
  hasData: boolean
}

/**
 * The fault of a whole answer, or null when it is good or good in part. The order says what overrules what: the
 * documented cost rejection, then the codes of the errors, then the HTTP status.
 */
export function classify(rejection: Refusal): FaultError | null {
  const kinds = rejection.errors.map(kindOf)
  const decisive = (['cost-limit', 'exhausted', 'token'] as const).find((kind) => kinds.includes(kind))
  if (decisive !== undefined) return faultOf(decisive, rejection)
  // Whether it is for points that it asks, which no status tells, the figures say (pacer.ts).
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

function faultOf(kind: FaultKind, rejection: Refusal): FaultError {
  const said = rejection.errors.find(({ message }) => message !== '')?.message ?? ''
  const need = kind === 'query' || kind === 'http' ? needIn(messageText(rejection.errors)) : ''
  const status =
    kind === 'unavailable'
      ? `HTTP ${rejection.status}, ${askedWords(rejection.retryAfter)}`
      : `HTTP ${rejection.status}`
  const detail = said === '' ? status : `${status}: ${redacted(said)}${need}`
  return new FaultError(kind, detail, {
    status: rejection.status,
    words: messageText(rejection.errors),
    ...(rejection.retryAfter === null ? {} : { retryAfter: rejection.retryAfter * 1000 }),
  })
}

/** Names what is rejected and Muster cannot do without, so that the service's administrator knows what to allow. */
function needIn(words: string): string {
  if (tellsOfDepth(words)) return ' (Muster needs a depth of 6 to read devices)'
  return variableWords.test(words) ? ' (Muster needs variables in its queries)' : ''
}

const variableWords =
  /\bvariables? (are|is) (not|disabled|disallowed|forbidden|prohibited)|\b(no|without|forbids?|disallows?|rejects?) variables\b/i

/** So much is looked at for what may be shown of it, and no more of a text of megabytes. */
const looked = 2000

/** All errors and their codes, to be looked through: the second one may say what the first one does not. */
export const messageText = (errors: readonly ServiceError[]): string =>
  errors
    .slice(0, 10)
    .map(({ message, code }) => `${message.slice(0, 500)} ${code?.slice(0, 60) ?? ''}`)
    .join(' ')

/** A service's own words, made safe to show: no token, no secret that it might repeat, no more than a line. */
export function redacted(text: string): string {
  return withoutTokens(text.slice(0, looked))
    .replace(/(bearer|client_secret|secret|password)(["'\s:=]+)\S+/gi, '$1$2[hidden]')
    .replace(/\s+/g, ' ')
    .slice(0, 200)
}
