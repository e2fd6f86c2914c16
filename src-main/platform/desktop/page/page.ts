import { readFile } from 'node:fs/promises'
import { isPage, pageType, readPage, typeOf, windowPolicy } from '../../shared/window-files.ts'

/** Where the window comes from: a scheme of our own, so that its origin is nobody else's and no file address works. */
export const scheme = 'app'
export const origin = `${scheme}://muster`
export const pageUrl = `${origin}/index.html`

/** Whether this address, as Chromium writes it, is of our origin: the page itself, or what lies beside it. */
export function isOfOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && `${url.protocol}//${url.host}` === origin
}

/** Whether it is the page itself, which may be loaded again. */
export function isPageUrl(text: string): boolean {
  return isOfOrigin(text) && isPage(URL.parse(text)?.pathname ?? '')
}

/** The address in the one form in which it may be handed to the system: https, without a name and password. Else null. */
export function externalUrl(text: string): string | null {
  const url = URL.parse(text)
  const good = url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
  return good ? url.href : null
}

/** What the page's session may ask for. The developer tools have files of their own, and are there in development alone. */
export function isOwn(url: string): boolean {
  return url.startsWith(`${origin}/`) || url.startsWith('devtools://') || url.startsWith('data:image/')
}

/** Every permission is denied but one: our own page may put text on the clipboard. */
export function isGranted(permission: string, asker: string): boolean {
  return permission === 'clipboard-sanitized-write' && isOfOrigin(asker)
}

/** Headers of every answer to the window. Its pipe is no network, so it may connect to nothing at all. */
export function securityHeaders(nonce: string | null): Record<string, string> {
  return {
    'Content-Security-Policy': windowPolicy(null, nonce),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

/** What is not in the list of the window's files, or asked for in another way than GET, is not there. */
export async function answerRequest(
  known: ReadonlyMap<string, string>,
  request: Pick<Request, 'url' | 'method'>,
): Promise<Response> {
  const pathname = pathOf(request.url)
  const file = pathname === null ? undefined : known.get(isPage(pathname) ? '/index.html' : pathname)
  if (pathname === null || file === undefined || request.method !== 'GET') return say(404)
  if (!isPage(pathname))
    return new Response(await readFile(file), { headers: { ...securityHeaders(null), 'Content-Type': typeOf(file) } })
  const { text, nonce } = readPage(file)
  return new Response(text, {
    headers: { ...securityHeaders(nonce), 'Content-Type': pageType, 'Cache-Control': 'no-store' },
  })
}

/** Null for another host than ours, and for what cannot be decoded. */
function pathOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !isOfOrigin(text)) return null
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return null
  }
}

function say(status: number): Response {
  return new Response(null, { status, headers: securityHeaders(null) })
}
