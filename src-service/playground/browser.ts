import { header, pathOf } from '../net/wire.ts'
import type { Request } from '../net/wire.ts'

/** Sent to the GraphQL address and below it, by pages of this origin only, over TLS only, and hidden from scripts. */
const COOKIE = '__Secure-playground'
const ATTRIBUTES = 'Path=/graphql; Secure; HttpOnly; SameSite=Strict'

export function cookieWith(id: string, seconds: number): string {
  return `${COOKIE}=${id}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** Returns the session id of the browser's cookie; null without one. */
export function sessionIdOf(request: Request): string | null {
  const found = (header(request, 'cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${COOKIE}=`))
  return found?.slice(COOKIE.length + 1) ?? null
}

/** Returns the id of the credential set in the address, `?credentials=ID`; null without one. */
export function choiceOf(request: Request): string | null {
  return new URLSearchParams(request.url?.slice(pathOf(request).length)).get('credentials')
}

/**
 * Returns whether a page of this origin sent the request, by headers that browsers set and pages cannot change; a
 * client without them is not a browser, and must not use a cookie.
 */
export function isOwnPage(request: Request): boolean {
  const [origin, site] = [header(request, 'origin'), header(request, 'sec-fetch-site')]
  const own = origin === `https://${header(request, ':authority') ?? header(request, 'host')}`
  // Sockets have no `sec-fetch-site`, forms of a page that sends no referrer have the origin "null".
  return site === undefined ? own : site === 'same-origin' && (own || origin === undefined || origin === 'null')
}

export function wantsPage(request: Request): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') && /\btext\/html\b/i.test(header(request, 'accept') ?? '')
  )
}
