import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 240, tenants: 2, life: false }))
})

test('firmware is loaded, a model gets a target, and what is behind opens in the inventory', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Firmware' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Firmware' }).waitFor()
  const load = page.getByRole('button', { name: 'Load Firmware' })
  await expect.poll(() => load.isEnabled()).toBe(true)
  await expectNoViolations(page, 'firmware that is not loaded')
  await load.press('Enter')
  await page.getByText('Loaded for all 240 devices').waitFor({ timeout: 30_000 })
  const byModel = Map.groupBy(reference.world.devices(), ({ hardwareModel }) => hardwareModel ?? '')
  const [model, devices] = [...byModel].sort(([, one], [, other]) => other.length - one.length)[0] ?? ['', []]
  const versions = [...new Set(devices.map(({ softwareVersion }) => softwareVersion))]
  const newest = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))[0] ?? ''
  const target = page.getByRole('combobox', { name: `Target of ${model}` })
  await target.selectOption(newest)
  const behind = devices.filter(({ softwareVersion }) => softwareVersion !== newest).length
  await shows(
    page.getByRole('button', { name: new RegExp(`^${behind} devices of ${model} are behind`, 'u') }),
    String(behind),
  )
  const progress = page.getByRole('region', { name: `${model}: progress to ${newest}` })
  await shows(progress, new RegExp(`${devices.length - behind} of ${devices.length} devices`, 'u'))
  await expectNoViolations(page, 'firmware by model')
  await progress.getByRole('button', { name: 'Select what is behind in the inventory' }).press('Enter')
  const { table } = partsOf(page)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(behind + 1))
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Firmware' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('overview')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})
