import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { FoundPlace } from '../../src-shared/contract/contract.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { focused } from '../support/page-parts.ts'
import { readFleet, serve, type OpenOptions, type Served, type Windows } from '../support/window.ts'

type Muster = Served['muster']

/** A fleet that is all online and notifies at once, and one of its sites. */
export async function setup(windows: Windows) {
  const reference = await service(windows.leftovers, { devices: 120, tenants: 2 })
  for (const { id } of reference.world.devices()) reference.world.setConnected(id, true)
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
  await readFleet(muster, reference)
  const site = await siteOf(muster)
  const { rows: devices } = await muster.call('inventory.rows', {
    query: { scope: site.id, filter: '', sort: [] },
    offset: 0,
    limit: 5,
  })
  const turn = (connected: boolean) => devices.forEach(({ id }) => reference.world.setConnected(id, connected))
  const open = (options: OpenOptions = {}) => windows.open(server.newUrl(), { log: muster.log, ...options })
  return { muster, site, devices, turn, open }
}

async function siteOf(muster: Muster): Promise<FoundPlace> {
  const { places } = await muster.call('inventory.places', { asked: { find: '' }, limit: 50 })
  const site = places.find(({ kind }) => kind === 'site')
  if (site === undefined) throw new Error('the fleet has no site')
  return site
}

export const maintenancePart = (page: Page) => page.getByRole('region', { name: 'Maintenance windows' })
export const toPart = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Command/u }).fill('show the maintenance windows')
  await page.keyboard.press('Enter')
  await maintenancePart(page).waitFor()
  await expect.poll(() => focused(page)).toBe('New maintenance window')
}
