import { expect, test } from 'vitest'
import { service, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, useWindows } from '../support/window.ts'
import { partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
const apart = 'This computer’s clock is 10 minutes ahead of the service’s.'

test('a service clock that is ten minutes off is reported with the difference', async () => {
  const reference = await service(windows.leftovers, { devices: 40, tenants: 1 })
  reference.misfortune.skewClock(-600_000)
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status, rows, detail } = partsOf(page)
  await rows.first().click()
  const note = detail.getByRole('note', { name: 'Clocks differ' })
  await shows(note, `${apart} Last seen and Last config check-in are by the service’s clock.`)

  await status.getByRole('button', { name: /^Status: / }).click()
  const line = page.getByRole('dialog').getByRole('listitem')
  await shows(line, /^Acme .*This computer’s clock and the service’s clock differ\./u)
  await line.getByRole('button').click()
  await shows(page.getByRole('list', { name: 'Errors' }).getByRole('listitem'), new RegExp(apart, 'u'))
})

test('a service whose clock is right is not mentioned', async () => {
  const reference = await service(windows.leftovers, { devices: 40, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { rows, detail } = partsOf(page)
  await rows.first().click()
  await detail.getByRole('heading', { level: 2 }).waitFor()
  await detail.getByText(/^Last update/u).waitFor()
  expect(await detail.getByRole('note').count()).toBe(0)
  expect(await page.getByText(/clock differ/u).count()).toBe(0)
})
