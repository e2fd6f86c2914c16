import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectNoViolations } from '../support/accessibility.ts'
import { all, incidentScreen, screenOf, siteOf, whenOpen } from '../support/incident-screen.ts'
import { browserTest, savedBy, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, tabTo, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const { setup, openScreen } = incidentScreen(windows)

/** The strip of a site that was never seen before these minutes: by keys it is two stretches. */
async function saysStretches(page: Page): Promise<void> {
  const strip = page.getByRole('listbox', { name: /over the last 24 hours/u })
  const present = strip.getByRole('option', { selected: true })
  const name = () => present.getAttribute('aria-label')
  await tabTo(page, /over the last 24 hours/u)
  await expect.poll(name).toMatch(/^Down .*up .* for 15 min, (?:\d+ \w+ )?\d\d:\d\d to \d\d:\d\d$/u)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(name).toMatch(/^No data for 23 h 45 min, \d+ \w+ \d\d:\d\d to (?:\d+ \w+ )?\d\d:\d\d$/u)
  expect(await strip.getAttribute('aria-activedescendant')).toBe(await present.getAttribute('id'))
  await shows(page.locator('.strip-text'), (await name()) ?? '')
  await page.keyboard.press('End')
  await expect.poll(name).toMatch(/^Down /u)
}

test('a site goes down and recovers: listed, opened, acknowledged, undone, closed', async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  const { page, rows, pane, choice, act, rail, dialog } = await openScreen(fleet)
  await page.getByText('No open incidents.').waitFor()
  all(fleet.reference.world, site.ids, false)
  await shows(rows.first(), new RegExp(`^Critical .*${site.name}`, 'u'), 40_000)
  await expect
    .poll(() => rail.getAttribute('aria-label').then(async (label) => label ?? textOf(rail)))
    .toMatch(/Incidents.*1/u)
  expect(await textOf(rows.first())).toMatch(new RegExp(`${site.ids.length} of \\d+ down`, 'u'))

  await rows.first().click()
  await pane.getByRole('heading', { level: 2 }).waitFor()
  await expect
    .poll(() => pane.getByRole('list', { name: 'Devices of the incident' }).getByRole('listitem').count())
    .toBe(Math.min(25, site.ids.length))
  expect(await textOf(pane.getByRole('region', { name: 'Why' }))).not.toBe('Why')
  await expect
    .poll(() => pane.getByRole('listbox', { name: /over the last 24 hours/u }).getAttribute('aria-label'))
    .toMatch(
      /^\d+ devices over the last 24 hours: up .*\u00A0%, down .*\u00A0%, no data .*\u00A0%; \d+ disconnects?\.$/u,
    )
  await saysStretches(page)

  await act('Acknowledge').click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Power cut, ticket 7')
  await page.keyboard.press('Enter')
  await page.getByText('Acknowledged 1 incident.').waitFor()
  await page.getByText('No open incidents.').waitFor()
  await choice('Acknowledged, snoozed 1').click()
  await shows(rows.first(), /Acknowledged: Power cut, ticket 7/u)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  await page.getByText('No acknowledged or snoozed incidents.').waitFor()
  await choice('Open 1').click()
  await rows.first().waitFor()

  all(fleet.reference.world, site.ids, true)
  await page.getByText('No open incidents.').waitFor({ timeout: 40_000 })
  // What dropped first may have been an incident by itself before it became a part of this one.
  await page
    .getByRole('radiogroup', { name: 'Which incidents' })
    .getByText(/^Closed [1-9]/u)
    .click()
  await shows(rows.first(), new RegExp(`Peak ${site.ids.length} of \\d+`, 'u'))
  await shows(pane.getByText('Closed', { exact: true }).first(), 'Closed')
  expect(await act('Acknowledge').count()).toBe(0)
})

