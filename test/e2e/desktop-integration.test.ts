import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { printLink } from '../../src-shared/navigation/link.ts'
import type { Deed } from '../support/electron-stand-in/messages.ts'
import { pageAddress, startMain, type ElectronMain, type MainOptions } from '../support/electron-shell.ts'
import { connectionTo, service, temporaryProfile, until } from '../support/fleet.ts'
import { useWindows, whenListening } from '../support/window.ts'
import { partsOf } from '../support/page-parts.ts'

export const windows = useWindows()

export const last = <D extends Deed['deed']>(main: ElectronMain, deed: D) =>
  main.deeds.findLast((each): each is Extract<Deed, { deed: D }> => each.deed === deed)
const windowDeeds = (main: ElectronMain) =>
  main.deeds.flatMap(({ deed }) =>
    ['made', 'shown', 'shown-inactive', 'hidden', 'focused', 'minimized', 'maximized', 'full-screen'].includes(deed)
      ? [deed]
      : [],
  )

export async function pageOf(main: ElectronMain) {
  return windows.open(pageAddress, { log: main.log, before: (made) => main.attach(made) })
}
export async function opened(options: MainOptions = {}, profile = temporaryProfile(windows.leftovers)) {
  const main = await startMain(windows.leftovers, profile, options)
  return { main, page: await pageOf(main), profile }
}
export const begun = (main: ElectronMain) =>
  until(() => expect(main.log.join('\n')).toContain('Muster opens in a window of its own.'))

/** The installed application in a home of its own, started as the system starts it. */
async function installed(
  args: string[] = [],
  home = temporaryProfile(windows.leftovers),
  env: Record<string, string> = {},
) {
  const main = await startMain(windows.leftovers, null, {
    args,
    env: {
      MUSTER_TEST_PACKAGED: 'yes',
      HOME: home,
      XDG_DATA_HOME: path.join(home, 'data'),
      XDG_CONFIG_HOME: '',
      ...env,
    },
  })
  return { main, home, settings: path.join(home, 'data', 'muster', 'default', 'settings.json') }
}

test('a link opens at a cold start, in a running Muster and by a second start', { timeout: 90_000 }, async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const profile = temporaryProfile(windows.leftovers)
  const first = await startMain(windows.leftovers, profile)
  await begun(first)
  await first.call('connections.save', connectionTo(reference))
  await whenListening(first, reference)
  const { rows } = await first.call('inventory.rows', {
    query: { scope: 'all', filter: '', sort: [] },
    offset: 0,
    limit: 2,
  })
  const [one, other] = rows
  const tree = await first.call('inventory.tree', { expanded: [], offset: 0, limit: 10, reveal: null })
  await first.stop()

  const link = (key = '') => printLink({ to: 'device', key }) ?? ''
  const { main, page } = await opened({ args: ['--no-demo', '--', link(one?.key)] }, profile)
  const { detail, filter } = partsOf(page)
  await detail.getByRole('heading', { name: one?.name ?? '?' }).waitFor()
  await until(() => expect(last(main, 'shown')).toBeDefined())
  main.deeds.length = 0
  await main.ask({ ask: 'second-instance', told: { link: link(other?.key), quiet: false } })
  await detail.getByRole('heading', { name: other?.name ?? '?' }).waitFor()
  expect(windowDeeds(main)).toEqual(['shown', 'focused'])
  const place = tree.rows.find(({ level }) => level === 1)
  await main.ask({
    ask: 'open-url',
    url: printLink({ to: 'devices', scope: place?.id ?? '', filter: 'connected:no' }) ?? '',
  })
  await expect.poll(() => filter.inputValue()).toBe('connected:no')
  await page
    .getByRole('navigation', { name: 'Scope' })
    .getByText(place?.name ?? '?')
    .waitFor()
  // No other devices are listed in the place of those that are not known here.
  for (const url of ['muster://devices?scope=zzz&filter=studio', 'muster://devices?filter=badfield%3A%3C%3C']) {
    await main.ask({ ask: 'open-url', url })
    await page.getByText('This link leads to something that this Muster does not know.').waitFor()
    expect(await filter.inputValue()).toBe('connected:no')
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
  }
  await main.ask({ ask: 'open-url', url: printLink({ to: 'device', key: 'nonsense-abc' }) ?? '' })
  await detail.getByText('This Muster does not know this device.').waitFor()
  await main.ask({ ask: 'open-url', url: 'muster://devices?filter=connected%3Ano' })
  await detail.waitFor({ state: 'detached' })
  await main.ask({ ask: 'open-url', url: 'muster://room/settings' })
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  const before = readFileSync(path.join(profile, 'settings.json'), 'utf8')
  await main.ask({ ask: 'open-url', url: 'muster://room/kitchen?remove=all' })
  await page.getByText('Muster cannot open this link.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(readFileSync(path.join(profile, 'settings.json'), 'utf8')).toBe(before)
})

