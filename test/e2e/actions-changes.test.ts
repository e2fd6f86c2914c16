import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { arm, armAll, askOfFiltered, jobParts, openLocked, showJob } from '../support/actions-window.ts'
import { focused, partsOf, shows, tabTo } from '../support/page-parts.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

/** A site "Harbour" with a room "Pier", in which one device stands, in the last account, and a site "Depot" with twelve devices in no room. */
beforeAll(async () => {
  ;({ reference, served } = await serveFleet(
    windows.shared,
    { devices: 20, tenants: 1, emptyPlaces: true },
    {
      prepare(world) {
        const tenantId = world.tenants()[0]?.id ?? ''
        const siteId = world.addSite(tenantId, 'Harbour', world.accounts(tenantId).at(-1)?.id).id
        const facts = { floor: '1', capacity: 4, size: 'SMALL' } as const
        const roomId = world.addRoom({ name: 'Pier', siteId, ...facts }).id
        world.addDevice({ tenantId, siteId, roomId, name: 'Anchor', connected: true })
        const depot = world.addSite(tenantId, 'Depot').id
        for (let at = 10; at < 22; at += 1)
          world.addDevice({ tenantId, siteId: depot, roomId: null, name: `Crate ${at}`, connected: true })
      },
    },
  ))
})

const called = (name: string) => reference.world.find((each) => each.name === name)
const placeOf = (name: string) => [called(name).site?.name ?? null, called(name).room?.name ?? null]
const allSites = () => reference.world.tenants().flatMap(({ id }) => reference.world.sites(id))
const siteCalled = (name: string) => allSites().find((site) => site.name === name)

/** Opens the window with the tenant and its accounts expanded in the tree. */
async function openExpanded(): Promise<Page> {
  const page = await openLocked(windows, served)
  const { node } = partsOf(page)
  const accounts = reference.world.tenants().flatMap(({ id }) => reference.world.accounts(id))
  const filled = accounts.filter(({ id }) => allSites().some(({ accountId }) => accountId === id))
  for (const name of [/, tenant, /u, ...filled.map((each) => new RegExp(`^${each.name}, account`, 'u'))])
    await node(name).first().locator('svg').first().click()
  return page
}

/** Types into the combo box with the focus, which has this label, and takes what it finds. */
async function take(page: Page, label: string, name: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  const list = page.getByRole('listbox', { name: new RegExp(label, 'u') })
  await shows(list.getByRole('option').first(), name)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
}

test('two devices move by keys alone: they stand in the new place, and an undo brings them back', async () => {
  const page = await openExpanded()
  await armAll(served.muster)
  const { filter, table, row, node } = partsOf(page)
  await filter.fill('Crate')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('13')
  await table.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await shows(page.getByRole('region', { name: 'Selected devices' }).locator('strong').first(), /^2 devices/u)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move…' }).waitFor()
  await page.keyboard.type('Mov')
  await expect.poll(() => focused(page)).toBe('Move…')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Move 2 devices' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Site')
  await take(page, 'Site', 'Harbour')
  await tabTo(page, 'Room')
  await take(page, 'Room', 'Pier')
  await expect.poll(() => page.getByRole('button', { name: 'Move 2 devices', exact: true }).isEnabled()).toBe(true)
  await tabTo(page, 'Move 2 devices')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  for (const name of ['Crate 10', 'Crate 11']) {
    await expect.poll(() => placeOf(name)).toEqual(['Harbour', 'Pier'])
    await row(name).getByRole('gridcell', { name: 'Harbour', exact: true }).waitFor()
  }
  await node(/^Harbour, site, 3 devices/u).waitFor()
  await node(/^Depot, site, 10 devices/u).waitFor()

  await page.getByRole('button', { name: 'Show', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo…' }).focus()
  await page.keyboard.press('Enter')
  const undo = page.getByRole('dialog', { name: 'Undo: move 2 devices' })
  await expect.poll(() => undo.getByRole('button', { name: 'Move 2 devices' }).isEnabled()).toBe(true)
  await tabTo(page, 'Move 2 devices')
  await page.keyboard.press('Enter')
  await undo.waitFor({ state: 'detached' })
  for (const name of ['Crate 10', 'Crate 11']) await expect.poll(() => placeOf(name)).toEqual(['Depot', null])
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
  await node(/^Depot, site, 12 devices/u).waitFor()
  await row('Crate 10').getByRole('gridcell', { name: 'Depot', exact: true }).waitFor()
})

test('a CSV file of changes has a word for each line, and what is valid is done', async () => {
  const page = await openLocked(windows, served)
  await armAll(served.muster)
  const [one, two, three, four, five] = [12, 13, 14, 15, 16].map((at) => called(`Crate ${at}`).id)
  const lines = [
    'id,name,site,room',
    `${one},Barrel 12,,`,
    `${two},,Harbour,`,
    `${three},Barrel 14,Harbour,Pier`,
    'no-such-device,Barrel 99,,',
    `${one},Barrel 77,,`,
    `${four},${'x'.repeat(10_000)},,`,
    `${five},,Atlantis,`,
  ]
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('button', { name: /^Actions/u })
    .click()
  await page.getByRole('button', { name: 'Change devices from CSV…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change devices from a CSV file' })
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  const buffer = Buffer.from(lines.join('\n'))
  await (await chooser).setFiles({ name: 'changes.csv', mimeType: 'text/csv', buffer })
  const verdictOf = (line: number) =>
    dialog
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: String(line), exact: true }) })
      .getByRole('cell')
      .last()
  await shows(dialog.getByRole('status'), /^3 of 7 devices ready\./u)
  await shows(verdictOf(5), 'Left out: no such device')
  await shows(verdictOf(6), 'Left out: named by an earlier line')
  await shows(verdictOf(7), 'Left out: the new name is too long')
  await shows(verdictOf(8), 'Left out: no such site or room')
  for (const line of [2, 3, 4]) await shows(verdictOf(line), 'Ready')
  // The longest name makes nothing wider than the window.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440)
  await dialog.getByRole('button', { name: 'Change 3 devices' }).click()
  await showJob(page)
  const { state, outcomeOf } = jobParts(page)
  await shows(state, /^Finished at /u)
  await shows(outcomeOf('Crate 15'), 'Not sent: the new name is too long.')
  await shows(outcomeOf('Crate 16'), 'Not sent: no such site or room.')
  expect(reference.world.device(one ?? '')?.name).toBe('Barrel 12')
  expect(placeOf('Crate 13')).toEqual(['Harbour', null])
  expect(placeOf('Barrel 14')).toEqual(['Harbour', 'Pier'])
  expect(placeOf('Crate 16')).toEqual(['Depot', null])
  expect(called('Crate 15').id).toBe(four)
})

