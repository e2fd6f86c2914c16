import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { readFleet, serve, whenListening, useWindows, type Served } from '../support/window.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { writePast } from '../support/past.ts'

const windows = useWindows()
let reference: Service
let served: Served
beforeAll(async () => {
  reference = await service(windows.shared, { devices: 2000, tenants: 14 })
  const secrets = openMemory('a test')
  const profile = temporaryProfile(windows.shared)
  const first = await serve(windows.shared, profile, { secrets })
  await readFleet(first.muster, reference)
  await first.stop()
  console.log(writePast(profile, { days: 31, now: Date.now(), outages: 1.5, seed: 4 }))
  served = await serve(windows.shared, profile, { secrets })
  await whenListening(served.muster, reference)
}, 120_000)

test('shots', async () => {
  await served.muster.call('settings.change', {
    holdOffSeconds: 1,
    recoverySeconds: 1,
    groupingSeconds: 1,
    watched: [],
  })
  const devices = reference.world.devices()
  const sites = new Map<string, typeof devices>()
  for (const device of devices) {
    const site = String(device.site?.id ?? '')
    sites.set(site, [...(sites.get(site) ?? []), device])
  }
  const some = [...sites.values()].filter((each) => each.length > 3).slice(0, 9)
  for (const [n, site] of some.entries())
    for (const device of site.slice(0, Math.ceil(site.length * ([1, 0.7, 0.5, 1, 0.3, 0.2][n % 6] ?? 1))))
      reference.world.setConnected(device.id, false)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await page.getByRole('listbox', { name: 'Fleet map' }).waitFor()
  await new Promise((resolve) => setTimeout(resolve, 6000))
  for (const [theme, width, height] of [
    ['dark', 1440, 900],
    ['dark', 1920, 1080],
    ['light', 1024, 700],
    ['light', 1440, 900],
    ['dark', 720, 450],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    await new Promise((resolve) => setTimeout(resolve, 600))
    await page.screenshot({ path: `/tmp/shots-overview/${width}-${theme}.png` })
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('listbox', { name: 'Fleet map' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await new Promise((resolve) => setTimeout(resolve, 300))
  await page.screenshot({ path: `/tmp/shots-overview/tip.png` })
  await page.getByText('Rooms', { exact: true }).click()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  await page.screenshot({ path: `/tmp/shots-overview/rooms.png` })
  await page.getByText('Disconnects, 7 d', { exact: true }).click()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await page.screenshot({ path: `/tmp/shots-overview/disconnects.png` })
  await page.getByText('Table', { exact: true }).click()
  await new Promise((resolve) => setTimeout(resolve, 500))
  await page.screenshot({ path: `/tmp/shots-overview/table.png` })
  await page.locator('#overview').evaluate((box) => box.scrollTo(0, 520))
  await new Promise((resolve) => setTimeout(resolve, 500))
  await page.screenshot({ path: `/tmp/shots-overview/scrolled.png` })
  expect(1).toBe(1)
}, 120_000)