test('with --wall it opens the wall display in full screen, and Escape leaves both', { timeout: 60_000 }, async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const profile = temporaryProfile(windows.leftovers)
  const first = await startMain(windows.leftovers, profile)
  await begun(first)
  await first.call('connections.save', connectionTo(reference))
  await whenListening(first, reference)
  await first.stop()
  const { main, page } = await opened({ args: ['--no-demo', '--wall'] }, profile)
  await page.getByRole('img', { name: /^Fleet map/u }).waitFor()
  await until(() => expect(last(main, 'full-screen')).toMatchObject({ on: true }))
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await until(() => expect(last(main, 'full-screen')).toMatchObject({ on: false }))
  await page.keyboard.press('F11')
  await page.getByRole('img', { name: /^Fleet map/u }).waitFor()
  await until(() => expect(last(main, 'full-screen')).toMatchObject({ on: true }))
  // The next start does not fill the screen because the wall did.
  await main.stop()
  const { window } = JSON.parse(readFileSync(path.join(profile, 'settings.json'), 'utf8')) as { window?: unknown }
  expect(window).not.toMatchObject({ fullScreen: true })
})

test('a second start hands its link to the first and ends', async () => {
  const profile = temporaryProfile(windows.leftovers)
  const second = await startMain(windows.leftovers, profile, {
    args: ['--no-demo', 'muster://room/incidents'],
    env: { MUSTER_TEST_SECOND: 'yes' },
  })
  expect(await second.ended).toBe(0)
  expect(last(second, 'told-first')?.more).toEqual({ link: 'muster://room/incidents', quiet: false })
  const quiet = await startMain(windows.leftovers, profile, {
    args: ['--no-demo', '--hidden'],
    env: { MUSTER_TEST_SECOND: 'yes' },
  })
  expect(await quiet.ended).toBe(0)
  const main = await startMain(windows.leftovers, profile)
  await begun(main)
  await until(() => expect(last(main, 'shown')).toBeDefined())
  main.deeds.length = 0
  // The system's start at login while Muster runs stands in nobody's way.
  await main.ask({ ask: 'second-instance', told: last(quiet, 'told-first')?.more })
  await main.ask({ ask: 'second-instance', told: 'nothing that a Muster says' })
  await until(() => expect(windowDeeds(main)).toEqual(['shown', 'focused']))
})

test("links are claimed for the installed application, never by a profile of one's own", async () => {
  const { main } = await installed()
  await begun(main)
  expect(last(main, 'protocol')).toMatchObject({ scheme: 'muster', args: ['--'] })
  const own = await startMain(windows.leftovers, temporaryProfile(windows.leftovers))
  await begun(own)
  expect(last(own, 'protocol')).toBeUndefined()
})

test('a link to a device and to a list is copied', async () => {
  const reference = await service(windows.leftovers, { devices: 30, tenants: 1 })
  const { main, page } = await opened()
  await main.call('connections.save', connectionTo(reference))
  await whenListening(main, reference)
  const copied = () => page.evaluate(() => Reflect.get(window, 'copied') as string)
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void Object.assign(window, { copied: text }) },
    }),
  )
  const {
    rows: [device],
  } = await main.call('inventory.rows', { query: { scope: 'all', filter: '', sort: [] }, offset: 0, limit: 1 })
  await main.ask({ ask: 'open-url', url: printLink({ to: 'device', key: device?.key ?? '' }) ?? '' })
  await partsOf(page).detail.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(copied).toBe(printLink({ to: 'device', key: device?.key ?? '' }))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /command|everything/iu }).fill('Copy link to')
  await page.keyboard.press('Enter')
  await expect.poll(copied).toBe('muster://devices')
})

