import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import { imageFile, type TrayIcon } from '../../tray/tray.ts'
import type { TrayAction, Entry } from '../../tray/entry.ts'
import type { TrayStatus } from '../../tray/status.ts'

/** The parts of Electron that the tray needs, and the action of its menu. */
export interface TrayIconOptions {
  create(image: NativeImage): Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>
  menu(template: MenuItemConstructorOptions[]): Menu
  image(file: string): NativeImage
  /** Folder of the tray's images. */
  assets: string
  platform: NodeJS.Platform
  perform(action: TrayAction): void
}

/** Puts the tray's icon on the desktop, with the images of this system. */
export function placeTray(
  { create, menu, image, assets, platform, perform }: TrayIconOptions,
  status: TrayStatus,
  onClick: () => void,
): TrayIcon {
  const imageOf = (status: TrayStatus) => image(imageFile(assets, status, platform))
  const images = { idle: imageOf('idle'), alert: imageOf('alert'), lost: imageOf('lost') }
  const tray = create(images[status])
  // On macOS a click opens the menu, which leads to the window.
  if (platform !== 'darwin') tray.on('click', onClick)
  return {
    image: (next) => tray.setImage(images[next]),
    tooltip: (text) => tray.setToolTip(text),
    menu(entries, onOpen, onClose) {
      const next = menu(templateOf(entries, perform))
      next.on('menu-will-show', onOpen)
      next.on('menu-will-close', onClose)
      tray.setContextMenu(next)
    },
    destroy: () => tray.destroy(),
  }
}

/** Returns entries as Electron's template. Doubles `&` in names, which otherwise marks an access key. */
export function templateOf(
  entries: readonly Entry[],
  perform: (action: TrayAction) => void,
): MenuItemConstructorOptions[] {
  return entries.map((entry) => {
    const { id } = entry
    if (entry.kind === 'separator') return { id, type: 'separator' as const }
    const label = entry.label.replaceAll('&', '&&')
    if (entry.kind === 'text') return { id, label, enabled: false }
    return entry.kind === 'submenu'
      ? { id, label, submenu: templateOf(entry.entries, perform) }
      : { id, label, click: () => perform(entry.action) }
  })
}
