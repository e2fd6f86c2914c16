import { app, Menu, nativeImage, Notification, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
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
import { placeTray } from './tray.ts'
import type { WindowManager } from '../window/window-manager.ts'

export interface DesktopOptions {
  core: Core
  stage: WindowManager
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
export async function placePresenter({
  core,
  stage,
  assets,
  launched,
  log,
  open,
}: DesktopOptions): Promise<
  Pick<DesktopPresenter, 'closeToTray' | 'mark' | 'stop'> & Pick<DesktopNotifications, 'say'>
> {
  const { platform } = process
  const raiseWith = (what: EventData<'open'>) => {
    stage.raise()
    open(what)
  }
  let utc = () => false
  const notices = startDesktopNotifications({
    isSupported: () => Notification.isSupported(),
    create: (words) => new Notification(toastOptions(words, platform)),
    utc: () => utc(),
    onClick: ({ open: what }) => raiseWith(what),
    // The tray shows its alert for the same incident; an open window flashes.
    onFailed: () => stage.current()?.flashFrame(true),
    onShown: reportDelivery(core),
  })
  const does = createTrayActions({
    core,
    log,
    open,
    now: () => systemClock.now(),
    utc: () => utc(),
    raise: () => stage.raise(),
    quit: () => app.quit(),
    say: notices.say,
    onDone: (done) => desk.done(done),
  })
  const icons = {
    create: (image: NativeImage) => new Tray(image),
    menu: (template: MenuItemConstructorOptions[]) => Menu.buildFromTemplate(template),
    image: (file: string) => nativeImage.createFromPath(file),
    assets,
    platform,
    does,
  }
  const tray = startTray({ place: (face, onClick) => placeTray(icons, face, onClick), clock: systemClock, does })
  const desk = await startPresenter({ core, tray, notices, badge: badgeOn(stage, assets), clock: systemClock })
  utc = desk.utc
  const past = followPreviousNotifications({
    platform,
    core,
    launched,
    history: () => Notification.getHistory(),
    onActivation,
    isLive: (id) => notices.shown().some((one) => desktopNotificationId(one) === id),
    open: raiseWith,
  })
  return {
    closeToTray: desk.closeToTray,
    mark: desk.mark,
    say: notices.say,
    stop() {
      desk.stop()
      notices.stop()
      tray.stop()
      // Referenced until here, because a collected notification loses its click.
      past.length = 0
    },
  }
}

/**
 * Returns a function that shows the number of open incidents on the application's icon; on Windows as an overlay of the
 * window's.
 */
function badgeOn(stage: DesktopOptions['stage'], assets: string): (calling: number) => void {
  if (process.platform !== 'win32') return (calling) => void app.setBadgeCount(calling)
  const overlay = nativeImage.createFromPath(imageFile(assets, 'alert', 'win32'))
  return (calling) =>
    stage.current()?.setOverlayIcon(calling > 0 ? overlay : null, calling > 0 ? `${calling} open` : '')
}
