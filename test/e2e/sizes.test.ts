import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { largest, smallest } from '../../src-shared/lib/extremes.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { connectionTo, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, serveFleet, useWindows, type Served } from '../support/window.ts'
import { partsOf, shows, tabTo } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 600, tenants: 3 }))
})

const sizes = [
  { size: '1440 by 900', viewport: { width: 1_440, height: 900 }, deviceScaleFactor: 1 },
  { size: '1024 by 700', viewport: { width: 1_024, height: 700 }, deviceScaleFactor: 1 },
  { size: '780 by 600', viewport: { width: 780, height: 600 }, deviceScaleFactor: 1 },
  { size: '1440 by 900 at 200 %', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
]

test.each(sizes)(
  'at $size nothing important is cut off, and the page itself never scrolls',
  async ({ viewport, deviceScaleFactor }) => {
    const page = await windows.open(served.server.newUrl(), { viewport, deviceScaleFactor, log: served.muster.log })
    const { totals, status, table, rows, choice, filter, detail } = partsOf(page)
    await shows(totals, /^600 devices:/u)
    await rows.first().waitFor()
    await inSight(page)
    await expectInside(page, {
      banner: page.getByRole('banner'),
      status,
      table,
      filter,
      firstRow: rows.first(),
      choice: choice('Offline'),
      meter: status.getByRole('meter'),
      link: status.getByRole('button', { name: 'Status: Live' }),
      keys: page.getByRole('button', { name: /^List of keys/ }),
      connections: page.getByRole('button', { name: 'Connections' }),
    })
    await rows.first().click()
    await detail.getByRole('heading', { level: 2 }).waitFor()
    await inSight(page)
    await expectInside(page, { detail, close: page.getByRole('button', { name: /^Close the device/ }), status })
    await expectBeside(page)
    await page.getByRole('button', { name: /^Close the device/ }).click()
    await page.getByRole('button', { name: 'Connections' }).click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    await inSight(page)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await inSight(page)
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/u })
      .click()
    await page.getByRole('group', { name: 'Pause notifications' }).waitFor()
    await inSight(page)
    await expectInside(page, { notifications: page.getByRole('dialog') })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Connections' }).click()
    await page.getByRole('button', { name: 'Edit Acme' }).click()
    const form = page.getByRole('dialog', { name: 'Edit connection' })
    await form.getByRole('button', { name: 'Save and connect' }).scrollIntoViewIfNeeded()
    await inSight(page)
    await expectInside(page, {
      save: form.getByRole('button', { name: 'Save and connect' }),
      cancel: form.getByRole('button', { name: 'Cancel' }),
    })
  },
)

test('at 1440 by 900 six columns fit, and counts and filter share one line', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { table, rows, choice, filter } = partsOf(page)
  await rows.first().waitFor()
  const heads = table.getByRole('columnheader')
  expect((await heads.allInnerTexts()).map((text) => text.trim())).toEqual([
    'Status',
    'Name',
    'In state for',
    'Site',
    'Tenant',
    'Updated',
  ])
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  const { x, width } = await boxOf(table)
  for (const head of await heads.all()) {
    const box = await boxOf(head)
    expect(box.x + box.width, await head.innerText()).toBeLessThanOrEqual(x + width + 1)
  }
  // One line: counts, filter, columns and export stand on one height, and nothing stands between them and the table.
  const toolbar = [
    ...['All', 'Offline', 'Online', 'Unknown'].map(choice),
    filter,
    page.getByRole('button', { name: 'Columns' }),
    page.getByRole('button', { name: 'Export' }),
  ]
  const middles = await Promise.all(toolbar.map(async (part) => boxOf(part).then((box) => box.y + box.height / 2)))
  expect(largest(middles) - smallest(middles)).toBeLessThan(6)
  expect((await boxOf(table)).y - largest(middles)).toBeLessThan(40)
})

