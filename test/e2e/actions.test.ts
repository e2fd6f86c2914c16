import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { arm, askOfRow, confirmArming, lockOf, openLocked, showJob } from '../support/actions-window.ts'
import { shows, tabTo } from '../support/page-parts.ts'
import { serveFleet, useWindows, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 40, tenants: 1, reboots: { seconds: [1, 2] } }))
})

const open = () => openLocked(windows, served)

test('the window is read-only until a tenant is armed, with a countdown, and is locked again', async () => {
  const page = await open()
  await arm(page)
  await shows(lockOf(page), /^Armed: .+ (?:1[45]|[45]):\d\d$/u)
  expect((await served.muster.call('actions.state', {})).tenants.map(({ armedUntil }) => armedUntil)).not.toContain(
    null,
  )
  await lockOf(page).click()
  await page.getByRole('button', { name: /^Lock /u }).click()
  await page.getByRole('button', { name: /^Read-only/u }).waitFor()
})

test('arming is asked by keys alone, and Enter at once leaves the tenant read-only', async () => {
  const page = await open()
  await page.getByRole('button', { name: /^List of keys/u }).focus()
  for (let step = 0; step < 6 && !(await lockOf(page).evaluate((each) => each === document.activeElement)); step += 1)
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Arm /u)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Read-only/u }).waitFor()
})

test('a device is rebooted from its row, after its sheet, and its outcome is shown', async () => {
  const page = await open()
  const name = await askOfRow(page, 'Reboot…')
  const sheet = page.getByRole('dialog', { name: /^Reboot 1 device/u })
  await sheet.getByText('Its tenant is read-only').first().waitFor()
  await sheet.getByRole('button', { name: 'Arm…' }).click()
  await confirmArming(page)
  await sheet.getByText('Reboot ends all calls at once.').waitFor()
  const include = sheet.getByRole('checkbox', { name: /in a call/u })
  if ((await include.count()) > 0) await include.check()
  await sheet.getByRole('button', { name: 'Reboot 1 device' }).click()
  const detail = await showJob(page)
  await detail.getByRole('cell', { name }).waitFor()
  await detail.getByText(/^Rebooted/u).waitFor({ timeout: 60_000 })
  await shows(detail.getByRole('status'), /^Finished at/u)
})

test('a device is renamed at the service, with the new name shown before', async () => {
  const page = await open()
  await arm(page)
  const name = await askOfRow(page, 'Rename…')
  const device = reference.world.find((each) => each.name === name)
  const sheet = page.getByRole('dialog', { name: /^Rename/u })
  await sheet.getByRole('textbox', { name: 'New name' }).fill('{name} east')
  await sheet.getByRole('cell', { name: `${name} east` }).waitFor()
  await sheet.getByRole('button', { name: 'Rename 1 device' }).click()
  await expect.poll(() => reference.world.find(({ id }) => id === device.id).name).toBe(`${name} east`)
})
