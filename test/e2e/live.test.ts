import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { browserTest, readFleet, serve, useWindows, whenListening } from '../support/window.ts'
import { columnOf, partsOf, shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()

async function setup(devices = 300) {
  const profile = temporaryProfile(windows.leftovers)
  const reference = await service(windows.leftovers, { devices })
  const secrets = openMemory('a test’s keychain')
  const served = await serve(windows.leftovers, profile, { secrets })
  await readFleet(served.muster, reference)
  return { profile, reference, secrets, served }
}

const cell = (page: Page, name: string, text: string) =>
  partsOf(page).row(name).getByRole('gridcell', { name: text, exact: true })

test('a device that drops is offline on the screen within a second, and back within a second', async () => {
  const { reference, served } = await setup()
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, row, totals } = partsOf(page)
  const device = reference.world.find(({ connected }) => connected === true)
  reference.world.renameDevice(device.id, 'The one that drops')
  await choice('All').click()
  await filter.fill('one that drops')
  await cell(page, 'The one that drops', 'online').waitFor()
  reference.world.setConnected(device.id, false)
  await cell(page, 'The one that drops', 'offline').waitFor({ timeout: 1_000 })
  reference.world.setConnected(device.id, true)
  await cell(page, 'The one that drops', 'online').waitFor({ timeout: 1_000 })
  // And into the list of what is down now, with the totals.
  const { online, offline, staged } = reference.world.totals()
  await filter.fill('')
  await choice('Offline').click()
  await expect.poll(() => row('The one that drops').count()).toBe(0)
  reference.world.setConnected(device.id, false)
  await row('The one that drops').waitFor({ timeout: 1_000 })
  await shows(totals, `300 devices: ${online - 1} online, ${offline + 1} offline, ${staged} unknown`)
  // The longest is first: who dropped last stands last.
  await expect.poll(async () => (await columnOf(page, 'Name')).at(-1)).toBe('The one that drops')
})

test('many devices that drop together are all shown', async () => {
  const { reference, served } = await setup()
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { totals, table } = partsOf(page)
  const up = reference.world
    .devices()
    .filter(({ connected }) => connected === true)
    .slice(0, 120)
  await shows(totals, /^300 devices:/u)
  for (const { id } of up) reference.world.setConnected(id, false)
  const { online, offline, staged } = reference.world.totals()
  await shows(totals, `300 devices: ${online} online, ${offline} offline, ${staged} unknown`)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(offline + 1))
})

test('when the service stops, all devices stay, unknown and with their age, with the error', async () => {
  const { reference, served } = await setup()
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, totals, table, status, rows, tree } = partsOf(page)
  await choice('All').click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301')
  const before = await columnOf(page, 'Name')
  await reference.misfortune.pause()
  await shows(totals, '300 devices: 0 online, 0 offline, 300 unknown')
  // A line that says so takes the room of a row or two.
  expect((await columnOf(page, 'Name')).slice(0, 20)).toEqual(before.slice(0, 20))
  await expect.poll(async () => [...new Set(await columnOf(page, 'Status'))]).toEqual(['unknown'])
  expect((await columnOf(page, 'Updated')).every((text) => /ago|just now/u.test(text))).toBe(true)
  await page
    .getByText('Acme: Nothing answers at that address.')
    .or(page.getByText('Acme: The live connection was closed.'))
    .first()
    .waitFor()
  await status.getByRole('button', { name: /^Status: (Waiting|Connecting)/ }).waitFor()
  await tree
    .getByRole('treeitem', { name: /, 300 unknown$|unknown$/ })
    .first()
    .waitFor()
  await rows.first().click()
  await partsOf(page)
    .detail.getByText(/^Unknown: monitoring lost\. Last known: (online|offline), /u)
    .waitFor()
  await reference.misfortune.resume()
  await page.getByRole('button', { name: 'Retry now' }).click()
  await whenListening(served.muster, reference)
  const { online, offline, staged } = reference.world.totals()
  await shows(totals, `300 devices: ${online} online, ${offline} offline, ${staged} unknown`)
  await status.getByRole('button', { name: 'Status: Live' }).waitFor()
})

test('a start without the service shows the same list, searchable and with its age', async () => {
  const { profile, reference, secrets, served } = await setup()
  await served.stop()
  await reference.misfortune.pause()
  const again = await serve(windows.leftovers, profile, { secrets })
  const page = await windows.open(again.server.newUrl(), { log: again.muster.log })
  const { choice, totals, table, filter, status } = partsOf(page)
  await shows(totals, '300 devices: 0 online, 0 offline, 300 unknown')
  await page.getByText('Acme: Nothing answers at that address.').waitFor()
  await choice('All').click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301')
  const sorted = reference.world
    .devices()
    .map(({ name }) => name)
    .toSorted(new Intl.Collator('en', { numeric: true }).compare)
  const shown = await columnOf(page, 'Name')
  expect(shown.length).toBeGreaterThan(20)
  expect(shown).toEqual(sorted.slice(0, shown.length))
  expect((await columnOf(page, 'Updated')).every((text) => /ago|just now/u.test(text))).toBe(true)
  expect(await textOf(status.getByText(/^Last sync/u))).toMatch(/(ago|just now)$/u)
  const device = reference.world.find(({ connected }) => connected === true)
  await filter.fill(device.id)
  await expect.poll(() => columnOf(page, 'Name')).toEqual([device.name])
})

browserTest("the window stays when the core's process ends, and goes on when it is back on its port", async () => {
  const { profile, reference, secrets, served } = await setup()
  // A browser writes down each try to reach a core that is not there, and each that a new core does not know yet.
  const expected = [/WebSocket connection to .* failed/u]
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, expected })
  const { choice, totals, table, status } = partsOf(page)
  await choice('All').click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('301')
  await shows(totals, /^300 devices: /u)
  const before = await columnOf(page, 'Name')
  await served.stop()
  await page.getByText(/^Muster’s core is not running\. The last response of the service came \d+ s ago\.$/u).waitFor()
  await shows(totals, '300 devices: 0 online, 0 offline, 300 unknown')
  expect((await columnOf(page, 'Name')).slice(0, 20)).toEqual(before.slice(0, 20))
  expect(new Set(await columnOf(page, 'Status'))).toEqual(new Set(['unknown']))
  await status.getByRole('button', { name: 'Status: Core not running' }).waitFor()
  // Nobody tells the points now, and what cannot be done says why and what to do, until it can be done again.
  await expect.poll(() => status.getByRole('meter').getAttribute('aria-valuetext')).toMatch(/points left, last known/u)
  await page.getByRole('button', { name: 'Export the table' }).click()
  await page.getByRole('menuitem', { name: 'As JSON' }).click()
  const { title, advice } = explain({ kind: 'stopped', detail: '' })
  const failed = page.getByRole('status').filter({ hasText: `${title} ${advice}` })
  await failed.waitFor()
  const again = await serve(windows.leftovers, profile, { secrets, port: served.server.port })
  await whenListening(again.muster, reference)
  const { online, offline, staged } = reference.world.totals()
  await shows(totals, `300 devices: ${online} online, ${offline} offline, ${staged} unknown`)
  await expect.poll(() => page.getByText(/core is not running/u).count()).toBe(0)
  await status.getByRole('button', { name: 'Status: Live' }).waitFor()
})
