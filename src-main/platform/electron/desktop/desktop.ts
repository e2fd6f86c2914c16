import { app, Menu, nativeImage, Notification, Tray } from 'electron'
import { systemClock } from '../../../../src-shared/lib/clock.ts'
import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { desktopNotificationId } from '../../../../src-shared/notifications/desktop-notification.ts'
import type { Core } from '../../../core.ts'
import { createTrayActions } from '../../desktop/tray-actions.ts'
import { startPresenter, type DesktopPresenter } from '../../desktop/presenter.ts'
import {
  reportDelivery,
  startDesktopNotifications,
  type DesktopNotifications,
} from '../../desktop/notifications/notifications.ts'
import { followPreviousNotifications } from '../../desktop/notifications/previous-notifications.ts'
import { toastOptions } from '../../desktop/notifications/toast.ts'
import type { Log } from '../../../ports.ts'
import { imageFile, startTray } from '../../tray/tray.ts'
import { placeTray, type TrayIconOptions } from './tray.ts'
import type { WindowManager } from '../window/window-manager.ts'

export interface DesktopOptions {
  core: Core
  windowManager: WindowManager
  assets: string
  /** Id of the notification that was clicked to start Muster. */
  launched: string | null
  log: Log
  open(what: EventData<'open'>): void
}

/** Calls `isSupported` first, because Windows is initialised by the first notification or by that. */
const onActivation: typeof Notification.handleActivation = (listener) => {
  Notification.isSupported()
  Notification.handleActivation(listener)
}

/** Shows tray, badge and notifications on the desktop. */
export async function startDesktop({
  core,
  windowManager,
  assets,
  launched,
  log,
  open,
}: DesktopOptions): Promise<
  Pick<DesktopPresenter, 'closeToTray' | 'mark' | 'stop'> & Pick<DesktopNotifications, 'notify'>
> {
  const { platform } = process
  const raiseWith = (what: EventData<'open'>) => {
    windowManager.raise()
    open(what)
  }
  let utc = () => false
  const notifications = startDesktopNotifications({
    isSupported: () => Notification.isSupported(),
    create: (words) => new Notification(toastOptions(words, platform)),
    utc: () => utc(),
    onClick: ({ open: what }) => raiseWith(what),
    // The tray shows its alert for the same incident; an open window flashes.
    onFailed: () => windowManager.current()?.flashFrame(true),
    onDelivery: reportDelivery(core),
  })
  const perform = createTrayActions({
    core,
    log,
    open,
    now: () => systemClock.now(),
    utc: () => utc(),
    raise: () => windowManager.raise(),
    quit: () => app.quit(),
    notify: notifications.notify,
    onDone: (done) => presenter.done(done),
  })
  const icons = trayIcons(assets, perform)
  const tray = startTray({ place: (face, onClick) => placeTray(icons, face, onClick), clock: systemClock, perform })
  const presenter = await startPresenter({
    core,
    tray,
    notifications,
    badge: badgeOn(windowManager, assets),
    clock: systemClock,
  })
  utc = presenter.utc
  const previousNotifications = followPreviousNotifications({
    platform,
    core,
    launched,
    history: () => Notification.getHistory(),
    onActivation,
    isLive: (id) => notifications.shown().some((notification) => desktopNotificationId(notification) === id),
    open: raiseWith,
  })
  return {
    closeToTray: presenter.closeToTray,
    mark: presenter.mark,
    notify: notifications.notify,
    stop() {
      presenter.stop()
      notifications.stop()
      tray.stop()
      // Referenced until here, because a collected notification loses its click.
      previousNotifications.length = 0
    },
  }
}

/** Returns what the tray needs of Electron, with the assets and actions of this application. */
const trayIcons = (assets: string, perform: TrayIconOptions['perform']): TrayIconOptions => ({
  create: (image) => new Tray(image),
  menu: (template) => Menu.buildFromTemplate(template),
  image: (file) => nativeImage.createFromPath(file),
  assets,
  platform: process.platform,
  perform,
})

/**
 * Returns a function that shows the number of open incidents on the application's icon; on Windows as an overlay of the
 * window's.
 */
function badgeOn(windowManager: DesktopOptions['windowManager'], assets: string): (count: number) => void {
  if (process.platform !== 'win32') return (count) => void app.setBadgeCount(count)
  const overlay = nativeImage.createFromPath(imageFile(assets, 'alert', 'win32'))
  return (count) =>
    windowManager.current()?.setOverlayIcon(count > 0 ? overlay : null, count > 0 ? `${count} open` : '')
}
