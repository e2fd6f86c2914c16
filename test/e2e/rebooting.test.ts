import { test } from 'vitest'
import { arm, askOfRow, openLocked } from '../support/actions-window.ts'
import { partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows } from '../support/window.ts'

const windows = useWindows()

test('a device that reboots says until when it is expected back, with its action', async () => {
  const { reference, served } = await serveFleet(windows.shared, { devices: 20, tenants: 1, life: false })
  const page = await openLocked(windows, served)
  await arm(page)
  const name = await askOfRow(page, 'Reboot…')
  const device = reference.world.find((each) => each.name === name)
  reference.setRebootOutcome(device.id, 'lost')
  const sheet = page.getByRole('dialog', { name: /^Reboot 1 device/u })
  const include = sheet.getByRole('checkbox', { name: /in a call/u })
  await sheet.getByText(/^(?:1 device ready|0 of 1 device ready)/u).waitFor()
  if ((await include.count()) > 0) await include.check()
  await sheet.getByRole('button', { name: 'Reboot 1 device' }).click()
  const { detail } = partsOf(page)
  await detail.getByText(/^Rebooting, expected back by (?:\d+ \w+ )?\d\d:\d\d\./u).waitFor({ timeout: 30_000 })
  await detail.getByRole('button', { name: `Reboot ${name}`, exact: true }).click()
  const action = page.getByRole('region', { name: 'Action', exact: true })
  await shows(action.getByRole('heading', { level: 2 }), `Reboot ${name}`)
  // The window survives that the shown action is left.
  await page.getByRole('button', { name: 'Inventory', exact: true }).click()
  await partsOf(page).rows.first().waitFor()
})
