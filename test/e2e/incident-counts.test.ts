import { expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { screenOf } from '../support/incident-screen.ts'
import { readFleet, serve, useWindows } from '../support/window.ts'
import { partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()

/** So many sites of four devices each: one of them down is no site that is down. Answers the first device of each site. */
function addSites({ world }: Service, tenantId: string, name: string, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const site = world.addSite(tenantId, `${name} ${at + 1}`)
    const [first] = Array.from({ length: 4 }, (_each, number) =>
      world.addDevice({ tenantId, siteId: site.id, roomId: null, name: `${name}-${at + 1}-${number + 1}` }),
    )
    if (first === undefined) throw new Error('there is no device')
    return { id: first.id, name: first.name, site: site.name }
  })
}

test('an incident per tenant has one count everywhere, and is minor with 1 of 55 still down', async () => {
  const reference = await service(windows.leftovers, { devices: 8, tenants: 2 })
  const { world } = reference
  const [acme, beta] = world.tenants()
  if (acme === undefined || beta === undefined) throw new Error('there are not two tenants')
  const many = addSites(reference, acme.id, 'Atlas', 55)
  const few = addSites(reference, beta.id, 'Borealis', 12).slice(0, 5)
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 1 })
  await readFleet(served.muster, reference)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { rail, list, rows, pane } = screenOf(page)
  await rail.click()
  await page.getByText('No open incidents.').waitFor()
  for (const { id } of [...many, ...few]) world.setConnected(id, false)

  for (const { tenant, devices } of [
    { tenant: acme, devices: many },
    { tenant: beta, devices: few },
  ]) {
    const row = rows.filter({ hasText: tenant.name })
    await shows(row.getByRole('gridcell', { name: /down/u }), `${devices.length} down`, 40_000)
    await shows(row, new RegExp(`^M(ajor|inor) .*${devices.length} devices offline`, 'u'))
    await row.click()
    await shows(pane.getByRole('heading', { level: 2 }), new RegExp(`^${devices.length} devices offline`, 'u'))
    await shows(pane.getByRole('definition').nth(1), `${devices.length} down`)
    await pane.getByRole('heading', { name: `Devices: ${devices.length} down`, exact: true }).waitFor()
    // Each with its tenant and its own site, and none of the other tenant.
    const lines = pane.getByRole('list', { name: 'Devices of the incident' }).getByRole('listitem')
    await expect.poll(() => lines.count()).toBe(Math.min(25, devices.length))
    const sites = new Map(devices.map(({ name, site }) => [name, site]))
    for (const text of await lines.allInnerTexts()) {
      const name = text.split('\n', 1)[0] ?? ''
      expect(text).toContain(`${tenant.name} · ${sites.get(name)}`)
    }
  }
  expect(await list.getAttribute('aria-rowcount')).toBe('3')

  const [left, ...back] = many
  for (const { id } of back) world.setConnected(id, true)
  const row = rows.filter({ hasText: acme.name })
  await shows(row, /^Minor /u, 40_000)
  await shows(row.getByRole('gridcell', { name: /down/u }), '1 down peak 55')
  await row.click()
  await shows(pane.getByRole('heading', { name: /^Devices: / }), 'Devices: 1 down, 54 recovered')
  await shows(pane.getByRole('definition').nth(1), '1 down, peak 55')
  await pane
    .getByRole('listitem')
    .filter({ hasText: left?.name ?? '' })
    .first()
    .waitFor()
})

test('a device offline before Muster watched shows since when the service reports it so', async () => {
  let ago = 5 * 3_600_000
  const reference = await service(windows.leftovers, { devices: 40, tenants: 1, now: () => Date.now() - ago })
  const device = reference.world.find(({ connected }) => connected === true)
  reference.world.setConnected(device.id, false)
  ago = 0
  const at = reference.world.device(device.id)?.lastDetected ?? ''
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(served.muster, reference)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { row, detail } = partsOf(page)
  await row(device.name).click()
  const strip = detail.getByRole('listbox', { name: /over the last 24 hours/u })
  await expect
    .poll(() => strip.getAttribute('aria-label'))
    .toMatch(
      /^1 device over the last 24 hours: .*, reported offline 20(\.\d)?\u00A0%, no data 79(\.\d)?\u00A0%; 0 disconnects\.$/u,
    )
  const note = detail.getByText(/^Offline since .* \(as the service reports\)$/u)
  await note.waitFor()
  const datetime = await note.getByRole('time').getAttribute('datetime')
  expect(Math.abs(Date.parse(datetime ?? '') - Date.parse(at))).toBeLessThan(1_000)
  await detail.getByText(/^Reported offline 20(\.\d)?\u00A0%$/u).waitFor()
  // By keys it is a stretch of its own, which is not called down.
  await strip.focus()
  await page.keyboard.press('End')
  await expect
    .poll(() => strip.getByRole('option', { selected: true }).getAttribute('aria-label'))
    .toMatch(/reported offline/iu)
})
