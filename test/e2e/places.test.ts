import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { openRows } from '../support/listed.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, useWindows, type Served } from '../support/window.ts'
import { shows, takeRefresh } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  reference = await service(windows.shared, { devices: 900, tenants: 12 })
  reference.world.addSite(reference.world.tenants()[0]?.id ?? '', 'Unbuilt Wing')
  served = await serve(windows.shared, temporaryProfile(windows.shared))
  await readFleet(served.muster, reference)
})

async function open() {
  const parts = await openRows(windows, served)
  return {
    ...parts,
    scope: parts.page.getByRole('navigation', { name: 'Scope' }),
    places: parts.tree.getByRole('treeitem'),
  }
}

const regionsOf = () => [...new Set(tenantsOf().map(({ region }) => region))]
const tenantsOf = () => reference.world.tenants().toSorted((one, other) => (one.name < other.name ? -1 : 1))
const called = (name: string) => new RegExp(`^${name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}, tenant, `, 'u')

test('choosing a place closes the device of another place and keeps one of its own open', async () => {
  const { rows, detail, tree } = await open()
  await rows.first().click()
  const name = await detail.getByRole('heading', { level: 2 }).textContent()
  const device = reference.world.find((each) => each.name === name)
  const own = tenantsOf().find(({ id }) => id === device.tenantId)
  const other = tenantsOf().find(({ id, region }) => id !== device.tenantId && region === own?.region)
  await tree.getByRole('treeitem', { name: called(own?.name ?? '') }).click()
  await expect
    .poll(() => tree.getByRole('treeitem', { name: called(own?.name ?? '') }).getAttribute('aria-selected'))
    .toBe('true')
  expect(await detail.isVisible()).toBe(true)
  await tree.getByRole('treeitem', { name: called(other?.name ?? '') }).click()
  await detail.waitFor({ state: 'detached' })
})

