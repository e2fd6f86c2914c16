import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import type { Device } from '../../src-service/world/device.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, useWindows, type Served } from '../support/window.ts'
import { columnOf, elevenColumns, focused, partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 4_000, tenants: 6, windowMs: 10_000 })
  const { world } = reference
  world.renameDevice(world.find(({ connected }) => connected === true).id, 'Übergabe Kraków Süd')
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await readFleet(served.muster, reference)
  await served.muster.call('settings.change', { columns: elevenColumns })
})

async function openAll() {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const parts = partsOf(page)
  await parts.choice('All').click()
  await expect.poll(() => parts.table.getAttribute('aria-rowcount')).toBe('4001')
  return { page, ...parts }
}

const names = new Intl.Collator('en', { numeric: true })
const byName = (one: Device, other: Device) => names.compare(one.name, other.name)

test('the table counts every row and draws only the visible ones, down to the last', async () => {
  const { page, table, rows } = await openAll()
  expect(await rows.count()).toBeLessThan(120)
  const last = reference.world.devices().toSorted(byName).at(-1)
  await table.focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await columnOf(page, 'Name')).at(-1)).toBe(last?.name)
  expect(await rows.count()).toBeLessThan(120)
  expect(await rows.last().getAttribute('aria-rowindex')).toBe('4001')
})

test('scrolled by the wheel to the middle, the rows there are shown', async () => {
  const { page, table } = await openAll()
  const sorted = reference.world
    .devices()
    .toSorted(byName)
    .map(({ name }) => name)
  await table.hover()
  await page.mouse.wheel(0, 28 * 2_500)
  await expect
    .poll(async () => {
      const shown = await columnOf(page, 'Name')
      return shown.length > 20 && shown.every((name) => sorted.slice(2_400, 2_700).includes(name))
    })
    .toBe(true)
})

