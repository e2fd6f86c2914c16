import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { deviceNode } from '../../src-main/inventory/keys.ts'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { allByName } from '../support/fleet.ts'
import { columnOf, focused, partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 300, tenants: 2, life: false }))
})

const open = (options: OpenOptions = {}) => windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Note on / })
const field = (page: Page, name: string) => dialogOf(page).getByRole('textbox', { name, exact: true })

test('a note is written from the detail by keys, shown, found by the filter, and undone', async () => {
  const device = reference.world.find(({ site, room }) => site !== null && room !== null)
  const page = await open()
  const { choice, filter, row, rows, detail } = partsOf(page)
  await choice('All').click()
  await filter.fill(device.id)
  await row(device.name).click()
  await detail.getByRole('button', { name: 'Add a note or tags…' }).press('Enter')
  await expect.poll(() => focused(page)).toBe('Note')
  await page.keyboard.type('Key is at the reception <b>x</b>')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Jane, +49 30 1234')
  await page.keyboard.press('Tab')
  await page.keyboard.type('loan, VIP , vip')
  await expectNoViolations(page, 'the dialog of a note')
  await page.keyboard.press('Enter')
  const part = detail.getByRole('region', { name: 'Note and tags' })
  await shows(
    part,
    /^Note and tags loan VIP Jane, \+49 30 1234 Key is at the reception <b>x<\/b> Written just now Edit the note…$/u,
  )
  await shows(page.getByRole('status').filter({ hasText: 'Saved the note on' }), /Undo$/u)
  await filter.fill('tag:loan note~reception')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await part.getByText('No note and no tags.').waitFor()
  await filter.fill('tag:loan')
  await expect.poll(() => rows.count()).toBe(0)
  // A second time, because the message with Undo is there for seconds only.
  const of = { query: { ...allByName, filter: device.id }, offset: 0, limit: 1 }
  const node = deviceNode((await served.muster.call('inventory.rows', of)).rows[0]?.key ?? '')
  await served.muster.call('notes.save', { node, text: '', contact: 'Jane, +49 30 1234', tags: [] })
  await filter.fill('1234')
  await row(device.name).waitFor()
  await part.getByText('Jane, +49 30 1234').waitFor()
  await expectNoViolations(page, 'a detail with a note')
  await served.muster.call('notes.save', { node, text: '', contact: '', tags: [] })
})

test('what is set on a tenant holds for its devices: tags, contact, column and page', async () => {
  const [tenant] = reference.world.tenants()
  const page = await open()
  const { choice, filter, table, tree, detail, rows } = partsOf(page)
  await choice('All').click()
  await tree
    .getByText(tenant?.name ?? '')
    .first()
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Note and tags…' }).click()
  await field(page, 'Contact').fill('Facility desk')
  await dialogOf(page)
    .getByRole('group', { name: 'Tags to choose from' })
    .getByRole('button', { name: 'stock' })
    .click()
  await expect.poll(() => focused(page)).toBe('Tags')
  await page.keyboard.type(', Berlin-VIP')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  await filter.fill('tag:berlin-vip')
  const count = reference.world.devices().filter(({ tenantId }) => tenantId === tenant?.id).length
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(count + 1))
  await served.muster.call('settings.change', {
    columns: [
      { id: 'name', width: null },
      { id: 'tags', width: null },
    ],
  })
  await expect.poll(async () => (await columnOf(page, 'Tags')).at(0)).toBe('stock, Berlin-VIP')
  await rows.first().click()
  const above = /No note and no tags\. Add a note or tags… From tenant .* stock Berlin-VIP Facility desk/u
  await shows(detail.getByRole('region', { name: 'Note and tags' }), above)
  await tree
    .getByText(tenant?.name ?? '')
    .first()
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show its page' }).click()
  const panel = page.getByRole('region', { name: 'Note and contact' })
  await shows(panel, /^Note and contact stock Berlin-VIP Facility desk Written .* Edit the note…$/u)
  await expectNoViolations(page, 'the page of a tenant with a note')
})

test('a dialog with something new in it asks before it is left, and a long tag is rejected', async () => {
  const page = await open()
  const { choice, filter, row } = partsOf(page)
  const device = reference.world.devices().at(-1)
  await choice('All').click()
  await filter.fill(device?.id ?? '')
  await row(device?.name ?? '').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Note and tags…' }).click()
  await field(page, 'Tags').fill('x'.repeat(41))
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await shows(dialogOf(page).getByRole('alert').first(), /^A tag has at most 40 characters/u)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).press('Enter')
  await field(page, 'Tags').fill('')
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
})

test('the selected devices get and lose tags together, by the keys, and Undo puts them back', async () => {
  const page = await open()
  const { choice, filter, rows, table } = partsOf(page)
  await choice('All').click()
  await filter.fill('')
  await rows.first().click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('region', { name: 'Selected devices' })
  await bar.getByText('3 devices selected').waitFor()
  await bar.getByRole('button', { name: 'Tags…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Tags of 3 devices' })
  await expect.poll(() => focused(page)).toBe('Add tags')
  await page.keyboard.type('roll-out 7, Audit')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await shows(page.getByRole('status').filter({ hasText: 'Changed the tags of 3 devices' }), /Undo$/u)
  await filter.fill('tag:"roll-out 7"')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4')
  await rows.first().click()
  await page.keyboard.press('Control+a')
  await rows.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Tags…', exact: true }).click()
  await dialog.getByRole('checkbox', { name: 'Audit on 3 devices' }).check()
  await expectNoViolations(page, 'the dialog of tags')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await filter.fill('tag:audit')
  await expect.poll(() => rows.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('4')
})
