import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import { pageAddress, startMain } from '../support/electron-shell.ts'
import { temporaryProfile, until } from '../support/fleet.ts'
import { startUpdateFeed, type UpdateFeed } from '../support/update-feed.ts'
import { desktopTest, useWindows } from '../support/window.ts'
import { shows } from '../support/page-parts.ts'

export const windows = useWindows()

export async function toSettings(page: Page) {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Settings' })
    .or(page.getByRole('button', { name: 'Settings', exact: true }))
    .first()
    .click()
  return page.getByRole('region', { name: 'Updates', exact: true })
}

/** The files of an installed AppImage and the image itself, in a home of its own. */
function installation({ signed = true, name = 'Muster-0.1.0-linux-x86_64.AppImage' } = {}) {
  const folder = temporaryProfile(windows.leftovers)
  const resources = path.join(folder, 'resources')
  mkdirSync(resources)
  writeFileSync(path.join(resources, 'build.json'), JSON.stringify({ signed }))
  const image = path.join(folder, name)
  writeFileSync(image, '#!/bin/sh\necho old > "$0.ran"\n')
  chmodSync(image, 0o755)
  const env = {
    MUSTER_TEST_PACKAGED: resources,
    APPIMAGE: image,
    HOME: folder,
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
  }
  return {
    image,
    renewed: path.join(folder, 'Muster-0.2.0.AppImage'),
    profile: path.join(folder, 'data', 'muster', 'default'),
    env,
  }
}

/** The new image: it says that it has started. */
const newImage = Buffer.from('#!/bin/sh\necho new > "$0.ran"\n')

async function installed(feed: UpdateFeed | null, copy: { name?: string; signed?: boolean } = {}) {
  const { image, renewed, profile, env } = installation(copy)
  const start = (args: string[] = [], folder: string | null = null, more: Record<string, string> = {}) =>
    startMain(windows.leftovers, folder, { args, env: { ...env, ...more } })
  const opened = async () => {
    const main = await start()
    const page = await windows.open(pageAddress, { log: main.log, before: (made) => main.attach(made) })
    return { main, page, section: await toSettings(page) }
  }
  const first = await opened()
  if (feed !== null) await first.main.call('settings.change', { updateFeed: feed.url, updateCa: feed.ca })
  return { ...first, image, renewed, profile, start, opened }
}

const ran = (image: string) => (existsSync(`${image}.ran`) ? readFileSync(`${image}.ran`, 'utf8').trim() : '')

desktopTest(
  'an update is found, shown as text, downloaded on request, and installed by the next start',
  { timeout: 90_000 },
  async () => {
    const feed = await startUpdateFeed(windows.leftovers)
    const { main, page, section, image, renewed, profile, start } = await installed(feed)
    const head = section.getByRole('status')
    await shows(head, 'Muster 0.1.0')
    feed.offer('0.2.0', newImage, { notes: '<img src=x onerror="document.title=1"> The <b>rail</b> is new' })
    await section.getByRole('button', { name: 'Check for updates' }).click()
    await shows(head, 'Muster 0.2.0 is available')
    await shows(
      section.getByRole('region', { name: 'Release notes' }),
      '<img src=x onerror="document.title=1"> The <b>rail</b> is new',
    )
    expect(await section.locator('img').count()).toBe(0)
    expect(feed.asked).toHaveLength(1)
    await page.getByRole('contentinfo').getByRole('button', { name: 'Muster 0.2.0 is available' }).waitFor()
    await section.getByRole('button', { name: 'Download', exact: true }).click()
    await shows(head, 'Muster 0.2.0 is ready')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Muster 0.2.0 is ready' }).click()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Muster 0.2.0 is ready')
    await main.stop()
    expect(readFileSync(image, 'utf8')).toContain('old')
    expect(ran(image)).toBe('')

    // The next start needs nobody's network for it, and shows no window.
    await feed.stop()
    const next = await start()
    expect(await next.ended).toBe(0)
    expect(next.log.join('\n')).not.toContain('Muster opens')
    await until(() => expect(ran(renewed)).toBe('new'))
    expect(readFileSync(renewed)).toEqual(newImage)
    expect(existsSync(image)).toBe(false)
    expect(readFileSync(path.join(profile, 'muster.log'), 'utf8')).toContain(
      'updates: 0.2.0 is installed in the place of 0.1.0',
    )
  },
)

