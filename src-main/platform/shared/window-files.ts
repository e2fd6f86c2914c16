import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
}

export const pageType = 'text/html; charset=utf-8'

export function typeOf(file: string): string {
  return types[path.extname(file)] ?? 'application/octet-stream'
}

/**
 * The built window in `folder`: address ("/assets/x.js") to file. They are listed once: what is not in the list is not
 * served, so no spelling of `..` leads out of the folder.
 */
export function listWindow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [`/${path.relative(folder, file).split(path.sep).join('/')}`, file]
    }),
  )
}

/** Whether this address stands for the page itself. */
export const isPage = (pathname: string): boolean => pathname === '/' || pathname === '/index.html'

/**
 * The page, and the nonce of this one answer. React Aria adds style elements, which the policy lets in by the nonce
 * alone; it looks for it in a `csp-nonce` meta element.
 */
export function readPage(file: string): { text: string; nonce: string } {
  const nonce = randomBytes(16).toString('base64')
  const meta = `<meta property="csp-nonce" nonce="${nonce}">`
  return { nonce, text: readFileSync(file, 'utf8').replace(/<head(?:\s[^<>]*)?>/, (head) => `${head}${meta}`) }
}

/**
 * The window's content policy: its own scripts, styles, pictures and fonts and nothing else, in nobody's frame. `connect`
 * is what it may talk to: nothing at all where the pipe is not a socket.
 */
export function windowPolicy(connect: string | null, nonce: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ...(connect === null ? [] : [`connect-src ${connect}`]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