test('the screen works by the keyboard: open, select, snooze, undo, acknowledge, show devices', async () => {
  const fleet = await setup()
  const { world } = fleet.reference
  const bySite = Map.groupBy(
    world.devices().filter(({ connected, site }) => connected === true && site !== null),
    ({ site }) => site?.id,
  )
  const loners = [...bySite.values()].flatMap((devices) => devices.slice(0, 1)).slice(0, 3)
  const { page, list, rows, pane, dialog } = await openScreen(fleet)
  const { keyboard } = page
  // One after the other, each for itself.
  for (const [index, { id }] of loners.entries()) {
    world.setConnected(id, false)
    await whenOpen(fleet.muster, index + 1)
  }
  await expect.poll(() => rows.count()).toBe(3)
  await keyboard.press('/')
  await expect.poll(() => focused(page)).toBe('Find incidents')
  await keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Incidents')

  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await shows(pane.getByRole('heading', { level: 2 }), /./u)
  await expect.poll(() => focused(page)).toBe('Incident')
  await keyboard.press('Escape')
  await expect.poll(() => pane.count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('Incidents')

  await keyboard.press('Home')
  await keyboard.press('Shift+ArrowDown')
  await shows(page.getByRole('region', { name: 'Selected incidents' }).locator('strong'), '2 incidents selected')
  await keyboard.press('s')
  await dialog.getByRole('heading', { name: 'Snooze 2 incidents' }).waitFor()
  await tabTo(page, 'Other time or duration')
  await keyboard.type('2 h 30 min')
  await keyboard.press('Enter')
  await page.getByText(/^Snoozed 2 incidents until /u).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => focused(page)).toBe('Incidents')
  await keyboard.press('u')
  await page.getByText('Undone.').waitFor()
  await expect.poll(() => rows.count()).toBe(3)

  await keyboard.press('Control+k')
  await keyboard.type('acknowledge')
  await keyboard.press('Enter')
  await dialog.getByRole('heading', { name: 'Acknowledge the incident' }).waitFor()
  await keyboard.press('Tab')
  const offered = await focused(page)
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await page.getByText('Acknowledged 1 incident.').waitFor()
  const {
    rows: [acknowledged],
  } = await fleet.muster.call('incidents.list', { state: 'acknowledged', text: '', offset: 0, limit: 5 })
  expect(acknowledged?.acknowledged?.reason).toBe(offered)

  await list.focus()
  await keyboard.press('Home')
  await keyboard.press('Enter')
  const title = await textOf(pane.getByRole('heading', { level: 2 }))
  await tabTo(page, 'Show devices')
  await keyboard.press('Enter')
  await expect.poll(async () => loners.some(({ name }) => title.includes(name))).toBe(true)
  await partsOf(page)
    .row(loners.find(({ name }) => title.includes(name))?.name ?? '')
    .waitFor()
})

test("the focus stays on the strip when the incident's scope changes", async () => {
  const fleet = await setup()
  const { world } = fleet.reference
  const site = siteOf(fleet.reference)
  const rooms = Map.groupBy(
    world.devices().filter(({ id }) => site.ids.includes(id)),
    ({ room }) => room?.id,
  )
  const room =
    [...rooms.values()].find(({ length }) => length >= 3 && length < site.ids.length / 2)?.map(({ id }) => id) ?? []
  expect(room).not.toEqual([])
  all(world, room, false)
  const { page, rows, pane } = await openScreen(fleet)
  await rows.first().click({ timeout: 40_000 })
  const title = pane.getByRole('region', { name: /^Availability of/u })
  await pane.getByRole('listbox', { name: /over the last 24 hours/u }).focus()
  const before = (await title.getAttribute('aria-label')) ?? (await textOf(title))
  all(world, site.ids, false)
  await shows(pane.getByRole('heading', { level: 2 }), new RegExp(`^${site.ids.length} .*${site.name}$`, 'u'), 40_000)
  await expect.poll(() => focused(page)).toMatch(/^\d+ devices over the last 24 hours/u)
  expect((await title.getAttribute('aria-label')) ?? (await textOf(title))).not.toBe(before)
})

test('a new incident does not move the row with the focus, nor the one under the pointer', async () => {
  const fleet = await setup()
  const { world } = fleet.reference
  const site = siteOf(fleet.reference)
  const loner = world.find(({ id, connected }) => connected === true && !site.ids.includes(id))
  world.setConnected(loner.id, false)
  await whenOpen(fleet.muster, 1)
  const { page, list, rows } = await openScreen(fleet)
  const row = rows.filter({ hasText: loner.name })
  await row.waitFor()
  const top = async () => (await row.boundingBox())?.y
  const before = await top()
  await list.focus()
  await page.keyboard.press('ArrowDown')
  all(world, site.ids, false)
  await page.getByRole('button', { name: '1 incident above' }).waitFor({ timeout: 40_000 })
  expect(await top()).toBe(before)
  await page.keyboard.press('Home')
  await rows.filter({ hasText: site.name }).first().waitFor()
  await expect.poll(async () => ((await top()) ?? 0) > (before ?? 0)).toBe(true)

  // The pointer over the rows, the focus elsewhere; then it goes.
  await page.getByRole('searchbox', { name: 'Find incidents' }).focus()
  await row.hover()
  const held = await top()
  all(world, site.ids, true)
  await whenOpen(fleet.muster, 1)
  await expect.poll(() => list.getAttribute('aria-rowcount')).toBe('2')
  expect(await top()).toBe(held)
  await page.mouse.move(20, 600)
  await expect.poll(top).toBe(before)
})

browserTest('a notification of the bell leads to its incident, and from there to the devices', async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  const page = await windows.open(fleet.server.newUrl())
  await partsOf(page).rows.first().waitFor()
  all(fleet.reference.world, site.ids, false)
  await page.getByRole('button', { name: /^Notifications, \d+ new/u }).click({ timeout: 40_000 })
  await page.getByRole('list', { name: 'Recent notifications' }).getByRole('button').first().click()
  const { pane } = screenOf(page)
  await shows(pane.getByRole('heading', { level: 2 }), new RegExp(site.name, 'u'))
  await expect.poll(() => focused(page)).toBe('Incident')
  await pane.getByRole('button', { name: 'Show devices' }).click()
  await expect.poll(() => partsOf(page).rows.count()).toBeGreaterThan(10)
})

