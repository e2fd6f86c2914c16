import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Menu, MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { placeTray, templateOf, type TrayIconOptions } from '../../src-main/platform/electron/desktop/tray.ts'
import { imageFile, startTray } from '../../src-main/platform/tray/tray.ts'
import { item, separator, submenu, textItem, type TrayAction } from '../../src-main/platform/tray/entry.ts'
import { manualClock } from '../support/clock.ts'
import { connection, gauge, incident, now, fleetStatus, summary } from '../main/platform/tray/status.ts'

class ShownMenu extends EventEmitter {
  readonly items: MenuItemConstructorOptions[]
  constructor(items: MenuItemConstructorOptions[]) {
    super()
    this.items = items
  }
}

function started(platform: NodeJS.Platform = 'linux') {
  const clock = manualClock(now)
  const drawn: string[] = []
  const menus: ShownMenu[] = []
  const deeds: TrayAction[] = []
  const icon = new EventEmitter()
  const perform = (action: TrayAction) => void deeds.push(action)
  const icons: TrayIconOptions = {
    create: (image) =>
      Object.assign(icon, {
        setImage: (image: unknown) => void drawn.push(path.basename(String(image))),
        setToolTip: (text: string) => void drawn.push(text),
        setContextMenu: (menu: unknown) => void (menus.push(menu as ShownMenu), drawn.push('menu')),
        destroy: () => void drawn.push(`gone, began as ${path.basename(String(image))}`),
      }) as never,
    menu: (items) => new ShownMenu(items) as unknown as Menu,
    image: (file) => file as never,
    assets: 'assets',
    platform,
    perform,
  }
  const tray = startTray({ place: (face, onClick) => placeTray(icons, face, onClick), clock, perform })
  return { tray, clock, drawn, menus, deeds, icon }
}
const calm = 'Muster: 12 offline, 2,980 online, 8 unknown'
const alert = fleetStatus({ incidents: summary([incident('a')]) })

describe('the tray', () => {
  it('is redrawn only where it changes, with a new menu each time', async () => {
    const { tray, clock, drawn } = started()
    tray.show(fleetStatus())
    await clock.advance(1000)
    tray.show(fleetStatus())
    await clock.advance(1000)
    tray.show(fleetStatus({ pausedUntil: now + 90 * 60_000 }))
    await clock.advance(1000)
    tray.show(alert)
    tray.stop()
    expect(drawn).toEqual([
      'tray-idle.png',
      calm,
      'menu',
      'menu',
      'tray-alert.png',
      'Muster: 1 critical; 12 offline, 2,980 online, 8 unknown',
      'menu',
      'gone, began as tray-lost.png',
    ])
  })

  it('is redrawn once a second at most, and then with the newest state', async () => {
    const { tray, clock, drawn, menus } = started()
    for (let disconnected = 0; disconnected < 100; disconnected += 1) {
      tray.show(fleetStatus({ totals: { connected: 0, disconnected, unknown: 0 } }))
      await clock.advance(25)
    }
    expect(menus).toHaveLength(3)
    await clock.advance(1000)
    expect([menus.length, drawn.at(-2)]).toEqual([4, 'Muster: 99 offline, 0 online, 0 unknown'])
    expect(clock.pending()).toBe(0)
  })

  it('changes no open menu, and shows the changes when it is closed', async () => {
    const { tray, clock, drawn, menus } = started()
    tray.show(fleetStatus())
    await clock.advance(2000)
    menus[0]?.emit('menu-will-show')
    tray.show(alert)
    await clock.advance(5000)
    expect([menus.length, drawn.at(-1)]).toEqual([1, 'Muster: 1 critical; 12 offline, 2,980 online, 8 unknown'])
    menus[0]?.emit('menu-will-close')
    expect(menus).toHaveLength(2)
  })

  it('changes it after a minute where the system never reports that it was closed', async () => {
    const { tray, clock, menus } = started()
    tray.show(fleetStatus())
    menus[0]?.emit('menu-will-show')
    await clock.advance(5000)
    tray.show(alert)
    await clock.advance(54_000)
    expect(menus).toHaveLength(1)
    await clock.advance(1000)
    expect(menus).toHaveLength(2)
  })

  it('updates its countdown to the reset by itself', async () => {
    const { tray, clock, menus } = started()
    const points = () => menus.at(-1)?.items.find(({ id }) => id === 'points')?.label
    tray.show(fleetStatus({ gauges: [gauge()] }))
    expect(points()).toBe('Points: 84,200 of 100,000 left, reset at 03:00:23 UTC')
    await clock.advance(23_000)
    expect(points()).toBe('Points: 84,200 of 100,000 left, reset since, at 03:00:23 UTC')
    tray.show(fleetStatus({ gauges: [gauge({ resetAt: now + 90_000 })] }))
    await clock.advance(1000)
    // What waits for that keeps nothing else waiting.
    tray.show(fleetStatus({ gauges: [gauge({ resetAt: now + 90_000, remaining: 1 })] }))
    tray.show(fleetStatus({ gauges: [gauge({ resetAt: now + 90_000, remaining: 2 })] }))
    await clock.advance(1000)
    expect(points()).toBe('Points: 2 of 100,000 left, reset at 03:01:30 UTC')
    tray.stop()
    expect(clock.pending()).toBe(0)
  })

  it('raises the window by a click, and turns grey while monitoring is lost', async () => {
    const { tray, icon, deeds, drawn } = started()
    icon.emit('click')
    tray.show(fleetStatus({ connections: [connection('waiting')] }))
    expect([deeds, drawn[0]]).toEqual([[{ do: 'raise' }], 'Monitoring lost: 12 offline, 2,980 online, 8 unknown'])
  })

  it('is left alone by a click on macOS, which opens the menu there', () => {
    const { icon, deeds } = started('darwin')
    icon.emit('click')
    expect(deeds).toEqual([])
  })

  it('gives Electron each entry with its id, and no name as a shortcut mark', () => {
    const deeds: TrayAction[] = []
    const template = templateOf(
      [textItem('a', 'R&D & Sons'), separator('b'), submenu('c', 'More', [item('d', 'Quit', { do: 'quit' })])],
      (action) => void deeds.push(action),
    )
    expect(template).toMatchObject([
      { id: 'a', label: 'R&&D && Sons', enabled: false },
      { id: 'b', type: 'separator' },
      { id: 'c', label: 'More', submenu: [{ id: 'd', label: 'Quit' }] },
    ])
    const below = template[2]?.submenu
    if (Array.isArray(below)) below[0]?.click?.({} as never, undefined, {} as never)
    expect(deeds).toEqual([{ do: 'quit' }])
  })

  it.each(['linux', 'win32', 'darwin'] as const)('has an image for each face on %s', (platform) => {
    for (const face of ['idle', 'alert', 'lost'] as const) {
      const file = imageFile(path.resolve('assets'), face, platform)
      expect([file, existsSync(file), existsSync(file.replace('.png', '@2x.png'))]).toEqual([file, true, true])
    }
  })
})
