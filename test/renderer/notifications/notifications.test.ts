import { textMessage, titleOf } from '../../support/messages.ts'
import { describe, expect, test } from 'vitest'
import type { Notifications, Notification } from '../../../src-shared/model/inventory.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { startSession, type AppState } from '../../../src-renderer/lib/session.ts'
import { groupsOf } from '../../../src-renderer/notifications/groups.ts'
import { startNotifier, type Desktop } from '../../../src-renderer/notifications/notifier.ts'
import { startUnread } from '../../../src-renderer/notifications/unread.ts'
import { windowTitle, pausedText } from '../../../src-renderer/notifications/format.ts'
import { manualClock, settle } from '../../support/clock.ts'
import { incident, summary } from '../../main/platform/tray/status.ts'
import { appState, corePipe } from '../support/pipe-stub.ts'

const notification = (id: string): Notification => ({
  id,
  at: 1,
  kind: 'offline',
  message: textMessage(`Title ${id}`, 'Body'),
  devices: 3,
  open: { scope: `scope ${id}`, filter: 'status:offline', device: null },
})

async function start(
  state: Partial<AppState> = {},
  changes: Partial<Record<'settings.change' | 'incidents.show', (input: unknown) => unknown>> = {},
) {
  const core = corePipe({ 'app.state': () => appState(state), ...changes })
  const session = startSession(core.pipe, manualClock())
  await settle()
  const opened: Notification['open'][] = []
  session.onOpen((what) => opened.push(what))
  return { ...core, session, opened }
}

function desktop(first: 'default' | 'granted' | 'denied') {
  const state = {
    permission: first,
    asked: 0,
    raised: 0,
    leads: true,
    offers: [] as boolean[],
    closed: [] as string[],
    shown: [] as { title: string; body: string; tag: string; silent: boolean; click: () => void }[],
  }
  const it: Desktop = {
    permission: () => state.permission,
    async ask() {
      state.asked += 1
      state.permission = 'granted'
    },
    offer: (willing) => void state.offers.push(willing),
    leads: () => state.leads,
    show(title, options, click) {
      state.shown.push({ title, ...options, click })
      return { close: () => void state.closed.push(`${options.tag} ${title}`) }
    },
    raise: () => void (state.raised += 1),
  }
  return { state, it }
}

describe('desktop notifications of the browser', () => {
  test('each has its id as the tag, and a click raises the window and opens its incident', async () => {
    const { session, report, opened } = await start()
    const { state, it } = desktop('granted')
    startNotifier(session, it)
    await report('notification', notification('a'))
    expect(state.shown).toMatchObject([{ title: 'Title a', body: 'Body', tag: 'a' }])
    state.shown[0]?.click()
    expect([state.raised, opened]).toEqual([1, [notification('a').open]])
  })

  test('one of an incident is replaced in place, silently where it only grew', async () => {
    const { session, report } = await start()
    const { state, it } = desktop('granted')
    startNotifier(session, it)
    const open = { scope: 's', filter: '', device: null, incident: 'a' }
    for (const devices of [3, 5]) await report('notification', { ...notification('a'), devices, open })
    await report('notification', { ...notification('a-back'), kind: 'recovered', open })
    expect(state.shown).toMatchObject([
      { tag: 'a', silent: false },
      { tag: 'a', silent: true },
      { tag: 'a', silent: false, title: 'Title a-back' },
    ])
    // The browser puts one in the place of the other by the tag.
    expect(state.closed).toEqual([])
  })

  test('one is closed when its incident is acknowledged, and alerts again when that is worse', async () => {
    const taken = { incident: incident('a', { snoozed: { at: 1, until: null } }), why: [], history: [] }
    const { session, report, asked } = await start(
      { incidents: summary([incident('a', { severity: 'minor' })]) },
      { 'incidents.show': () => ({ rev: 1, shown: taken }) },
    )
    const { state, it } = desktop('granted')
    startNotifier(session, it)
    await report('incidents', summary([incident('a', { severity: 'minor' })]))
    await report('notification', { ...notification('a'), open: { ...notification('a').open, incident: 'a' } })
    await report('incidents', summary([incident('a')]))
    expect(state.shown).toMatchObject([{ silent: false }, { silent: false }])
    await report('incidents', summary([], { acknowledged: 1 }))
    expect([asked.at(-1), state.closed]).toEqual([['incidents.show', { id: 'a' }], ['a 12 devices offline in Berlin']])
  })

  test('one of several windows shows them', async () => {
    const { session, report, asked } = await start()
    const { state, it } = desktop('granted')
    startNotifier(session, it)
    state.leads = false
    await report('notification', notification('a'))
    state.leads = true
    await report('notification', notification('b'))
    expect(state.shown.map(({ tag }) => tag)).toEqual(['b'])
    expect(asked.filter(([name]) => name === 'notifications.delivered').map(([, input]) => input)).toEqual([
      { id: 'b', at: notification('b').at, shown: true },
    ])
  })

  test('a window that lost the core leaves them to the others, and so does a closed one', async () => {
    const core = corePipe({ 'app.state': () => appState() })
    let reach = (_reached: boolean) => {}
    const session = startSession({ ...core.pipe, onReach: (listener) => ((reach = listener), () => {}) }, manualClock())
    const { state, it } = desktop('granted')
    const notifier = startNotifier(session, it)
    expect(state.offers.at(-1)).toBe(false)
    await settle()
    expect(state.offers.at(-1)).toBe(true)
    reach(false)
    expect(state.offers.at(-1)).toBe(false)
    reach(true)
    await settle()
    expect(state.offers.at(-1)).toBe(true)
    notifier.stop()
    expect(state.offers.at(-1)).toBe(false)
  })

  test('no permission is requested before the operator wants it, and then it shows', async () => {
    const { session, report } = await start()
    const { state, it } = desktop('default')
    const notifier = startNotifier(session, it)
    await report('notification', notification('a'))
    expect([state.asked, state.shown, notifier.permission.get()]).toEqual([0, [], 'default'])
    await notifier.ask()
    await report('notification', notification('b'))
    expect([state.asked, state.shown.length, notifier.permission.get()]).toEqual([1, 1, 'granted'])
  })

  test('in the desktop application the page shows none, and a browser without them says so', async () => {
    const { session, report } = await start({ shell: 'electron' })
    const { state, it } = desktop('granted')
    expect(startNotifier(session, it).permission.get()).toBe('core')
    await report('notification', notification('a'))
    expect(state.shown).toEqual([])
    expect(startNotifier((await start()).session, null).permission.get()).toBe('none')
  })

  test('stopped, it listens no more', async () => {
    const { session, listening } = await start()
    const notifier = startNotifier(session, desktop('granted').it)
    expect(listening('notification')).toBe(true)
    notifier.stop()
    expect(listening('notification')).toBe(false)
  })
})

