import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { service, temporaryProfile } from '../support/fleet.ts'
import { browserTest, readFleet, serve, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, tabTo, textOf } from '../support/page-parts.ts'

const windows = useWindows()

interface Shown {
  title: string
  body: string
  tag: string
  silent: boolean
}

/** A browser's desktop that writes down what it is asked to show, and is clicked by the test; the browser of the tests has none. */
function pretend(page: Page, permission: 'default' | 'granted' | 'denied') {
  return page.addInitScript((first) => {
    const shown: { title: string; body: string; tag: string; silent: boolean; it: EventTarget }[] = []
    const closed: string[] = []
    class Desktop extends EventTarget {
      static permission = first
      static requestPermission() {
        Desktop.permission = 'granted'
        return Promise.resolve('granted')
      }
      tag: string
      constructor(
        title: string,
        { body, tag, silent, renotify }: { body: string; tag: string; silent: boolean; renotify: boolean },
      ) {
        super()
        if (silent && renotify) throw new TypeError('Silent notifications must not specify renotify')
        this.tag = tag
        shown.push({ title, body, tag, silent, it: this })
      }
      close() {
        closed.push(this.tag)
      }
    }
    Object.assign(window, { Notification: Desktop, shown, gone: closed })
  }, permission)
}
const openWith = (url: string, log: readonly string[], permission: 'default' | 'granted' | 'denied') =>
  windows.open(url, { log, before: (page) => pretend(page, permission) })

const shown = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { shown: Shown[] }).shown.map(({ title, body, tag, silent }) => ({
      title,
      body,
      tag,
      silent,
    })),
  )
const closed = (page: Page) => page.evaluate(() => (window as unknown as { gone: string[] }).gone)
const icon = async (page: Page) => decodeURIComponent((await page.locator('link[rel=icon]').getAttribute('href')) ?? '')
/** The colours of the icon: blue, with a red disc for open incidents, grey for lost monitoring. */
const [idle, alert, monitoringLost] = ['#2b4bd0', '#e5303d', '#6b7480']
const clickShown = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { shown: { it: EventTarget }[] }).shown.at(-1)?.it.dispatchEvent(new Event('click')),
  )
/** The title of the open incident. */
const incident = (page: Page) =>
  page.getByRole('region', { name: 'Incident', exact: true }).getByRole('heading', { level: 2 })
const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/u })

/** A fleet that notifies a drop at once. */
async function setup() {
  const reference = await service(windows.leftovers, { devices: 120, tenants: 2 })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
  await readFleet(served.muster, reference)
  const drop = () => {
    const device = reference.world.find(({ connected }) => connected === true)
    reference.world.setConnected(device.id, false)
    return device
  }
  return { reference, drop, ...served }
}

browserTest('a drop is notified in the list, the title and on the desktop; a click opens its incident', async () => {
  const { drop, server, muster } = await setup()
  const page = await openWith(server.newUrl(), muster.log, 'granted')
  await partsOf(page).rows.first().waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  const device = drop()
  await expect.poll(() => shown(page), { timeout: 40_000 }).toHaveLength(1)
  const [notice] = await shown(page)
  expect(notice?.title).toContain(device.name)
  await expect.poll(() => page.title()).toMatch(/^\(1\) \d+ offline · Muster$/u)
  await expect.poll(() => icon(page)).toContain(alert)
  await clickShown(page)
  await shows(incident(page), new RegExp(device.name, 'u'))
  // It calls for somebody until somebody has taken it on.
  expect(await page.title()).toMatch(/^\(1\)/u)
  const { rows } = await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 1 })
  await muster.call('incidents.acknowledge', { ids: rows.map(({ id }) => id), reason: 'Known' })
  await expect.poll(() => page.title()).toMatch(/^\d+ offline · Muster$/u)
  await expect
    .poll(async () => [(await icon(page)).includes(idle), (await icon(page)).includes(alert)])
    .toEqual([true, false])
})

