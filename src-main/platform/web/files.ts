import { createReadStream, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPage, listWindow, pageType, readPage, typeOf, windowPolicy } from '../shared/window-files.ts'

/** Answers a GET or HEAD of the window's files; returns false when there is none with this address. */
export type Files = (request: IncomingMessage, response: ServerResponse) => boolean

/** Serves the built window in `folder`. */
export function openFiles(folder: string): Files {
  const known = listWindow(folder)
  return (request, response) => {
    const pathname = pathOf(request)
    const file = known.get(isPage(pathname) ? '/index.html' : pathname)
    if (file === undefined) return false
    if (isPage(pathname)) sendPage(request, response, file)
    else sendFile(request, response, file, pathname)
    return true
  }
}

/** Returns the decoded path; '' when it is invalid. */
function pathOf(request: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(`http://window${request.url ?? '/'}`).pathname)
  } catch {
    return ''
  }
}

/** Sends the page uncached: after an update its old scripts are gone. */
function sendPage(request: IncomingMessage, response: ServerResponse, file: string): void {
  const { text, nonce } = readPage(file)
  response.setHeader('Content-Security-Policy', policy(request.headers.host ?? '', nonce))
  response.writeHead(200, {
    'Content-Type': pageType,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: string, pathname: string): void {
  const hashed = /^\/assets\/.+-[\w-]{8}\.\w+$/.test(pathname)
  response.writeHead(200, {
    'Content-Type': typeOf(file),
    'Content-Length': statSync(file).size,
    'Cache-Control': hashed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
  })
  if (request.method === 'HEAD') return void response.end()
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}

/**
 * Returns the content policy: the window connects to its own origin only. Not every browser includes ws: on the same
 * origin in 'self'.
 */
export function policy(host: string, nonce: string | null): string {
  return windowPolicy(`'self' ws://${host}`, nonce)
}
