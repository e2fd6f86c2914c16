import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Core } from '../../../../src-main/core.ts'
import {
  followPreviousNotifications,
  launchedBy,
} from '../../../../src-main/platform/desktop/notifications/previous-notifications.ts'
import { settle } from '../../../support/clock.ts'
import { incident, notification } from '../tray/status.ts'

const back = notification('a-back', {
  kind: 'recovered',
  open: { scope: 'back', filter: '', device: null, incident: 'a' },
})

const incidents = { scope: 'all', filter: '', device: null, screen: 'incidents' }

function started(
  platform: NodeJS.Platform,
  {
    live = [],
    recent = [back, notification('a'), notification('live')],
    launched = null,
    history,
  }: { live?: string[]; recent?: unknown[]; launched?: string | null; history?: () => Promise<never> } = {},
) {
  const opened: unknown[] = []
  let activate = (_type: string, _text: string) => {}
  const stored = Object.assign(new EventEmitter(), { id: 'a', closed: 0, close: () => void (stored.closed += 1) })
  const handlers = {
    'app.state': async () => ({ notifications: { recent } }),
    'incidents.show': async ({ id }: { id: string }) => ({
      shown: id === 'old' ? { incident: incident('old') } : null,
    }),
  } as unknown as Core['handlers']
  const past = followPreviousNotifications({
    platform,
    core: { handlers },
    launched,
    history: history ?? (async () => [stored as never]),
    isLive: (id) => live.includes(id),
    open: (what) => void opened.push(what),
    onActivation: (listener) => (activate = (type, text) => listener({ type, arguments: text })),
  })
  return { past, opened, stored, activate: (type: string, text: string) => activate(type, text) }
}

it('macOS: a notification of a previous run opens its incident when it is clicked', async () => {
  const { past, opened, stored } = started('darwin')
  await settle()
  expect(past).toEqual([stored])
  stored.emit('click')
  await settle()
  expect([opened, stored.closed]).toEqual([[back.open], 1])
})

it('macOS: a system that never lists its notifications delays nothing', () => {
  const { past } = started('darwin', { history: () => new Promise<never>(() => {}) })
  expect(past).toEqual([])
})

it('macOS: the click that started Muster opens its incident', async () => {
  const { opened } = started('darwin', { launched: 'a' })
  await settle()
  expect(opened).toEqual([back.open])
})

it('macOS: the start names the clicked notification, and any other start opens nothing', () => {
  const clicked = {
    actionIdentifier: 'com.apple.UNNotificationDefaultActionIdentifier',
    date: 1,
    identifier: 'a',
    userInfo: {},
  }
  expect(launchedBy(clicked)).toBe('a')
  for (const other of [
    undefined,
    null,
    {},
    'a',
    { identifier: 7 },
    { identifier: '' },
    { ...clicked, actionIdentifier: 'com.apple.UNNotificationDismissActionIdentifier' },
  ])
    expect(launchedBy(other)).toBeNull()
})

it('Windows: a click on a notification of a previous run opens its incident', async () => {
  const { opened, activate } = started('win32', { live: ['live'] })
  for (const [type, text] of [
    ['click', 'type=click&tag=a'],
    ['click', 'type=click&tag=live'],
    ['action', 'type=action&tag=a'],
    ['click', 'tag=old'],
  ] as const) {
    activate(type, text)
    await settle()
  }
  expect(opened).toEqual([back.open, { ...incident('old').open, incident: 'old' }])
})

it('Windows: a click without a known notification opens the incidents', async () => {
  const { opened, activate } = started('win32')
  activate('click', '')
  await settle()
  activate('click', 'type=click&tag=nobody')
  await settle()
  expect(opened).toEqual([incidents, incidents])
})

it('Linux: previous notifications are not queried; elsewhere an error opens nothing', async () => {
  expect(started('linux').past).toEqual([])
  const broken = followPreviousNotifications({
    platform: 'darwin',
    core: { handlers: {} as Core['handlers'] },
    launched: null,
    history: async () => {
      throw new Error('not signed')
    },
    isLive: () => false,
    open: () => {
      throw new Error('nothing to open')
    },
    onActivation: () => {
      throw new Error('not here')
    },
  })
  await settle()
  expect(broken).toEqual([])
})
