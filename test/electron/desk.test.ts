import path from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import type { Core } from '../../src-main/core.ts'
import { startDesk } from '../../src-main/electron/desk.ts'
import { faceOf, linksOf, wordsOf, type Situation } from '../../src-main/electron/face.ts'
import { menuTemplate } from '../../src-main/electron/menu.ts'
import { startNotices } from '../../src-main/electron/notify.ts'
import { imageFile, menuOf, startTray } from '../../src-main/electron/tray.ts'
import { existsSync } from 'node:fs'
import type { EventData, EventName } from '../../src-shared/contract.ts'
import { usualSettings } from '../../src-shared/model.ts'

type Connection = EventData<'connections'>[number]
const connection = (state: Connection['link']['state'], paused = false) => ({ link: { state }, paused }) as Connection
const situation = (more: Partial<Situation> = {}): Situation => ({ totals: { connected: 2980, disconnected: 12, unknown: 8 }, connections: [connection('live')], unseen: 0, pausedUntil: null, ...more })

const told = (id: string, kind: EventData<'tell'>['kind'] = 'offline'): EventData<'tell'> => ({
  id, at: 1, kind, title: '12 devices offline in Berlin', body: 'Room 1', devices: 12, open: { scope: 'all', filter: 'connected:no', device: null },
})

describe('what the tray shows', () => {
  it('is a function of the situation', () => {
    expect([faceOf(situation()), wordsOf(situation()), linksOf(situation())]).toEqual(['idle', 'Muster: 12 offline, 2,980 online, 8 unknown', '1 of 1 connection live'])
    expect(faceOf(situation({ unseen: 1 }))).toBe('alert')
    expect(linksOf(situation({ connections: [connection('live'), connection('waiting'), connection('live', true)] }))).toBe('1 of 2 connections live')
    expect([faceOf(situation({ connections: [] })), linksOf(situation({ connections: [] }))]).toEqual(['idle', null])
  })

  it('is blind when nothing can be seen, whatever there is to look at, and not by what is paused', () => {
    const blind = situation({ connections: [connection('waiting'), connection('connecting')], unseen: 3 })
    expect([faceOf(blind), wordsOf(blind)]).toEqual(['blind', 'Muster cannot see the devices now: 12 offline, 2,980 online, 8 unknown'])
    expect(faceOf(situation({ connections: [connection('waiting'), connection('readings-only')] }))).toBe('idle')
    expect(faceOf(situation({ connections: [connection('off', true)] }))).toBe('idle')
  })

  it('is redrawn when it changes and not before, with a menu of its own each time', () => {
    const drawn: string[] = []
    const tray = startTray({
      create: () => ({ setImage: () => {}, setToolTip: (words: string) => void drawn.push(words), setContextMenu: () => void drawn.push('menu'), on: () => ({}) as never, destroy: () => void drawn.push('gone') }),
      menu: (items) => items as never,
      image: (file) => file as never,
      assets: 'assets', platform: 'linux', raise: () => {}, pause: () => {}, quit: () => {},
    })
    tray.show(situation())
    tray.show(situation())
    tray.show(situation({ pausedUntil: 5 }))
    tray.stop()
    expect(drawn).toEqual([wordsOf(situation()), 'menu', wordsOf(situation()), 'menu', 'gone'])
  })

  it('pauses for an hour, and goes on', () => {
    const paused: number[] = []
    const click = (items: MenuItemConstructorOptions[], label: string) => items.find((item) => item.label === label)?.click?.({} as never, undefined, {} as never)
    const does = { raise: () => {}, quit: () => {}, pause: (minutes: number) => void paused.push(minutes) }
    click(menuOf(situation(), does), 'Pause notifications for an hour')
    click(menuOf(situation({ pausedUntil: 9 }), does), 'Resume notifications')
    expect(paused).toEqual([60, 0])
  })

  it.each(['linux', 'win32', 'darwin'] as const)('has an image for each face on %s', (platform) => {
    for (const face of ['idle', 'alert', 'blind'] as const) {
      const file = imageFile(path.resolve('assets'), face, platform)
      expect([file, existsSync(file), existsSync(file.replace('.png', '@2x.png'))]).toEqual([file, true, true])
    }
  })
})

