import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { connectionTo, service, temporaryProfile, whenRead } from '../support/fleet.ts'
import { focused, shows, tabTo } from '../support/page-parts.ts'
import { writePast } from '../support/past.ts'
import {
  readFleet,
  savedBy,
  serve,
  useWindows,
  whenListening,
  type OpenOptions,
  type Served,
} from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 200, tenants: 2 })
  const secrets = openMemory('this session only: a test')
  const profile = temporaryProfile(windows.shared)
  const first = await serve(windows.shared, profile, { secrets })
  await readFleet(first.muster, reference)
  await first.stop()
  writePast(profile, { days: 40, now: Date.now(), outages: 3, seed: 5 })
  served = await serve(windows.shared, profile, { secrets })
  await whenListening(served.muster, reference)
})

async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
  return page
}

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Changes' }).getByRole('rowheader')
const kind = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Kinds of changes' }).getByRole('button', { name: new RegExp(`^${name}:`, 'u') })

test('a device that drops is among what changed, and leads to the inventory', async () => {
  const device = reference.world.devices().find(({ connected }) => connected === true)
  if (device === undefined) throw new Error('no device is online')
  reference.world.setConnected(device.id, false)
  const page = await open()
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Up to now' }).click()
      return await kind(page, 'Went offline').getAttribute('aria-label')
    })
    .toMatch(/^Went offline: [1-9]/u)
  await page.getByRole('searchbox', { name: 'Search changes' }).fill(device.name ?? '')
  await shows(page.getByRole('region', { name: 'Changes' }), /Went offline/u)
  await rowsOf(page).first().getByRole('button').click()
  await page.getByRole('region', { name: 'Device', exact: true }).waitFor()
})

test('kinds, times and the export are reached by the keys alone', async () => {
  const page = await open()
  await page.getByRole('radio', { name: '24 h' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.getByRole('radio', { name: '30 d' }).isChecked()).toBe(true)
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(3)
  await tabTo(page, /^Back online:/u)
  await page.keyboard.press('Space')
  await expect.poll(() => kind(page, 'Back online').getAttribute('aria-pressed')).toBe('true')
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Export CSV' }).press('Enter'))
  expect(name).toMatch(/^muster-changes-.*\.csv$/u)
  const [head, ...lines] = text.trim().split('\r\n')
  expect(head).toBe('change,at,name,tenant,site,room,before,after,disconnects,device')
  expect(lines.every((line) => line.startsWith('back,'))).toBe(true)
  await page.getByRole('radio', { name: '30 d' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('From')
})

test('a time in which nothing changed says so, and one that ends before it begins is an error', async () => {
  const page = await open()
  await page.getByRole('radio', { name: 'Custom' }).check({ force: true })
  await page.getByLabel('From').fill('2020-01-01T00:00')
  await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00')
  await page.getByText('Nothing is recorded of this time.').waitFor()
  await page.getByText(/^Names and places are recorded since/u).waitFor()
  await page.getByLabel('To', { exact: true }).fill('2019-01-02T00:00')
  await page.getByText('It is not after the beginning.').waitFor()
})

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 720, height: 450 } },
] as const)('the screen is accessible: $viewport.width, $colorScheme', async (options) => {
  const page = await open(options)
  await page.getByRole('radio', { name: '30 d' }).check({ force: true })
  await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(3)
  await expectNoViolations(page, `changes ${options.colorScheme}`)
})

test('after a visit that ended, the screen begins with what changed since', async () => {
  const at = Date.now() - 2 * 60 * 60_000
  const profile = temporaryProfile(windows.leftovers)
  writeFileSync(path.join(profile, 'settings.json'), JSON.stringify({ visits: { usedAt: at, endedAt: null } }))
  const { server, muster } = await serve(windows.leftovers, profile)
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Changes' }).click()
  await expect.poll(() => page.getByRole('radio', { name: 'Since last visit' }).isChecked()).toBe(true)
  await page.getByText('Nothing changed in this time.').waitFor()
})
