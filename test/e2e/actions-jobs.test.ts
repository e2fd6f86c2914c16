import { expectNoViolations } from '../support/accessibility.ts'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { arm, askOfRow, confirmArming, lockOf, openLocked, showJob } from '../support/actions-window.ts'
import { focused, partsOf, shows, tabTo } from '../support/page-parts.ts'
import { savedBy, serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, {
    devices: 25,
    tenants: 1,
    reboots: { seconds: [1, 2] },
  }))
})

const names = () =>
  reference.world
    .devices()
    .map(({ name }) => name)
    .toSorted()

async function selectAll(page: Page): Promise<void> {
  const { table, rows } = partsOf(page)
  await rows.first().click()
  await table.focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('region', { name: 'Selected devices' }).waitFor()
}

test('25 devices are renamed by a pattern after the number is typed, and undone from the history', async () => {
  const before = names()
  const page = await openLocked(windows, served)
  await arm(page)
  await selectAll(page)
  await page.getByRole('region', { name: 'Selected devices' }).getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const sheet = page.getByRole('dialog', { name: /^Rename 25 devices/u })
  await sheet.getByRole('textbox', { name: 'Pattern of the new names' }).fill('Studio {n:2}')
  await sheet.getByRole('cell', { name: 'Studio 01', exact: true }).waitFor()
  const start = sheet.getByRole('button', { name: 'Rename 25 devices' })
  expect(await start.isDisabled()).toBe(true)
  await sheet.getByRole('textbox', { name: 'Type 25 to confirm' }).fill('25')
  await start.click()
  const detail = await showJob(page)
  await shows(detail.getByRole('status'), /^Finished at/u)
  expect(names()).toEqual(Array.from({ length: 25 }, (_, index) => `Studio ${String(index + 1).padStart(2, '0')}`))
  await detail.getByRole('button', { name: 'Undo…' }).click()
  const undo = page.getByRole('dialog', { name: 'Undo: rename 25 devices' })
  await undo.getByRole('textbox', { name: 'Type 25 to confirm' }).fill('25')
  await undo.getByRole('button', { name: /25 devices$/u }).click()
  await expect.poll(names, { timeout: 30_000 }).toEqual(before)
  const history = page.getByRole('listbox', { name: 'Actions' })
  await shows(history.getByRole('option').first(), /^Undo: rename 25 devices .*Finished: 25 done/u)
  await page.getByRole('searchbox', { name: 'Search actions' }).fill('no device is called so')
  await page.getByText('No matches.').waitFor()
})

test('a device is rebooted by keys alone, from the lock to its outcome', async () => {
  const page = await openLocked(windows, served)
  const { choice, rows, table } = partsOf(page)
  await choice('Online').click()
  await expect.poll(() => rows.first().getByRole('gridcell').first().innerText()).toBe('online')
  await table.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect.poll(() => focused(page)).not.toBe('')
  await page.keyboard.type('Reb')
  await expect.poll(() => focused(page)).toBe('Reboot…')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /^Reboot 1 device/u }).waitFor()
  await tabTo(page, 'Arm…')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Arm for/u)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^(?:Reboot 1 device)$/u }).waitFor()
  await tabTo(page, 'Reboot 1 device')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show', exact: true }).focus()
  await page.keyboard.press('Enter')
  const detail = page.getByRole('region', { name: 'Action', exact: true })
  await detail.getByText(/^Rebooted/u).waitFor({ timeout: 60_000 })
})

test('a locked tenant greys the start, and actions that are off grey the menu with the reason', async () => {
  const page = await openLocked(windows, served)
  await askOfRow(page, 'Reboot…')
  const sheet = page.getByRole('dialog', { name: /^Reboot 1 device/u })
  await sheet.getByText('Its tenant is read-only').first().waitFor()
  expect(await sheet.getByRole('button', { name: 'Reboot', exact: true }).isDisabled()).toBe(true)
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await served.muster.call('settings.change', { actions: false })
  await partsOf(page).table.focus()
  await page.keyboard.press('Shift+F10')
  const reboot = page.getByRole('menuitem', { name: /^Reboot…/u })
  await shows(reboot, /Actions are turned off in the settings\./u)
  expect(await reboot.getAttribute('aria-disabled')).toBe('true')
  await served.muster.call('settings.change', { actions: true })
})

test('a room is created from its tenant’s line, at the service', async () => {
  const page = await openLocked(windows, served)
  await arm(page)
  await partsOf(page)
    .node(/, tenant, /u)
    .first()
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New room…' }).click()
  const form = page.getByRole('dialog', { name: 'New room' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Aurora 7')
  await form.getByRole('combobox', { name: 'Site' }).press('ArrowDown')
  await page.getByRole('option').nth(1).click()
  await form.getByRole('textbox', { name: 'Capacity' }).fill('12')
  await form.getByRole('button', { name: 'Save' }).click()
  const detail = await showJob(page)
  await shows(detail.getByRole('heading', { level: 2 }), 'Create the room “Aurora 7”')
  await shows(detail.getByRole('status'), /^Finished at/u)
  const { world } = reference
  const rooms = world.tenants().flatMap(({ id }) => world.sites(id).flatMap((site) => world.rooms(site.id)))
  expect(rooms.find(({ name }) => name === 'Aurora 7')).toMatchObject({ capacity: 12 })
})

test('the history is exported as CSV', async () => {
  const page = await openLocked(windows, served)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Export the history' }).click())
  expect(name).toMatch(/actions.*\.csv$/u)
  expect(text.split('\n')[0]).toMatch(/,/u)
})

/** Nothing of the dialog or the screen stands beyond the window's edge. */
async function expectFits(page: Page, view: string): Promise<void> {
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('#actions *, [role=dialog] *, [role=alertdialog] *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .map(({ className }) => String(className)),
  )
  expect(wide, view).toEqual([])
}

test.each([
  { viewport: { width: 1024, height: 700 }, deviceScaleFactor: 1, colorScheme: 'light' },
  { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, colorScheme: 'dark' },
] as const)('lock, sheet and history are accessible and fit: $viewport.width, $colorScheme', async (options) => {
  const page = await openLocked(windows, served, options)
  const look = async (view: string) => {
    await expectNoViolations(page, view)
    await expectFits(page, view)
  }
  await lockOf(page).click()
  await page.getByRole('button', { name: /^Arm /u }).first().waitFor()
  await look('the lock')
  await page.getByRole('button', { name: /^Arm /u }).first().click()
  await page.getByRole('alertdialog').waitFor()
  await look('the arming')
  await confirmArming(page)
  await askOfRow(page, 'Reboot…')
  await page.getByRole('dialog').getByText('Reboot ends all calls at once.').waitFor()
  await page.getByText('At a time').click()
  await look('the sheet')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Actions', exact: true }).first().click()
  await page.getByRole('listbox', { name: 'Actions' }).getByRole('option').first().click()
  await page.getByRole('region', { name: 'Action', exact: true }).getByRole('cell').first().waitFor()
  await look('the history')
})
