import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { service, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, useWindows } from '../support/window.ts'
import { columnOf, focused, partsOf, shows, tabTo } from '../support/page-parts.ts'

const windows = useWindows()

test('the keyboard alone reaches a device, filter, order, place and connection', async () => {
  const reference = await service(windows.leftovers, { devices: 400, tenants: 2 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { totals, table, tree, detail, filter, head } = partsOf(page)
  const { keyboard } = page
  await shows(totals, /^400 devices:/u)

  // What was told, and back to where the focus was.
  await keyboard.press('F8')
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') != null)).toBe(true)
  await keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Notifications' }).waitFor({ state: 'detached' })

  // A device and back: panes by F6, rows by the arrows.
  await page.getByRole('treeitem').first().waitFor()
  await keyboard.press('F6')
  await hasFocus(page, 'tree')
  await keyboard.press('F6')
  await hasFocus(page, 'grid')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  const [, second] = await columnOf(page, 'Name')
  await keyboard.press('Enter')
  await shows(detail.getByRole('heading', { level: 2 }), second ?? '')
  await expect.poll(() => detail.evaluate((pane) => pane === document.activeElement)).toBe(true)
  await keyboard.press('Escape')
  await expect.poll(() => detail.count()).toBe(0)
  await hasFocus(page, 'grid')

  // All devices, by the choice above the table.
  await backTo(page, 'radio')
  // The chosen one is the one stop among them; the arrows choose.
  expect(await focused(page)).toMatch(/^Offline/u)
  await keyboard.press('ArrowLeft')
  expect(await focused(page)).toMatch(/^All/u)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('401')

  // Filter: a key goes there, Escape clears, Enter goes on to the rows.
  const device = reference.world.find(({ connected }) => connected === true)
  await keyboard.press('/')
  await keyboard.type(device.id)
  await expect.poll(() => columnOf(page, 'Name')).toEqual([device.name])
  await keyboard.press('Enter')
  await hasFocus(page, 'grid')
  await keyboard.press('/')
  await keyboard.press('Escape')
  await expect.poll(() => filter.inputValue()).toBe('')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('401')

  // Order: heads are one stop, arrows go from head to head.
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await hasFocus(page, 'button')
  const heads = (await table.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
  for (let step = 0; step < heads.indexOf('Site'); step += 1) await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await expect.poll(() => head('Site').getAttribute('aria-sort')).toBe('ascending')
  await keyboard.press('Enter')
  await expect.poll(() => head('Site').getAttribute('aria-sort')).toBe('descending')
  const last = reference.world
    .devices()
    .flatMap(({ site }) => site?.name ?? [])
    .toSorted(new Intl.Collator('en', { numeric: true }).compare)
    .at(-1)
  await keyboard.press('Shift+Tab')
  await hasFocus(page, 'grid')
  await keyboard.press('Home')
  await expect.poll(async () => (await columnOf(page, 'Site'))[0]).toBe(last)

  // A place: down the tree, open it, choose it; the breadcrumb leads back.
  await keyboard.press('Shift+F6')
  await hasFocus(page, 'tree')
  await keyboard.press('Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  const scope = page.getByRole('navigation', { name: 'Scope' })
  await scope.waitFor()
  const tenant = (await scope.locator('[aria-current=location]').innerText()).trim()
  const ofTenant = reference.world.devices(reference.world.tenants().find(({ name }) => name === tenant)?.id)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(ofTenant.length + 1))
  await keyboard.press('ArrowRight')
  await tree.locator('[aria-level="3"]').first().waitFor()
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeLessThan(ofTenant.length + 1)
  await tabTo(page, 'Show all tenants')
  await keyboard.press('Enter')
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('401')

  // The list of keys, and a connection.
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
  await tabTo(page, 'Connections')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  await tabTo(page, 'Add a connection')
  await keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'New connection' })
  await form.waitFor()
  await keyboard.type('Second')
  const input = {
    'Token URL': reference.tokenUrl,
    'GraphQL URL': reference.graphqlUrl,
    'Subscription URL': reference.subscriptionUrl,
    'Client id': reference.clientId,
    'Client secret': reference.clientSecret,
    'CA certificate': reference.ca,
  }
  for (const [label, text] of Object.entries(input)) {
    await tabTo(page, label)
    await keyboard.insertText(text)
  }
  await tabTo(page, 'Save and connect')
  await keyboard.press('Enter')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Second' }).waitFor()
  await page.getByRole('button', { name: 'Status: 2 of 2 live' }).waitFor()
})

async function hasFocus(page: Page, role: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName.toLowerCase(),
      ),
    )
    .toBe(role)
}

/** Shift and Tab until something of this role has the focus. */
async function backTo(page: Page, role: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Shift+Tab')
    if (await page.evaluate((wanted) => document.activeElement?.getAttribute('role') === wanted, role)) return
  }
  throw new Error(`Shift and Tab do not lead to a ${role}`)
}
