import type { Page } from 'playwright'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../src-shared/model/settings.ts'
import type { Service } from '../../src-service/service.ts'
import { openRows } from '../support/listed.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'
import { columnOf, elevenColumns, partsOf, tabTo } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 300, tenants: 2 }))
})

beforeEach(async () => {
  await served.muster.call('settings.change', { columns: defaultSettings(false).columns })
})

const open = () => openRows(windows, served)

const heads = async (page: Page) =>
  (await partsOf(page).table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
const widthOf = async (page: Page, name: string) => (await partsOf(page).head(name).boundingBox())?.width ?? 0

test('columns are removed and added, and stay so after a reload', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByRole('checkbox', { name: 'Tenant', exact: true }).uncheck()
  await dialog.getByRole('checkbox', { name: 'ID', exact: true }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => heads(page)).toEqual(['Status', 'Name', 'ID', 'In state for', 'Site', 'Updated'])
  const ids = new Set(reference.world.devices().map(({ id }) => id))
  expect((await columnOf(page, 'ID')).every((id) => ids.has(id))).toBe(true)
  await page.reload()
  await expect.poll(async () => (await heads(page))[2]).toBe('ID')
  await page.getByRole('button', { name: 'Columns' }).click()
  await dialog.getByRole('button', { name: 'Restore default columns' }).click()
  await expect.poll(() => heads(page)).toEqual(['Status', 'Name', 'In state for', 'Site', 'Tenant', 'Updated'])
})

test('a head is dragged to another position, and a click still sorts', async () => {
  const { page, head } = await open()
  const from = await head('Site').boundingBox()
  const to = await head('In state for').boundingBox()
  if (from === null || to === null) throw new Error('the heads are in sight')
  await page.mouse.move(from.x + 20, from.y + 12)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 12, { steps: 6 })
  await page.mouse.up()
  await expect.poll(async () => (await heads(page)).slice(0, 4)).toEqual(['Status', 'Name', 'Site', 'In state for'])
  expect(await head('Site').getAttribute('aria-sort')).toBe('none')
  await head('Site').getByRole('button').click()
  await expect.poll(() => head('Site').getAttribute('aria-sort')).toBe('ascending')
})

test('an edge is dragged to another width, which stays; a double click restores the default', async () => {
  const { page, head } = await open()
  const before = await widthOf(page, 'Name')
  const box = await head('Name').boundingBox()
  if (box === null) throw new Error('the head is in sight')
  await page.mouse.move(box.x + box.width - 1, box.y + 16)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 99, box.y + 16, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => widthOf(page, 'Name')).toBeGreaterThan(before + 90)
  const wide = await widthOf(page, 'Name')
  await page.reload()
  await expect.poll(() => widthOf(page, 'Name')).toBe(wide)
  const again = await head('Name').boundingBox()
  if (again === null) throw new Error('the head is in sight')
  await page.mouse.dblclick(again.x + again.width - 1, again.y + 16)
  await expect.poll(() => widthOf(page, 'Name')).toBe(before)
})

test('a column is moved and resized by the keyboard, and both are announced', async () => {
  const { page, table } = await open()
  await table.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const before = await widthOf(page, 'In state for')
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(() => widthOf(page, 'In state for')).toBe(before + 16)
  await page.keyboard.press('Control+ArrowRight')
  await expect.poll(async () => (await heads(page)).indexOf('In state for')).toBe(3)
  await page.getByText('In state for is now column 4 of 6.').waitFor()
  await page.keyboard.press('Control+Home')
  await expect.poll(async () => (await heads(page)).indexOf('In state for')).toBe(0)
  // The focus stays with the column.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('In state for')
})

test('the column chooser works by the keyboard', async () => {
  const { page } = await open()
  await tabTo(page, 'Columns')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.waitFor()
  await dialog.getByRole('checkbox', { name: 'Updated', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(async () => (await heads(page)).indexOf('Updated')).toBe(4)
  await dialog.getByRole('checkbox', { name: 'Updated', exact: true }).focus()
  await page.keyboard.press('Space')
  await expect.poll(async () => (await heads(page)).includes('Updated')).toBe(false)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('where the columns do not fit, the table scrolls sideways and the status and the name stay', async () => {
  await served.muster.call('settings.change', { columns: elevenColumns })
  const page = await windows.open(served.server.newUrl(), {
    viewport: { width: 1024, height: 700 },
    log: served.muster.log,
  })
  const { table, head, rows } = partsOf(page)
  await rows.first().waitFor()
  const before = await head('Name').boundingBox()
  await table.evaluate((grid) => grid.scrollTo({ left: 400 }))
  await expect.poll(() => table.evaluate((grid) => grid.scrollLeft)).toBe(400)
  const cell = rows.first().getByRole('gridcell').nth(1)
  await expect.poll(async () => (await head('Name').boundingBox())?.x).toBe(before?.x)
  expect(Math.round((await cell.boundingBox())?.x ?? 0)).toBe(Math.round(before?.x ?? -1))
  await served.muster.call('settings.change', { columns: [] })
})

test('an extra column shows its cost, is loaded on request, and becomes a column', async () => {
  const { page, choice } = await open()
  await choice('All').click()
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  const box = dialog.getByRole('checkbox', { name: 'Firmware', exact: true })
  await box.scrollIntoViewIfNeeded()
  await box.click()
  await dialog.getByText(/^Loads 300 devices, .*points?.*, about /u).waitFor()
  expect((await heads(page)).includes('Firmware')).toBe(false)
  await dialog.getByRole('button', { name: 'Load' }).click()
  await dialog.getByText('Loaded for all 300 devices').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await heads(page))[2]).toBe('Firmware')
  await expect
    .poll(async () => (await columnOf(page, 'Firmware')).filter((text) => text !== '–' && text !== 'not loaded').length)
    .toBeGreaterThan(5)
})
