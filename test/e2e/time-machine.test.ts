import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, shows } from '../support/page-parts.ts'
import { servedWithPast } from '../support/served-past.ts'
import { shell, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const minute = 60_000
const windows = useWindows()
let reference: Service
let served: Served

/** Half a year of the past is in the journal. */
beforeAll(async () => {
  ;({ reference, served } = await servedWithPast(windows.shared, 183))
}, 120_000)

/** Opens the time machine, which shows an hour ago. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Time machine' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: /^THEN/u }).waitFor()
  await page.getByRole('listbox', { name: 'Fleet map' }).waitFor()
  return page
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Time shown' })
const timeOf = async (page: Page) => Number(await slider(page).inputValue())
const numberOf = (page: Page, word: string) =>
  page.getByRole('region', { name: 'Fleet then' }).locator('div', { hasText: word }).locator('dd').first()
const thenAt = (at: number) => served.muster.call('overview.then', { at, tiles: 'site', layout: null, place: null })
const sum = (counts: readonly number[], status: number) =>
  counts.reduce((all, count, index) => (index % 3 === status ? all + count : all), 0)

test('the keyboard moves by a minute, an hour and a day, and the numbers are those of then', async () => {
  const page = await open()
  await expect.poll(() => focused(page)).toBe('Time shown')
  const first = await timeOf(page)
  for (const [key, step] of [
    ['ArrowLeft', -minute],
    ['Shift+ArrowLeft', -60 * minute],
    ['Control+ArrowLeft', -24 * 60 * minute],
    ['ArrowRight', minute],
  ] as const) {
    const before = await timeOf(page)
    await page.keyboard.press(key)
    await expect.poll(() => timeOf(page)).toBe(before + step)
  }
  const at = await timeOf(page)
  expect(at).toBe(first - (24 + 1) * 60 * minute)
  const { counts, offline } = await thenAt(at)
  await shows(numberOf(page, 'Offline'), new RegExp(`^${offline}`, 'u'))
  await shows(numberOf(page, 'Online'), new RegExp(`^${sum(counts, 2)}`, 'u'))
  const rows = page.getByRole('region', { name: 'Offline then' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(Math.min(100, offline))
  expect(offline).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a typed time is shown, before the records there is no data, and a tile lists its own', async () => {
  const page = await open()
  const at = Math.floor((Date.now() - 100 * 24 * 60 * minute) / minute) * minute
  const typed = await page.evaluate((ms) => {
    const shifted = ms - new Date(ms).getTimezoneOffset() * 60_000
    return new Date(shifted).toISOString().slice(0, 16)
  }, at)
  const field = page.getByLabel('Time', { exact: true }).and(page.locator('input[type=datetime-local]'))
  await field.fill(typed)
  await field.press('Enter')
  await expect.poll(() => timeOf(page)).toBe(at)
  const { offline } = await thenAt(at)
  await shows(numberOf(page, 'Offline'), new RegExp(`^${offline}`, 'u'))
  await page.getByRole('radio', { name: 'Table' }).check({ force: true })
  await page.getByRole('table').first().getByRole('button').first().click()
  await page.getByRole('button', { name: 'Show the whole fleet' }).waitFor()
  const early = await page.evaluate(() => new Date(Date.now() - 390 * 86_400_000).toISOString().slice(0, 16))
  await field.fill(early)
  await field.press('Enter')
  await page.getByText('Nothing is recorded of this day.').waitFor()
  await shows(numberOf(page, 'No data'), new RegExp(`^${reference.world.devices().length}`, 'u'))
})

test('a link carries the time', async () => {
  const at = Math.floor((Date.now() - 3 * 24 * 60 * minute) / minute) * minute
  const link = `past/${encodeURIComponent(`${new Date(at).toISOString().slice(0, 16)}Z`)}`
  expect((await served.muster.call('links.read', { link: `muster://${link}` })).open).toMatchObject({ past: at })
  // The desktop application gets links from the system; only a browser has them in its address.
  if (shell === 'electron') return
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.evaluate((hash) => (window.location.hash = hash), link)
  await page.getByRole('heading', { level: 1, name: /^THEN/u }).waitFor()
  expect(await timeOf(page)).toBe(at)
  await page.getByRole('button', { name: 'Copy link' }).waitFor()
})

test('it plays up to now and stops there', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'A minute back' }).click()
  const before = await timeOf(page)
  await page.getByRole('radio', { name: '600×' }).check({ force: true })
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => timeOf(page)).toBeGreaterThan(before)
  await page.getByRole('button', { name: 'Play' }).waitFor({ timeout: 30_000 })
  expect(Date.now() - (await timeOf(page))).toBeLessThan(3 * minute)
})

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 720, height: 450 } },
] as const)('it is accessible, $colorScheme', async (options) => {
  const page = await open(options)
  await page.getByRole('region', { name: 'Offline then' }).waitFor()
  await expectNoViolations(page, 'the time machine')
})

test('the inventory leads to its devices at a past time: by state, searched, by the tree', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('button', { name: 'Time machine: the devices at a past time' }).press('Enter')
  const devices = page.getByRole('region', { name: 'Devices then' })
  const states = devices.getByRole('group', { name: 'States' })
  const at = await timeOf(page)
  const all = { at, place: null, states: [], text: '', offset: 0, limit: 500 }
  const { counts, devices: told } = await served.muster.call('overview.thenDevices', all)
  await shows(states.getByRole('button', { name: /^Offline/u }), `Offline ${counts.offline}`)
  await states.getByRole('button', { name: /^Offline/u }).press('Enter')
  const rows = devices.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(Math.min(100, counts.offline))
  const online = told.find(({ state }) => state === 'online')
  await devices.getByRole('searchbox', { name: 'Search devices then' }).fill(online?.name ?? '')
  await devices.getByText('No match').waitFor()
  await states.getByRole('button', { name: /^Offline/u }).press('Enter')
  await shows(rows.first(), new RegExp(`^online ${online?.name}`, 'u'))
  await devices.getByRole('searchbox', { name: 'Search devices then' }).fill('')
  await page.getByRole('radio', { name: 'Tree' }).check({ force: true })
  const tree = page.getByRole('region', { name: 'Places then' })
  await tree.locator('tbody tr').nth(1).getByRole('button').last().press('Enter')
  const place = await tree.locator('tbody tr').nth(1).locator('bdi').textContent()
  await shows(devices.getByRole('heading', { level: 2 }).locator('..'), new RegExp(`at ${place}`, 'u'))
  await expectNoViolations(page, 'devices at a past time')
})
