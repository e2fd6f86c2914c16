import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/options.ts'
import { connectionTo, service, temporaryProfile, whenConnection, whenRead } from '../support/fleet.ts'
import { shows } from '../support/page-parts.ts'
import { serve, useWindows } from '../support/window.ts'

const windows = useWindows()

async function opened(options: ServiceOptions = {}) {
  const reference = await service(windows.leftovers, { devices: 600, tenants: 1, ...options })
  const served = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await served.muster.call('connections.save', connectionTo(reference))
  await whenRead(served.muster)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('button', { name: 'Connections' }).click()
  const details = page.getByRole('region', { name: 'Connection', exact: true })
  await details.getByRole('heading', { name: 'Acme' }).waitFor()
  return { reference, page, details, ...served }
}

const factOf = (page: Page, name: string) =>
  page
    .locator('dl.facts > div', { has: page.getByRole('term').getByText(name, { exact: true }) })
    .getByRole('definition')

test('the details and the test of a connection show role and scope, accessibly', async () => {
  const { page } = await opened({
    credentials: (world) => [
      {
        name: 'Night shift',
        role: 'it-admin',
        accounts: world
          .accounts(world.tenants()[0]?.id ?? '')
          .slice(0, 2)
          .map(({ id }) => id),
      },
    ],
  })
  await shows(factOf(page, 'Role'), /^Device Manager \(it-admin\), 2 accounts · (?:just )?\S+/u)
  await shows(factOf(page, 'Client id'), / \(Night shift\)$/u)
  await page.getByRole('button', { name: 'Test Acme' }).click()
  await page.getByText('1 tenant; role: Device Manager (it-admin), 2 accounts', { exact: true }).waitFor()
  const { violations } = await new AxeBuilder({ page }).include('#connection').analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
})

test('the role stays in the details, with its age, while the service is away', async () => {
  const { reference, page, muster } = await opened({ role: 'user' })
  await shows(factOf(page, 'Role'), /^Guest \(user\) · /u)
  await reference.stop()
  await whenConnection(muster, ({ link }) => link.state === 'waiting')
  await page.reload()
  await page.getByRole('button', { name: 'Connections' }).click()
  await shows(factOf(page, 'Role'), /^Guest \(user\) · /u)
})

test('a service that does not tell the role has no such line', async () => {
  const { page, details } = await opened({ profile: 'minimal' })
  await factOf(page, 'Client id').waitFor()
  expect(await details.getByText('Role', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Test Acme' }).click()
  await page.getByText('1 tenant', { exact: true }).waitFor()
})