test(
  'the window is restored to its place and zoom, and never to a display that is gone',
  { timeout: 90_000 },
  async () => {
    const profile = temporaryProfile(windows.leftovers)
    const first = await startMain(windows.leftovers, profile)
    await begun(first)
    expect(last(first, 'made')).toMatchObject({ x: 240, y: 70, width: 1440, height: 900 })
    await first.ask({ ask: 'move-window', x: 100, y: 80, width: 900, height: 700, maximized: true })
    await first.ask({ ask: 'wheel', direction: 'in' })
    await first.ask({ ask: 'menu-click', label: 'Zoom In' })
    expect(last(first, 'zoom')?.level).toBe(1)
    const stored = () =>
      (JSON.parse(readFileSync(path.join(profile, 'settings.json'), 'utf8')) as { window?: unknown }).window
    await until(() =>
      expect(stored()).toEqual({
        bounds: { x: 100, y: 80, width: 900, height: 700 },
        maximized: true,
        fullScreen: false,
        zoom: 1,
      }),
    )
    await first.stop()
    const second = await startMain(windows.leftovers, profile)
    await until(() => expect(windowDeeds(second)).toEqual(['made', 'maximized', 'shown']))
    expect([last(second, 'made'), last(second, 'zoom')]).toMatchObject([
      { x: 100, y: 80, width: 900, height: 700 },
      { level: 1 },
    ])
    await begun(second)
    await second.ask({ ask: 'menu-click', label: 'Actual Size' })
    // On a display that is unplugged then; the window is closed before it has been still.
    await second.ask({ ask: 'move-window', x: 4000, y: 80, width: 900, height: 700, maximized: false })
    await second.stop()
    expect(stored()).toMatchObject({ bounds: { x: 4000 }, maximized: false, zoom: 0 })
    const third = await startMain(windows.leftovers, profile)
    await until(() => expect(windowDeeds(third)).toEqual(['made', 'shown']))
    expect(last(third, 'made')).toMatchObject({ x: 510, y: 170, width: 900, height: 700 })
    await begun(third)
  },
)

test('a sleep that the system reports is lost time for the core, however short', async () => {
  const profile = temporaryProfile(windows.leftovers)
  const main = await startMain(windows.leftovers, profile)
  await begun(main)
  const log = () => readFileSync(path.join(profile, 'muster.log'), 'utf8')
  await main.ask({ ask: 'power', word: 'unlock-screen' })
  await main.ask({ ask: 'power', word: 'suspend' })
  await main.ask({ ask: 'power', word: 'resume' })
  await until(() => expect(log()).toContain('were lost: the computer slept, or its clock was set'))
  expect(log().split('were lost')).toHaveLength(2)
  void main.ask({ ask: 'power', word: 'shutdown' })
  expect(await main.ended).toBe(0)
})

test(
  'start at login belongs to the installed application: on, off, then started hidden',
  { timeout: 90_000 },
  async () => {
    const { main, home, settings } = await installed()
    const page = await pageOf(main)
    await page.getByRole('button', { name: 'Settings' }).click()
    const autostart = path.join(home, '.config', 'autostart', 'muster.desktop')
    const isOn = () => (process.platform === 'linux' ? existsSync(autostart) : last(main, 'login')?.on === true)
    await page.getByRole('switch', { name: 'Start at login' }).focus()
    await page.keyboard.press('Space')
    await until(() => expect(isOn()).toBe(true))
    await page.keyboard.press('Space')
    await until(() => expect(isOn()).toBe(false))
    await main.stop()
    const { main: minimised } = await installed(['--hidden'], home)
    await begun(minimised)
    await until(() =>
      expect(windowDeeds(minimised)).toEqual(
        process.platform === 'linux' ? ['made', 'shown-inactive', 'minimized'] : [],
      ),
    )
    await minimised.call('settings.change', { closeToTray: true })
    await minimised.stop()
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ closeToTray: true })
    const { main: hidden } = await installed(['--hidden'], home)
    await begun(hidden)
    expect(windowDeeds(hidden)).toEqual([])
    await hidden.ask({ ask: 'tray-click', label: null })
    await until(() => expect(windowDeeds(hidden)).toEqual(['made', 'shown']))
  },
)

