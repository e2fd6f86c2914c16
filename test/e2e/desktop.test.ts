import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { takeLock } from '../../src-main/platform/shared/lock.ts'
import type { Deed } from '../support/electron-stand-in/messages.ts'
import { pageAddress, startMain, type ElectronMain, type MainOptions } from '../support/electron-shell.ts'
import { connectionTo, service, temporaryProfile, until } from '../support/fleet.ts'
import { useWindows, whenListening } from '../support/window.ts'
import { partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()

async function opened(options: MainOptions = {}, profile = temporaryProfile(windows.leftovers)) {
  const main = await startMain(windows.leftovers, profile, options)
  const page = await windows.open(pageAddress, {
    log: main.log,
    before: (made) => main.attach(made),
    expected: [/Failed to load resource|ERR_BLOCKED_BY_CLIENT|content policy|Content Security Policy/u],
  })
  return { main, page, profile }
}

const last = <D extends Deed['deed']>(main: ElectronMain, deed: D) =>
  main.deeds.findLast((each): each is Extract<Deed, { deed: D }> => each.deed === deed)

test(
  "npm start's desktop window shows a living demo fleet and stops its service with it",
  { timeout: 90_000 },
  async () => {
    const { main, page, profile } = await opened({ args: ['--devices=200'] })
    const { totals } = partsOf(page)
    await page.getByRole('banner').getByText('DEMO', { exact: true }).waitFor()
    expect(main.log[0]).toBe('Muster is starting.')
    await page.getByRole('region', { name: 'Demo' }).getByRole('button', { name: 'Look around' }).click()
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
    await shows(totals, /^200 devices: [\d,]+ online, \d+ offline, \d+ unknown$/u, 60_000)
    expect(main.log.join('\n')).toContain('Muster opens in a window of its own.')
    main.child.send('stop')
    expect(await main.ended).toBe(0)
    const log = readFileSync(path.join(profile, 'muster.log'), 'utf8')
    expect(log).not.toContain('the demo service has ended')
  },
)

test('nothing in the page leads out: no address, no window, no request, no frame', async () => {
  const { main, page } = await opened()
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  const done = await page.evaluate(async () => {
    const tried = async (url: string) =>
      fetch(url).then(
        () => 'answered',
        () => 'rejected',
      )
    return {
      fetched: [await tried('https://example.invalid/'), await tried('https://muster.invalid/index.html')],
      socket: await new Promise((resolve) => {
        try {
          const socket = new WebSocket('wss://example.invalid/')
          socket.addEventListener('open', () => resolve('open'))
          socket.addEventListener('error', () => resolve('rejected'))
        } catch {
          resolve('rejected')
        }
      }),
      node: [
        typeof Reflect.get(window, 'require'),
        typeof Reflect.get(window, 'process'),
        typeof Reflect.get(window, 'ipcRenderer'),
      ],
      bridge: Object.keys(Reflect.get(window, 'musterBridge') as object),
      opened: [
        window.open('https://portal.example/device'),
        window.open('http://portal.example/'),
        window.open('file:///etc/passwd'),
      ],
    }
  })
  expect(done).toEqual({
    fetched: ['rejected', 'rejected'],
    socket: 'rejected',
    node: ['undefined', 'undefined', 'undefined'],
    bridge: ['ask', 'subscribe'],
    opened: [null, null, null],
  })
  await page.evaluate(() => {
    window.location.href = 'https://elsewhere.example/'
  })
  await until(() =>
    expect(main.deeds.flatMap((each) => (each.deed === 'external' ? [each.url] : []))).toEqual([
      'https://portal.example/device',
      'https://elsewhere.example/',
    ]),
  )
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  expect(page.url()).toBe(pageAddress)
})

test('the bridge carries no secret out, and answers nobody but the window', async () => {
  const { main } = await opened()
  const ask = (origin: string, top: boolean) =>
    main.ask({ ask: 'invoke', page: 1, origin, top, channel: 'muster:call', args: ['app.state', '{}'] })
  const rejected = {
    ok: true,
    value: JSON.stringify({ ok: false, fault: { kind: 'input', detail: 'Muster answers to its own window only.' } }),
  }
  expect(await ask('https://example.com', true)).toEqual(rejected)
  expect(await ask('app://muster', false)).toEqual(rejected)
  expect(await ask('app://muster', true)).toMatchObject({
    ok: true,
    value: expect.stringContaining('"shell":"electron"'),
  })
  const wrong = await main.ask({
    ask: 'invoke',
    page: 1,
    origin: 'app://muster',
    top: true,
    channel: 'muster:call',
    args: ['app.state', 'no json'],
  })
  expect(wrong).toMatchObject({ ok: true, value: expect.stringContaining('"ok":false') })
  expect(await main.ask({ ask: 'permission', permission: 'clipboard-sanitized-write', origin: 'app://muster/' })).toBe(
    true,
  )
  expect(await main.ask({ ask: 'permission', permission: 'media', origin: 'app://muster/' })).toBe(false)
})

test('the tray shows the counts and the loss of monitoring; a click raises the window', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { main } = await opened()
  await until(() => expect(last(main, 'tray')).toMatchObject({ words: 'Muster: 0 offline, 0 online, 0 unknown' }))
  await main.call('connections.save', connectionTo(reference))
  await whenListening(main, reference)
  const { online, offline, staged } = reference.world.totals()
  await until(() =>
    expect(last(main, 'tray')).toMatchObject({
      image: process.platform === 'darwin' ? 'tray-idleTemplate.png' : 'tray-idle.png',
      words: `Muster: ${offline} offline, ${online} online, ${staged} unknown`,
    }),
  )
  expect(last(main, 'tray')?.menu).toContain('1 of 1 connection live')
  await reference.misfortune.pause()
  await until(() => expect(last(main, 'tray')?.words).toBe('Monitoring lost: 0 offline, 0 online, 60 unknown'))
  expect(last(main, 'tray')?.image).toContain('lost')
  main.deeds.length = 0
  await main.ask({ ask: 'tray-click', label: 'Open Muster' })
  await until(() => expect(main.deeds.map(({ deed }) => deed)).toEqual(['shown', 'focused']))
})

