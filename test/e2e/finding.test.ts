import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { listed, openRows } from '../support/listed.ts'
import { readFleet, serve, useWindows, type Served } from '../support/window.ts'
import { columnOf, focused, partsOf, shows, tabTo } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 1_200, tenants: 4 })
  const { world } = reference
  world.renameDevice(world.find(({ connected }) => connected === true).id, 'Ein Gerät zum Finden')
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await readFleet(served.muster, reference)
})

async function open() {
  const parts = await openRows(windows, served)
  return {
    ...parts,
    chips: parts.page.getByRole('list', { name: 'Terms of the filter' }).getByRole('button'),
    offers: parts.page.getByRole('listbox', { name: /Completions|Filters that were used/u }),
  }
}

const all = () => reference.world.devices()
/** The site with the most devices, so that there is something to see. */
function largestSite(): string {
  const sites = Map.groupBy(
    all().flatMap(({ site }) => site?.name ?? []),
    (name) => name,
  )
  return [...sites].toSorted((one, other) => other[1].length - one[1].length)[0]?.[0] ?? ''
}

test('text and chips of the filter stay in step: a choice, a typed term, a removed chip', async () => {
  const { page, filter, chips, choice } = await open()
  const site = largestSite()
  const down = all().filter((device) => device.connected === false)
  expect(await filter.inputValue()).toBe('connected:no spare:no')
  // The choice says it already.
  expect(await chips.allInnerTexts()).toEqual([])
  await page.keyboard.press('/')
  await page.keyboard.type(`site:"${site}"`)
  await listed(page, down.filter((device) => device.site?.name === site).length)
  await expect
    .poll(() => chips.allInnerTexts())
    .toEqual(['connected:no', site.includes(' ') ? `site:"${site}"` : `site:${site}`])
  await page.getByRole('button', { name: 'Remove connected:no' }).click()
  await listed(page, all().filter((device) => device.site?.name === site).length)
  expect(await choice('All').isChecked()).toBe(true)
  await choice('Online').click()
  await expect.poll(() => filter.inputValue()).toMatch(/^status:online site:/u)
  await listed(page, all().filter((device) => device.connected === true && device.site?.name === site).length)
  await filter.fill('status:offline')
  await expect.poll(() => choice('Offline').isChecked()).toBe(true)
  await listed(page, down.length)
})

test('a chip is removed by the keyboard', async () => {
  const { page, filter } = await open()
  await page.keyboard.press('/')
  await page.keyboard.type('studio')
  await tabTo(page, 'Remove connected:no')
  await page.keyboard.press('Enter')
  await expect.poll(() => filter.inputValue()).toBe('studio')
  await listed(
    page,
    all().filter(({ name, hardwareModel, site, room }) =>
      [name, hardwareModel, site?.name, room?.name].some((text) => text?.toLowerCase().includes('studio')),
    ).length,
  )
})

