import { expectNoViolations } from '../support/accessibility.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { connectionTo, service, temporaryProfile } from '../support/fleet.ts'
import { readFleet, serve, serveFleet, shell, useWindows, type Served } from '../support/window.ts'
import { partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 600, tenants: 3 }))
})

/** The window is low, because every visible row is checked for its contrast, and twenty are enough. */
const viewport = { width: 1_440, height: 620 }
const schemes = [{ colorScheme: 'dark' }, { colorScheme: 'light' }] as const

test.each(schemes)(
  'the inventory is accessible, with any list and with a device open, $colorScheme',
  async ({ colorScheme }) => {
    const page = await windows.open(served.server.newUrl(), { colorScheme, viewport, log: served.muster.log })
    const { choice, rows, table, detail, filter, tree } = partsOf(page)
    await rows.first().waitFor()
    await tree.getByRole('treeitem').first().waitFor()
    await expectNoViolations(page, 'what is down now')
    await choice('All').click()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('601')
    await expectNoViolations(page, 'all devices')
    await rows.nth(1).click()
    await detail.getByRole('heading', { level: 2 }).waitFor()
    await tree
      .getByRole('treeitem', { name: /, tenant, / })
      .first()
      .click()
    await page.getByRole('navigation', { name: 'Scope' }).waitFor()
    await expectNoViolations(page, 'a device of a place')
    await filter.fill('nothing is called so')
    await page.getByText('No matches').waitFor()
    await expectNoViolations(page, 'a filter that finds nothing')
  },
)

test.each(schemes)(
  'the points and links popovers are accessible in a low window, $colorScheme',
  async ({ colorScheme }) => {
    const page = await windows.open(served.server.newUrl(), { colorScheme, viewport, log: served.muster.log })
    const { status } = partsOf(page)
    await status.getByRole('button', { name: /^Status: / }).click()
    await page.getByRole('dialog').waitFor()
    await expectNoViolations(page, 'the links', '[role=dialog]')
    await page.keyboard.press('Escape')
    await status.getByRole('button', { name: /^Points: / }).click()
    await page.getByRole('dialog').waitFor()
    await expectNoViolations(page, 'the points', '[role=dialog]')
  },
)

test.each(schemes)(
  'connections, their form and the list of keys are accessible, $colorScheme',
  async ({ colorScheme }) => {
    const page = await windows.open(served.server.newUrl(), { colorScheme, viewport, log: served.muster.log })
    await page.getByRole('button', { name: 'Connections' }).click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    await expectNoViolations(page, 'the connections')
    await page.getByRole('button', { name: 'Edit Acme' }).click()
    await page.getByRole('dialog', { name: 'Edit connection' }).waitFor()
    await expectNoViolations(page, 'the form')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove Acme' }).click()
    await page.getByRole('button', { name: 'Keep it' }).waitFor()
    await expectNoViolations(page, 'the question before removing')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('dialog', { name: 'Import connections' }).waitFor()
    await expectNoViolations(page, 'the import')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Pause Acme' }).waitFor()
    await page.getByRole('button', { name: 'Test Acme' }).click()
    await page.getByText('Passed, not saved.').waitFor()
    await expectNoViolations(page, 'a connection that was tested')
    await page.getByRole('button', { name: /^List of keys/ }).click()
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await expectNoViolations(page, 'the list of keys')
  },
)

test.each(schemes)('the settings and the notifications are accessible, $colorScheme', async ({ colorScheme }) => {
  const page = await windows.open(served.server.newUrl(), { colorScheme, viewport, log: served.muster.log })
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  await page.getByRole('textbox', { name: 'Full sync every, minutes' }).fill('4')
  await page.getByText('Enter a whole number from 5 to 1,440 minutes.').waitFor()
  await expectNoViolations(page, 'the settings with a fault')
  await page.keyboard.press('Escape')
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notifications/u })
    .click()
  await page.getByRole('group', { name: 'Pause notifications' }).waitFor()
  await expectNoViolations(page, 'what was told', '[role=dialog]')
})

test.each(schemes)(
  'an empty profile, an invalid form and a failed connection are accessible, $colorScheme',
  async ({ colorScheme }) => {
    const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
    const page = await windows.open(server.newUrl(), { colorScheme, viewport, log: muster.log })
    await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
    await expectNoViolations(page, 'the empty profile')
    await page.getByRole('button', { name: 'Add a connection' }).click()
    const form = page.getByRole('dialog', { name: 'New connection' })
    await form.getByRole('button', { name: 'Save and connect' }).click()
    await form.locator('[aria-invalid=true]').first().waitFor()
    await expectNoViolations(page, 'the form with a fault')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await muster.call('connections.save', connectionTo(reference, { clientSecret: 'wrong' }))
    await page.getByRole('button', { name: 'Connections' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'The service rejected this client id and secret.' })
      .first()
      .waitFor()
    await expectNoViolations(page, 'a connection with trouble')
  },
)

test.each(schemes)('an inventory that was never read is accessible, $colorScheme', async ({ colorScheme }) => {
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('connections.save', connectionTo(reference, { clientSecret: 'wrong' }))
  const page = await windows.open(server.newUrl(), { colorScheme, viewport, log: muster.log })
  await page.getByText('Acme: The service rejected this client id and secret.').waitFor()
  await page.getByText('No sync yet.').waitFor()
  await expectNoViolations(page, 'an inventory that was never read')
})

test.each(schemes)(
  'unknown devices and a window without its core are accessible, $colorScheme',
  async ({ colorScheme }) => {
    const own = await service(windows.leftovers, { devices: 120, tenants: 2 })
    const { muster, stop, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
    await readFleet(muster, own)
    const page = await windows.open(server.newUrl(), {
      colorScheme,
      viewport,
      log: muster.log,
      expected: [/WebSocket connection to .* failed/u],
    })
    const { totals, choice, rows, detail } = partsOf(page)
    await choice('All').click()
    await rows.first().click()
    await detail.getByRole('heading', { level: 2 }).waitFor()
    await own.misfortune.pause()
    await shows(totals, '120 devices: 0 online, 0 offline, 120 unknown')
    await page.getByText(/^Acme: /u).waitFor()
    await expectNoViolations(page, 'a fleet without monitoring')
    // The desktop window ends with its core.
    if (shell === 'electron') return
    await stop()
    await page.getByText(/core is not running/u).waitFor()
    await expectNoViolations(page, 'a window without its core')
  },
)
