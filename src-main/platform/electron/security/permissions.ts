import type { Session } from 'electron'
import { isGranted } from '../../desktop/page/page.ts'

/** Denies every permission except those of `isGranted`, and every device. */
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