browserTest("Escape from a notification's incident returns to the screen and the list before", async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  all(fleet.reference.world, site.ids, false)
  await whenOpen(fleet.muster, 1)
  all(fleet.reference.world, site.ids, true)
  await whenOpen(fleet.muster, 0)
  const page = await windows.open(fleet.server.newUrl())
  await partsOf(page).rows.first().waitFor()
  const { pane, rail, list } = screenOf(page)
  const chosen = page.getByRole('radiogroup', { name: 'Which incidents' }).getByRole('radio', { checked: true })
  const openTold = async () => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/u })
      .click()
    await page.getByRole('list', { name: 'Recent notifications' }).getByRole('button').first().click()
    await expect.poll(() => focused(page)).toBe('Incident')
    await shows(pane.locator('.incident-kind'), /Closed/u)
    await page.keyboard.press('Escape')
  }
  await openTold()
  await expect.poll(() => focused(page)).toBe('Devices')
  expect(await list.count()).toBe(0)
  await rail.click()
  await page.getByText('No open incidents.').waitFor()
  await openTold()
  await expect.poll(() => focused(page)).toBe('Incidents')
  expect([await pane.count(), await chosen.getAttribute('value')]).toEqual([0, 'open'])
})

test.each([{ colorScheme: 'dark' }, { colorScheme: 'light' }] as const)(
  'the incidents screen and its dialogs are accessible, $colorScheme',
  async ({ colorScheme }) => {
    const fleet = await setup()
    const site = siteOf(fleet.reference)
    const { page, list, rows, pane, choice, dialog } = await openScreen(fleet, {
      colorScheme,
      viewport: { width: 1_440, height: 700 },
    })
    await page.getByText('No open incidents.').waitFor()
    await expectNoViolations(page, 'nothing open')
    all(fleet.reference.world, site.ids, false)
    await rows.first().waitFor({ timeout: 40_000 })
    await rows.first().click()
    await pane.getByRole('listbox').waitFor()
    await expectNoViolations(page, 'an incident')
    await list.focus()
    await page.keyboard.press('a')
    await dialog.waitFor()
    await expectNoViolations(page, 'acknowledge')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    await dialog.waitFor()
    await expectNoViolations(page, 'snooze')
    await page.keyboard.press('Enter')
    await choice('Acknowledged, snoozed 1').click()
    await rows.first().waitFor()
    await page.getByRole('button', { name: 'Shift handover' }).click()
    await expectNoViolations(page, 'handover')
  },
)

test.each([
  { width: 1_024, height: 700 },
  { width: 720, height: 450 },
  { width: 512, height: 350 },
])('nothing is cut off and everything can be reached at $width × $height', async (viewport) => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  all(fleet.reference.world, site.ids, false)
  await whenOpen(fleet.muster, 1)
  const { page, rows, pane, list } = await openScreen(fleet, { viewport })
  await rows.first().waitFor()
  const sideways = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.incidents-list, .incident')].some(
        (box) => box.scrollWidth > box.clientWidth + 1,
      ),
    )
  expect(await sideways()).toBe(false)
  await list.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await pane.getByRole('listbox').waitFor()
  expect(await sideways()).toBe(false)
  await tabTo(page, 'Copy report')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Incidents')
})

browserTest('when the core goes, the last list stays, and its actions are disabled', async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  all(fleet.reference.world, site.ids, false)
  await whenOpen(fleet.muster, 1)
  const { page, rows, pane } = await openScreen(fleet, { expected: [/WebSocket|ERR_CONNECTION/u] })
  await rows.first().click()
  await pane.getByRole('button', { name: 'Acknowledge' }).waitFor()
  await fleet.stop()
  await page.getByText(/^As it was at \d\d:\d\d, when the core stopped$/u).waitFor()
  expect(await textOf(rows.first())).toContain(site.name)
  await expect.poll(() => pane.getByRole('button', { name: 'Acknowledge' }).isDisabled()).toBe(true)
  await rows
    .first()
    .focus()
    .catch(() => undefined)
  await page.keyboard.press('a')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a report goes to the clipboard and a handover to a file, and both are confirmed', async () => {
  const fleet = await setup()
  const site = siteOf(fleet.reference)
  all(fleet.reference.world, site.ids, false)
  await whenOpen(fleet.muster, 1)
  const { page, rows, act, dialog } = await openScreen(fleet)
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => void Object.assign(window, { copied: text }) },
    }),
  )
  await rows.first().click()
  await act('Copy report').click()
  await page.getByText(/^Copied the report, \d+ lines of Markdown\.$/u).waitFor()
  expect(await page.evaluate(() => (window as unknown as { copied: string }).copied)).toContain(site.name)
  await page.getByRole('button', { name: 'Shift handover' }).click()
  const { name } = await savedBy(page, () => dialog.getByRole('button', { name: 'Save CSV' }).click())
  expect(name).toMatch(/\.csv$/u)
  await page.getByText(new RegExp(`^Saved the handover as .*${name}`, 'u')).waitFor()
})
