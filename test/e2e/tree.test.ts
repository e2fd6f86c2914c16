import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import type { Device } from '../../src-service/world/device.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'
import { columnOf, partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 4_000, tenants: 6, windowMs: 10_000 }))
})

const open = () => windows.open(served.server.newUrl(), { log: served.muster.log })
const numberText = (value: number) => value.toLocaleString('en-US')

/** The accessible name of a line of the tree: its name, its kind, and its devices that are down or unknown. */
function called(name: string, kind: string, devices: readonly Device[]): string {
  const offline = devices.filter(({ connected }) => connected === false).length
  const unknown = devices.filter(({ connected }) => connected === null).length
  const parts = [name, kind, `${numberText(devices.length)} ${devices.length === 1 ? 'device' : 'devices'}`]
  if (offline > 0) parts.push(`${numberText(offline)} offline`)
  if (unknown > 0) parts.push(`${numberText(unknown)} unknown`)
  return parts.join(', ')
}

const statusOf = ({ connected }: Device) => (connected === null ? 'unknown' : connected ? 'online' : 'offline')
const names = new Intl.Collator('en', { numeric: true })
const firstByName = <T extends { name: string }>(all: readonly T[]) =>
  all.toSorted((one, other) => names.compare(one.name, other.name))[0]

/** The first place of each kind, from the region down to a device, so that every line is visible. */
function way() {
  const tenant = firstByName(reference.world.tenants().filter(({ region }) => region === 'EU-1'))
  const devices = reference.world.devices(tenant?.id)
  const site = firstByName(devices.flatMap((device) => device.site ?? []))
  const atSite = devices.filter((each) => each.site?.id === site?.id)
  const room = firstByName(atSite.flatMap((device) => device.room ?? []))
  const inRoom = atSite.filter((each) => each.room?.id === room?.id)
  const [device] = inRoom
  const accounts = reference.world.accounts(tenant?.id ?? '')
  const sites = reference.world.sites(tenant?.id ?? '')
  const accountOf = new Map(sites.map(({ id, accountId }) => [id, accountId]))
  const account = accounts.length > 1 ? accounts.find(({ id }) => id === accountOf.get(site?.id ?? '')) : undefined
  const inAccount = devices.filter((each) => accountOf.get(each.site?.id ?? '') === account?.id)
  if (tenant === undefined || site === undefined || room === undefined || device === undefined)
    throw new Error('no device stands in a room')
  return { tenant, account, site, room, device, devices, inAccount, atSite, inRoom }
}

/** The line of a room, whose name may go on with what the service tells about the room. */
function roomLine(page: Page, { room, inRoom }: ReturnType<typeof way>, isWatched = false) {
  const label = called(room.name, 'room', inRoom).replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')
  const facts = '(, (Capacity|Size|Floor) [^,]*)?'
  const watched = ', on the watch list'
  const name = new RegExp(`^${label}(${isWatched ? `${watched}${facts}|${facts}${watched}` : facts})$`, 'u')
  return partsOf(page).tree.getByRole('treeitem', { name })
}

/** Expands the tenant, and the site's account where the tenant has several. */
async function expandToSites(page: Page, { tenant, account, devices, inAccount }: ReturnType<typeof way>) {
  const expand = (name: string) =>
    partsOf(page).tree.getByRole('treeitem', { name, exact: true }).locator('svg').first().click()
  await expand(called(tenant.name, 'tenant', devices))
  if (account !== undefined) await expand(called(account.name, 'account', inAccount))
}

test('the tree goes from region over tenant, account, site and room to a device, with counts', async () => {
  const page = await open()
  const { tree } = partsOf(page)
  const path = way()
  const { tenant, account, site, device, atSite, inRoom } = path
  const inRegion = reference.world
    .tenants()
    .filter(({ region }) => region === tenant.region)
    .flatMap(({ id }) => reference.world.devices(id))
  const line = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  await line(called(tenant.region, 'region', inRegion)).waitFor()
  await expandToSites(page, path)
  await line(called(site.name, 'site', atSite))
    .locator('svg')
    .first()
    .click()
  await roomLine(page, path).locator('svg').first().click()
  const leaf = line(`${device.name}, ${statusOf(device)}`).first()
  await leaf.waitFor()
  expect(await leaf.getAttribute('aria-level')).toBe(account === undefined ? '5' : '6')
  expect(await leaf.getAttribute('aria-setsize')).toBe(String(inRoom.length))
})