test('a place opened by its name is shown in the tree, expanded and scrolled to', async () => {
  const { page, tree, scope } = await open()
  const names = Map.groupBy(
    reference.world.devices().flatMap(({ site }) => site ?? []),
    ({ name }) => name,
  )
  const alone = (name: string) => new Set(names.get(name)?.map(({ id }) => id)).size === 1
  const device = reference.world.find(({ room, site }) => room !== null && site !== null && alone(site.name))
  expect(await tree.getByRole('treeitem', { name: / room, /u }).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(device.site?.name ?? '')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette
    .getByRole('option')
    .filter({ hasText: /site, \d+ device/u })
    .first()
    .click()
  const line = tree.getByRole('treeitem', { selected: true })
  await shows(scope.locator('[aria-current=location]'), device.site?.name ?? '')
  await expect.poll(() => line.getAttribute('aria-label')).toMatch(/, site, /u)
  expect((await line.getAttribute('aria-label'))?.startsWith(device.site?.name ?? '')).toBe(true)
  const [box, pane] = [await line.boundingBox(), await tree.boundingBox()]
  expect(box !== null && pane !== null && box.y >= pane.y && box.y + box.height <= pane.y + pane.height).toBe(true)
})

test('the tree is sorted by devices down, in every window, and the choice is kept', async () => {
  const { page, places } = await open()
  const downOf = (parts: readonly string[]) =>
    Number(
      parts
        .find((part) => part.endsWith(' offline'))
        ?.match(/[\d,]+/u)?.[0]
        .replaceAll(',', '') ?? 0,
    )
  /** The devices down of the tenants in their order, region by region. */
  const down = async () => {
    const labels = await places.evaluateAll((lines) => lines.map((line) => line.getAttribute('aria-label') ?? ''))
    const regions: number[][] = []
    for (const parts of labels.map((label) => label.split(', '))) {
      if (parts[1] === 'region') regions.push([])
      if (parts[1] === 'tenant') regions.at(-1)?.push(downOf(parts))
    }
    return regions
  }
  const isSorted = (each: readonly number[]) => each.every((count, at) => at === 0 || count <= (each[at - 1] ?? 0))
  await expect.poll(async () => (await down()).flat().length).toBe(tenantsOf().length)
  expect((await down()).every(isSorted)).toBe(false)
  await page.getByRole('button', { name: 'Sort places by: Name' }).click()
  await page.getByRole('menuitemradio', { name: 'Most offline' }).click()
  await page.getByRole('button', { name: 'Sort places by: Most offline' }).waitFor()
  await expect.poll(async () => (await down()).map(isSorted)).toEqual(regionsOf().map(() => true))
  const other = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await other.getByRole('button', { name: 'Sort places by: Most offline' }).waitFor()
  await served.muster.call('settings.change', { treeSort: 'name' })
  await page.getByRole('button', { name: 'Sort places by: Name' }).waitFor()
})

test('refresh shows points and time first, and reads the chosen tenant alone', async () => {
  const { page, tree } = await open()
  const [tenant] = tenantsOf().filter(({ region }) => region === 'EU-1')
  await tree.getByRole('treeitem', { name: called(tenant?.name ?? '') }).click()
  const asked = () =>
    reference.operations().filter(({ operationName }) => operationName === 'Devices' || operationName === 'Tenants')
  const before = asked().length
  await page.getByRole('button', { name: 'Refresh' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refresh' })
  await dialog.getByRole('button', { name: 'Sync all tenants' }).waitFor()
  await shows(dialog, /\d+ devices, [\d,]+ points?, about \d+ (s|min)/u)
  expect(asked()).toHaveLength(before)
  await takeRefresh(page, `Sync ${tenant?.name}`)
  await expect.poll(() => asked().length).toBeGreaterThan(before)
  const tenants = new Set(
    asked()
      .slice(before)
      .map(({ variables }) => (variables as { tenant?: string }).tenant),
  )
  expect([...tenants]).toEqual([tenant?.id])
})

test('empty places can be hidden by keyboard; one that is the scope stays in the tree', async () => {
  const place = async () =>
    (await served.muster.call('inventory.places', { asked: { find: 'Unbuilt Wing' }, limit: 1 })).places[0]
  await expect.poll(place, { timeout: 30_000 }).toMatchObject({ name: 'Unbuilt Wing' })
  const { page, tree } = await open()
  const toggle = page.getByRole('button', { name: 'Show empty places' })
  const wing = tree.getByRole('treeitem', { name: /^Unbuilt Wing, site, 0 devices/u })
  for (const { name, kind } of (await place())?.above.toReversed() ?? [])
    if (kind !== 'region') {
      const line = { name: new RegExp(`^${name}, ${kind}, `, 'u') }
      await tree.getByRole('treeitem', line).click()
      await tree.getByRole('treeitem', { ...line, selected: true }).waitFor()
      await page.keyboard.press('ArrowRight')
    }
  await wing.click()
  expect(await toggle.getAttribute('aria-pressed')).toBe('true')
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('false')
  const isKept = async () => (await served.muster.call('app.state', {})).settings.showEmptyPlaces
  await expect.poll(isKept).toBe(false)
  await wing.waitFor()
  await page.getByRole('button', { name: 'Show all tenants' }).click()
  await wing.waitFor({ state: 'detached' })
  expect(await place()).toMatchObject({ name: 'Unbuilt Wing' })
  await toggle.click()
  await wing.waitFor()
})

test('a place without devices is found by its name, and becomes the scope', async () => {
  const { page, tree, scope } = await open()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('unbuilt')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await shows(palette.getByRole('option', { selected: true }), /^Unbuilt Wing ?site, 0 devices · /u)
  await page.keyboard.press('Enter')
  await shows(scope.locator('[aria-current=location]'), 'Unbuilt Wing')
  await tree.getByRole('treeitem', { name: /^Unbuilt Wing, site, 0 devices/u, selected: true }).waitFor()
})
