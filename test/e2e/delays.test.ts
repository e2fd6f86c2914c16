import { expect, test } from 'vitest'
import { partsOf, shows } from '../support/page-parts.ts'
import { serveFleet, useWindows } from '../support/window.ts'

const windows = useWindows()

test('a device that drops is counted down to its incident in its row and detail, and back again', async () => {
  const { reference, served } = await serveFleet(windows.leftovers, { devices: 40, tenants: 1 })
  const { muster } = served
  await muster.call('settings.change', { holdOffSeconds: 8, recoverySeconds: 8, groupingSeconds: 0 })
  const page = await windows.open(served.server.newUrl(), { log: muster.log })
  const device = reference.world.devices().find(({ connected }) => connected === true)
  if (device === undefined) throw new Error('no device is online')
  await partsOf(page).rows.first().waitFor()
  await partsOf(page).filter.fill(`id:${device.id}`)
  const row = partsOf(page).rows.first()
  await shows(row, /^online/u)
  await expect.poll(() => partsOf(page).rows.count()).toBe(1)
  reference.world.setConnected(device.id, false)
  await shows(row, /^offline.*incident in \d+ s/u)
  await row.click()
  const detail = page.getByRole('region', { name: 'Device', exact: true })
  await shows(detail, /incident in \d+ s/u)
  await expect.poll(async () => /incident in/u.test(await detail.innerText()), { timeout: 40_000 }).toBe(false)
  await expect
    .poll(async () => (await muster.call('app.state', {})).incidents.worst.length, { timeout: 20_000 })
    .toBe(1)
  reference.world.setConnected(device.id, true)
  await shows(row, /^online.*recovered in \d+ s/u)
  await shows(detail, /recovered in \d+ s/u)
  await expect.poll(async () => /recovered in/u.test(await row.innerText()), { timeout: 40_000 }).toBe(false)
})
