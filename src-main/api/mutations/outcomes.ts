import { own } from '../../../src-shared/lib/own.ts'
import { explain, type Fault, type FaultKind } from '../../../src-shared/model/fault.ts'
import { kindOf, redacted, type ServiceError } from '../classify.ts'
import type { Sending } from './documents.ts'
import type { SentOutcome } from './mutations.ts'
import type { Exchange } from './send.ts'

/** What decides the outcome of a sending. `any`: the operator wrote it, and what it returns is not known. */
interface Judged {
  aliases: readonly string[]
  result: Sending['result'] | { is: 'any' }
}

type Answered = Extract<Exchange, { is: 'answered' }>

/** Longest words of the service that are kept, characters. */
const maxWords = 500

/**
 * Returns what came of each mutation of an operation. Only what is certain is `refused` or `not-sent`; in any doubt it is
 * `unknown` (invariant 16). `redact` removes registered secrets from words within the data.
 */
export function outcomesOf(exchange: Exchange, sending: Judged, redact: (text: string) => string): SentOutcome[] {
  const { aliases } = sending
  if (exchange.is === 'not-sent') return aliases.map(() => ({ outcome: 'not-sent', fault: exchange.fault }))
  if (exchange.is === 'lost') {
    const all = rejectedByStatus(exchange.status, exchange.fault) ?? unknown(wordsOfFault(exchange.fault))
    return aliases.map(() => all)
  }
  const { status, data, errors } = exchange
  return aliases.map((alias) => {
    const value = isObject(data) ? own(data, alias) : undefined
    if (value === null || value === undefined) return withoutValue(exchange, alias)
    // The service says that something went wrong, and that this succeeded.
    if (status >= 500) return unknown(errors[0]?.message ?? `HTTP ${status}`)
    return byValue(value, sending, redact)
  })
}

/**
 * Returns what came of each root field of a mutation that the operator wrote, by its name in the answer (`aliases`). A value
 * that says `success: false` is `refused`, any other that is not null `confirmed`.
 */
export function writtenOutcomes(
  exchange: Exchange,
  aliases: readonly string[],
  redact: (text: string) => string,
): SentOutcome[] {
  const sending = { aliases, result: { is: 'any' } } as const
  return outcomesOf(exchange, sending, redact)
}

/** Returns the outcome that the mutation itself returned. */
function byValue(value: unknown, { result }: Judged, redact: (text: string) => string): SentOutcome {
  if (result.is === 'boolean') {
    if (typeof value !== 'boolean') return unknown(shapeless)
    return value ? { outcome: 'confirmed', id: null } : { outcome: 'refused', words: '', fault: null }
  }
  if (result.is === 'any' && (!isObject(value) || own(value, 'success') !== false))
    return { outcome: 'confirmed', id: null }
  if (!isObject(value) || Array.isArray(value)) return unknown(shapeless)
  const members = value
  if (result.is === 'object') {
    const id = own(members, 'id')
    if (typeof id !== 'string' && typeof id !== 'number') return unknown(shapeless)
    return { outcome: 'confirmed', id: String(id) }
  }
  const [success, error] = [own(members, 'success'), own(members, 'error')]
  if (success === true) return { outcome: 'confirmed', id: null }
  if (success !== false) return unknown(shapeless)
  return { outcome: 'refused', words: typeof error === 'string' ? words(redact(error)) : '', fault: null }
}

const shapeless = 'The answer does not say what came of it.'

/** Returns the outcome where the mutation returned nothing: its errors decide, or those of the whole operation. */
function withoutValue(exchange: Answered, alias: string): SentOutcome {
  const { status, data, errors } = exchange
  const tooExpensive = costRejection(exchange)
  if (tooExpensive !== null) return { outcome: 'not-sent', fault: tooExpensive }
  const its = errors.filter(({ path }) => path?.[0] === alias)
  const all = errors.filter(({ path }) => path === null || path.length === 0)
  const reasons = its.length > 0 ? its : all
  const certain = reasons.map((error) =>
    data === undefined && error.path === null ? faultBefore(error, status) : faultWithin(error),
  )
  const first = certain[0]
  const said = words(reasons.find(({ message }) => message !== '')?.message ?? '')
  if (first === undefined) {
    const isBare = errors.length === 0 && data === undefined
    const rejected = isBare ? rejectedByStatus(status, { kind: 'http', detail: `HTTP ${status}` }) : null
    return rejected ?? unknown(status < 400 ? shapeless : `HTTP ${status}`)
  }
  if (certain.includes(null)) return unknown(said === '' ? shapeless : said)
  // The service charges before it executes.
  if (first?.kind === 'exhausted' || first?.kind === 'cost-limit') return { outcome: 'not-sent', fault: first }
  return { outcome: 'refused', words: said, fault: first ?? null }
}