describe('notifications', () => {
  function started(supported = true) {
    const said: string[] = []
    const listeners = new Map<string, Map<string, () => void>>()
    const notices = startNotices({
      isSupported: () => supported,
      create: ({ id = '' }) => {
        const own = new Map<string, () => void>()
        listeners.set(id, own)
        return { on: ((name: string, listener: () => void) => void own.set(name, listener)) as never, show: () => void said.push(`show ${id}`), close: () => void said.push(`close ${id}`) }
      },
      onClick: ({ id }) => void said.push(`click ${id}`),
      onFailed: ({ id }) => void said.push(`failed ${id}`),
    })
    return { notices, said, emit: (id: string, name: string) => listeners.get(id)?.get(name)?.() }
  }

  it('open what they tell of', () => {
    const { notices, said, emit } = started()
    notices.show(told('a'))
    emit('a', 'click')
    expect(said).toEqual(['show a', 'close a', 'click a'])
  })

  it('replace what told of the same before, and are all gone at the end', () => {
    const { notices, said } = started()
    notices.show(told('a'))
    notices.show(told('a'))
    notices.show(told('b'))
    notices.stop()
    expect(said).toEqual(['show a', 'close a', 'show a', 'show b', 'close a', 'close b'])
  })

  it('fall back where the system shows none', () => {
    const none = started(false)
    none.notices.show(told('a'))
    const refused = started()
    refused.notices.show(told('b'))
    refused.emit('b', 'failed')
    expect([none.said, refused.said]).toEqual([['failed a'], ['show b', 'failed b']])
  })

  it('are kept to be clicked, but not for ever', () => {
    const { notices, said } = started()
    for (let each = 0; each < 60; each += 1) notices.show(told(String(each)))
    expect(said.filter((line) => line.startsWith('close'))).toEqual(Array.from({ length: 10 }, (_, each) => `close ${each}`))
  })
})

describe('the desk', () => {
  async function placed(looking = false) {
    const listeners = new Map<EventName, (data: never) => void>()
    const shown: Situation[] = []
    const [badges, noted] = [[] as number[], [] as string[]]
    const state = { totals: { connected: 1, disconnected: 0, unknown: 0 }, connections: [connection('live')], tellings: { pausedUntil: null, recent: [] }, settings: usualSettings(false) }
    const core = {
      handlers: { 'app.state': async () => state },
      on: (name: EventName, listener: (data: never) => void) => (listeners.set(name, listener), () => listeners.delete(name)),
    } as unknown as Pick<Core, 'handlers' | 'on'>
    const desk = await startDesk({ core, tray: { show: (now) => void shown.push({ ...now }) }, notices: { show: ({ id }) => void noted.push(id) }, badge: (count) => void badges.push(count), isLooking: () => looking })
    const tell = <N extends EventName>(name: N, data: EventData<N>) => listeners.get(name)?.(data as never)
    return { desk, tell, shown, badges, noted, listeners }
  }

  it('marks what went offline until somebody looks', async () => {
    const { desk, tell, shown, badges, noted } = await placed()
    tell('tell', told('a'))
    tell('tell', told('b', 'recovered'))
    tell('tell', told('c'))
    expect([badges, noted, shown.at(-1)?.unseen]).toEqual([[1, 2], ['a', 'b', 'c'], 2])
    desk.seen()
    desk.seen()
    expect([badges, shown.at(-1)?.unseen]).toEqual([[1, 2, 0], 0])
  })

  it('marks nothing for who is looking, and still tells it', async () => {
    const { tell, badges, noted } = await placed(true)
    tell('tell', told('a'))
    expect([badges, noted]).toEqual([[], ['a']])
  })

  it('follows counts, links, settings and pauses, and lets go of all at the end', async () => {
    const { desk, tell, shown, listeners } = await placed()
    tell('patch', { totals: { connected: 0, disconnected: 1, unknown: 0 } } as EventData<'patch'>)
    tell('connections', [connection('waiting')])
    tell('tellings', { pausedUntil: 7, recent: [] })
    expect(shown.at(-1)).toMatchObject({ totals: { disconnected: 1 }, connections: [{ link: { state: 'waiting' } }], pausedUntil: 7 })
    expect(desk.closeToTray()).toBe(false)
    tell('settings', { ...usualSettings(false), closeToTray: true })
    expect(desk.closeToTray()).toBe(true)
    desk.stop()
    expect(listeners.size).toBe(0)
  })
})

describe('the menu', () => {
  it('leaves F5 and Ctrl+R to the window, and has developer tools in development alone', () => {
    const text = (devTools: boolean) => JSON.stringify((['linux', 'win32', 'darwin'] as const).map((platform) => menuTemplate(platform, devTools)))
    expect(text(false)).not.toMatch(/reload|toggleDevTools|F5/i)
    expect(text(true)).toContain('toggleDevTools')
  })
})
