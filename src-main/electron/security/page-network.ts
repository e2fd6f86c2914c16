import type { Session } from 'electron'
import { origin } from './scheme.ts'

/**
 * The window's session reaches nothing but the window's own files, whatever its content policy has let through. The
 * developer tools have files of their own, and are there in development alone.
 */
export function cutPageNetwork(session: Pick<Session, 'webRequest'>): void {
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !isOwn(details.url) }))
}

export function isOwn(url: string): boolean {
  return url.startsWith(`${origin}/`) || url.startsWith('devtools://') || url.startsWith('data:image/')
}
