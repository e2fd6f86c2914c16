import { expectNoViolations } from '../support/accessibility.ts'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { openMemory } from '../../src-main/secrets/memory.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { appState } from '../renderer/support/pipe-stub.ts'
import { connectionTo, service, temporaryProfile, whenConnection } from '../support/fleet.ts'
import { browserTest, readFleet, serve, useWindows } from '../support/window.ts'
import { focused, partsOf, shows, tabTo, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const schemes = [{ colorScheme: 'dark' }, { colorScheme: 'light' }] as const

/** Opens the points by the keyboard. */
async function openPoints(page: Page) {
  await page.keyboard.press('Shift+F6')
  await tabTo(page, /^Points: /u)
  await page.keyboard.press('Enter')
  const popover = page.getByRole('dialog')
  await popover.getByRole('heading', { name: 'Points', exact: true }).waitFor()
  return popover
}

test.each(schemes)(
  'a sync without points shows what waits, why, and when it will be done, $colorScheme',
  async ({ colorScheme }) => {
    const reference = await service(windows.leftovers, { devices: 1_000, tenants: 2, balance: 11_000 })
    const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
    const page = await windows.open(server.newUrl(), { colorScheme, log: muster.log })
    await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
    await muster.call('connections.save', connectionTo(reference))
    await partsOf(page)
      .status.getByText(/^Waiting for points/u)
      .waitFor()
    const popover = await openPoints(page)
    await shows(popover.getByText(/points left, resets in/u), /^[\d,]+ of 11,000 points left, resets in \d+ s\.$/u)
    await popover
      .getByText(
        /^The running sync still needs [\d,]+ points: done after 1 more reset, at about (?:[\d-]+ )?\d\d:\d\d:\d\d\.$/u,
      )
      .waitFor()
    await popover.getByText('The service reports the points with each response.').waitFor()
    await shows(
      popover.getByRole('list', { name: 'Waiting' }).getByRole('listitem').first(),
      /^Inventory .*Waiting for the reset, in \d+ s$/u,
    )
    const used = popover.getByRole('table', { name: 'Used by activity' }).getByRole('row')
    expect(await used.getByRole('cell', { name: 'Schema introspection' }).count()).toBe(1)
    // An answer may be on its way to the window when both are read.
    const difference = async () => {
      const points = await used.evaluateAll((rows) =>
        rows.slice(1).map((row) => Number(row.lastElementChild?.textContent?.replaceAll(',', ''))),
      )
      const shown = points.reduce((sum, each) => sum + each, 0)
      return shown - reference.operations().reduce((sum, { cost }) => sum + cost, 0)
    }
    await expect.poll(difference).toBe(0)
    expect(await textOf(popover)).not.toMatch(/rejected|Other clients/u)
    await expectNoViolations(page, 'the points', '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toMatch(/^Points: /u)
  },
)

test('the gauge says how many devices are polled when not all can be live', async () => {
  const reference = await service(windows.leftovers, {
    devices: 300,
    tenants: 1,
    profile: 'contrary',
    contrary: { streamIdsPerSocket: 238 },
  })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await muster.call('connections.save', connectionTo(reference))
  await whenConnection(muster, ({ link }) => link.state === 'live' && link.partly?.live === 238)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const popover = await openPoints(page)
  await popover
    .getByText('Live for 238 of 300 devices. The other 62 are polled, for at most a quarter of the points.')
    .waitFor()
})

test('background work is paused and resumed from the popover, and a waiting sync says so', async () => {
  const reference = await service(windows.leftovers, { devices: 600, tenants: 2 })
  const profile = temporaryProfile(windows.leftovers)
  const secrets = openMemory('this session only: a test')
  const before = await serve(windows.leftovers, profile, { secrets })
  await readFleet(before.muster, reference)
  const first = await windows.open(before.server.newUrl(), {
    log: before.muster.log,
    expected: [/WebSocket connection to .* failed/u],
  })
  await (await openPoints(first)).getByRole('button', { name: 'Pause background work' }).press('Enter')
  await first.getByText(/^Background work is paused. Syncs wait/u).waitFor()
  await first.keyboard.press('Escape')
  await partsOf(first)
    .status.getByRole('button', { name: /, background paused/u })
    .waitFor()
  expect((await before.muster.call('app.state', {})).settings.backgroundPaused).toBe(true)
  const { lastReadingAt } = await whenConnection(before.muster, (state) => state.lastReadingAt !== null)
  await before.stop()

  // Started again it would read everything anew; now it waits until it may.
  const again = await serve(windows.leftovers, profile, { secrets })
  const page = await windows.open(again.server.newUrl(), {
    log: again.muster.log,
    viewport: { width: 1_024, height: 700 },
  })
  const { status } = partsOf(page)
  await shows(status.getByText(/^Sync paused/u), /^Sync paused: [\d,]+( of [\d,]+)?$/u)
  expect((await status.boundingBox())?.height).toBeLessThan(40)
  expect((await again.muster.call('app.state', {})).gauges[0]?.burned.background).toBe(0)
  const popover = await openPoints(page)
  await shows(
    popover.getByRole('list', { name: 'Waiting' }).getByRole('listitem').first(),
    /^Inventory.* Background You paused background work$/u,
  )
  await expectNoViolations(page, 'the points', '[role=dialog]')
  await popover.getByRole('button', { name: 'Resume background work' }).press('Enter')
  await popover.getByRole('button', { name: 'Pause background work' }).waitFor()
  await whenConnection(
    again.muster,
    (state) => state.sync.state === 'idle' && (state.lastReadingAt ?? 0) > (lastReadingAt ?? Infinity),
  )
  await expect.poll(() => status.getByText(/^Syncing/u).count()).toBe(0)
})

test('reserve and limit are set where the popover leads, and the gauge follows', async () => {
  const reference = await service(windows.leftovers, { devices: 60, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  await (await openPoints(page)).getByRole('button', { name: 'Reserve and limit' }).press('Enter')
  await expect.poll(() => focused(page)).toBe('Reserved points, per cent')
  await page.keyboard.press('ArrowUp')
  await tabTo(page, 'Background limit, per cent')
  await page.keyboard.type('5')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('5')
  await page.getByText('Enter a whole number from 10 to 100 per cent.').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await muster.call('app.state', {})).settings)
    .toMatchObject({ reservePercent: 11, backgroundLimitPercent: 40 })
  const popover = await openPoints(page)
  await popover.getByText(/^40,000 per minute, [\d,]+ used$/u).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+K')
  await page.keyboard.type('background')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await muster.call('app.state', {})).settings.backgroundPaused).toBe(true)
})

