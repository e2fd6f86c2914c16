import Papa from 'papaparse'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { connectionTo, service, temporaryProfile } from '../support/fleet.ts'
import { savedBy, serve, type Served, useWindows, whenListening } from '../support/window.ts'
import { columnOf, partsOf, tabTo } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 1_200, tenants: 3 })
  reference.world.renameDevice(
    reference.world.find(({ connected }) => connected === true).id,
    '=HYPERLINK("https://evil.example")',
  )
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await served.muster.call(
    'connections.save',
    connectionTo(reference, { portal: 'https://portal.example/{tenant}/devices/{id}' }),
  )
  await whenListening(served.muster, reference)
})

async function openAll() {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const parts = partsOf(page)
  await parts.choice('All').click()
  await expect.poll(() => parts.table.getAttribute('aria-rowcount')).toBe('1201')
  await parts.rows.first().waitFor()
  return { page, ...parts, bar: page.getByRole('region', { name: 'Selected devices' }) }
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const selected = (page: Page) =>
  partsOf(page).rows.filter({ has: page.locator('xpath=self::*[@aria-selected="true"]') })
const names = new Intl.Collator('en', { numeric: true })
const sorted = () => reference.world.devices().toSorted((one, other) => names.compare(one.name, other.name))

test('a click selects one row, Control adds others, and Shift selects the range', async () => {
  const { page, table, rows, bar } = await openAll()
  expect(await table.getAttribute('aria-multiselectable')).toBe('true')
  await rows.nth(1).click()
  expect(await bar.count()).toBe(0)
  await rows.nth(3).click({ modifiers: ['Control'] })
  await bar.getByText('2 devices selected').waitFor()
  await rows.nth(3).click({ modifiers: ['Control'] })
  await bar.getByText('1 device selected').waitFor()
  await rows.nth(2).click()
  await bar.waitFor({ state: 'detached' })
  await table.focus()
  await page.keyboard.press('Shift+End')
  await bar.getByText('1,198 devices selected').waitFor()
  expect(await selected(page).count()).toBeGreaterThan(10)
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('rows are selected with space, Shift and arrows, Control A, and cleared with Escape', async () => {
  const { page, table, bar } = await openAll()
  await table.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await bar.getByText('1 device selected').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await bar.getByText('2 devices selected').waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await bar.getByText('3 devices selected').waitFor()
  await page.keyboard.press('Control+a')
  await bar.getByText('1,200 devices selected').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
})

test('another query clears the selection; another order does not', async () => {
  const { page, table, head, choice, bar } = await openAll()
  await table.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await head('Site').getByRole('button').click()
  await expect.poll(() => head('Site').getAttribute('aria-sort')).toBe('ascending')
  await bar.getByText('1 device selected').waitFor()
  await choice('Online').click()
  await bar.waitFor({ state: 'detached' })
})

test('a selected device that the filter hides is counted and stays part of actions', async () => {
  const { page, rows, choice, bar } = await openAll()
  await choice('Offline').click()
  await expect.poll(async () => (await rows.count()) > 2).toBe(true)
  await rows.nth(0).click()
  await rows.nth(2).click({ modifiers: ['Shift'] })
  await bar.getByText('3 devices selected').waitFor()
  await expect.poll(() => bar.getByText(/hidden by the filter/u).count()).toBe(0)
  const name = await rows.nth(1).getByRole('gridcell').nth(1).textContent()
  reference.world.setConnected(reference.world.find((device) => device.name === name).id, true)
  await bar.getByText('1 hidden by the filter').waitFor()
  await bar.getByText('3 devices selected').waitFor()
  await bar.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'Copy Name' }).click()
  const words = page.getByText('Copied Name of 3 devices.')
  await words.waitFor()
  expect((await clipboard(page)).split('\n')).toContain(name)
  const [message, below] = [await words.boundingBox(), await bar.boundingBox()]
  expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  await bar.getByRole('button', { name: 'Deselect it' }).click()
  await bar.getByText('2 devices selected').waitFor()
  await expect.poll(() => bar.getByText(/hidden by the filter/u).count()).toBe(0)
})

test('ids, rows and JSON of the selection are copied', async () => {
  const { page, rows, bar } = await openAll()
  const [first, second] = sorted()
  await rows.nth(0).click()
  await rows.nth(1).click({ modifiers: ['Shift'] })
  await bar.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'Copy ID' }).click()
  await page.getByText('Copied ID of 2 devices.').waitFor()
  expect((await clipboard(page)).split('\n')).toEqual([first?.id, second?.id])
  await bar.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'Copy as JSON' }).click()
  await page.getByText('Copied 2 devices as JSON.').waitFor()
  expect(JSON.parse(await clipboard(page))).toMatchObject([{ name: first?.name }, { name: second?.name }])
  await partsOf(page).table.focus()
  await page.keyboard.press('Control+c')
  await page.getByText('Copied 2 devices.').waitFor()
  const [head, one, two] = Papa.parse<string[]>(await clipboard(page), { delimiter: '\t' }).data
  const at = head?.indexOf('name') ?? -1
  // Made safe for the spreadsheet that it is pasted into.
  expect([one?.[at], two?.[at]]).toEqual([`'${first?.name}`, second?.name])
  await bar.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('menuitem', { name: 'Copy Name' }).click()
  await page.getByText('Copied Name of 2 devices.').waitFor()
  expect((await clipboard(page)).split('\n')).toEqual([first?.name, second?.name])
})

