import { beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright'
import type { Service } from '../../src-service/service.ts'
import { listed, openRows } from '../support/listed.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'
import { columnOf, partsOf, shows, takeRefresh } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 600, tenants: 3 }))
})

async function open() {
  const parts = await openRows(windows, served)
  const palette = parts.page.getByRole('dialog', { name: 'Commands' })
  return { ...parts, palette, items: palette.getByRole('option') }
}

/** Types a command's name and runs the first that is found. */
async function command(page: Page, typed: string, wanted: RegExp) {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.waitFor()
  await page.keyboard.type(typed)
  await shows(palette.getByRole('option', { selected: true }), wanted)
  await page.keyboard.press('Enter')
  await palette.waitFor({ state: 'detached' })
}

test('the palette runs lists, screens, the theme and the list of keys by name', async () => {
  const { page, choice } = await open()
  await command(page, 'online', /^Show online devices/u)
  await listed(page, reference.world.totals().online)
  expect(await choice('Online').isChecked()).toBe(true)
  await command(page, 'connections', /^Connections/u)
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  await command(page, 'inventory', /^Inventory/u)
  await partsOf(page).rows.first().waitFor()
  await command(page, 'light', /^Use the light theme/u)
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  await command(page, 'system colours', /^Use the system theme/u)
  await command(page, 'notif', /^Open notifications/u)
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Notifications' }).waitFor({ state: 'detached' })
  await command(page, 'list of keys', /^List of keys/u)
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
})

test('a command leads to the filter, the columns and the saving of a view', async () => {
  const { page, filter } = await open()
  await command(page, 'filter the', /^Filter the devices/u)
  await expect.poll(() => filter.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('studio')
  expect(await filter.inputValue()).toBe('connected:no spare:no studio')
  await command(page, 'choose col', /^Choose columns/u)
  await page.getByRole('dialog', { name: 'Columns' }).waitFor()
  await page.keyboard.press('Escape')
  await command(page, 'save current', /^Save current view/u)
  await page.getByRole('dialog', { name: 'Save this view' }).waitFor()
})

test('a device and a place are found by their names in the whole fleet', async () => {
  const { page, items, detail, table } = await open()
  const device = reference.world.find(({ connected, site }) => connected === true && site !== null)
  reference.world.renameDevice(device.id, 'Quokka am Fenster')
  await page.keyboard.press('Shift+F5')
  await takeRefresh(page, 'Sync all tenants')
  await expect
    .poll(async () => {
      const found = await served.muster.call('inventory.rows', {
        query: { scope: 'all', filter: 'quokka', sort: [] },
        offset: 0,
        limit: 1,
      })
      return found.total
    })
    .toBe(1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('quokka am')
  await shows(items.first(), /^Quokka am Fenster/u)
  await page.keyboard.press('Enter')
  await shows(detail.getByRole('heading', { level: 2 }), 'Quokka am Fenster')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(device.site?.name ?? '')
  const place = items.filter({ hasText: /site, \d+ device/u }).first()
  await place.waitFor()
  for (let step = 0; step < 20 && (await place.getAttribute('aria-selected')) !== 'true'; step += 1)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await listed(page, reference.world.devices().filter(({ site }) => site?.name === device.site?.name).length)
  expect(new Set(await columnOf(page, 'Site'))).toEqual(new Set([device.site?.name]))
  expect(await table.count()).toBe(1)
})

test('an unavailable command says why and does nothing', async () => {
  const { page, palette } = await open()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('back to everything')
  const line = palette.getByRole('option', { selected: true })
  await shows(line, /All tenants are shown\.$/u)
  expect(await line.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  expect(await palette.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
})

test('F5 syncs and does not reload the page', async () => {
  const { page, filter } = await open()
  const device = reference.world.find(({ connected }) => connected === true)
  await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''))
  await filter.fill(`id:${device.id}`)
  await listed(page, 1)
  reference.world.removeDevice(device.id)
  await page.keyboard.press('F5')
  await takeRefresh(page, 'Sync all tenants')
  await listed(page, 0)
  expect(await page.locator('body[data-loaded-once]').count()).toBe(1)
})

test('in the tree the asterisk opens all siblings, and letters lead to a name', async () => {
  const { page, tree } = await open()
  await tree
    .getByRole('treeitem', { name: /, tenant, / })
    .first()
    .waitFor()
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('*')
  await expect
    .poll(() => tree.locator('[aria-level="2"][aria-expanded="false"]').count())
    .toBeLessThan(reference.world.tenants().length)
  await tree.locator('[aria-level="3"]').first().waitFor()
  const name = (await tree.locator('[aria-level="3"]').nth(2).innerText()).trim().split('\n')[0] ?? ''
  await page.keyboard.type(name.slice(0, 6).toLowerCase())
  await expect
    .poll(() => tree.locator('[data-active="true"]').innerText())
    .toMatch(new RegExp(`^\\s*${name.slice(0, 6)}`, 'iu'))
})
