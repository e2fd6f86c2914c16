import { header, pathOf } from '../net/wire.ts'
import type { Request } from '../net/wire.ts'

/** Sent to the GraphQL address and what stands below it, by pages of this origin only, over TLS only, and hidden from scripts. */
const COOKIE = '__Secure-playground'
const ATTRIBUTES = 'Path=/graphql; Secure; HttpOnly; SameSite=Strict'

export function cookieWith(id: string, seconds: number): string {
  return `${COOKIE}=${id}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** The session id that the browser sent; null where it sent none. */
export function sessionIdOf(request: Request): string | null {
  const found = (header(request, 'cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
  return found?.slice(COOKIE.length + 1) ?? null
}

/** The id of the credential set that the address names, `?credentials=ID`; null where it names none. */
export function choiceOf(request: Request): string | null {
  return new URLSearchParams(request.url?.slice(pathOf(request).length)).get('credentials')
}

/**
 * Whether a page of this very origin sent the request, by what browsers say and pages cannot change; what says nothing is
 * no browser, and has no business with a cookie.
 */
export function isOwnPage(request: Request): boolean {
  const [origin, site] = [header(request, 'origin'), header(request, 'sec-fetch-site')]
  const own = origin === `https://${header(request, ':authority') ?? header(request, 'host')}`
  // Sockets come without `sec-fetch-site`, forms of a page that sends no referrer with the origin "null".
  return site === undefined ? own : site === 'same-origin' && (own || origin === undefined || origin === 'null')
}

export function wantsPage(request: Request): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') && /\btext\/html\b/i.test(header(request, 'accept') ?? '')
  )
}
