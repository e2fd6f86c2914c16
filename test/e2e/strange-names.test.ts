import { expect, test } from 'vitest'
import { service, temporaryProfile } from '../support/estate.ts'
import { columnOf, partsOf, readEstate, serve, shows, useWindows } from '../support/window.ts'

const windows = useWindows()

const strange = {
  long: 'L'.repeat(10_000),
  words: 'Moved here from the old building '.repeat(300).trim(),
  rightToLeft: 'غرفة الاجتماعات ‮desrever',
  emoji: '🧑‍🚀🏳️‍🌈 Room 🚀',
  script: '<script>document.title = "executed"</script><img src=x onerror="document.title = \'executed\'">',
}

test('names of 10,000 letters, right to left, with emoji or script are text, and the layout holds', async () => {
  const reference = await service(windows.leftovers, { devices: 100, tenants: 1 })
  const devices = reference.world.devices()
  const given = Object.values(strange).map((name, index) => {
    const device = devices[index]
    if (device === undefined) throw new Error('the world is too small')
    reference.world.renameDevice(device.id, name)
    // What is longer than 500 characters is cut where it comes in.
    return { id: device.id, name: name.length <= 500 ? name : `${name.slice(0, 500)}…` }
  })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readEstate(muster, reference)
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

test('a strange name in the filter is a text to look for, and nothing else', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  reference.world.renameDevice(reference.world.find(() => true).id, strange.script)
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readEstate(muster, reference)
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
