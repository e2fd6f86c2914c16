import { readFile } from 'node:fs/promises'
import type { CustomScheme, Protocol } from 'electron'
import { isPage, listWindow, pageType, readPage, typeOf } from '../../shell/window-files.ts'
import { securityHeaders } from './csp.ts'

/** Where the window comes from: a scheme of our own, so that its origin is nobody else's and no file address works. */
export const origin = 'app://muster'
export const pageUrl = `${origin}/index.html`

/** To be registered once, before the application is ready. */
export const ownScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
}

/** Serves the built window in `folder` to the session whose `protocol` this is. */
export function serveWindow(protocol: Pick<Protocol, 'handle'>, folder: string): void {
  const known = listWindow(folder)
  protocol.handle(ownScheme.scheme, (request) => answerRequest(known, request))
}

/** What is not in the list of the window's files, or asked for in another way than GET, is not there. */
export async function answerRequest(known: ReadonlyMap<string, string>, request: Pick<Request, 'url' | 'method'>): Promise<Response> {
  const pathname = pathOf(request.url)
  const file = pathname === null ? undefined : known.get(isPage(pathname) ? '/index.html' : pathname)
  if (pathname === null || file === undefined || request.method !== 'GET') return say(404)
  if (!isPage(pathname)) return new Response(await readFile(file), { headers: { ...securityHeaders(null), 'Content-Type': typeOf(file) } })
  const { text, nonce } = readPage(file)
  return new Response(text, { headers: { ...securityHeaders(nonce), 'Content-Type': pageType, 'Cache-Control': 'no-store' } })
}

/** Null for another host than ours, and for what cannot be decoded. */
function pathOf(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || `${url.protocol}//${url.host}` !== origin) return null
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return null
  }
}

function say(status: number): Response {
  return new Response(null, { status, headers: securityHeaders(null) })
}
