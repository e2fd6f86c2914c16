import { app, Menu, nativeImage, Notification, Tray } from 'electron'
import type { EventData } from '../../src-shared/contract.ts'
import type { Core } from '../core.ts'
import { startDesk, type Desk } from './desk.ts'
import { startNotices } from './notify.ts'
import { imageFile, startTray } from './tray.ts'
import type { Stage } from './window.ts'

export interface DesktopOptions {
  core: Core
  stage: Stage
  assets: string
  open(what: EventData<'open'>): void
}

/** Tray, badge and notifications, placed on the operator's desktop. */
export async function placeDesk({ core, stage, assets, open }: DesktopOptions): Promise<Desk> {
  const raiseWith = (what: EventData<'open'>) => {
    stage.raise()
    open(what)
  }
  const tray = startTray({
    create: (image) => new Tray(image),
    menu: (template) => Menu.buildFromTemplate(template),
    image: (file) => nativeImage.createFromPath(file),
    assets,
    platform: process.platform,
    raise: () => stage.raise(),
    pause: (minutes) => void core.handlers['tellings.pause']({ minutes }).catch(() => {}),
    quit: () => app.quit(),
  })
  const notices = startNotices({
    isSupported: () => Notification.isSupported(),
    create: (options) => new Notification(options),
    onClick: ({ open: what }) => raiseWith(what),
    // The tray has turned to its alert by the same telling; a window that is open asks for a look.
    onFailed: () => stage.current()?.flashFrame(true),
  })
  const overlay = nativeImage.createFromPath(imageFile(assets, 'alert', 'win32'))
  const desk = await startDesk({
    core,
    tray,
    notices,
    badge: (unseen) => {
      if (process.platform === 'win32') stage.current()?.setOverlayIcon(unseen > 0 ? overlay : null, unseen > 0 ? `${unseen} not seen` : '')
      else app.setBadgeCount(unseen)
    },
    isLooking: () => stage.current()?.isFocused() ?? false,
  })
  return {
    ...desk,
    stop: () => {
      desk.stop()
      notices.stop()
      tray.stop()
    },
  }
}
