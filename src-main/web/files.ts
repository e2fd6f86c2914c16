import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomBytes } from 'node:crypto'
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

/** Answers a GET or HEAD of the window's files; false when there is none by this address. */
export type Files = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * The built window in `folder`. The addresses that exist are listed once: what is not in the list is not served, so no
 * spelling of `..` leads out of the folder.
 */
export function openFiles(folder: string): Files {
  const known = list(folder)
  return (request, response) => {
    const pathname = pathOf(request)
    const file = known.get(pathname === '/' ? '/index.html' : pathname)
    if (file === undefined) return false
    if (pathname === '/' || pathname === '/index.html') sendPage(request, response, file)
    else sendFile(request, response, file, pathname)
    return true
  }
}

/** The decoded path, or '' for one that cannot be decoded. */
function pathOf(request: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(`http://window${request.url ?? '/'}`).pathname)
  } catch {
    return ''
  }
}

function list(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(entries.map((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    return [`/${path.relative(folder, file).split(path.sep).join('/')}`, file]
  }))
}

/**
 * The page itself is never cached: after an update its old scripts are gone. React Aria adds style elements, which the
 * policy lets in by this answer's nonce alone; it looks for it in a `csp-nonce` meta element.
 */
function sendPage(request: IncomingMessage, response: ServerResponse, file: string): void {
  const nonce = randomBytes(16).toString('base64')
  const meta = `<meta property="csp-nonce" nonce="${nonce}">`
  const text = readFileSync(file, 'utf8').replace(/<head(\s[^>]*)?>/, (head) => `${head}${meta}`)
  response.setHeader('Content-Security-Policy', policy(request.headers.host ?? '', nonce))
  response.writeHead(200, { 'Content-Type': types['.html'], 'Cache-Control': 'no-store', 'Content-Length': Buffer.byteLength(text) })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string, pathname: string): void {
  const hashed = /^\/assets\/.+-[\w-]{8}\.\w+$/.test(pathname)
  response.writeHead(200, {
    'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
    'Content-Length': statSync(file).size,
    'Cache-Control': hashed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(file).on('error', () => response.destroy()).pipe(response)
}

/** The window talks to its own origin only, runs its own scripts only, and stands in nobody's frame. */
export function policy(host: string, nonce: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === null ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // Not every browser counts ws: on the same origin as 'self'.
    `connect-src 'self' ws://${host}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
