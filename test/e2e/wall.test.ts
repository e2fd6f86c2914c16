import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { everything } from '../../src-shared/model/inventory.ts'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { service, temporaryProfile, until } from '../support/fleet.ts'
import { focused } from '../support/page-parts.ts'
import {
  browserTest,
  readFleet,
  serve,
  shell,
  useWindows,
  whenListening,
  type OpenOptions,
  type Served,
} from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 240, tenants: 3, life: false })
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await readFleet(served.muster, reference)
  await whenListening(served.muster, reference)
  await served.muster.call('settings.change', { holdOffSeconds: 0, groupingSeconds: 0, recoverySeconds: 0 })
}, 120_000)

const railOf = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
const wallOf = (page: Page) => page.locator('.wall')
const numberOf = (page: Page, word: string) =>
  wallOf(page)
    .locator('dl > div', { hasText: new RegExp(`^${word}`, 'u') })
    .locator('dd')
const cardOf = (page: Page, text: string | RegExp) => page.getByRole('article').filter({ hasText: text })

async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await railOf(page).waitFor()
  return page
}

/** Opens the wall display by its key. */
async function openWall(options: OpenOptions = {}): Promise<Page> {
  const page = await open(options)
  await page.keyboard.press('F11')
  await wallOf(page).waitFor()
  return page
}