test('at 1024 by 700 the tree is hidden while a device is open beside the table', async () => {
  const page = await windows.open(served.server.newUrl(), {
    viewport: { width: 1_024, height: 700 },
    log: served.muster.log,
  })
  const { table, tree, rows, detail } = partsOf(page)
  await rows.first().waitFor()
  const before = await boxOf(table)
  expect((await boxOf(tree)).x).toBeLessThan(before.x)
  await rows.first().click()
  await detail.getByRole('heading', { level: 2 }).waitFor()
  await tree.waitFor({ state: 'hidden' })
  const [beside, open] = [await boxOf(table), await boxOf(detail)]
  expect(beside.x + beside.width).toBeLessThanOrEqual(open.x + 1)
  expect(open.x + open.width).toBeLessThanOrEqual(1_024)
  // Status and name are read without scrolling.
  for (const cell of [0, 1]) {
    const box = await boxOf(rows.first().getByRole('gridcell').nth(cell))
    expect(box.x).toBeGreaterThanOrEqual(beside.x - 1)
    expect(box.x + box.width).toBeLessThanOrEqual(open.x + 1)
  }
  await page.getByRole('button', { name: /^Close the device/ }).click()
  await tree.waitFor()
  await expect.poll(() => boxOf(table)).toEqual(before)
})

test('at 200 % three bars of one line each leave rows of the table visible', async () => {
  const profile = temporaryProfile(windows.leftovers)
  for (const name of ['cache.db', 'journal.db']) writeFileSync(path.join(profile, name), 'no database')
  const { muster, server } = await serve(windows.leftovers, profile)
  await readFleet(muster, reference)
  const long =
    'Helvetia Rückversicherung Aktiengesellschaft und Tochtergesellschaften, Zürich, Bern, Genf, Lausanne, St. Gallen, Basel, Lugano 12'
  await muster.call('connections.save', connectionTo(reference, { name: long, clientSecret: 'wrong' }))
  const page = await windows.open(server.newUrl(), {
    viewport: { width: 720, height: 450 },
    deviceScaleFactor: 2,
    log: muster.log,
  })
  const { rows, table, status } = partsOf(page)
  const bars = page.locator('.bar')
  await expect.poll(() => bars.count()).toBeGreaterThanOrEqual(3)
  await rows.nth(3).waitFor()
  await expect.poll(async () => (await rowsInSight(page)).length).toBeGreaterThanOrEqual(3)
  for (const bar of await bars.all()) expect((await bar.boundingBox())?.height).toBeLessThan(40)
  await expectInside(page, { table })
  const words = page.getByText(explain({ kind: 'credentials', detail: '' }).advice)
  await words.hover()
  expect(await words.getAttribute('title')).toContain('Enter the client secret again')
  expect(await page.getByText(long).first().getAttribute('title')).toBe(long)
  // By keys: the bars have the focus, and are unfolded while they have it.
  await tabTo(page, 'Messages')
  await expect.poll(() => words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
  // What does not fit is scrolled to, and nothing is out of reach.
  await status.scrollIntoViewIfNeeded()
  await expectInside(page, { status })
})

async function boxOf(part: ReturnType<Page['locator']>) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('it is not in sight')
  return box
}

/** With a device open, the offline devices can still be read: nothing covers them. */
async function expectBeside(page: Page): Promise<void> {
  const { choice, rows } = partsOf(page)
  const parts = [choice('All'), choice('Offline'), choice('Unknown'), rows.first().getByRole('gridcell').nth(1)]
  for (const part of parts) {
    expect(
      await part.evaluate((element) => {
        const { left, top, height, width } = element.getBoundingClientRect()
        return [left + 6, left + Math.min(width - 6, 120)].every((x) =>
          element.contains(document.elementFromPoint(x, top + height / 2)),
        )
      }),
      await part.innerText(),
    ).toBe(true)
  }
}

/** Rows of the table that stand whole within the window and under the head. */
async function rowsInSight(page: Page): Promise<number[]> {
  const { table, rows } = partsOf(page)
  const box = await table.boundingBox()
  const head = (await table.getByRole('columnheader').first().boundingBox())?.height ?? 0
  if (box === null) return []
  const bottom = Math.min(box.y + box.height, page.viewportSize()?.height ?? 0)
  const tops = await rows.evaluateAll((elements) =>
    elements.map((row) => row.getBoundingClientRect()).map(({ top, height }) => [top, top + height] as const),
  )
  return tops.filter(([top, end]) => top >= box.y + head - 1 && end <= bottom + 1).map(([top]) => top)
}

async function inSight(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => ({
    right: document.documentElement.scrollWidth - innerWidth,
    below: document.documentElement.scrollHeight - innerHeight,
  }))
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
