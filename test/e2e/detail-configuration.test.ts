import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { settingsOf } from '../../src-service/world/configuration.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

const password = 'device.local.adminPassword'

async function open(options: OpenOptions = {}) {
  const device = reference.world.find(
    ({ connected, site, callStatus }) => connected === true && site !== null && callStatus !== 'UNSUPPORTED',
  )
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  const { choice, filter, row, detail } = partsOf(page)
  await choice('All').click()
  await filter.fill(device.id)
  await row(device.name).click()
  await detail.getByRole('button', { name: 'Read settings' }).waitFor()
  const value = settingsOf(device).find(({ name }) => name === password)?.value ?? ''
  return { page, detail, device, value, section: (name: string) => detail.getByRole('region', { name, exact: true }) }
}

const has = async (page: Page, text: string) => (await page.content()).includes(text)

test('a setting is covered until it is revealed, and again when the detail is left', async () => {
  const { page, detail, device, value, section } = await open()
  await section('Settings')
    .getByText(/^About \d+ points?$/u)
    .waitFor()
  await detail.getByRole('button', { name: 'Read settings' }).press('Enter')
  const line = section('Settings').getByRole('listitem').filter({ hasText: password })
  await line.waitFor()
  expect(await has(page, value)).toBe(false)
  await line.getByRole('button', { name: `Reveal ${password}` }).press('Enter')
  await line.getByText(value).waitFor()
  await line.getByRole('button', { name: `Cover ${password}` }).press('Enter')
  await expect.poll(() => has(page, value)).toBe(false)
  await line.getByRole('button', { name: `Reveal ${password}` }).press('Enter')
  await line.getByText(value).waitFor()
  await detail.getByRole('button', { name: /^Close the device/u }).click()
  await partsOf(page).row(device.name).click()
  await detail.getByRole('button', { name: 'Read settings' }).waitFor()
  expect(await has(page, value)).toBe(false)
})

test('calls and charts are read on a press, with times and a table', async () => {
  const { detail, section } = await open()
  await detail.getByRole('button', { name: 'Read calls of 7 days' }).click()
  await section('Calls')
    .getByText(/of this device in [\d,]+ records? of its tenant/u)
    .waitFor()
  await section('Charts').getByLabel('Topic').fill('deviceUptime')
  await detail.getByRole('button', { name: 'Read chart' }).click()
  const table = section('Charts').getByRole('table', { name: 'deviceUptime, percent' })
  await expect.poll(() => table.getByRole('row').count()).toBe(8)
  await section('Charts').getByLabel('Topic').fill('nothing')
  await detail.getByRole('button', { name: 'Read chart' }).click()
  await shows(section('Charts').getByRole('alert'), /There is no topic/u)
})

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 720, height: 450 } },
] as const)('configuration in the detail is accessible: $viewport.width, $colorScheme', async (options) => {
  const { page, detail, section } = await open(options)
  await detail.getByRole('button', { name: 'Read settings' }).click()
  await section('Settings').getByRole('listitem').first().waitFor()
  await detail.getByRole('button', { name: 'Read chart' }).click()
  await section('Charts').getByRole('figure').waitFor()
  await expectNoViolations(page, `configuration ${options.colorScheme}`)
})
