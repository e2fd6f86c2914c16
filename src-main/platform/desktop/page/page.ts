import { readFile } from 'node:fs/promises'
import { isPage, pageType, readPage, typeOf, windowPolicy } from '../../shared/window-files.ts'

/** The scheme of the window's page: our own, so that no other page shares its origin and no file address works. */
export const scheme = 'app'
export const origin = `${scheme}://muster`
export const pageUrl = `${origin}/index.html`

/** Returns whether an address, as Chromium writes it, is of our origin. */
export function isOfOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && `${url.protocol}//${url.host}` === origin
}

/** Returns whether an address is the page itself, which may be loaded again. */
export function isPageUrl(text: string): boolean {
  return isOfOrigin(text) && isPage(URL.parse(text)?.pathname ?? '')
}

/**
 * Returns an address in the one form that may be passed to the system: https, without name and password; null for any
 * other.
 */
export function externalUrl(text: string): string | null {
  const url = URL.parse(text)
  const isAllowed = url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
  return isAllowed ? url.href : null
}

/**
 * Returns whether the page's session may request an address. The developer tools have their own files, in development
 * only.
 */
export function isOwnUrl(url: string): boolean {
  return url.startsWith(`${origin}/`) || url.startsWith('devtools://') || url.startsWith('data:image/')
}

const granted: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'screen-wake-lock'])

/** Returns whether a permission is granted: only our own page may write text to the clipboard and keep the screen on. */
export function isGranted(permission: string, requestingOrigin: string): boolean {
  return granted.has(permission) && isOfOrigin(requestingOrigin)
}

/**
 * Returns the headers of every answer to the window. The page may connect to nothing, because its pipe is no network.
 */
export function securityHeaders(nonce: string | null): Record<string, string> {
  return {
    'Content-Security-Policy': windowPolicy(null, nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** Answers a GET request for one of the window's files; any other with 404. */
export async function answerRequest(
  known: ReadonlyMap<string, string>,
  request: Pick<Request, 'url' | 'method'>,
): Promise<Response> {
  const pathname = pathOf(request.url)
  const file = pathname === null ? undefined : known.get(isPage(pathname) ? '/index.html' : pathname)
  if (pathname === null || file === undefined || request.method !== 'GET') return emptyResponse(404)
  if (!isPage(pathname))
    return new Response(await readFile(file), { headers: { ...securityHeaders(null), 'Content-Type': typeOf(file) } })
  const { text, nonce } = readPage(file)
  return new Response(text, {
    headers: { ...securityHeaders(nonce), 'Content-Type': pageType, 'Cache-Control': 'no-store' },
  })
}

/** Returns the path of an address; null for another host, and for one that cannot be decoded. */
function pathOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !isOfOrigin(text)) return null
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return null
  }
}

function emptyResponse(status: number): Response {
  return new Response(null, { status, headers: securityHeaders(null) })
}
