import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, partsOf, shows } from '../support/page-parts.ts'
import { savedBy, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Answer as a table' })
const cellsOf = (page: Page, row: number): Locator =>
  gridOf(page).locator(`[aria-rowindex="${row + 2}"] [role="gridcell"]`)
const headOf = (page: Page, name: string) =>
  gridOf(page)
    .getByRole('columnheader')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
const filterOf = (page: Page) => page.getByRole('textbox', { name: 'Filter rows' })
const foundOf = (page: Page) => page.locator('.answer-table-note .matches')

/** The ids of a tenant's devices, as the service has them. */
const idsOf = (tenant: string) =>
  [...reference.world.devices()].filter((device) => device.tenantId === tenant).map(({ id }) => id)

/** Runs a query for the devices of the first tenant. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await page.getByRole('textbox', { name: 'GraphQL document' }).click()
  await page.keyboard.press('Control+a')
  const [tenant] = reference.world.tenants()
  await page.keyboard.type(
    `{ tenant(id: "${tenant?.id}") { inventory { deviceSearch(params: {pageSize: 50}) { edges { node { id name connected hardwareModel site { name } room { id name } } } } } } }`,
  )
  await page.keyboard.press('Control+Enter')
  await gridOf(page).waitFor()
  await cellsOf(page, 0).first().waitFor()
  return page
}

const headsOf = async (page: Page): Promise<string[]> =>
  (await gridOf(page).getByRole('columnheader').allInnerTexts()).map((text) => text.trim())

/** The texts of a column, from the top, as they are shown. */
async function columnOf(page: Page, name: string, count = 5): Promise<string[]> {
  const place = (await headsOf(page)).indexOf(name)
  return Promise.all(Array.from({ length: count }, (_none, row) => cellsOf(page, row).nth(place).innerText()))
}

const collator = new Intl.Collator('en', { numeric: true })

test('a list is a table: sorted by a head, filtered, with the chosen columns', async () => {
  const page = await open()
  expect(await headsOf(page)).toEqual(['id', 'name', 'connected', 'hardwareModel', 'site.name', 'room.id', 'room.name'])
  const total = Number(/^\d+/u.exec(await foundOf(page).innerText())?.[0])
  expect(total).toBeGreaterThan(10)
  await headOf(page, 'name').getByRole('button').click()
  await expect.poll(() => headOf(page, 'name').getAttribute('aria-sort')).toBe('ascending')
  await expect
    .poll(async () => {
      const names = await columnOf(page, 'name', 8)
      return names.join() === names.toSorted(collator.compare).join()
    })
    .toBe(true)
  const [first] = await columnOf(page, 'name', 1)
  await filterOf(page).fill(`name:"${first}"`)
  await shows(foundOf(page), /^\d+ of \d+ rows$/u)
  expect((await columnOf(page, 'name', 1))[0]).toBe(first)
  await filterOf(page).fill('nothing:1')
  await page.getByText('There is no column “nothing”.').waitFor()
  await filterOf(page).fill('no device is called so')
  await page.getByText('No rows match').waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).last().click()
  await shows(foundOf(page), `${total} rows`)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'hardwareModel' }).uncheck()
  await page.getByRole('button', { name: 'Move room.name forward (Alt ↑)' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await headsOf(page)).toEqual(['id', 'name', 'connected', 'site.name', 'room.name', 'room.id'])
})

test('the rows that match are exported in their order, as CSV, JSON and NDJSON', async () => {
  const page = await open()
  await headOf(page, 'id').getByRole('button').click()
  await headOf(page, 'id').getByRole('button').click()
  await expect.poll(() => headOf(page, 'id').getAttribute('aria-sort')).toBe('descending')
  await filterOf(page).fill('-site.name:none')
  await shows(foundOf(page), /of \d+ rows$/u)
  const count = Number(/^\d+/u.exec(await foundOf(page).innerText())?.[0])
  const ids = await columnOf(page, 'id')
  const save = async (name: string) =>
    savedBy(page, async () => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name }).click()
    })
  const csv = await save('As CSV, for spreadsheets')
  expect(csv.name).toMatch(/^muster-query-.*\.csv$/u)
  const lines = csv.text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('\uFEFFid,name,connected,hardwareModel,site.name,room.id,room.name')
  expect(lines).toHaveLength(count + 1)
  expect(lines.slice(1, 6).map((line) => line.split(',')[0])).toEqual(ids)
  await page.getByText(/^Saved as .*\.csv/u).waitFor()
  const json = await save('As JSON')
  const rows = JSON.parse(json.text) as { id: string }[]
  expect(rows.slice(0, 5).map(({ id }) => id)).toEqual(ids)
  expect(rows).toHaveLength(count)
  const ndjson = await save('As NDJSON, a row on each line')
  expect(
    ndjson.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rows)
})

test('an id of a device opens it, and the devices of all rows are shown and saved as a view', async () => {
  const page = await open()
  const [id = ''] = await columnOf(page, 'id', 1)
  await page.getByRole('button', { name: /^Show these \d+ devices$/u }).waitFor()
  // Rooms have ids too, and are no devices.
  expect(await gridOf(page).locator('.answer-device').count()).toBeGreaterThan(0)
  const place = (await headsOf(page)).indexOf('room.id')
  expect(await cellsOf(page, 0).nth(place).locator('.answer-device').count()).toBe(0)
  await gridOf(page).getByRole('button', { name: id, exact: true }).click()
  await shows(partsOf(page).field('ID'), id)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await filterOf(page).fill('-room.name:none')
  await shows(foundOf(page), /of \d+ rows$/u)
  const count = Number(/^\d+/u.exec(await foundOf(page).innerText())?.[0])
  await page.getByRole('button', { name: `Show these ${count} devices` }).click()
  await page.getByRole('button', { name: new RegExp(`^Remove .?id: ${count} devices`, 'u') }).waitFor()
  await shows(page.locator('.terms .matches'), `${count} devices`)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Asked for')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Asked for/u }).waitFor()
})

test('the table is used by the keys alone: cells, rows, heads, copies and whole values', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await filterOf(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('Answer as a table')
  const active = async () => gridOf(page).getAttribute('aria-activedescendant')
  await expect.poll(active).toBe('answer-cell-0-0')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect.poll(active).toBe('answer-cell-1-1')
  const names = await columnOf(page, 'name', 3)
  await page.keyboard.press('Control+c')
  await expect.poll(copied).toBe(names[1])
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => gridOf(page).locator('[aria-selected="true"]').count()).toBe(2)
  await page.keyboard.press('Control+c')
  await expect
    .poll(async () => (await copied()).split('\n').map((line) => line.split('\t')[1]))
    .toEqual(['name', names[1], names[2], undefined])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(names[2] ?? '')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused(page)).toBe('id')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => headOf(page, 'name').getAttribute('aria-sort')).toBe('ascending')
  await page.keyboard.press('Control+ArrowLeft')
  await expect.poll(() => headsOf(page).then(([first]) => first)).toBe('name')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+End')
  const rows = Number(await gridOf(page).getAttribute('aria-rowcount')) - 1
  await expect.poll(active).toBe(`answer-cell-${rows - 1}-6`)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  const [id = ''] = await columnOf(page, 'id', 1)
  expect(idsOf(reference.world.tenants()[0]?.id ?? '')).toContain(id)
  await gridOf(page).getByRole('button', { name: id, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await shows(partsOf(page).field('ID'), id)
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('an answer’s table is accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await page.getByRole('button', { name: /^Show these \d+ devices$/u }).waitFor()
  await expectNoViolations(page, `answer table ${options.colorScheme}`, '.query-answer')
})