test.each([1_440, 1_024])(
  'a head reached by the keyboard is visible beside the pinned columns, %i wide',
  async (width) => {
    const { page, table, rows, head } = await openAll()
    await page.setViewportSize({ width, height: 700 })
    if (width < 1_440) {
      await rows.first().click()
      await partsOf(page).detail.getByRole('heading', { level: 2 }).waitFor()
    }
    await head('Status').getByRole('button').focus()
    const heads = await table.getByRole('columnheader').count()
    for (const key of [
      ...Array.from({ length: heads - 1 }, () => 'ArrowRight'),
      ...Array.from({ length: heads - 1 }, () => 'ArrowLeft'),
    ]) {
      await page.keyboard.press(key)
      const covered = () =>
        page.evaluate(() => {
          const { left, right, top, height } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
          return [left + 4, right - 4].filter(
            (x) => document.activeElement?.contains(document.elementFromPoint(x, top + height / 2)) !== true,
          )
        })
      await expect.poll(covered, { message: await focused(page) }).toEqual([])
    }
    expect(await table.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
  },
)

test('the column chooser keeps its focus when a column is loaded or removed', async () => {
  const { page, table, rows } = await openAll()
  await page.getByRole('button', { name: 'Columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  const isOn = (name: string) =>
    expect
      .poll(() => dialog.getByRole('checkbox', { name, exact: true }).and(page.locator(':focus')).count(), {
        message: name,
      })
      .toBe(1)
  await dialog.getByRole('checkbox', { name: 'Firmware', exact: true }).press('Space')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await isOn('Firmware')
  await page.keyboard.press('Space')
  const load = dialog.getByRole('button', { name: 'Load' })
  await expect.poll(() => load.isEnabled()).toBe(true)
  await load.press('Enter')
  await dialog
    .getByText(/^Load(ed|ing)/u)
    .last()
    .waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('extra-softwareVersion')
  await dialog.getByRole('checkbox', { name: 'Room', exact: true }).press('Space')
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Room', exact: true }).isChecked()).toBe(false)
  await isOn('Room')
  await page.keyboard.press('Escape')
  await rows.first().click()
  await page.keyboard.press('ArrowUp')
  expect(await focused(page)).toBe('Status')
  await page.keyboard.press('ArrowDown')
  expect(await focused(page)).toBe(await table.getAttribute('aria-label'))
  await served.muster.call('columns.switch', { name: 'softwareVersion', on: false })
  await served.muster.call('settings.change', { columns: elevenColumns })
})

test('a shade shows that columns continue sideways, and none at their end', async () => {
  const { page, table } = await openAll()
  const shade = page.locator('.table-more')
  await expect.poll(() => shade.isVisible()).toBe(true)
  await table.evaluate((box) => box.scrollTo({ left: box.scrollWidth }))
  await expect.poll(() => shade.isVisible()).toBe(false)
  await table.evaluate((box) => box.scrollTo({ left: 0 }))
  await expect.poll(() => shade.isVisible()).toBe(true)
  await page.setViewportSize({ width: 1_900, height: 900 })
  await expect.poll(() => shade.isVisible()).toBe(false)
})

const tenantOf = ({ tenantId }: Device) => reference.world.tenants().find(({ id }) => id === tenantId)
const texts: [string, (device: Device) => string][] = [
  ['Name', ({ name }) => name],
  ['Model', ({ hardwareModel }) => hardwareModel],
  ['Site', ({ site }) => site?.name ?? '–'],
  ['Room', ({ room }) => room?.name ?? '–'],
  ['Tenant', (device) => tenantOf(device)?.name ?? ''],
  ['Region', (device) => tenantOf(device)?.region ?? ''],
]

test('sorts by name, model and place, ascending and descending', async () => {
  const { page, head } = await openAll()
  const devices = reference.world.devices()
  for (const [column, text] of texts) {
    // What a device does not have stands last in both directions.
    const sorted = (sign: number) =>
      devices
        .map(text)
        .toSorted((one, other) => Number(one === '–') - Number(other === '–') || sign * names.compare(one, other))
    if (column !== 'Name') await head(column).getByRole('button').click()
    await expect.poll(() => head(column).getAttribute('aria-sort')).toBe('ascending')
    await expect
      .poll(async () => same(await columnOf(page, column), sorted(1)), { message: `${column}, ascending` })
      .toBe(true)
    await head(column).getByRole('button').click()
    await expect.poll(() => head(column).getAttribute('aria-sort')).toBe('descending')
    await expect
      .poll(async () => same(await columnOf(page, column), sorted(-1)), { message: `${column}, descending` })
      .toBe(true)
  }
})

/** The rows shown are the first of `all`; texts that the order takes for equal may stand in any order. */
function same(shown: string[], all: string[]): boolean {
  return shown.length > 20 && shown.every((text, index) => names.compare(text, all[index] ?? '') === 0)
}

test('sorts by lastDetected, oldest first and newest first', async () => {
  const { page, head } = await openAll()
  const button = head('Last seen').getByRole('button')
  const stamps = reference.world
    .devices()
    .flatMap(({ lastDetected, connected }) => (connected === false && lastDetected !== null ? [lastDetected] : []))
    .toSorted()
  await button.click()
  const shown = () => columnOf(page, 'Last seen', 'datetime')
  await expect.poll(async () => (await shown()).slice(0, 10)).toEqual(stamps.slice(0, 10))
  await button.click()
  // Of a connected device the service tells another heartbeat each time it is asked: only the order can be known.
  await expect
    .poll(async () => {
      const times = await shown()
      return (
        times.length > 20 &&
        times.every((at, index) => index === 0 || at <= (times[index - 1] ?? '')) &&
        (times[0] ?? '') > (stamps.at(-1) ?? '')
      )
    })
    .toBe(true)
})

test('every column can be sorted by', async () => {
  const { table, head } = await openAll()
  const heads = await table.getByRole('columnheader').getByRole('button').allInnerTexts()
  expect(heads).toHaveLength(11)
  for (const text of heads.map((each) => each.trim()).filter((each) => each !== 'Name')) {
    await head(text).getByRole('button').click()
    await expect.poll(() => head(text).getAttribute('aria-sort')).toBe('ascending')
  }
})

test.each(['ubergabe krakow', 'ÜBERGABE KRAKÓW', 'süd Übergabe'])(
  'the free-text filter finds “%s” whatever the case and the accents',
  async (text) => {
    const { page, table, filter } = await openAll()
    await filter.fill(text)
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('2')
    expect(await columnOf(page, 'Name')).toEqual(['Übergabe Kraków Süd'])
  },
)

test('a filter without matches looks different from a place with nothing down', async () => {
  const { page, table, filter, choice, tree } = await openAll()
  await filter.fill('no such device anywhere')
  await page.getByText('No matches').waitFor()
  expect(await table.getAttribute('aria-rowcount')).toBe('1')
  await page.getByRole('button', { name: 'Clear the filter' }).last().click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4001')
  await choice('Offline').click()
  const well = tree.getByRole('treeitem', { name: /, tenant, / }).first()
  await well.locator('svg').first().click()
  const account = tree.getByRole('treeitem', { name: /, account, / }).first()
  await account.locator('svg').first().click()
  await tree
    .getByRole('treeitem', { name: /, site, [\d,]+ devices?$/ })
    .first()
    .click()
  await page.getByText('No device here is offline.').waitFor()
  expect(await page.getByText('No matches').count()).toBe(0)
})

test('the table names the devices that it lists', async () => {
  const { page, table, choice } = await openAll()
  const { online, offline, staged } = reference.world.totals()
  for (const [word, total] of [
    ['Online', online],
    ['Offline', offline],
    ['Unknown', staged],
  ] as const) {
    await choice(word).click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(total + 1))
    await expect.poll(async () => [...new Set(await columnOf(page, 'Status'))]).toEqual([word.toLowerCase()])
    await shows(choice(word), new RegExp(`${total.toLocaleString('en-US')}$`, 'u'))
  }
})
