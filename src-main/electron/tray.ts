import path from 'node:path'
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import { faceOf, linksOf, wordsOf, type Face, type Situation } from './face.ts'

/** What the tray needs of Electron, and what its menu does. */
export interface TrayOptions {
  create(image: NativeImage): Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>
  menu(template: MenuItemConstructorOptions[]): Menu
  image(file: string): NativeImage
  /** Folder of the tray's images. */
  assets: string
  platform: NodeJS.Platform
  raise(): void
  pause(minutes: number): void
  quit(): void
}

export interface ShownTray {
  show(situation: Situation): void
  stop(): void
}

/** macOS draws template images in its own colour; elsewhere the image has to do on dark and on light. */
export function imageFile(assets: string, face: Face, platform: NodeJS.Platform): string {
  return path.join(assets, platform === 'darwin' ? `tray-${face}Template.png` : `tray-${face}.png`)
}

export function startTray(options: TrayOptions): ShownTray {
  const images = new Map<Face, NativeImage>()
  const imageOf = (face: Face) => {
    const known = images.get(face) ?? options.image(imageFile(options.assets, face, options.platform))
    images.set(face, known)
    return known
  }
  const tray = options.create(imageOf('blind'))
  tray.on('click', options.raise)
  let shown = ''
  return {
    show(situation) {
      // A tray is redrawn by another process: only when something on it changes.
      const now = JSON.stringify([faceOf(situation), wordsOf(situation), linksOf(situation), situation.pausedUntil])
      if (now === shown) return
      shown = now
      tray.setImage(imageOf(faceOf(situation)))
      tray.setToolTip(wordsOf(situation))
      // Linux takes no change of a menu that it has: it wants a new one.
      tray.setContextMenu(options.menu(menuOf(situation, options)))
    },
    stop: () => tray.destroy(),
  }
}

export function menuOf(situation: Situation, options: Pick<TrayOptions, 'raise' | 'pause' | 'quit'>): MenuItemConstructorOptions[] {
  const links = linksOf(situation)
  const paused = situation.pausedUntil !== null
  return [
    { label: 'Open Muster', click: options.raise },
    { type: 'separator' },
    { label: wordsOf(situation), enabled: false },
    ...(links === null ? [] : [{ label: links, enabled: false }]),
    { type: 'separator' },
    { label: paused ? 'Resume notifications' : 'Pause notifications for an hour', click: () => options.pause(paused ? 0 : 60) },
    { type: 'separator' },
    { label: 'Quit Muster', click: options.quit },
  ]
}
