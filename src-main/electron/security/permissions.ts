import type { Session } from 'electron'
import { origin } from './scheme.ts'

/** Every permission is denied but one: our own page may put text on the clipboard. */
export function denyPermissions(session: Pick<Session, 'setPermissionCheckHandler' | 'setPermissionRequestHandler' | 'setDevicePermissionHandler'>): void {
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => isGranted(permission, requestingOrigin))
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isGranted(permission, details.requestingUrl ?? ''))
  })
  session.setDevicePermissionHandler(() => false)
}

function isGranted(permission: string, asker: string): boolean {
  const url = URL.parse(asker)
  return permission === 'clipboard-sanitized-write' && url !== null && `${url.protocol}//${url.host}` === origin
}
