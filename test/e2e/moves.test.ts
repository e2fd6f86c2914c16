import { expect, test } from 'vitest'
import { readFleet, serve, useWindows } from '../support/window.ts'
import { service, temporaryProfile } from '../support/fleet.ts'
import { partsOf } from '../support/page-parts.ts'

const windows = useWindows()

test('a device that is renamed and moved stands so in table, tree and detail', async () => {
  const reference = await service(windows.leftovers, { devices: 200, tenants: 1, life: false })
  const { world } = reference
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(served.muster, reference)
  const device = world.find(({ room }) => room !== null)
  const [site, room] = world
    .sites(device.tenantId)
    .filter(({ id }) => id !== device.site?.id)
    .flatMap((each) => world.rooms(each.id).map((inside) => [each, inside] as const))
    .find(([, { id }]) => world.devices().some((each) => each.room?.id === id)) ?? [null, null]
  if (site === null || room === null) throw new Error('there is no other room')
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, row, table, tree, detail } = partsOf(page)
  await choice('All').click()
  world.renameDevice(device.id, 'The one that moves')
  await filter.fill('one that moves')
  await row('The one that moves').waitFor()
  await row('The one that moves').click()
  await detail.getByRole('heading', { name: 'The one that moves' }).waitFor()
  world.moveDevice(device.id, site.id, room.id)
  await row('The one that moves').getByRole('gridcell', { name: site.name, exact: true }).waitFor()
  await detail.getByRole('listitem').filter({ hasText: room.name }).first().waitFor()
  world.renameDevice(device.id, 'The one that has moved')
  await row('The one that has moved').waitFor()
  // The tree counts it in its new site.
  const there = world.devices().filter((each) => each.site?.id === site.id).length
  await filter.fill('')
  await filter.fill(`site:"${site.name}"`)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(there + 1))
  await tree.getByRole('treeitem').first().waitFor()
})
