import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { service, temporaryProfile } from '../support/estate.ts'
import { partsOf, readEstate, serve, shows, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 600, tenants: 3 })
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await readEstate(served.muster, reference)
})

const sizes = [
  { size: '1440 by 900', viewport: { width: 1_440, height: 900 }, deviceScaleFactor: 1 },
  { size: '1024 by 700', viewport: { width: 1_024, height: 700 }, deviceScaleFactor: 1 },
  { size: '780 by 600', viewport: { width: 780, height: 600 }, deviceScaleFactor: 1 },
  { size: '1440 by 900 at 200 %', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
]

test.each(sizes)('at $size nothing important is cut off, and the page itself never scrolls', async ({ viewport, deviceScaleFactor }) => {
  const page = await windows.open(served.server.newUrl(), { viewport, deviceScaleFactor, log: served.muster.log })
  const { totals, status, table, rows, choice, filter, detail } = partsOf(page)
  await shows(totals, /^600 devices:/u)
  await rows.first().waitFor()
  await inSight(page)
  await expectInside(page, { banner: page.getByRole('banner'), totals, status, table, filter, firstRow: rows.first(), choice: choice('Down now'), meter: status.getByRole('meter'), link: status.getByRole('button', { name: 'Link: Live' }), keys: page.getByRole('button', { name: /^List of keys/ }), connections: page.getByRole('button', { name: 'Connections' }) })
  await rows.first().click()
  await detail.getByRole('heading', { level: 2 }).waitFor()
  await inSight(page)
  await expectInside(page, { detail, close: page.getByRole('button', { name: /^Close the device/ }), status })
  await page.getByRole('button', { name: /^Close the device/ }).click()
  await page.getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  await inSight(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await inSight(page)
  await page.getByRole('button', { name: /^Notifications/u }).click()
  await page.getByRole('group', { name: 'Pause telling' }).waitFor()
  await inSight(page)
  await expectInside(page, { told: page.getByRole('dialog') })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Connections' }).click()
  await page.getByRole('button', { name: 'Edit Acme' }).click()
  const form = page.getByRole('dialog', { name: 'Edit connection' })
  await form.getByRole('button', { name: 'Save and connect' }).scrollIntoViewIfNeeded()
  await inSight(page)
  await expectInside(page, { save: form.getByRole('button', { name: 'Save and connect' }), cancel: form.getByRole('button', { name: 'Cancel' }) })
})

async function inSight(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => ({ right: document.documentElement.scrollWidth - innerWidth, below: document.documentElement.scrollHeight - innerHeight }))
  expect(overflow.right).toBeLessThanOrEqual(0)
  expect(overflow.below).toBeLessThanOrEqual(0)
}

async function expectInside(page: Page, parts: Record<string, ReturnType<Page['locator']>>): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  for (const [name, part] of Object.entries(parts)) {
    const box = await part.boundingBox()
    expect(box, name).not.toBeNull()
    if (box === null) continue
    // A row is wider than its table, which scrolls; all the rest stands inside the window.
    expect(Math.floor(box.x), `${name}: left`).toBeGreaterThanOrEqual(0)
    if (name !== 'firstRow') expect(Math.ceil(box.x + box.width), `${name}: right`).toBeLessThanOrEqual(width + 1)
    expect(Math.ceil(box.y + box.height), `${name}: bottom`).toBeLessThanOrEqual(height + 1)
    expect(Math.min(box.width, box.height), `${name}: room`).toBeGreaterThan(3)
  }
}