desktopTest('“Restart and update” ends Muster in order and starts it again', { timeout: 90_000 }, async () => {
  const feed = await startUpdateFeed(windows.leftovers)
  feed.offer('0.2.0', newImage)
  const { main, section, image, start } = await installed(feed, { name: 'muster' })
  await main.call('settings.change', { updateSelf: true })
  await section.getByRole('button', { name: 'Check for updates' }).click()
  await section.getByRole('button', { name: 'Restart and update' }).click()
  expect(await main.ended).toBe(0)
  expect(main.deeds.findLast(({ deed }) => deed === 'relaunch')).toMatchObject({
    execPath: image,
    args: expect.arrayContaining(['--appimage-extract-and-run']) as unknown,
  })
  expect(ran(image)).toBe('')
  const next = await start()
  expect(await next.ended).toBe(0)
  await until(() => expect(ran(image)).toBe('new'))
  // A name without a version is its person's own.
  expect(readFileSync(image)).toEqual(newImage)
})

/** 0.2.0 lies ready, and Muster has ended. */
async function ready() {
  const feed = await startUpdateFeed(windows.leftovers)
  feed.offer('0.2.0', newImage)
  const copy = await installed(feed)
  await copy.main.call('settings.change', { updateSelf: true })
  await copy.main.call('updates.check', {})
  await copy.section.getByRole('heading', { name: 'Muster 0.2.0 is ready' }).waitFor()
  await copy.main.stop()
  const goesOn = async (args: string[], folder: string | null = null, env: Record<string, string> = {}) => {
    const main = await copy.start(args, folder, env)
    const { updates } = await main.call('app.state', {})
    return { main, now: updates.now }
  }
  return { ...copy, feed, goesOn }
}

desktopTest(
  'a hidden start and a start by a link leave a pending update to a later start',
  { timeout: 90_000 },
  async () => {
    const { image, renewed, goesOn, start } = await ready()
    const { main: linked, now } = await goesOn(['--', 'muster://room/incidents'])
    expect(now).toMatchObject({ is: 'ready', update: { version: '0.2.0' } })
    await linked.stop()
    const { main: quiet, now: still } = await goesOn([
      '--hidden',
      '--ozone-platform=x11',
      '--',
      'muster://room/incidents',
    ])
    expect(still.is).toBe('ready')
    expect(existsSync(renewed)).toBe(false)
    await quiet.call('updates.apply', {})
    expect(await quiet.ended).toBe(0)
    expect(quiet.deeds.findLast(({ deed }) => deed === 'relaunch')).toEqual({
      deed: 'relaunch',
      execPath: image,
      args: ['--appimage-extract-and-run', '--ozone-platform=x11'],
    })
    expect(await (await start(['--ozone-platform=x11'])).ended).toBe(0)
    await until(() => expect(ran(renewed)).toBe('new'))
  },
)

desktopTest('a start by a click on a notification leaves a pending update to a later start', async () => {
  const { renewed, goesOn } = await ready()
  const clicked = {
    identifier: 'a',
    actionIdentifier: 'com.apple.UNNotificationDefaultActionIdentifier',
    date: 1,
    userInfo: {},
  }
  const { now } = await goesOn([], null, { MUSTER_TEST_LAUNCHED: JSON.stringify(clicked) })
  expect([now.is, existsSync(renewed)]).toEqual(['ready', false])
})

desktopTest(
  'a demo and another profile install no update, and say that updates are off',
  { timeout: 90_000 },
  async () => {
    const { image, goesOn } = await ready()
    const { main: demo, now } = await goesOn(['--demo', '--devices=20'])
    expect(now).toEqual({ is: 'off', reason: 'apart', detail: '' })
    await demo.stop()
    const { main: own, now: ofIt } = await goesOn([], temporaryProfile(windows.leftovers))
    expect(ofIt).toEqual({ is: 'off', reason: 'apart', detail: '' })
    await own.stop()
    expect(readFileSync(image, 'utf8')).toContain('old')
  },
)

desktopTest('a download is dropped when the channel has changed by the next start', { timeout: 90_000 }, async () => {
  const { image, profile, goesOn } = await ready()
  const file = path.join(profile, 'settings.json')
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), updateChannel: 'beta' }))
  const { main, now } = await goesOn([])
  expect(now).toEqual({ is: 'idle', checkedAt: null })
  expect(existsSync(path.join(profile, 'update.json'))).toBe(false)
  expect(readFileSync(image, 'utf8')).toContain('old')
  await main.stop()
})

desktopTest('a second start during the first one raises its window', async () => {
  const { start, main } = await installed(null)
  await main.call('settings.change', { closeToTray: true })
  await main.stop()
  const quiet = await start(['--hidden'])
  await quiet.ask({ ask: 'second-instance', told: { link: null, quiet: false } })
  await until(() => expect(quiet.deeds.map(({ deed }) => deed)).toContain('shown'))
})