const documentedCost = /query cost of [\d,.]{1,20} points exceeds maximum cost limit/i

/**
 * Returns the fault of the documented rejection of an operation that costs too much (service-spec.md, section 7), which was
 * not executed; null for any other answer. Its second error says nothing of its own.
 */
function costRejection({ status, data, errors }: Answered): Fault | null {
  if (status !== 400 || isObject(data) || errors.some(({ path }) => path !== null)) return null
  const found = errors.find(({ message }) => documentedCost.test(message))
  return found === undefined ? null : { kind: 'cost-limit', detail: redacted(found.message) }
}

/** Rejections by texts that servers send before they execute: of graphql-js, and the documented ones of a token. */
const validationText =
  /^(Cannot query field|Unknown (argument|type|field)|Variable "\$|Syntax Error|Field "\w{1,80}" (argument|must|of))/
const tokenText = /must be logged in|authorization failed/i
/** Codes of a mutation that did nothing, also where the error is its own. */
const refusingCodes: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'GRAPHQL_VALIDATION_FAILED',
  'GRAPHQL_PARSE_FAILED',
  'BAD_USER_INPUT',
  'NOT_FOUND',
])
/** Codes of an operation that was not begun. Within one they may come from anything that a mutation called. */
const waitingCodes: ReadonlySet<string> = new Set(['RATE_LIMITED', 'TOO_MANY_REQUESTS', 'THROTTLED'])

/** Statuses of a request that was rejected before it was executed, where the answer has errors and no data at all. */
const rejectingStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 422, 429])

/**
 * Returns the fault of an error of a whole answer without `data`, which is one before the execution, where that is beyond
 * doubt; null where it is not.
 */
function faultBefore(error: ServiceError, status: number): Fault | null {
  const kind = kindOf(error)
  const detail = redacted(error.message)
  if (kind === 'cost-limit') return { kind, detail }
  if (error.code !== null && (refusingCodes.has(error.code) || waitingCodes.has(error.code)))
    return { kind: kind ?? 'input', detail }
  if (rejectingStatuses.has(status)) return { kind: kind ?? kindOfStatus(status), detail }
  if (error.code !== null) return null
  if (tokenText.test(error.message)) return { kind: 'token', detail }
  if (kind === 'exhausted') return { kind, detail }
  return validationText.test(error.message) ? { kind: 'query', detail } : null
}

/**
 * Returns the fault of an error within the execution that proves that its mutation did nothing; null where it does not. A
 * mutation that lacks points may have acted before it threw, and a text alone may come from anything that it called.
 */
function faultWithin(error: ServiceError): Fault | null {
  // A field of its answer failed: the mutation itself was executed.
  if (error.path !== null && error.path.length > 1) return null
  const detail = redacted(error.message)
  // The code alone: words of the service decide nothing here.
  if (error.code !== null)
    return refusingCodes.has(error.code) ? { kind: kindOf({ ...error, message: '' }) ?? 'input', detail } : null
  return tokenText.test(error.message) ? { kind: 'token', detail } : null
}

const kindOfStatus = (status: number): FaultKind =>
  status === 401 ? 'token' : status === 403 ? 'forbidden' : status === 429 ? 'exhausted' : 'query'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the outcome of an answer without anything of GraphQL whose status proves a rejection; null: it does not. */
function rejectedByStatus(status: number | null, fault: Fault): SentOutcome | null {
  if (status === 401) return { outcome: 'refused', words: '', fault: { kind: 'token', detail: fault.detail } }
  if (status === 429) return { outcome: 'not-sent', fault: { kind: 'exhausted', detail: fault.detail } }
  return null
}

const unknown = (said: string): SentOutcome => ({ outcome: 'unknown', words: words(said) })

function wordsOfFault(fault: Fault): string {
  const { title } = explain(fault)
  return fault.detail === '' ? title : `${title} ${fault.detail}`
}

/** Returns a service's words on one line, without tokens and control characters. */
const words = (text: string): string => redacted(text.replaceAll(/\p{Cc}+/gu, ' '), maxWords).trim()