test('the table is exported as CSV that no spreadsheet runs, and as JSON', async () => {
  const { page } = await openAll()
  const exportAs = async (item: string) => {
    await page.getByRole('button', { name: 'Export the table' }).click()
    const file = await savedBy(page, () => page.getByRole('menuitem', { name: item }).click())
    await page.getByText(/^Exported 1,200 devices to .*muster-/u).waitFor()
    return file
  }
  const csv = await exportAs('As CSV, for spreadsheets')
  expect(csv.name).toMatch(/^muster-[\d-]+\.csv$/u)
  expect(csv.text.trimEnd().split(/\r?\n/u)).toHaveLength(1_201)
  expect(csv.text).toMatch(/"?'=HYPERLINK/u)
  await reference.misfortune.pause()
  try {
    const json = await exportAs('As JSON')
    const rows = JSON.parse(json.text) as { name: string }[]
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(reference.world.devices().map(({ name }) => name)))
  } finally {
    await reference.misfortune.resume()
  }
})

test('the bar of the selection exports only the selected devices', async () => {
  const { page, rows, bar } = await openAll()
  await rows.nth(0).click()
  await rows.nth(2).click({ modifiers: ['Shift'] })
  await bar.getByRole('button', { name: 'Export' }).click()
  const { text } = await savedBy(page, () => page.getByRole('menuitem', { name: 'As JSON' }).click())
  const found = JSON.parse(text) as { name: string }[]
  expect(found.map(({ name }) => name)).toEqual(
    sorted()
      .slice(0, 3)
      .map(({ name }) => name),
  )
})

test("a row's menu opens by mouse and keyboard, and links to the vendor's portal", async () => {
  const { page, table, rows, filter } = await openAll()
  const device = reference.world.find(({ connected }) => connected === false)
  await filter.fill(`id:${device.id}`)
  await expect.poll(() => columnOf(page, 'Name')).toEqual([device.name])
  await rows.first().click({ button: 'right' })
  const link = page.getByRole('menuitem', { name: 'Open in the vendor’s portal' })
  await expect
    .poll(() => link.getAttribute('href'))
    .toBe(`https://portal.example/${device.tenantId}/devices/${device.id}`)
  expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'detached' })
  await table.focus()
  await page.keyboard.press('Shift+F10')
  await expect.poll(() => link.getAttribute('href')).not.toBeNull()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.getByText('Copied ID of 1 device.').waitFor()
  expect(await clipboard(page)).toBe(device.id)
})

test('any shown column of several devices is copied by the keyboard', async () => {
  const { page, table, rows } = await openAll()
  const [first, second] = sorted()
  await rows.nth(0).click()
  await rows.nth(1).click({ modifiers: ['Shift'] })
  await table.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu', { name: '2 selected devices' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Show details' }).count()).toBe(0)
  for (const key of ['End', ...Array.from({ length: 5 }, () => 'ArrowUp')]) await page.keyboard.press(key)
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'Site', exact: true }).waitFor()
  await page.keyboard.type('Sit')
  await page.keyboard.press('Enter')
  await page.getByText('Copied Site of 2 devices.').waitFor()
  expect((await clipboard(page)).split('\n')).toEqual([first?.site?.name ?? '', second?.site?.name ?? ''])
})

test('the actions of the selection are reached by the tab key', async () => {
  const { page, table } = await openAll()
  await table.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await tabTo(page, 'Clear the selection (Esc)')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Selected devices' }).waitFor({ state: 'detached' })
})
