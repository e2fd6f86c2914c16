import type { Session } from 'electron'
import { isOwn } from '../../desktop/page.ts'

/** The window's session reaches nothing but the window's own files, whatever its content policy has let through. */
export function cutPageNetwork(session: Pick<Session, 'webRequest'>): void {
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !isOwn(details.url) }))
}