/** A site that is down and its incident, in the desktop's window. */
async function siteDown() {
  const reference = await service(windows.leftovers, { devices: 120, tenants: 2 })
  const { main, page } = await opened()
  await main.call('settings.change', { holdOffSeconds: 2, recoverySeconds: 1, groupingSeconds: 1, closeToTray: true })
  await main.call('connections.save', connectionTo(reference))
  await whenListening(main, reference)
  const [site] = reference.world.siteSizes().toSorted((one, other) => other.devices - one.devices)
  const down = reference.world.connectedAt(site?.siteId ?? '')
  const drop = async () => {
    for (const id of down) reference.world.setConnected(id, false)
    await until(() => expect(last(main, 'notification')).toBeDefined(), 40_000)
    return last(main, 'notification') ?? { id: '', title: '' }
  }
  const pane = page.getByRole('region', { name: 'Incident', exact: true })
  const counts = async () =>
    (await main.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 1 })).counts
  const deeds = () => main.deeds.map(({ deed }) => deed)
  return {
    reference,
    main,
    page,
    down,
    name: reference.world.site(site?.siteId ?? '')?.name ?? '',
    drop,
    pane,
    counts,
    deeds,
  }
}

test('the tray menu snoozes an incident, undoes that, and says why it was notified', async () => {
  const { main, page, name, drop, pane, counts } = await siteDown()
  const { id, title } = await drop()
  await until(() => expect(last(main, 'tray')?.image).toContain('alert'))
  const menu = () => last(main, 'tray')?.menu ?? []
  const at = menu().findIndex((label) => label.startsWith('Critical: '))
  expect(menu()[at - 1]).toContain(name)
  expect(menu()[at]).toMatch(new RegExp(`^Critical: ${title.replaceAll(/[.()]/gu, '.')}, .*since \\d\\d:\\d\\d$`, 'u'))
  expect(main.deeds.filter((one) => one.deed === 'badge').map((one) => one.count)).toContain(1)
  await main.ask({ ask: 'tray-click', label: 'Snooze for an hour' })
  await until(() => expect(menu()).toContain(`Undo: snoozed ${title}`))
  await until(() => expect(main.deeds).toContainEqual({ deed: 'notification-closed', id }))
  expect(await counts()).toMatchObject({ open: 0, acknowledged: 1 })
  await until(() =>
    expect(last(main, 'tray')).toMatchObject({
      image: expect.stringContaining('idle') as unknown,
      menu: expect.arrayContaining(['No open incidents; 1 snoozed']) as unknown,
    }),
  )
  await main.ask({ ask: 'tray-click', label: `Undo: snoozed ${title}` })
  await until(async () => expect(await counts()).toMatchObject({ open: 1, acknowledged: 0 }))
  await until(() => expect(menu()).toContain('Why this alert'))
  await main.ask({ ask: 'tray-click', label: 'Why this alert' })
  await pane.getByRole('heading', { name: title }).waitFor()
  // The sentences under "Why" have the focus.
  await expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.closest('section[aria-labelledby]')?.querySelector('h3')?.textContent,
      ),
    )
    .toBe('Why')
  await main.ask({ ask: 'tray-click', label: 'Acknowledge…' })
  await page.getByRole('dialog', { name: /^Acknowledge/u }).waitFor()
})