test('fields and values are completed: arrows choose, Enter and Tab accept, Escape closes', async () => {
  const { page, filter, offers, choice } = await open()
  const site = largestSite()
  await choice('All').click()
  await page.keyboard.press('/')
  await page.keyboard.type('si')
  await shows(offers.getByRole('option').first(), /^site:/u)
  expect(await filter.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Tab')
  expect(await filter.inputValue()).toBe('site:')
  expect(await focused(page)).toBe('Filter devices')
  await page.keyboard.type(site.slice(0, 4))
  const wanted = offers.getByRole('option').filter({ hasText: site }).first()
  await shows(wanted, new RegExp(`${all().filter((device) => device.site?.name === site).length}$`, 'u'))
  for (let step = 0; step < 10 && (await wanted.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowDown')
  expect(await filter.getAttribute('aria-activedescendant')).toBe(await wanted.getAttribute('id'))
  await page.keyboard.press('Enter')
  await listed(page, all().filter((device) => device.site?.name === site).length)
  await page.keyboard.type('down:')
  await offers.getByRole('option').filter({ hasText: '>2h' }).waitFor()
  await page.keyboard.press('Escape')
  await offers.waitFor({ state: 'hidden' })
  expect(await filter.inputValue()).toMatch(/ down:$/u)
})

test('an invalid term is marked and explained, and the last valid filter stays in force', async () => {
  const { page, filter } = await open()
  const down = all().filter(({ connected }) => connected === false).length
  await filter.fill('connected:no down:>soon')
  const alert = page.getByRole('alert')
  await alert.getByText('“soon” is no length of time.').waitFor()
  await alert.getByText('Until then this is listed: connected:no').waitFor()
  expect(await filter.getAttribute('aria-invalid')).toBe('true')
  expect(await filter.getAttribute('aria-errormessage')).toBe(await alert.getAttribute('id'))
  await listed(page, down)
  await filter.fill('connected:no')
  await expect.poll(() => filter.getAttribute('aria-invalid')).toBe('false')
  await expect.poll(() => alert.innerText()).toBe('')
})

test('an unfinished field in the filter neither filters nor counts as an error', async () => {
  const { page, filter, offers, choice } = await open()
  const down = all().filter(({ connected }) => connected === false).length
  await filter.selectText()
  await page.keyboard.type('conected:no')
  const alert = page.getByRole('alert')
  await alert.getByText('Until then this is listed: connected:no').waitFor()
  await listed(page, down)
  await choice('All').click()
  await filter.fill('')
  await page.keyboard.type('si')
  await page.keyboard.press('Tab')
  expect(await filter.inputValue()).toBe('site:')
  await offers.getByRole('option').filter({ hasText: largestSite() }).first().waitFor()
  await listed(page, 1_200)
  // Said only when the value is left out for good.
  await filter.press('Escape')
  expect([await filter.getAttribute('aria-invalid'), await alert.innerText()]).toEqual(['false', ''])
  await page.keyboard.press('Tab')
  await alert.getByText('Enter a value for site, or none.').waitFor()
})

test('a choice counts what it would list with the other terms of the filter', async () => {
  const { page, filter, choice, table } = await open()
  const model = all()[0]?.hardwareModel ?? ''
  const of = (connected: boolean | null) =>
    all().filter((device) => device.hardwareModel === model && device.connected === connected).length
  await filter.fill(`connected:no model:"${model}"`)
  await listed(page, of(false))
  await shows(choice('All'), `All ${(of(false) + of(true) + of(null)).toLocaleString('en-US')}`)
  await shows(choice('Offline'), `Offline ${of(false)}`)
  await shows(choice('Online'), `Online ${of(true).toLocaleString('en-US')}`)
  await choice('Online').click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(of(true) + 1))
  await filter.fill('')
  await shows(choice('All'), 'All 1,200')
})

test.each([1_440, 720])(
  'a filter of many values is one short chip, and the toolbar still fits, %i wide',
  async (width) => {
    const { page, filter, chips } = await open()
    await page.setViewportSize({ width, height: 800 })
    const some = all().slice(0, 40)
    const sites = [...new Set(all().flatMap(({ site }) => (site === null ? [] : [site.name])))].slice(0, 12)
    for (const [text, chip] of [
      [`id:${some.map(({ id }) => id).join()}`, 'id: 40 devices'],
      [`site:${sites.map((site) => `"${site}"`).join()}`, `site: ${sites.slice(0, 2).join(', ')} and 10 more`],
    ] as const) {
      await filter.fill(text)
      await expect.poll(() => chips.first().innerText()).toBe(chip)
      expect(await chips.first().getAttribute('aria-label')).toContain(
        some[0] !== undefined && text.startsWith('id') ? (some[39]?.id ?? '') : (sites[11] ?? ''),
      )
      for (const name of ['Columns', 'Export the table', 'Save view', 'Clear the filter']) {
        const box = await page.getByRole('button', { name, exact: true }).boundingBox()
        expect((box?.x ?? width) + (box?.width ?? 0), name).toBeLessThanOrEqual(width)
      }
      expect(await page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth)).toBe(true)
    }
  },
)

test('completions do not cover the error message', async () => {
  const { page, filter, offers } = await open()
  await filter.fill('model~Studio')
  await page.keyboard.press('Enter')
  await filter.fill('model~Studio')
  await filter.fill('model~Studio status:o')
  await offers.getByRole('option').filter({ hasText: 'online' }).waitFor()
  const alert = page.getByRole('alert')
  await alert.getByText('is online, offline or unknown.').waitFor()
  const [words, list] = [await alert.boundingBox(), await offers.boundingBox()]
  expect(list?.y).toBeGreaterThanOrEqual((words?.y ?? 0) + (words?.height ?? 0))
})

test("the beginning of a site's name matches nothing, and an alternative is offered", async () => {
  const { page, filter } = await open()
  const site = largestSite()
  const beginning = site.slice(0, -1)
  await filter.fill(`site:"${beginning}"`)
  await page.getByText(`No site is called ${beginning}.`).waitFor()
  await page.getByRole('button', { name: /^Try site:/u }).click()
  await listed(page, all().filter((device) => device.site?.name.startsWith(beginning)).length)
})

test('an invalid filter is never sent to the core', async () => {
  const { filter } = await open()
  const before = served.muster.log.length
  await filter.fill('connected:maybe')
  await expect.poll(() => filter.getAttribute('aria-invalid')).toBe('true')
  expect(served.muster.log.slice(before)).toEqual([])
})

test('the filter history comes back with the arrow keys, after a reload as well', async () => {
  const { page, filter, offers } = await open()
  await filter.fill('model~Studio -room:none')
  await page.keyboard.press('Enter')
  await page.reload()
  await partsOf(page).rows.first().waitFor()
  await filter.fill('')
  await page.keyboard.press('ArrowUp')
  await shows(offers.getByRole('option').first(), /^model~Studio -room:none/u)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await filter.inputValue()).toBe('model~Studio -room:none')
  await listed(
    page,
    all().filter(({ hardwareModel, room }) => hardwareModel.includes('Studio') && room !== null).length,
  )
})

