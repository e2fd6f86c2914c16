import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import { imageFile, type TrayPlace } from '../../tray/tray.ts'
import type { TrayAction, Entry } from '../../tray/entry.ts'
import type { TrayFace } from '../../tray/status.ts'

/** The parts of Electron that the tray needs, and the action of its menu. */
export interface TrayIconOptions {
  create(image: NativeImage): Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>
  menu(template: MenuItemConstructorOptions[]): Menu
  image(file: string): NativeImage
  /** Folder of the tray's images. */
  assets: string
  platform: NodeJS.Platform
  does(deed: TrayAction): void
}

/** Puts the tray's icon on the desktop, with the images of this system. */
export function placeTray(
  { create, menu, image, assets, platform, does }: TrayIconOptions,
  face: TrayFace,
  onClick: () => void,
): TrayPlace {
  const imageOf = (one: TrayFace) => image(imageFile(assets, one, platform))
  const images = { idle: imageOf('idle'), alert: imageOf('alert'), blind: imageOf('blind') }
  const tray = create(images[face])
  // On macOS a click opens the menu, which leads to the window.
  if (platform !== 'darwin') tray.on('click', onClick)
  return {
    image: (next) => tray.setImage(images[next]),
    words: (text) => tray.setToolTip(text),
    menu(entries, onOpen, onClose) {
      const next = menu(templateOf(entries, does))
      next.on('menu-will-show', onOpen)
      next.on('menu-will-close', onClose)
      tray.setContextMenu(next)
    },
    destroy: () => tray.destroy(),
  }
}

/** Returns entries as Electron's template. Doubles `&` in names, which otherwise marks an access key. */
export function templateOf(entries: readonly Entry[], does: (deed: TrayAction) => void): MenuItemConstructorOptions[] {
  return entries.map((entry) => {
    const { id } = entry
    if (entry.kind === 'line') return { id, type: 'separator' as const }
    const label = entry.label.replaceAll('&', '&&')
    if (entry.kind === 'words') return { id, label, enabled: false }
    return entry.kind === 'more'
      ? { id, label, submenu: templateOf(entry.entries, does) }
      : { id, label, click: () => does(entry.deed) }
  })
}
