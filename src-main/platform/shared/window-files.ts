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
 * Returns the built window's files in `folder` by address ("/assets/x.js"). Only listed files are served, so no form of
 * `..` leads out of the folder.
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

/** Returns whether an address is the page itself. */
export const isPage = (pathname: string): boolean => pathname === '/' || pathname === '/index.html'

/**
 * Returns the page with the nonce of this answer. React Aria adds style elements, which the policy allows only with the
 * nonce; it reads that from a `csp-nonce` meta element.
 */
export function readPage(file: string): { text: string; nonce: string } {
  const nonce = randomBytes(16).toString('base64')
  const meta = `<meta property="csp-nonce" nonce="${nonce}">`
  return { nonce, text: readFileSync(file, 'utf8').replace(/<head(?:\s[^<>]*)?>/, (head) => `${head}${meta}`) }
}

/**
 * Returns the window's content policy: its own scripts, styles, images and fonts only, in no frame. `connect`: allowed
 * connections; null: none, where the pipe is not a socket.
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
