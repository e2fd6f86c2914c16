import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { temporaryProfile } from '../support/fleet.ts'
import { focused, shows, tabTo } from '../support/page-parts.ts'
import { savedBy, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 240, tenants: 2, life: false }))
})

async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('radio', { name: 'Compare' }).check({ force: true })
  return page
}

const table = (page: Page) => page.getByRole('region', { name: 'Differences' })
const kind = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Kinds of differences' }).getByRole('button', { name: new RegExp(`^${name}:`, 'u') })
const run = (page: Page) => page.getByRole('button', { name: 'Compare', exact: true }).click()

/** A list of the fleet with a renamed, a moved and an unknown device, and without the last one. */
function assetFile(): string {
  const devices = reference.world.devices().slice(0, -1)
  const lines = devices.map(({ id, name, hardwareModel, site }, index) =>
    [id, index === 0 ? 'Old name' : name, hardwareModel, index === 1 ? 'Old site' : (site?.name ?? '')]
      .map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`)
      .join(';'),
  )
  const file = path.join(temporaryProfile(windows.leftovers), 'assets.csv')
  writeFileSync(file, ['Asset;Name;Type;Building', ...lines, 'nowhere;Lost one;X50;Berlin'].join('\r\n'))
  return file
}

test('an asset list is compared: a column is set, differences are exported, saved and run again', async () => {
  const page = await open()
  await page.locator('input[type=file]').setInputFiles(assetFile())
  const column = page.getByRole('combobox', { name: 'What the column Asset is' })
  await column.waitFor()
  expect(await column.inputValue()).toBe('')
  await column.selectOption('Device ID')
  await run(page)
  await shows(kind(page, 'Missing'), 'Missing 1')
  await shows(kind(page, 'Unexpected'), 'Unexpected 1')
  await shows(kind(page, 'Renamed'), 'Renamed 1')
  const [first] = reference.world.devices()
  await kind(page, 'Renamed').press('Enter')
  const row = table(page).getByRole('row').nth(1)
  await shows(row, new RegExp(`^Renamed(?:, Moved)? Old name line 2 ${first?.name} .*Device ID$`, 'u'))
  await expectNoViolations(page, 'a comparison')
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Export CSV' }).click())
  expect(name).toMatch(/comparison.*\.csv$/u)
  expect(text.split('\r\n')).toHaveLength(3)
  expect(text).toContain('renamed,id,2,')
  await page.getByText('Saved comparisons (0)').click()
  await page.getByRole('textbox', { name: 'Name of this comparison' }).fill('Assets of November')
  await page.keyboard.press('Enter')
  await page.getByText('Saved comparisons (1)').waitFor()
  await page.reload()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('radio', { name: 'Compare' }).check({ force: true })
  await page.getByText('Saved comparisons (1)').click()
  await page.getByRole('button', { name: 'Run Assets of November' }).press('Enter')
  await shows(kind(page, 'Missing'), 'Missing 1')
  expect(await page.getByRole('combobox', { name: 'What the column Asset is' }).inputValue()).toBe('id')
  await page.getByRole('button', { name: 'Remove Assets of November' }).press('Enter')
  await page.getByRole('button', { name: 'Remove Assets of November for good' }).press('Enter')
  await page.getByText('Saved comparisons (0)').waitFor()
})

test('two tenants are compared by the keys alone', async () => {
  const [one, other] = reference.world.tenants()
  const page = await open()
  await page.getByRole('radio', { name: 'Asset list' }).focus()
  await page.keyboard.press('ArrowRight')
  // The place that is chosen comes before the found ones.
  for (const [label, name, steps] of [
    ['First place', one?.name, 1],
    ['Second place, as it is now', other?.name, 2],
  ] as const) {
    await tabTo(page, label)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(name ?? '')
    await page
      .getByRole('option', { name: new RegExp(`^${name}`, 'u') })
      .first()
      .waitFor()
    for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await tabTo(page, 'Compare')
  await page.keyboard.press('Enter')
  const its = reference.world.devices().filter(({ tenantId }) => tenantId === one?.id).length
  await expect
    .poll(async () => Number(((await kind(page, 'Missing').textContent()) ?? '').replaceAll(/\D/gu, '')), {
      timeout: 15_000,
    })
    .toBeGreaterThan(its / 2)
  expect(await focused(page)).toBe('Compare')
})

test('a time of which nothing is recorded, and a file that is no list, say so', async () => {
  const page = await open({ viewport: { width: 1024, height: 700 }, colorScheme: 'light' })
  const file = path.join(temporaryProfile(windows.leftovers), 'empty.csv')
  writeFileSync(file, ' \n')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('alert').getByText('There is no text in it.').waitFor()
  await page.getByRole('radio', { name: 'Past time' }).check({ force: true })
  await page.getByLabel('As it was on').fill('2020-01-01T00:00')
  await run(page)
  await page.getByRole('alert').getByText('Nothing is recorded of that time.').waitFor()
  await expectNoViolations(page, 'a comparison that fails')
})