test('a site and a room are edited from their lines of the tree, and a room is created in a site', async () => {
  const page = await openExpanded()
  await arm(page)
  const { node, tree } = partsOf(page)
  const ask = async (line: RegExp, item: string) => {
    await node(line).click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    return page.getByRole('dialog', { name: item === 'New room…' ? 'New room' : item.replace('…', '') })
  }
  const save = async (form: ReturnType<Page['getByRole']>) => {
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
  }
  const site = await ask(/^Harbour, site/u, 'Edit the site…')
  await site.getByRole('textbox', { name: 'Name' }).fill('Marina')
  await save(site)
  await node(/^Marina, site/u).waitFor()
  expect(siteCalled('Marina')).toBeDefined()

  await node(/^Marina, site/u)
    .locator('svg')
    .first()
    .click()
  const room = await ask(/^Pier, room/u, 'Edit the room…')
  expect(await room.getByRole('textbox', { name: 'Capacity' }).inputValue()).toBe('4')
  await room.getByRole('textbox', { name: 'Name' }).fill('Long Pier')
  await room.getByRole('textbox', { name: 'Capacity' }).fill('40')
  await save(room)
  await tree.getByRole('treeitem', { name: /^Long Pier, room, .*Capacity 40/u }).waitFor()
  const created = await ask(/^Marina, site/u, 'New room…')
  await created.getByRole('textbox', { name: 'Name' }).fill('Lighthouse')
  await created.getByRole('textbox', { name: 'Floor' }).fill('9')
  await save(created)
  const rooms = () => reference.world.rooms(siteCalled('Marina')?.id ?? '')
  await expect
    .poll(() => rooms().map(({ name, capacity, floor }) => [name, capacity, floor]))
    .toEqual(
      expect.arrayContaining([
        ['Long Pier', 40, '1'],
        ['Lighthouse', null, '9'],
      ]),
    )
})

test('a site is created in the account that is chosen', async () => {
  const page = await openLocked(windows, served)
  await arm(page)
  const { node } = partsOf(page)
  const [tenant] = reference.world.tenants()
  const account = reference.world.accounts(tenant?.id ?? '').at(-1)
  expect(account).toBeDefined()
  await node(/, tenant, /u)
    .first()
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New site…' }).click()
  const form = page.getByRole('dialog', { name: 'New site' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Observatory')
  await form.getByRole('combobox', { name: 'Account' }).focus()
  await take(page, 'Account', account?.name ?? '')
  await form.getByRole('button', { name: 'Save' }).click()
  const detail = await showJob(page)
  await shows(detail.getByRole('heading', { level: 2 }), 'Create the site “Observatory”')
  await shows(jobParts(page).state, /^Finished at /u)
  expect(siteCalled('Observatory')?.accountId).toBe(account?.id)
})

test('devices of a filter can be moved where they are of one tenant, and not where of several', async () => {
  const two = await serveFleet(windows.leftovers, { devices: 30, tenants: 2 })
  const page = await openLocked(windows, two.served)
  await armAll(two.served.muster)
  const [first] = two.reference.world.tenants()
  const count = two.reference.world.devices().filter(({ tenantId }) => tenantId === first?.id).length
  const ask = (filter: string, of: number) => askOfFiltered(page, { filter, count: of, action: 'Move…' })
  const all = await ask('', 30)
  await all.getByText('These devices belong to several tenants.').waitFor()
  await all.getByRole('button', { name: 'Cancel' }).click()
  const some = await ask(`tenant:"${first?.name}"`, count)
  await some.getByRole('combobox', { name: 'Site' }).fill(two.reference.world.sites(first?.id ?? '')[0]?.name ?? '')
  await page.getByRole('option').first().waitFor()
})
