import path from 'node:path'
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron'
import type { Clock } from '../../src-shared/clock.ts'
import { scarcest } from '../tray/balance.ts'
import type { Deed, Entry } from '../tray/entry.ts'
import { menuOf } from '../tray/menu.ts'
import { createPace } from '../tray/pace.ts'
import { faceOf, tooltipOf, type Face, type Situation } from '../tray/situation.ts'

/** What the tray needs of Electron, and what its menu does. */
export interface TrayOptions {
  create(image: NativeImage): Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'on' | 'destroy'>
  menu(template: MenuItemConstructorOptions[]): Menu
  image(file: string): NativeImage
  /** Folder of the tray's images. */
  assets: string
  platform: NodeJS.Platform
  clock: Clock
  does(deed: Deed): void
}

export interface ShownTray {
  show(situation: Situation): void
  stop(): void
}

/** A tray is redrawn by another process, and a menu that changes more often nobody reads. */
const redrawMs = 1_000
/** Not every system says when a menu was closed: after so long it counts as such. */
const openMs = 60_000

/** macOS draws template images in its own colour; elsewhere the image has to do on dark and on light. */
export function imageFile(assets: string, face: Face, platform: NodeJS.Platform): string {
  return path.join(assets, platform === 'darwin' ? `tray-${face}Template.png` : `tray-${face}.png`)
}

/** As Electron takes it. What a name has of `&` is doubled, or it would be taken for a key's mark. */
export function templateOf(entries: readonly Entry[], does: (deed: Deed) => void): MenuItemConstructorOptions[] {
  return entries.map((entry) => {
    const { id } = entry
    if (entry.kind === 'line') return { id, type: 'separator' as const }
    const label = entry.label.replaceAll('&', '&&')
    if (entry.kind === 'words') return { id, label, enabled: false }
    return entry.kind === 'more' ? { id, label, submenu: templateOf(entry.entries, does) } : { id, label, click: () => does(entry.deed) }
  })
}

/** Shows the newest situation, at most once a second, and changes no menu that is open, as far as the system tells. */
export function startTray(options: TrayOptions): ShownTray {
  const { clock, platform, assets, does } = options
  const imageOf = (face: Face) => options.image(imageFile(assets, face, platform))
  const images = { idle: imageOf('idle'), alert: imageOf('alert'), blind: imageOf('blind') }
  const tray = options.create(images.blind)
  tray.on('click', () => does({ do: 'raise' }))
  let situation: Situation | null = null
  const shown = { face: 'blind', words: '', menu: '' }
  let openUntil = -Infinity

  function draw() {
    if (situation === null) return
    const [face, words, entries] = [faceOf(situation), tooltipOf(situation), menuOf(situation, clock.now())]
    if (face !== shown.face) tray.setImage(images[face])
    if (words !== shown.words) tray.setToolTip(words)
    Object.assign(shown, { face, words })
    place(entries)
    // What is said of the points is no longer so when they are back.
    const resetIn = (scarcest(situation.gauges)?.resetAt ?? 0) - clock.now()
    if (resetIn > 0) pace.within(resetIn)
  }
  function place(entries: readonly Entry[]) {
    const text = JSON.stringify(entries)
    const openFor = openUntil - clock.monotonic()
    if (text === shown.menu) return
    if (openFor > 0) return pace.within(openFor)
    shown.menu = text
    // Linux takes no change of a menu that it has: it wants a new one.
    const menu = options.menu(templateOf(entries, does))
    menu.on('menu-will-show', () => (openUntil = clock.monotonic() + openMs))
    menu.on('menu-will-close', () => {
      openUntil = -Infinity
      pace.soon()
    })
    tray.setContextMenu(menu)
  }
  const pace = createPace(clock, redrawMs, draw)
  return {
    show(now) {
      situation = now
      pace.soon()
    },
    stop() {
      pace.stop()
      tray.destroy()
    },
  }
}
