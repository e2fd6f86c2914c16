import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Hostility } from '../support/electron-stand-in/hostile.ts'
import type { Deed } from '../support/electron-stand-in/messages.ts'
import { pageAddress, startMain, type ElectronMain, type MainOptions } from '../support/electron-shell.ts'
import { connectionTo, service, temporaryProfile, until } from '../support/fleet.ts'
import { keychainOf } from '../support/keychain.ts'
import { useWindows, whenListening } from '../support/window.ts'

const windows = useWindows()

/** The desktop application where Electron does what it does on some systems alone. */
const hostile = (
  which: Hostility,
  { env = {}, ...options }: MainOptions = {},
  profile = temporaryProfile(windows.leftovers),
) => startMain(windows.leftovers, profile, { ...options, env: { ...env, MUSTER_TEST_HOSTILE: which } })
const deeds = (main: ElectronMain, ...wanted: Deed['deed'][]) =>
  main.deeds.map(({ deed }) => deed).filter((deed) => wanted.includes(deed))

test('a window shows although the system never reports its first paint', async () => {
  const main = await hostile('no-ready-to-show')
  await until(() => expect(deeds(main, 'made', 'shown')).toEqual(['made', 'shown']))
})

test('a window has its stored zoom, which is set when it is shown', async () => {
  const profile = temporaryProfile(windows.leftovers)
  writeFileSync(
    path.join(profile, 'settings.json'),
    JSON.stringify({
      window: { bounds: { x: 0, y: 0, width: 900, height: 700 }, maximized: false, fullScreen: false, zoom: 1 },
    }),
  )
  const main = await startMain(windows.leftovers, profile)
  await until(() => expect(deeds(main, 'shown', 'zoom')).toEqual(['shown', 'zoom']))
})

test('a start without a sandbox still opens, and Diagnostics says so', async () => {
  const home = temporaryProfile(windows.leftovers)
  const main = await startMain(windows.leftovers, null, {
    args: ['--no-sandbox'],
    env: { MUSTER_TEST_PACKAGED: 'yes', HOME: home, XDG_DATA_HOME: path.join(home, 'data'), XDG_CONFIG_HOME: '' },
  })
  await until(() => expect(deeds(main, 'shown')).toEqual(['shown']))
  const { versions, log } = await main.call('diagnostics.show', {})
  expect(versions).toContainEqual({ name: 'Sandbox', version: 'off: started with --no-sandbox' })
  expect(readFileSync(path.join(home, 'data', 'muster', 'default', 'muster.log'), 'utf8')).toContain(
    'the page has no sandbox',
  )
  expect(log.map(({ text }) => text).join()).not.toContain("the window's page ended")
})

test('switches that weaken certificates or open the page to others are ignored and logged', async () => {
  const home = temporaryProfile(windows.leftovers)
  const main = await startMain(windows.leftovers, null, {
    args: ['--ignore-certificate-errors', '--remote-debugging-port=9222', '--proxy-server=proxy.test:3128'],
    env: { MUSTER_TEST_PACKAGED: 'yes', HOME: home, XDG_DATA_HOME: path.join(home, 'data'), XDG_CONFIG_HOME: '' },
  })
  await until(() => expect(deeds(main, 'shown')).toEqual(['shown']))
  expect(readFileSync(path.join(home, 'data', 'muster', 'default', 'muster.log'), 'utf8')).toContain(
    'ignored on the command line: --ignore-certificate-errors, --remote-debugging-port\n',
  )
  expect((await main.call('diagnostics.show', {})).versions).toContainEqual({ name: 'Sandbox', version: 'on' })
})

test('a notification channel that Windows reports as closed at once ends nothing', async () => {
  const main = await hostile('no-channel')
  await until(() => expect(main.log.join('\n')).toContain('Muster opens in a window of its own.'))
  expect(main.child.exitCode).toBeNull()
})

test('macOS: the first window does not wait for the Notification Centre', async () => {
  const main = await hostile('history-never-answers', { env: { MUSTER_TEST_PLATFORM: 'darwin' } })
  await until(() => expect(deeds(main, 'shown')).toEqual(['shown']))
})

/** The notified incident of a site that is down, in a profile that is used after the run. */
async function toldBefore(platform: 'darwin' | 'win32') {
  const profile = temporaryProfile(windows.leftovers)
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const keychain = keychainOf()
  const start = (env: Record<string, string> = {}) =>
    startMain(windows.leftovers, profile, { secrets: keychain, env: { MUSTER_TEST_PLATFORM: platform, ...env } })
  const first = await start()
  await first.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1, groupingSeconds: 1 })
  await first.call('connections.save', connectionTo(reference))
  await whenListening(first, reference)
  const [site] = reference.world.siteSizes().toSorted((one, other) => other.devices - one.devices)
  for (const id of reference.world.connectedAt(site?.siteId ?? '')) reference.world.setConnected(id, false)
  const told = () =>
    first.deeds.findLast((each): each is Extract<Deed, { deed: 'notification' }> => each.deed === 'notification')
  await until(() => expect(told()).toBeDefined(), 40_000)
  const { id = '', title = '', toast = '' } = told() ?? {}
  await first.stop()
  const detailOf = async (main: ElectronMain) => {
    const page = await windows.open(pageAddress, { log: main.log, before: (made) => main.attach(made) })
    await page.getByRole('region', { name: 'Incident', exact: true }).getByRole('heading', { name: title }).waitFor()
  }
  return { start, id, toast, first, detailOf }
}

test('Windows: a click on a toast of a previous run opens its incident', { timeout: 90_000 }, async () => {
  const { start, toast, first, detailOf } = await toldBefore('win32')
  expect(first.deeds.find(({ deed }) => deed === 'identified')).toMatchObject({
    name: 'Muster (checkout, other profile)',
    appUserModelId: 'muster.checkout.profile',
  })
  const main = await start()
  await until(() => expect(main.log.join('\n')).toContain('Muster opens in a window of its own.'))
  await main.ask({ ask: 'former-toast-click', toast })
  await detailOf(main)
})

test('macOS: a click on a notification that starts Muster opens its incident', { timeout: 90_000 }, async () => {
  const { start, id, detailOf } = await toldBefore('darwin')
  const launched = {
    identifier: id,
    actionIdentifier: 'com.apple.UNNotificationDefaultActionIdentifier',
    date: 1,
    userInfo: {},
  }
  await detailOf(await start({ MUSTER_TEST_LAUNCHED: JSON.stringify(launched) }))
})

test.skipIf(process.platform !== 'linux')('Linux: a start from the menu that fails shows a dialog', async () => {
  const home = temporaryProfile(windows.leftovers)
  writeFileSync(path.join(home, 'data'), '')
  const main = await startMain({ push: () => {}, clean: async () => {} }, null, {
    args: [],
    env: { MUSTER_TEST_PACKAGED: 'yes', HOME: home, XDG_DATA_HOME: path.join(home, 'data'), XDG_CONFIG_HOME: '' },
  })
  expect(await main.ended).toBe(1)
  expect(main.deeds.find(({ deed }) => deed === 'error-box')).toMatchObject({
    title: 'Muster could not be started',
    text: expect.stringContaining('cannot be') as unknown,
  })
})