desktopTest(
  'a failed update is tried once, then reported, and retried only on request',
  { timeout: 90_000 },
  async () => {
    const feed = await startUpdateFeed(windows.leftovers)
    feed.offer('0.2.0', newImage)
    const { main, section, renewed, start, opened } = await installed(feed)
    await section.getByRole('button', { name: 'Check for updates' }).click()
    await section.getByRole('button', { name: 'Download', exact: true }).click()
    await section.getByRole('heading', { name: 'Muster 0.2.0 is ready' }).waitFor()
    await main.stop()
    // The new one is there by then, and yet the version that runs next is the old one.
    expect(await (await start()).ended).toBe(0)
    await until(() => expect(ran(renewed)).toBe('new'))
    const { main: again, page, section: failed } = await opened()
    await failed.getByRole('heading', { name: 'The update was not installed' }).waitFor()
    await page.getByRole('contentinfo').getByRole('button', { name: 'Update not installed' }).waitFor()
    await failed.getByRole('button', { name: 'Restart and update' }).click()
    expect(await again.ended).toBe(0)
    expect(again.deeds.map(({ deed }) => deed)).toContain('relaunch')
  },
)

desktopTest('an unsigned copy has no updates, and requests no feed', async () => {
  const feed = await startUpdateFeed(windows.leftovers)
  const { section, main } = await installed(feed, { signed: false })
  await section.getByText('This copy of Muster is not signed').waitFor()
  await expect(main.call('updates.check', {})).rejects.toMatchObject({ fault: { kind: 'input' } })
  expect(feed.asked).toEqual([])
})

/** Expects the heading to have the focus, to be visible, and to have this description. */
async function isLedTo(page: Page, name: string, words: RegExp) {
  const head = page.getByRole('region', { name: 'Updates', exact: true }).getByRole('heading', { name })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  await expect
    .poll(() =>
      head.evaluate((element) => {
        const [{ top, bottom }, description] = [
          element.getBoundingClientRect(),
          document.getElementById(element.getAttribute('aria-describedby') ?? ''),
        ]
        return top >= 0 && bottom <= window.innerHeight ? (description?.textContent ?? '') : 'out of sight'
      }),
    )
    .toMatch(words)
}

desktopTest(
  '“Check for Updates…” leads to its answer, also on a copy without updates',
  { timeout: 90_000 },
  async () => {
    const feed = await startUpdateFeed(windows.leftovers)
    const { main, page } = await installed(feed, { signed: false })
    await page.getByRole('button', { name: 'Incidents' }).first().click()
    await page.setViewportSize({ width: 1024, height: 700 })
    await main.ask({ ask: 'menu-click', label: 'Check for Updates…' })
    await isLedTo(page, 'Updates are off', /is not signed/u)
    const copy = await installed(feed)
    feed.offer('0.1.0', newImage)
    await copy.page.setViewportSize({ width: 1024, height: 700 })
    await copy.main.ask({ ask: 'menu-click', label: 'Check for Updates…' })
    await isLedTo(copy.page, 'Muster 0.1.0 is the newest', /nothing newer/u)
    expect(feed.asked.length).toBeGreaterThan(0)
    // A room that is chosen by hand is shown as it stands.
    await copy.page.getByRole('button', { name: 'Incidents' }).first().click()
    await copy.main.ask({ ask: 'menu-click', label: 'Settings' })
    await copy.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(await copy.page.evaluate(() => document.activeElement?.tagName)).not.toBe('H3')
  },
)

desktopTest('a feed is an https URL without a login or parameters; without one updates are off', async () => {
  const { main, section } = await installed(null)
  await shows(section.getByRole('status'), 'Updates are off')
  await section.getByText('No feed is set, so Muster does not look for updates.').waitFor()
  const feed = section.getByRole('textbox', { name: 'Feed', exact: true })
  const typed = async (text: string, words: string) => {
    await feed.fill(text)
    await feed.press('Enter')
    await section.getByText(words).waitFor()
  }
  await typed('http://updates.example/', 'The address must begin with https:// as in https://updates.example/')
  await typed(
    'https://me:secret@updates.example/',
    'Leave out the name and password: a feed is open to whoever reaches it.',
  )
  await typed('https://updates.example/?sig=1', 'Leave out the part from the ? on: a feed is a folder.')
  await expect(main.call('settings.change', { updateFeed: 'http://updates.example/' })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
  await feed.fill('https://127.0.0.1:1/muster/')
  await feed.press('Enter')
  await shows(section.getByRole('status'), 'Muster 0.1.0')
  await section.getByRole('button', { name: 'Check for updates' }).click()
  await shows(section.getByRole('status'), 'Update check failed')
  await section.getByText('Nothing answers at the feed’s address: 127.0.0.1:1.').waitFor()
})
