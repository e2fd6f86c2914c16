import { expect, test } from 'vitest'
import { serveFleet, useWindows } from '../support/window.ts'
import { partsOf } from '../support/page-parts.ts'

const windows = useWindows()

test('where a service offers no site, tree, head, path and detail say so', async () => {
  const { served } = await serveFleet(windows.shared, {
    devices: 40,
    tenants: 1,
    profile: 'contrary',
    contrary: { missingFields: ['site'] },
  })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { rows, table, detail } = partsOf(page)
  await rows.first().waitFor()
  const tree = page.getByRole('tree')
  await tree.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const tenant = tree.getByRole('treeitem').nth(1)
  await tenant.waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const site = tree.getByRole('treeitem', { name: 'Site not offered by this service' })
  await site.waitFor()
  expect(await tree.getByRole('treeitem', { name: /^No site/ }).count()).toBe(0)
  const head = (name: string) => table.getByRole('columnheader').filter({ has: page.getByRole('button', { name }) })
  await head('site').getByRole('img', { name: 'Not offered by this service' }).waitFor()
  expect(await head('room').getByRole('img').count()).toBe(0)
  // The sites that the service lists stand beside it, without devices.
  await site.click()
  await page
    .getByRole('navigation', { name: 'Scope' })
    .getByText('Site not offered by this service', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Show all tenants' }).click()
  await rows.first().click()
  await detail.getByRole('listitem').filter({ hasText: 'Site not offered by this service' }).waitFor()
  expect(await detail.getByText('No site', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Incidents' }).click()
  const standing = page.getByRole('region', { name: 'Long-standing' })
  await standing.getByRole('button', { name: /^Long-standing/u }).click()
  await standing.getByRole('listitem').first().waitFor()
  expect(await standing.getByText('No site').count()).toBe(0)
}, 60_000)
