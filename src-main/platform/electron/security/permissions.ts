import type { Session } from 'electron'
import { isGranted } from '../../desktop/page/page.ts'

/** Only what `isGranted` lets through; no device at all. */
export function denyPermissions(
  session: Pick<Session, 'setPermissionCheckHandler' | 'setPermissionRequestHandler' | 'setDevicePermissionHandler'>,
): void {
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isGranted(permission, requestingOrigin),
  )
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isGranted(permission, details.requestingUrl ?? ''))
  })
  session.setDevicePermissionHandler(() => false)
}