test('an action that fails from the tray is reported', async () => {
  const { reference, main, drop, down, deeds } = await siteDown()
  const { title } = await drop()
  await until(() => expect(last(main, 'tray')?.menu).toContain('Snooze until it recovers'))
  main.deeds.length = 0
  // The menu that a person has open is as old as the moment when they opened it.
  await main.ask({ ask: 'tray-menu', open: true })
  for (const id of down) reference.world.setConnected(id, true)
  await until(() => expect(last(main, 'notification')?.title).toContain('back'))
  await until(async () =>
    expect((await main.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 1 })).counts.open).toBe(0),
  )
  await main.ask({ ask: 'tray-click', label: 'Snooze until it recovers' })
  await until(() =>
    expect(last(main, 'notification')).toMatchObject({
      title: `Not snoozed: ${title}`,
      body: 'This incident is closed.',
    }),
  )
  expect(deeds()).not.toContain('tray')
  await main.ask({ ask: 'tray-menu', open: false })
  await until(() => expect(last(main, 'tray')?.menu).toContain('No open incidents'))
})

test('a click on a notification opens its incident in a hidden window and in a reloaded page', async () => {
  const { main, page, drop, pane, deeds } = await siteDown()
  await main.ask({ ask: 'close-window' })
  await until(() => expect(deeds()).toContain('hidden'))
  const { id, title } = await drop()
  main.deeds.length = 0
  await main.ask({ ask: 'notification-click', notification: id })
  await until(() => expect(deeds()).toEqual(expect.arrayContaining(['notification-closed', 'shown', 'focused'])))
  await pane.getByRole('heading', { name: title }).waitFor()
  await until(() => expect(last(main, 'tray')?.menu).toContain('Open'))
  await page.evaluate(() => {
    document.title = 'the page before'
  })
  await main.ask({ ask: 'page-ends' })
  await main.ask({ ask: 'tray-click', label: 'Open' })
  await expect
    .poll(() => page.title().catch(() => 'the page before'))
    .toMatch(/^\(1\) 1 critical · \d+ offline · Muster$/u)
  await pane.getByRole('heading', { name: title }).waitFor()
})