test('Escape clears, then returns to the rows', async () => {
  const { page, filter, table } = await open()
  await page.keyboard.press('/')
  await page.keyboard.type('gerat zum finden')
  await listed(page, 0)
  await page.keyboard.press('Escape')
  expect(await filter.inputValue()).toBe('')
  await listed(page, 1_200)
  await page.keyboard.press('Escape')
  await expect.poll(() => table.evaluate((grid) => grid === document.activeElement)).toBe(true)
})

test('a view is saved, renamed, changed, made the default, removed and restored', async () => {
  const { page, filter, choice } = await open()
  const bar = page.getByRole('group', { name: 'Saved views' })
  await filter.fill('status:online model~Studio')
  const studios = all().filter(
    ({ connected, hardwareModel }) => connected === true && hardwareModel.includes('Studio'),
  ).length
  await listed(page, studios)
  await bar.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Studios')
  await dialog.getByRole('checkbox', { name: 'Default view' }).check()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const pill = bar.getByRole('button', { name: /Studios/u, pressed: true })
  await shows(pill, new RegExp(`${studios}$`, 'u'))
  await choice('Offline').click()
  await bar.getByRole('button', { name: /Studios.*changed/u }).waitFor()
  // Loaded anew the window asks what it asked, the place too; another one begins with the default view.
  await page.reload()
  await bar.getByRole('button', { name: /Studios.*changed/u }).waitFor()
  expect(await filter.inputValue()).toBe('connected:no spare:no model~Studio')
  const other = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await listed(other, studios)
  await bar.getByRole('button', { name: /Studios.*changed/u }).click()
  await listed(page, studios)
  expect(await filter.inputValue()).toBe('status:online model~Studio')
  const change = bar.getByRole('button', { name: 'Change the view Studios' })
  await change.click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('dialog', { name: 'Rename the view' }).getByRole('textbox', { name: 'Name' }).fill('Bars')
  await page.keyboard.press('Enter')
  await bar.getByRole('button', { name: /Bars/u, pressed: true }).waitFor()
  await filter.fill('status:offline')
  await bar.getByRole('button', { name: 'Change the view Bars' }).click()
  await page.getByRole('menuitem', { name: 'Update to current list' }).click()
  await shows(
    bar.getByRole('button', { name: /Bars/u, pressed: true }),
    new RegExp(`${reference.world.totals().offline}$`, 'u'),
  )
  await bar.getByRole('button', { name: 'Change the view Bars' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await bar.getByText('Removed “Bars”.').waitFor()
  await bar.getByRole('button', { name: 'Undo' }).click()
  await bar.getByRole('button', { name: /Bars/u, pressed: true }).waitFor()
  await bar.getByRole('button', { name: 'Change the view Bars' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await bar.getByRole('button', { name: /Bars/u, pressed: true }).waitFor({ state: 'detached' })
})

test('coming back from another screen, the table keeps its position', async () => {
  const { page, table, choice } = await open()
  await choice('All').click()
  await listed(page, 1_200)
  await table.hover()
  await page.mouse.wheel(0, 28 * 500)
  await expect.poll(() => table.evaluate((grid) => grid.scrollTop)).toBe(28 * 500)
  await expect.poll(async () => (await columnOf(page, 'Name')).length).toBeGreaterThan(20)
  await page.getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Inventory' }).click()
  await expect.poll(() => table.evaluate((grid) => grid.scrollTop)).toBe(28 * 500)
  await expect.poll(async () => (await columnOf(page, 'Name')).length).toBeGreaterThan(20)
})