browserTest('of hundreds of credential sets the lowest 25 are listed, and the others are found by name', async () => {
  const page = await windows.open(await nowhere(), {
    before: withGauges(
      Array.from({ length: 300 }, (_, index) => gaugeOf(`Customer ${index + 1}`, 100_000 - ((index * 7919) % 97_000))),
    ),
  })
  const popover = await openPoints(page)
  await popover.getByText('300 credential sets, the lowest 25 shown').waitFor()
  const lines = popover.locator('summary')
  expect(await lines.count()).toBe(25)
  expect(await popover.locator('details[open]').count()).toBe(1)
  const left = await lines.evaluateAll((all) =>
    all.map((line) => Number(line.querySelector('.number')?.textContent?.replaceAll(',', ''))),
  )
  expect(left).toEqual(left.toSorted((one, other) => one - other))
  await popover
    .getByRole('region', { name: /^Customer/u })
    .getByText(`${left[0]?.toLocaleString('en-US')} of 100,000 points left`)
    .waitFor()
  await popover.getByRole('searchbox', { name: 'Filter credential sets' }).fill('customer 222')
  await shows(lines, /^Customer 222 /u)
  await lines.press('Enter')
  await popover.getByRole('region', { name: 'Customer 222', exact: true }).waitFor()
  await expectNoViolations(page, 'the points', '[role=dialog]')
})

function gaugeOf(name: string, remaining: number): Gauge {
  return {
    name,
    connections: [name],
    limit: 100_000,
    remaining,
    resetAt: Date.now() + 40_000,
    known: true,
    basis: 'headers',
    burned: { person: 0, reconcile: 0, visible: 0, background: 0 },
    activities: [],
    others: 3_200,
    reserve: 10_000,
    forOthers: 0,
    ceiling: 60_000,
    paused: false,
    recent: [],
    waiting: 0,
    waits: [],
    forecast: null,
    rejections: { count: 1, at: Date.now() },
  }
}

/** The address of a window with a core of its own, which the window is not to ask. */
async function nowhere(): Promise<string> {
  return (await serve(windows.leftovers, temporaryProfile(windows.leftovers))).server.newUrl()
}

/** A core that has nothing but these gauges, by the bridge of the desktop shell. */
function withGauges(gauges: readonly Gauge[]): (page: Page) => Promise<unknown> {
  const value = appState({ shell: 'electron', connections: [connectedNow], gauges: [...gauges] })
  return (page) =>
    page.addInitScript(`window.musterBridge = {
    ask: async (name) => JSON.stringify(name === 'app.state' ? ${JSON.stringify({ ok: true, value })} : { ok: false, fault: { kind: 'stopped', detail: '' } }),
    subscribe: () => {},
  }`)
}

const connectedNow: ConnectionState = {
  id: 'c',
  name: 'Customer 1',
  demo: false,
  tokenUrl: '',
  graphqlUrl: '',
  subscriptionUrl: '',
  clientId: '',
  hasCa: false,
  hasSubscription: false,
  portal: '',
  paused: false,
  heardAt: null,
  secret: 'keychain',
  link: { state: 'live', since: 0 },
  sync: { state: 'idle' },
  lastEventAt: null,
  lastReadingAt: null,
  faults: [],
  checks: [],
}
