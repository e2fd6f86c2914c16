import { FaultError, type FaultKind } from '../../src-shared/fault.ts'

/** One entry of an answer's `errors` (service-spec.md, section 7), as far as Muster reads it. */
export interface ServiceError {
  message: string
  code: string | null
  path: readonly (string | number)[] | null
}

/** Reads `errors` of any shape; what is not an error entry is left out. `hide` frees messages of what was given to the service. */
export function readErrors(errors: unknown, hide: (text: string) => string): ServiceError[] {
  if (!Array.isArray(errors)) return []
  return errors.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return []
    const { message, extensions, path } = entry as Record<string, unknown>
    const code = typeof extensions === 'object' && extensions !== null ? (extensions as Record<string, unknown>)['code'] : null
    return [{
      message: typeof message === 'string' ? hide(message) : '',
      code: typeof code === 'string' ? code : null,
      path: Array.isArray(path) ? path.filter((part) => typeof part === 'string' || typeof part === 'number') : null,
    }]
  })
}

const kindsByCode: Record<string, FaultKind> = {
  UNAUTHENTICATED: 'token',
  FORBIDDEN: 'forbidden',
  GRAPHQL_VALIDATION_FAILED: 'query',
  GRAPHQL_PARSE_FAILED: 'query',
  BAD_USER_INPUT: 'query',
  RATE_LIMITED: 'exhausted',
  TOO_MANY_REQUESTS: 'exhausted',
  THROTTLED: 'exhausted',
}

/** Codes first, then the texts that are documented or seen (service-twin.md, section 4). */
function kindOf(error: ServiceError): FaultKind | null {
  if (/exceeds maximum cost limit/i.test(error.message)) return 'cost-limit'
  const byCode = error.code === null ? undefined : kindsByCode[error.code]
  if (byCode !== undefined) return byCode
  if (/rate.?limit|too many requests|throttl/i.test(error.message)) return 'exhausted'
  if (tellsOfAccess(error.message)) return 'token'
  return null
}

/** A token of the paging that is refused or too old is no reason to ask for another access token. */
function tellsOfAccess(message: string): boolean {
  return /must be logged in|authorization failed|jwt|access.?token|bearer/i.test(message) && !/next.?token|pagination|page.?token/i.test(message)
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
 * documented cost refusal, then the codes of the errors, then the HTTP status.
 */
export function classify(refusal: Refusal): FaultError | null {
  const kinds = refusal.errors.map(kindOf)
  const decisive = (['cost-limit', 'exhausted', 'token'] as const).find((kind) => kinds.includes(kind))
  if (decisive !== undefined) return faultOf(decisive, refusal)
  if (refusal.status === 429 || (refusal.status === 503 && refusal.retryAfter !== null)) return faultOf('exhausted', refusal)
  if (refusal.status === 401) return faultOf('token', refusal)
  if (refusal.hasData && refusal.status < 400) return null
  const first = kinds.find((kind) => kind !== null)
  if (first !== undefined) return faultOf(first, refusal)
  if (refusal.status === 403) return faultOf('forbidden', refusal)
  if (refusal.status === 404 || refusal.status === 405) return faultOf('not-found', refusal)
  if (refusal.status >= 400) return faultOf('http', refusal)
  return refusal.errors.length > 0 ? faultOf('query', refusal) : faultOf('not-graphql', refusal)
}

function faultOf(kind: FaultKind, refusal: Refusal): FaultError {
  const said = refusal.errors[0]?.message ?? ''
  const detail = said === '' ? `HTTP ${refusal.status}` : `HTTP ${refusal.status}: ${redacted(said)}`
  return new FaultError(kind, detail, refusal.retryAfter === null ? {} : { retryAfter: refusal.retryAfter * 1000 })
}

/** A service's own words, made safe to show: no token, no secret that it might repeat, no more than a line. */
export function redacted(text: string): string {
  return text
    .replace(/eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, '[token]')
    .replace(/(bearer|client_secret|secret|password)(["'\s:=]+)\S+/gi, '$1$2[hidden]')
    .replace(/\s+/g, ' ')
    .slice(0, 200)
}