test('a room and a site can be added to the watch list, and a tenant cannot', async () => {
  const page = await open()
  const { tree } = partsOf(page)
  const path = way()
  const { tenant, site, devices, atSite } = path
  const line = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  const watched = async () => (await served.muster.call('app.state', {})).settings.watched
  const menu = page.getByRole('menu')
  await line(called(tenant.name, 'tenant', devices)).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Show only this place' }).waitFor()
  expect(await menu.getByRole('menuitem', { name: /watch list/u }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expandToSites(page, path)
  await line(called(site.name, 'site', atSite))
    .locator('svg')
    .first()
    .click()
  await roomLine(page, path).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Add to the watch list' }).click()
  await roomLine(page, path, true).waitFor()
  await expect.poll(watched).toHaveLength(1)

  await line(called(site.name, 'site', atSite)).click()
  await tree.focus()
  await page.keyboard.press('Shift+F10')
  await menu.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await line(`${called(site.name, 'site', atSite)}, on the watch list`).waitFor()
  await expect.poll(async () => (await watched()).map((id) => id.slice(0, 2)).toSorted()).toEqual(['m:', 's:'])
  await expect.poll(() => tree.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('from the watch list')
  await page.keyboard.press('Enter')
  await line(called(site.name, 'site', atSite)).waitFor()
  await roomLine(page, path, true).click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Remove from the watch list' }).click()
  await expect.poll(watched).toEqual([])
})

test('choosing a place scopes the table to it, and the breadcrumb leads back', async () => {
  const page = await open()
  const { tree, table, totals, choice } = partsOf(page)
  const path = way()
  const { tenant, site, devices, atSite } = path
  await choice('All').click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4001')
  await tree.getByRole('treeitem', { name: called(tenant.name, 'tenant', devices), exact: true }).click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(devices.length + 1))
  await expandToSites(page, path)
  await tree.getByRole('treeitem', { name: called(site.name, 'site', atSite), exact: true }).click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(atSite.length + 1))
  await shows(totals, new RegExp(`^${numberText(atSite.length)} devices?:`, 'u'))
  expect(new Set(await columnOf(page, 'Site'))).toEqual(new Set([site.name]))
  const scope = page.getByRole('navigation', { name: 'Scope' })
  await scope.getByRole('button', { name: tenant.name, exact: true }).click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(devices.length + 1))
  await scope.getByRole('button', { name: 'All tenants', exact: true }).click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4001')
  await shows(totals, /^4,000 devices:/u)
})

test('with every node open, the tree stays virtual and gives each line its position', async () => {
  const page = await open()
  const { tree } = partsOf(page)
  await tree
    .getByRole('treeitem', { name: /, tenant, / })
    .first()
    .waitFor()
  await tree.focus()
  // Opens what the cursor stands on, and goes on: down the first places until many devices are in the tree.
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
  }
  const lines = tree.getByRole('treeitem')
  await expect
    .poll(async () => Number(await lines.last().evaluate((line) => Number(line.getAttribute('aria-level')))))
    .toBeGreaterThan(2)
  // Again, where a node that was opened is read only then.
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return tree.evaluate((element) => element.scrollTop + element.clientHeight > element.scrollHeight - 28)
    })
    .toBe(true)
  // Much more than is in sight, of which the document holds little.
  expect(await tree.evaluate((element) => element.scrollHeight / element.clientHeight)).toBeGreaterThan(2)
  expect(await lines.count()).toBeLessThan(200)
  const levels = await lines.evaluateAll((all) =>
    all.map((line) => ['aria-level', 'aria-setsize', 'aria-posinset'].map((name) => Number(line.getAttribute(name)))),
  )
  for (const [level = 0, size = 0, place = 0] of levels) {
    expect(level).toBeGreaterThanOrEqual(1)
    expect(level).toBeLessThanOrEqual(6)
    expect(place).toBeGreaterThanOrEqual(1)
    expect(place).toBeLessThanOrEqual(size)
  }
})
