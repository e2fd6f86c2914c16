import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { service, temporaryProfile } from '../support/fleet.ts'
import { incidentScreen, whenOpen } from '../support/incident-screen.ts'
import { readFleet, serve, useWindows } from '../support/window.ts'
import { columnOf, partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
const { openScreen } = incidentScreen(windows)

const strange = {
  long: 'L'.repeat(10_000),
  words: 'Moved here from the old building '.repeat(300).trim(),
  rightToLeft: 'غرفة الاجتماعات ‮desrever',
  emoji: '🧑‍🚀🏳️‍🌈 Room 🚀',
  script: '<script>document.title = "executed"</script><img src=x onerror="document.title = \'executed\'">',
}

test('names of 10,000 letters, right to left, with emoji or script do not break the layout', async () => {
  const reference = await service(windows.leftovers, { devices: 100, tenants: 1 })
  const devices = reference.world.devices()
  const given = Object.values(strange).map((name, index) => {
    const device = devices[index]
    if (device === undefined) throw new Error('the world is too small')
    reference.world.renameDevice(device.id, name)
    // What is longer than 500 characters is cut where it comes in. An override that has no end is left out.
    return { id: device.id, name: (name.length <= 500 ? name : `${name.slice(0, 500)}…`).replace('\u202E', '') }
  })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { choice, filter, rows, detail, field, totals, tree } = partsOf(page)
  await choice('All').click()
  await shows(totals, /^100 devices:/u)
  const height = await rows.first().evaluate((row) => row.getBoundingClientRect().height)
  for (const { id, name } of given) {
    await filter.fill(id)
    await expect.poll(() => columnOf(page, 'Name')).toEqual([name])
    expect(await rows.first().evaluate((row) => row.getBoundingClientRect().height)).toBe(height)
    await rows.first().click()
    await expect.poll(async () => await field('Name').textContent()).toBe(name)
    await detail.getByRole('heading', { level: 2 }).waitFor()
    // Nothing stands out of the window, to the right or below.
    expect(
      await page.evaluate(() => [
        document.documentElement.scrollWidth <= innerWidth,
        document.documentElement.scrollHeight <= innerHeight,
      ]),
    ).toEqual([true, true])
    // The fields after the name are still within reach.
    const box = await detail.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1_440)
    expect(await detail.evaluate((pane) => pane.scrollWidth <= pane.clientWidth)).toBe(true)
  }
  expect(await page.title()).not.toContain('executed')
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(await tree.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
})

test('a strange name in the filter is free text, and nothing else', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  reference.world.renameDevice(reference.world.find(() => true).id, strange.script)
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { choice, filter } = partsOf(page)
  await choice('All').click()
  await filter.fill('<script>')
  await expect.poll(() => columnOf(page, 'Name')).toEqual([strange.script])
  await filter.fill('(.*[')
  await page.getByText('No matches').waitFor()
  await filter.fill('x'.repeat(10_000))
  await page.getByText(/^No devices match x{200} in all tenants\.$/u).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('a name with unclosed direction marks turns no text beside it', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { world } = reference
  const ending = '\u2069\u202E\u2067'
  const device = world.find(({ connected }) => connected === true)
  const { tenantId } = device
  const site = world.addSite(tenantId, `Bern${ending}`)
  const room = world.addRoom({ siteId: site.id, name: `Aare${ending}`, floor: '1', capacity: 4, size: 'SMALL' })
  world.changeDevice(device.id, { name: `Turned${ending}`, siteId: site.id, roomId: room.id })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
  await readFleet(served.muster, reference)
  const { page, rows, pane } = await openScreen(served)
  world.setConnected(device.id, false)
  await whenOpen(served.muster, 1)
  await shows(rows.first(), /Turned is offline/u)
  await rows.first().click()
  await pane.getByRole('heading', { level: 2 }).waitFor()
  expect(await turned(page), 'incidents').toEqual([])
  await page.getByRole('button', { name: 'Inventory' }).click()
  const { choice, filter, tree } = partsOf(page)
  await choice('All').click()
  await filter.fill('Turned')
  await expect.poll(() => columnOf(page, 'Name')).toEqual(['Turned'])
  await partsOf(page).rows.first().click()
  await partsOf(page).detail.getByRole('heading', { level: 2 }).waitFor()
  expect(await turned(page), 'table and detail').toEqual([])
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command, view, place or device' }).fill('Turned')
  await page
    .getByRole('option', { name: /Turned/u })
    .first()
    .waitFor()
  expect(await turned(page), 'palette').toEqual([])
  await page.getByRole('combobox', { name: 'Command, view, place or device' }).fill('Bern')
  await page.getByRole('option', { name: /Bern/u }).first().click()
  await page.getByRole('navigation', { name: 'Scope' }).getByText('Bern').waitFor()
  await tree.getByRole('treeitem', { name: /^Bern, site/u }).waitFor()
  await filter.fill('nothing-is-called-so')
  await page.getByText('No devices match').waitFor()
  expect(await turned(page), 'tree, breadcrumb and no match').toEqual([])
  const labels = await page.evaluate(() =>
    [...document.querySelectorAll('[aria-label], [title]')].flatMap((each) => [
      each.getAttribute('aria-label') ?? '',
      each.getAttribute('title') ?? '',
    ]),
  )
  expect(labels.filter((label) => label.includes('Bern')).length).toBeGreaterThan(1)
  expect(labels.filter((label) => /[\u202A-\u202E\u2066\u2067]/u.test(label))).toEqual([])
})

/** Texts of the page whose Latin letters do not stand from left to right. */
function turned(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const boxes = [...text].flatMap((sign, at) => {
        if (!/[a-z]/iu.test(sign)) return []
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { left, top, width } = range.getBoundingClientRect()
        return width === 0 ? [] : [{ left, top }]
      })
      if (boxes.some(({ left, top }, at) => at > 0 && top === boxes[at - 1]?.top && left < (boxes[at - 1]?.left ?? 0)))
        found.push(text)
    }
    return found
  })
}