test('closing the window ends Muster, or hides it to the tray when that is set', async () => {
  const { main } = await opened()
  await main.call('settings.change', { closeToTray: true })
  await main.ask({ ask: 'close-window' })
  await until(() => expect(main.deeds.map(({ deed }) => deed)).toContain('hidden'))
  main.deeds.length = 0
  await main.ask({ ask: 'tray-click', label: null })
  await until(() => expect(main.deeds.map(({ deed }) => deed)).toEqual(['shown', 'focused']))
  await main.call('settings.change', { closeToTray: false })
  void main.ask({ ask: 'close-window' })
  expect(await main.ended).toBe(0)
})

test("a second start raises the window; a browser's Muster on the same profile is named", async () => {
  const { main, profile } = await opened()
  await until(() => expect(last(main, 'shown')).toBeDefined())
  expect(takeLock(profile)).toBeNull()
  expect(JSON.parse(readFileSync(path.join(profile, 'running.json'), 'utf8'))).toMatchObject({ port: null })
  main.deeds.length = 0
  await main.ask({ ask: 'second-instance', told: null })
  await until(() => expect(main.deeds.map(({ deed }) => deed)).toEqual(['shown', 'focused']))
  const second = await startMain(windows.leftovers, profile, { env: { MUSTER_TEST_SECOND: 'yes' } })
  expect(await second.ended).toBe(0)
  expect(second.log.join('\n')).toContain('Muster is open already')
  await main.stop()
  const lock = takeLock(profile)
  expect(lock).not.toBeNull()
  lock?.release()
})

test("a start beside a browser's Muster leads there, and opens no window", async () => {
  const profile = temporaryProfile(windows.leftovers)
  const lock = takeLock(profile)
  if (lock === null) throw new Error('the profile is held by somebody')
  const browsers = createServer((request, response) =>
    response.end(JSON.stringify({ url: `http://${request.headers.host}/#key=${'k'.repeat(43)}` })),
  )
  await new Promise<void>((resolve) => browsers.listen(0, '127.0.0.1', resolve))
  windows.leftovers.push(() => browsers.close())
  const { port } = browsers.address() as AddressInfo
  lock.announce(port)
  const main = await startMain(windows.leftovers, profile)
  expect(await main.ended).toBe(0)
  expect(main.log.join('\n').split('\n')).toEqual([
    'Muster is starting.',
    'Muster is open already in the browser, and opens there.',
  ])
  const page = new URL(String(last(main, 'external')?.url))
  expect([page.protocol, page.pathname.includes('kkk')]).toEqual(['file:', false])
  expect(readFileSync(page, 'utf8')).toContain(`url=http://127.0.0.1:${port}/#key=${'k'.repeat(43)}"`)
  lock.release()
})

test('quitting ends everything in order, from the tray as well', async () => {
  const { main } = await opened()
  await until(() => expect(last(main, 'tray')).toBeDefined())
  void main.ask({ ask: 'tray-click', label: 'Quit Muster' })
  expect(await main.ended).toBe(0)
})

test('a profile that cannot be opened is one sentence of error', async () => {
  const file = path.join(temporaryProfile(windows.leftovers), 'a file')
  writeFileSync(file, '')
  const main = await startMain({ push: () => {}, clean: async () => {} }, file)
  expect(await main.ended).toBe(1)
  expect(main.log.join('\n')).toContain('cannot be written to')
})

test('the demo does not open a profile of real connections', async () => {
  const profile = temporaryProfile(windows.leftovers)
  const settings = path.join(profile, 'settings.json')
  writeFileSync(settings, JSON.stringify({ connections: [{ id: 'a' }] }))
  const main = await startMain({ push: () => {}, clean: async () => {} }, profile, { args: [] })
  expect(await main.ended).toBe(1)
  expect(main.log.join('\n')).toContain('is for your own connections, and the demo is never mixed with them.')
  expect(main.log).toContain('Muster could not be started.')
  expect(readdirSync(profile)).toEqual(['settings.json'])
})
