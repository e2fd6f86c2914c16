import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { armAll, askOfFiltered, jobParts, openLocked, rebootsSent, showJob } from '../support/actions-window.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, {
    devices: 40,
    tenants: 1,
    reboots: { seconds: [1, 2] },
  }))
})

/** Forty reboots, or four dialogs under axe, on a machine that others use too. */
const long = { timeout: 120_000 }

const online = () => reference.world.devices().filter(({ connected }) => connected === true)
const inCall = () => online().filter(({ callStatus }) => callStatus === 'IN_CALL')

/** Asks to reboot the whole fleet. Returns the sheet. */
async function askOfAll(page: Page) {
  const total = reference.world.devices().length
  return askOfFiltered(page, { filter: '', count: total, action: 'Reboot…' })
}

test('more than 20 devices: the number is typed, and those in a call are left out unless chosen', long, async () => {
  const page = await openLocked(windows, served)
  await armAll(served.muster)
  const calls = inCall().map(({ id }) => id)
  const free = online().length - calls.length
  expect([calls.length > 0, free > 20]).toEqual([true, true])
  const sheet = await askOfAll(page)
  await shows(sheet.getByRole('list', { name: 'Left out' }), new RegExp(`${calls.length} left out: in a call`, 'u'))
  const start = sheet.getByRole('button', { name: `Reboot ${free} devices` })
  const confirm = sheet.getByRole('textbox', { name: `Type ${free} to confirm` })
  expect(await start.isDisabled()).toBe(true)
  await confirm.fill(String(free - 1))
  expect(await start.isDisabled()).toBe(true)
  await confirm.fill(String(free))
  await expect.poll(() => start.isDisabled()).toBe(false)
  await start.click()
  await showJob(page)
  const { state, detail } = jobParts(page)
  await shows(state, /^Finished at /u, 60_000)
  expect(rebootsSent(reference)).toBe(free)
  expect(inCall().map(({ id }) => id)).toEqual(calls)
  await detail.getByRole('cell', { name: 'Not sent: in a call.' }).first().waitFor()

  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Inventory' }).click()
  await armAll(served.muster)
  const again = await askOfAll(page)
  await again.getByRole('checkbox', { name: `Include ${calls.length} devices in a call, and end their calls` }).check()
  await again.getByRole('textbox', { name: /^Type \d+ to confirm$/u }).fill(String(free))
  await again.getByRole('button', { name: `Reboot ${free + calls.length} devices` }).click()
  await expect.poll(() => inCall(), { timeout: 30_000 }).toEqual([])
  // The next test reboots the same devices.
  const open = async () =>
    (await served.muster.call('actions.state', {})).jobs.filter(({ endedAt }) => endedAt === null)
  await expect.poll(open, { timeout: 60_000 }).toEqual([])
})

test.each([
  { viewport: { width: 1024, height: 700 }, deviceScaleFactor: 1, colorScheme: 'light' },
  { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, colorScheme: 'dark' },
] as const)('sheets and forms of actions are accessible: $viewport.width, $colorScheme', long, async (options) => {
  const page = await openLocked(windows, served, options)
  await armAll(served.muster)
  const { table } = partsOf(page)
  const dialog = page.getByRole('dialog')
  // The page under the dialog is looked at by other tests.
  const look = (view: string) => expectNoViolations(page, view, '[role=dialog]')
  const closed = async () => {
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const reboot = await askOfAll(page)
  await reboot.getByRole('textbox', { name: /^Type \d+ to confirm$/u }).waitFor()
  await reboot.getByText('In batches').click()
  await reboot.getByRole('textbox', { name: /^Batches of/u }).fill('none')
  await reboot.getByText('Enter a whole number from 1 to 5,000.').waitFor()
  await reboot.getByRole('cell').first().waitFor()
  await look('the sheet of a reboot')
  await closed()
  await table.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  await dialog.getByRole('combobox', { name: 'Site' }).press('ArrowDown')
  await page.getByRole('listbox', { name: /Site/u }).getByRole('option').first().click()
  await dialog.getByRole('combobox', { name: 'Room' }).waitFor()
  await dialog.getByRole('cell').first().waitFor()
  await look('the sheet of a move')
  await closed()
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('button', { name: /^Actions/u })
    .click()
  await page.getByRole('button', { name: 'Change devices from CSV…' }).click()
  await dialog.getByRole('textbox', { name: 'Paste the lines here' }).waitFor()
  await look('the source of a CSV file')
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  const buffer = Buffer.from('id,name,colour\nnobody,Some name,red\n')
  await (await chooser).setFiles({ name: 'changes.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('cell').first().waitFor()
  await look('the sheet of a CSV file')
  await closed()
})
