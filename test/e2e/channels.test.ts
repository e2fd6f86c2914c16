import { expect, test } from 'vitest'
import { service, temporaryProfile } from '../support/fleet.ts'
import { startReceiver } from '../support/receivers.ts'
import { readFleet, serve, useWindows, whenListening } from '../support/window.ts'

const windows = useWindows()

async function setup() {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1, life: false })
  const profile = temporaryProfile(windows.leftovers)
  const served = await serve(windows.leftovers, profile)
  await served.muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1, groupingSeconds: 0 })
  await readFleet(served.muster, reference)
  await whenListening(served.muster, reference)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('button', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Channels' })
  await section.scrollIntoViewIfNeeded()
  return { reference, profile, served, page, section }
}

test('a channel is made, tested and told of an incident, and its failures are sent again', async () => {
  const { reference, page, section } = await setup()
  const hook = await startReceiver(windows.leftovers, '/services/hidden-path')
  await section.getByText('No channels yet.').waitFor()
  await section.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name', { exact: true }).fill('Night shift')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter the address.').waitFor()
  await dialog.getByLabel('Address').fill(hook.address)
  await dialog.getByRole('button', { name: 'Send a test' }).click()
  await dialog.getByText(/^The test was accepted for 127\.0\.0\.1:\d+\.$/u).waitFor()
  expect(JSON.parse(hook.received[0]?.text ?? '{}')).toMatchObject({ text: 'Test of the channel Night shift' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await section.getByText(/^Slack, 127\.0\.0\.1:\d+$/u).waitFor()
  hook.behaviour = () => ({ status: 410, text: 'channel_is_archived' })
  const device = reference.world.devices().find(({ connected }) => connected === true)
  reference.world.setConnected(device?.id ?? '', false)
  await section.getByText('The server answered 410: channel_is_archived.').first().waitFor()
  hook.behaviour = () => ({ status: 200, text: 'ok' })
  await section.getByRole('button', { name: 'Try again' }).click()
  await section.locator('.delivery[data-state="sent"]').waitFor()
  expect(await page.content()).not.toContain('hidden-path')
  // The incident tells who was told.
  await page.getByRole('button', { name: 'Incidents' }).first().click()
  await page
    .locator('.incident-row, [role="row"], [role="option"]')
    .filter({ hasText: `${device?.name}` })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Messages to channels' }).waitFor()
  await page
    .getByText(/Night shift/u)
    .first()
    .waitFor()
})