test('its key opens it in full screen, and Escape leads back to the screen before', async () => {
  const page = await open()
  await railOf(page).getByRole('button', { name: 'Changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
  await page.keyboard.press('F11')
  await page.getByRole('img', { name: /^Fleet map: \d+ sites/u }).waitFor()
  expect(await railOf(page).count()).toBe(0)
  const { counts } = await served.muster.call('inventory.counts', { scope: everything })
  await expect.poll(() => numberOf(page, 'Online').textContent()).toBe(String(counts?.connected))
  await expect.poll(() => numberOf(page, 'Offline').textContent()).toBe(String(counts?.disconnected))
  if (shell === 'web') await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  expect(await page.locator('.wall-old').textContent()).toBe('')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
  expect(await wallOf(page).count()).toBe(0)
  if (shell === 'web') await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
})

test('an incident comes as a card, which stays for a while when it has recovered', async () => {
  await served.muster.call('settings.change', { wallPages: ['map'] })
  const page = await openWall()
  const [device] = reference.world.devices().filter(({ connected }) => connected === true)
  reference.world.setConnected(device?.id ?? '', false)
  const card = cardOf(page, device?.displayName ?? '')
  await card.waitFor()
  expect(await card.textContent()).toMatch(/1 device/u)
  reference.world.setConnected(device?.id ?? '', true)
  await expect.poll(() => card.getAttribute('data-state')).toBe('recovered')
  expect(await card.textContent()).toContain('Recovered')
})

test('pages are turned by keys and by time, and the settings say which', async () => {
  await served.muster.call('settings.change', { wallPages: ['map', 'tenants'], wallSeconds: 3600 })
  const page = await openWall()
  const pageName = () => page.locator('.wall-page').getAttribute('data-page')
  await expect.poll(pageName).toBe('map')
  await page.keyboard.press('ArrowRight')
  await expect.poll(pageName).toBe('tenants')
  expect(await page.getByRole('article').count()).toBe(3)
  await page.keyboard.press('ArrowRight')
  await expect.poll(pageName).toBe('map')
  await served.muster.call('settings.change', { wallSeconds: 5 })
  await expect.poll(pageName, { timeout: 20_000 }).toBe('tenants')
  await page.keyboard.press('F11')
  await railOf(page).getByRole('button', { name: 'Settings' }).click()
  const group = page.getByRole('region', { name: 'Wall display' })
  await group.getByRole('checkbox', { name: 'Tenants' }).focus()
  await page.keyboard.press('Space')
  await until(async () => {
    const { settings } = await served.muster.call('app.state', {})
    expect(settings.wallPages).toEqual(['map'])
  })
  // One page stays.
  await expect.poll(() => group.getByRole('checkbox', { name: 'Map and incidents' }).isDisabled()).toBe(true)
})

test('a saved view limits numbers, map and incidents, and one that is gone is said', async () => {
  const [inside, outside] = [0, 1].map((tenant) => {
    const { id = '' } = reference.world.tenants()[tenant] ?? {}
    return reference.world.devices().find((device) => device.tenantId === id && device.connected === true)
  })
  const name = reference.world.tenants()[0]?.name ?? ''
  const query = { scope: everything, filter: `tenant:"${name}"`, sort: [] }
  const { totals } = await served.muster.call('inventory.totals', { queries: [query] })
  await served.muster.call('views.save', { id: 'mine', name: 'Only mine', query, columns: null, isDefault: false })
  await served.muster.call('settings.change', { wallPages: ['map'], wallView: 'mine' })
  const page = await openWall()
  await page.getByText('Only mine').waitFor()
  const sum = async () => {
    const texts = await Promise.all(['Online', 'Offline', 'Unknown'].map((word) => numberOf(page, word).textContent()))
    return texts.reduce((all, text) => all + Number(text), 0)
  }
  await expect.poll(sum).toBe(totals[0])
  reference.world.setConnected(outside?.id ?? '', false)
  reference.world.setConnected(inside?.id ?? '', false)
  await cardOf(page, inside?.displayName ?? '').waitFor()
  expect(await cardOf(page, outside?.displayName ?? '').count()).toBe(0)
  await served.muster.call('views.remove', { id: 'mine' })
  await page.getByText('The view of this wall is gone').waitFor()
  await cardOf(page, outside?.displayName ?? '').waitFor()
  for (const device of [inside, outside]) reference.world.setConnected(device?.id ?? '', true)
  await served.muster.call('settings.change', { wallView: null })
})

test('what is old is said in large: a service that does not answer, with when it was last heard', async () => {
  await served.muster.call('settings.change', { wallPages: ['map'] })
  const page = await openWall()
  const [connection] = (await served.muster.call('app.state', {})).connections
  await served.muster.call('connections.pause', { id: connection?.id ?? '', paused: true })
  await expect
    .poll(() => page.locator('.wall-old').textContent())
    .toMatch(new RegExp(`^Not live${connection?.name ?? ''}: paused, last heard [0-9: -]+, `, 'u'))
  await expect.poll(() => numberOf(page, 'Unknown').textContent()).toBe('240')
  await served.muster.call('connections.pause', { id: connection?.id ?? '', paused: false })
  await expect.poll(() => page.locator('.wall-old').textContent(), { timeout: 15_000 }).toBe('')
})

test('a link opens it, and another link leaves it', async () => {
  const page = await open()
  const { open: wanted } = await served.muster.call('links.read', { link: 'muster://wall' })
  expect(wanted).toMatchObject({ wall: true })
  if (shell !== 'web') return
  await page.evaluate(() => (window.location.hash = '#wall'))
  await wallOf(page).waitFor()
  await page.evaluate(() => (window.location.hash = '#room/connections'))
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
})

test.each([
  { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' as const },
  { viewport: { width: 1024, height: 700 }, colorScheme: 'light' as const },
])('it is accessible and nothing is cut off: $viewport.width, $colorScheme', async (options) => {
  await served.muster.call('settings.change', { wallPages: ['map', 'tenants'], wallSeconds: 3600 })
  const page = await openWall(options)
  await page.getByRole('img', { name: /^Fleet map/u }).waitFor()
  // Cards fade in, and colours in between have less contrast.
  await page.waitForFunction(() => document.getAnimations().length === 0)
  await expectNoViolations(page, `wall ${options.colorScheme}`, '.wall')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('article').first().waitFor()
  await page.waitForFunction(() => document.getAnimations().length === 0)
  await expectNoViolations(page, `wall tenants ${options.colorScheme}`, '.wall')
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Tab')
  await expect.poll(() => focused(page)).toBe('Leave the wall (Esc)')
  await page.keyboard.press('Enter')
  await railOf(page).waitFor()
})

browserTest(
  'a week on the wall grows no memory',
  async () => {
    await served.muster.call('settings.change', { wallPages: ['map', 'tenants'], wallSeconds: 30 })
    const page = await open()
    await page.clock.install()
    await page.keyboard.press('F11')
    await page.clock.runFor(1000)
    await wallOf(page).waitFor()
    const cdp = await page.context().newCDPSession(page)
    const used = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      const { usedSize } = await cdp.send('Runtime.getHeapUsage')
      return usedSize
    }
    // A jump fires each timer once: a week in steps of ten minutes, each with its page and its readings.
    const week = async (steps: number) => {
      for (let step = 0; step < steps; step += 1) await page.clock.fastForward(10 * 60_000)
    }
    await week(200)
    const before = await used()
    await week(1008)
    expect((await used()) / before).toBeLessThan(1.15)
  },
  120_000,
)
