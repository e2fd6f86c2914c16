import { app, Menu, nativeImage, Notification, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron'
import { systemClock } from '../../src-shared/clock.ts'
import type { EventData } from '../../src-shared/contract.ts'
import { noticeId } from '../../src-shared/notice.ts'
import type { Core } from '../core.ts'
import { createDeeds } from '../desktop/deeds.ts'
import { startDesk, type Desk } from '../desktop/desk.ts'
import { sayShown, startNotices, type Notices } from '../desktop/notices.ts'
import { followPast } from '../desktop/past.ts'
import { systemWords } from '../desktop/toast.ts'
import type { Log } from '../ports.ts'
import { imageFile, startTray } from '../tray/drawing.ts'
import { placeTray } from './tray.ts'
import type { Stage } from './window.ts'

export interface DesktopOptions {
  core: Core
  stage: Stage
  assets: string
  /** Id of the notification that was clicked to start Muster. */
  launched: string | null
  log: Log
  open(what: EventData<'open'>): void
}

/** Tray, badge and notifications, placed on the operator's desktop. */
export async function placeDesk({
  core,
  stage,
  assets,
  launched,
  log,
  open,
}: DesktopOptions): Promise<Pick<Desk, 'closeToTray' | 'mark' | 'stop'> & Pick<Notices, 'say'>> {
  const { platform } = process
  const raiseWith = (what: EventData<'open'>) => {
    stage.raise()
    open(what)
  }
  const notices = startNotices({
    isSupported: () => Notification.isSupported(),
    create: (words) => new Notification(systemWords(words, platform)),
    onClick: ({ open: what }) => raiseWith(what),
    // The tray has turned to its alert by the same incident; a window that is open asks for a look.
    onFailed: () => stage.current()?.flashFrame(true),
    onShown: sayShown(core),
  })
  const does = createDeeds({
    core,
    log,
    open,
    now: () => systemClock.now(),
    utc: () => desk.utc(),
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
  const desk = await startDesk({ core, tray, notices, badge: badgeOn(stage, assets), clock: systemClock })
  const past = followPast({
    platform,
    core,
    launched,
    history: () => Notification.getHistory(),
    onActivation: (listener) => {
      // Asked, because Windows is not listened to before the first notification or this.
      Notification.isSupported()
      Notification.handleActivation(listener)
    },
    isLive: (id) => notices.standing().some((told) => noticeId(told) === id),
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
      // Kept until here: a notification that is not referenced hears no click.
      past.length = 0
    },
  }
}

/** How many incidents are open, on the application's icon; on Windows as a mark on the window's. */
function badgeOn(stage: DesktopOptions['stage'], assets: string): (calling: number) => void {
  if (process.platform !== 'win32') return (calling) => void app.setBadgeCount(calling)
  const overlay = nativeImage.createFromPath(imageFile(assets, 'alert', 'win32'))
  return (calling) =>
    stage.current()?.setOverlayIcon(calling > 0 ? overlay : null, calling > 0 ? `${calling} open` : '')
}