browserTest('a desktop notification closes when its incident is snoozed elsewhere', async () => {
  const { drop, server, muster } = await setup()
  const page = await openWith(server.newUrl(), muster.log, 'granted')
  await partsOf(page).rows.first().waitFor()
  drop()
  await expect.poll(() => shown(page), { timeout: 40_000 }).toHaveLength(1)
  const [notice] = await shown(page)
  await muster.call('incidents.snooze', { ids: [notice?.tag ?? ''], until: null })
  await expect.poll(() => closed(page)).toEqual([notice?.tag])
})

browserTest('the first of several windows shows notifications, and the next one when it is closed', async () => {
  const { drop, server, muster } = await setup()
  const first = await openWith(server.newUrl(), muster.log, 'granted')
  await partsOf(first).rows.first().waitFor()
  const second = await first.context().newPage()
  await pretend(second, 'granted')
  await second.goto(server.newUrl())
  await partsOf(second).rows.first().waitFor()
  drop()
  await expect.poll(() => shown(first), { timeout: 40_000 }).toHaveLength(1)
  await second.getByRole('button', { name: 'Notifications, 1 new' }).waitFor()
  expect(await shown(second)).toEqual([])
  await first.close()
  await expect.poll(() => second.evaluate(async () => (await navigator.locks.query()).pending)).toEqual([])
  const device = drop()
  await expect
    .poll(async () => (await shown(second)).map(({ title }) => title), { timeout: 40_000 })
    .toEqual([expect.stringContaining(device.name)])
})

test('the icon turns grey while monitoring is lost, with or without incidents', async () => {
  const { reference, drop, server, muster } = await setup()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await partsOf(page).rows.first().waitFor()
  drop()
  await expect.poll(() => icon(page), { timeout: 40_000 }).toContain(alert)
  await reference.misfortune.pause()
  await expect.poll(() => icon(page)).toContain(monitoringLost)
  await expect.poll(() => page.title()).toBe('(1) All unknown · Muster')
})

test('the bell lists the notifications, opened and chosen by the keyboard', async () => {
  const { drop, server, muster } = await setup()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await partsOf(page).rows.first().waitFor()
  await page.getByRole('button', { name: 'Connections' }).click()
  const device = drop()
  await page.getByRole('button', { name: 'Notifications, 1 new' }).waitFor({ timeout: 40_000 })
  await bell(page).focus()
  await page.keyboard.press('Enter')
  const line = page.getByRole('list', { name: 'Recent notifications' }).getByRole('listitem').getByRole('button')
  await line.filter({ hasText: device.name }).waitFor()
  const label = await line.first().evaluate((button) => button.textContent ?? '')
  await tabTo(page, label)
  await page.keyboard.press('Enter')
  await shows(incident(page), new RegExp(device.name, 'u'))
  expect(await bell(page).getAttribute('aria-label')).toBe('Notifications')
})

test('notifications are paused and resumed by the keyboard, with the remaining time shown', async () => {
  const { server, muster } = await setup()
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'Pause notifications for an hour')
  await page.keyboard.press('Enter')
  await shows(bell(page).first(), /^Paused, (1 h|59 min) left$/u)
  expect((await muster.call('app.state', {})).notifications.pausedUntil).toBeGreaterThan(Date.now() + 59 * 60_000)
  await tabTo(page, 'Resume notifications')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await muster.call('app.state', {})).notifications.pausedUntil).toBeNull()
  await expect.poll(() => focused(page)).toMatch(/^Pause notifications for/u)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Notifications')
  expect(await textOf(bell(page))).toBe('')
})

browserTest("the browser's permission is requested only after a click, and its answer is shown", async () => {
  const { server, muster } = await setup()
  const page = await openWith(server.newUrl(), muster.log, 'default')
  await bell(page).click()
  await page.getByText('Desktop notifications are not yet allowed in this browser.').waitFor()
  await page.getByRole('button', { name: 'Show them on the desktop' }).click()
  await page.getByText('This browser shows them on the desktop, while a window of Muster is open.').waitFor()
  const other = await openWith(server.newUrl(), muster.log, 'denied')
  await other.getByRole('button', { name: 'Settings' }).click()
  await other.getByText(/^This browser blocks desktop notifications\./u).waitFor()
})
