import type { Session } from 'electron'
import { isOwn } from '../../desktop/page/page.ts'
import { denyPermissions } from './permissions.ts'
import { serveWindow } from './scheme.ts'

/** The session of the window's page, in memory alone: it has the files in `folder`, and reaches and may do nothing else. */
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

/** The window's session reaches nothing but the window's own files, whatever its content policy has let through. */
export function cutPageNetwork(session: Pick<Session, 'webRequest'>): void {
  session.webRequest.onBeforeRequest((details, callback) => callback({ cancel: !isOwn(details.url) }))
}