test('the bell has one line for an incident, with its last and its earlier notifications', () => {
  const of = (
    id: string,
    at: number,
    incident: string | null,
    more: Partial<Notifications['recent'][number]> = {},
  ) => ({
    ...notification(id),
    at,
    open: { ...notification(id).open, incident },
    ...more,
  })
  const groups = groupsOf([
    of('a', 10, 'a', {
      times: 3,
      earlier: [
        { at: 8, message: textMessage('Second') },
        { at: 5, message: textMessage('First') },
      ],
    }),
    of('digest', 20, null),
    of('a-back', 30, 'a', { kind: 'recovered' }),
    of('b', 15, 'b'),
  ])
  expect(groups.map(({ id, last, count }) => [id, last.id, count])).toEqual([
    ['a', 'a-back', 4],
    ['digest', 'digest', 1],
    ['b', 'b', 1],
  ])
  expect(groups[0]?.before.map((one) => [one.at, one.kind, titleOf(one)])).toEqual([
    [10, 'offline', 'Title a'],
    [8, 'offline', 'Second'],
    [5, 'offline', 'First'],
  ])
})

test('only notifications since the list was last opened count as new', async () => {
  const { session, report } = await start({ notifications: { pausedUntil: null, recent: [notification('a')] } })
  const unread = startUnread(session)
  expect(unread.count.get()).toBe(0)
  await report('notifications', {
    pausedUntil: null,
    recent: [notification('c'), notification('b'), notification('a')],
  })
  expect(unread.count.get()).toBe(2)
  unread.see()
  expect(unread.count.get()).toBe(0)
  await report('notifications', { pausedUntil: null, recent: [notification('d'), notification('c')] })
  expect(unread.count.get()).toBe(1)
  await report('open', notification('d').open)
  expect(unread.count.get()).toBe(0)
})

test('the title counts open incidents and the critical ones, or says that all is unknown', () => {
  const worst = summary([incident('a'), incident('b', { severity: 'minor' })], { acknowledged: 4, suppressed: 2 })
  expect(windowTitle(worst, '12 offline · Muster', { demo: false, monitoringLost: false })).toBe(
    '(2) 1 critical · 12 offline · Muster',
  )
  expect(
    windowTitle(summary([incident('b', { severity: 'minor' })]), '12 offline · Muster', {
      demo: true,
      monitoringLost: false,
    }),
  ).toBe('(1) DEMO · 12 offline · Muster')
  expect(windowTitle(worst, 'All unknown · Muster', { demo: false, monitoringLost: true })).toBe(
    '(2) All unknown · Muster',
  )
  expect(windowTitle(summary([], { acknowledged: 4 }), 'Muster', { demo: false, monitoringLost: false })).toBe('Muster')
})

test('a pause shows its remaining time, and nothing when it is over', () => {
  expect([pausedText(null, 0), pausedText(60_000, 0), pausedText(59_000, 0), pausedText(0, 1)]).toEqual([
    '',
    'Paused, 1 min left',
    'Paused, 59 s left',
    '',
  ])
})

describe('settings', () => {
  test('a change is in the window at once, and undone when the core rejects it', async () => {
    const { session, asked } = await start()
    const theme = () => session.state.get().app?.settings.theme
    const changing = session.change({ theme: 'dark' })
    expect(theme()).toBe('dark')
    expect(await changing).toMatchObject({ ok: false })
    expect([theme(), asked.at(-1)]).toEqual(['system', ['settings.change', { theme: 'dark' }]])
  })

  test('an accepted change stays, and later values of the core count', async () => {
    const { session, report } = await start({}, { 'settings.change': () => ({}) })
    expect(await session.change({ density: 'comfortable' })).toMatchObject({ ok: true })
    expect(session.state.get().app?.settings).toMatchObject({ density: 'comfortable', theme: 'system' })
    await report('settings', { ...defaultSettings(false), times: 'utc' })
    expect(session.state.get().app?.settings).toMatchObject({ density: 'compact', times: 'utc' })
  })
})
