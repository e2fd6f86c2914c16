import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { shows } from '../support/page-parts.ts'
import { savedBy, serveFleet, useWindows, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 60, tenants: 2 }))
})

const paneOf = (page: Page) => page.getByRole('region', { name: 'Subscription', exact: true })
const eventsOf = (page: Page) => page.getByRole('listbox', { name: 'Events, the newest first' }).getByRole('option')

/** Opens the query screen with a subscription to a device that runs, begun by the keys. */
async function open(options: OpenOptions = {}) {
  const { subscriptions } = await served.muster.call('subscription.list', {})
  for (const { id } of subscriptions) await served.muster.call('subscription.forget', { id })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  const [device] = reference.world.devices()
  const id = device?.id ?? ''
  await page.getByRole('textbox', { name: 'GraphQL document' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`subscription Watch { deviceStream(deviceIds: ["${id}"]) { id connected } }`)
  await page.getByRole('button', { name: 'Format' }).click()
  await page.getByRole('textbox', { name: 'GraphQL document' }).click()
  await page.getByRole('button', { name: 'Subscribe' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await paneOf(page)
    .getByText(/^Live since/u)
    .waitFor()
  const flip = () => reference.world.setConnected(id, !(reference.world.device(id)?.connected ?? false))
  return { page, id, flip }
}

/** Ends what this test began, so that the others have their space. */
async function stop(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await paneOf(page)
    .getByText(/^Stopped/u)
    .waitFor()
}

test('events appear as they come, a pause keeps what is new, and one opens as JSON', async () => {
  const { page, id, flip } = await open()
  await page.getByText('No events yet.').waitFor()
  flip()
  await shows(eventsOf(page).first(), new RegExp(`"id":"${id}"`, 'u'))
  await page.getByRole('button', { name: 'Pause' }).click()
  flip()
  flip()
  await page.getByRole('button', { name: 'Resume, 2 new' }).waitFor()
  expect(await eventsOf(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Resume, 2 new' }).click()
  await expect.poll(() => eventsOf(page).count()).toBe(3)
  await page.getByRole('listbox', { name: 'Events, the newest first' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const event = page.getByRole('region', { name: 'Event', exact: true })
  await event.getByRole('heading', { name: 'Event 1' }).waitFor()
  await shows(event.getByRole('treeitem').nth(3), new RegExp(`"id": "${id}"`, 'u'))
  await page.getByRole('button', { name: 'Close the event' }).click()
  await page.getByRole('searchbox', { name: 'Filter events' }).fill('nothing like it')
  await page.getByText('No events match the filter.').waitFor()
  await page.getByRole('searchbox', { name: 'Filter events' }).fill('DEVICESTREAM')
  await expect.poll(() => eventsOf(page).count()).toBe(3)
  const { name, text } = await savedBy(page, () => page.getByRole('button', { name: 'Save as NDJSON' }).click())
  expect(name).toMatch(/^muster-events-.*\.ndjson$/u)
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { payload: object }).payload),
  ).toHaveLength(3)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => eventsOf(page).count()).toBe(0)
  await stop(page)
})

test('a cut is a line between the events, and a rejection is said in the service’s words', async () => {
  const { page, flip } = await open()
  flip()
  await expect.poll(() => eventsOf(page).count()).toBe(1)
  reference.misfortune.dropSockets(1006)
  await shows(eventsOf(page).first(), /^Reconnected at .* after .*: events in between may be missing\.$/u)
  await shows(paneOf(page), /1 gap/u)
  await stop(page)
  await page.getByRole('textbox', { name: 'GraphQL document' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('subscription { nothingOfThisName }')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('nothingOfThisName').waitFor()
  await paneOf(page)
    .getByText(/^Rejected/u)
    .waitFor()
})

test('a subscription that no tab shows after a reload is shown again, or stopped', async () => {
  const { page, flip } = await open()
  flip()
  await expect.poll(() => eventsOf(page).count()).toBe(1)
  await page.reload()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Query' }).click()
  await page.getByText('1 subscription running in no tab.').waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await paneOf(page)
    .getByText(/^Live since/u)
    .waitFor()
  await expect.poll(() => eventsOf(page).count()).toBe(1)
  await shows(page.getByRole('textbox', { name: 'GraphQL document' }), /subscription Watch/u)
  await stop(page)
})

test.each([
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const },
  { viewport: { width: 720, height: 450 }, colorScheme: 'light' as const },
])('a subscription with an open event has no violations: $viewport.width, $colorScheme', async (options) => {
  const { page, flip } = await open(options)
  flip()
  await eventsOf(page).first().click()
  await page.getByRole('region', { name: 'Event', exact: true }).getByRole('treeitem').first().waitFor()
  await expectNoViolations(page, `subscription ${options.colorScheme}`)
  await stop(page)
})
