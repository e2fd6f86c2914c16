import type { Session } from 'electron'
import { isOwnUrl } from '../../desktop/page/page.ts'
import { denyPermissions } from './permissions.ts'
import { serveWindow } from './scheme.ts'

/**
 * Returns the session of the window's page, in memory only: it serves the files in `folder`, and may request and do
 * nothing else.
 */
export function openPage(
  sessions: { fromPartition(partition: string, options: { cache: boolean }): Session },
  folder: string,
): Session {
  const page = sessions.fromPartition('window', { cache: false })
  serveWindow(page.protocol, folder)
  denyPermissions(page)
  cutPageNetwork(page)
  return page
}

/** Blocks all requests of the window's session except for the window's own files, in addition to the content policy. */
export function cutPageNetwork(session: Pick<Session, 'webRequest'>): void {
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !isOwnUrl(details.url) }))
}