test.skipIf(process.platform !== 'linux')('an AppImage claims no links', { timeout: 90_000 }, async () => {
  const home = temporaryProfile(windows.leftovers)
  const image = path.join(home, 'Muster 0.1.0.AppImage')
  writeFileSync(image, '')
  const { main } = await installed([], home, { APPIMAGE: image })
  await begun(main)
  expect(last(main, 'protocol')).toBeUndefined()
  expect(existsSync(path.join(home, 'data', 'applications'))).toBe(false)
})

test("a profile of one's own and a checkout offer no start at login", async () => {
  const { page } = await opened()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('switch', { name: 'Close to the tray' }).waitFor()
  expect(await page.getByRole('switch', { name: 'Start at login' }).count()).toBe(0)
})

test('a file is saved where the user chooses, and nowhere after a cancel', async () => {
  const reference = await service(windows.leftovers, { devices: 30, tenants: 1 })
  const { main, page, profile } = await opened()
  await main.call('connections.save', connectionTo(reference))
  await whenListening(main, reference)
  await partsOf(page).choice('All').check({ force: true })
  await expect.poll(() => partsOf(page).rows.count()).toBeGreaterThan(20)
  const saveAs = async () => {
    await page.getByRole('button', { name: 'Export the table' }).click()
    await page.getByRole('menuitem', { name: 'As JSON' }).click()
  }
  await main.ask({ ask: 'call-off-saves', on: true })
  await saveAs()
  await page.getByText('Nothing was saved.').waitFor()
  const folder = path.join(profile, 'electron', 'downloads')
  expect(existsSync(folder)).toBe(false)
  await main.ask({ ask: 'call-off-saves', on: false })
  await saveAs()
  await page.getByText(/^Exported .* to .*\.json\.$/u).waitFor()
  const [file = '', ...others] = readdirSync(folder)
  expect([others, (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as unknown[]).length]).toEqual([[], 30])
  expect(path.basename(last(main, 'save-dialog')?.path ?? '')).toBe(file)
})

test(
  "the first start of the installed application offers one's own service and the demo",
  { timeout: 90_000 },
  async () => {
    const home = temporaryProfile(windows.leftovers)
    const [program, told] = [path.join(home, 'Muster.AppImage'), path.join(home, 'told')]
    writeFileSync(program, `#!/bin/sh\necho "started $@" >> '${told}'\n`)
    chmodSync(program, 0o755)
    mkdirSync(path.join(home, 'data'))
    const reference = await service(windows.leftovers, { devices: 40, tenants: 1 })
    const { main } = await installed(['--no-sandbox'], home, { APPIMAGE: program })
    const page = await pageOf(main)
    await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
    expect(await page.getByText('DEMO', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open the demo' }).click()
    await until(() => expect(readFileSync(told, 'utf8')).toBe('started --demo\n'))
    await page.getByRole('button', { name: 'Add a connection' }).click()
    const dialog = page.getByRole('dialog')
    const { name, tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = connectionTo(reference)
    for (const [label, text] of [
      ['Name', name],
      ['Token URL', tokenUrl],
      ['GraphQL URL', graphqlUrl],
      ['Subscription URL', subscriptionUrl],
      ['Client id', clientId],
      ['Client secret', clientSecret],
      ['CA certificate', ca],
    ] as const) {
      await dialog.getByLabel(label).fill(text)
    }
    await dialog.getByRole('button', { name: 'Save and connect' }).click()
    await page.getByRole('button', { name: 'Inventory' }).click()
    await expect.poll(() => partsOf(page).rows.count(), { timeout: 45_000 }).toBeGreaterThan(0)
    await main.stop()
    const { main: demo } = await installed(['--demo', '--devices=50'], home, { APPIMAGE: program })
    const demoPage = await pageOf(demo)
    await demoPage.getByRole('banner').getByText('DEMO', { exact: true }).waitFor()
    await demoPage.getByRole('banner').getByRole('button', { name: 'Connect your service' }).click()
    await until(() => expect(readFileSync(told, 'utf8')).toBe('started --demo\nstarted muster://add/connection\n'))
    expect(readdirSync(path.join(home, 'data', 'muster')).toSorted()).toEqual(['default', 'demo'])
  },
)
