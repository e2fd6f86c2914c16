import { expect, test } from 'vitest'
import { connectionTo, acceleratedClock, service, temporaryProfile, until } from '../support/fleet.ts'
import { browserTest, readFleet, serve, useWindows } from '../support/window.ts'
import { partsOf, shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()
const numberText = (value: number) => value.toLocaleString('en-US')

test('the status bar shows the live connection, the last event and the last sync', async () => {
  const reference = await service(windows.leftovers, { devices: 100 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status } = partsOf(page)
  await status.getByRole('button', { name: 'Status: Live' }).waitFor()
  await shows(status.getByText(/^Last event/u), 'Last event none yet')
  await shows(status.getByText(/^Last sync/u), /^Last sync (just now|\d+ s ago)$/u)
  reference.world.setConnected(reference.world.find(({ connected }) => connected === true).id, false)
  await shows(status.getByText(/^Last event/u), 'Last event just now')
  await status.getByRole('button', { name: 'Status: Live' }).click()
  const links = page.getByRole('dialog')
  await shows(links.getByRole('listitem'), 'Acme Live')
  await links.getByRole('button', { name: 'Open Connections' }).click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
})

test('while the fleet is synced, the status bar shows the progress', async () => {
  const reference = await service(windows.leftovers, { devices: 1_000, tenants: 1 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status, totals } = partsOf(page)
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  // Two looks at the price and the first page pass; the second page does not come.
  reference.misfortune.next('stall', { operationName: 'Devices', skip: 3 })
  await muster.call('connections.save', connectionTo(reference))
  const reading = status.getByText(/^Syncing [\d,]+ of 1,000$/u)
  let read = 0
  await expect
    .poll(async () => {
      read = Number(/Syncing (\d+)/u.exec(await textOf(reading))?.[1])
      return read
    })
    .toBeGreaterThan(0)
  expect(read).toBeLessThan(1_000)
  const bar = status.getByRole('progressbar', { name: 'Sync progress' })
  expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual([String(read), '1000'])
  // What has come is there before the whole is.
  await shows(totals, new RegExp(`^At least ${read} devices so far:`, 'u'))
})

browserTest('without points the status bar counts down to the reset, and the sync goes on', async () => {
  const clock = acceleratedClock(6)
  const reference = await service(windows.leftovers, { devices: 1_000, tenants: 2, balance: 11_000, now: clock.now })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers), { clock })
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status, totals } = partsOf(page)
  await page.getByRole('heading', { name: 'Connect to your device service' }).waitFor()
  await muster.call('connections.save', connectionTo(reference))
  await status.getByText(/^Waiting for points/u).waitFor()
  await shows(totals, /^1,000 devices:/u)
  await expect.poll(() => status.getByText(/^(Waiting|Syncing)/u).count()).toBe(0)
})

test("the points gauge is a meter with the service's balance, a countdown and operations", async () => {
  const reference = await service(windows.leftovers, { devices: 300 })
  const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers))
  await readFleet(muster, reference)
  const page = await windows.open(server.newUrl(), { log: muster.log })
  const { status } = partsOf(page)
  // The window wants to know what the service offers, which is read once.
  await until(async () => {
    const { tenants } = await muster.call('actions.state', {})
    expect(tenants.flatMap(({ unknown }) => unknown)).toEqual([])
  })
  // Places may still be read in the background, so both are looked at again until they agree.
  const left = () => reference.operations().reduce((sum, { cost }) => sum - cost, 100_000)
  expect(left()).toBeLessThan(100_000)
  const meter = status.getByRole('meter', { name: 'Points left, Acme' })
  await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow')) - left()).toBe(0)
  expect(await meter.getAttribute('aria-valuemax')).toBe('100000')
  const seconds = async () => Number(/resets in (\d+) s/u.exec((await meter.getAttribute('aria-valuetext')) ?? '')?.[1])
  // The whole minute right after a reset is told as one, and the moment of the next reset as gone by.
  await expect.poll(seconds).toBeGreaterThan(0)
  const first = await seconds()
  expect(first).toBeLessThanOrEqual(60)
  await expect.poll(seconds).toBeLessThan(first)
  await status.getByRole('button', { name: /^Points: / }).click()
  const popover = page.getByRole('dialog')
  await expect
    .poll(async () => (await textOf(popover)).includes(`${numberText(left())} of 100,000 points left`))
    .toBe(true)
  const table = popover.getByRole('table', { name: 'Last operations' })
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') })
  const lines = () =>
    rows.evaluateAll((all) =>
      all.map((row) => `${row.querySelector('bdi')?.title} ${row.children[2]?.textContent}`).toSorted(),
    )
  const sent = () => reference.operations().toReversed().slice(0, 20)
  // Answers that were sent together may arrive in another order than they were sent in.
  await expect
    .poll(async () => {
      const shown = await lines()
      return (
        JSON.stringify(shown) ===
        JSON.stringify(
          sent()
            .map(({ operationName, cost }) => `${operationName} ${numberText(cost)}`)
            .toSorted(),
        )
      )
    })
    .toBe(true)
  expect(await textOf(popover)).toContain('On screen')
})

browserTest(
  'the longest connection status fits a narrow window, and its popover has the whole text',
  async () => {
    const clock = acceleratedClock(20)
    const reference = await service(windows.leftovers, { devices: 40, tenants: 2, profile: 'contrary', life: false })
    const { muster, server } = await serve(windows.leftovers, temporaryProfile(windows.leftovers), { clock })
    const name = 'Helvetia Rückversicherung Aktiengesellschaft, Zürich'
    await muster.call('connections.save', connectionTo(reference, { name }))
    const page = await windows.open(server.newUrl(), { log: muster.log, viewport: { width: 1_024, height: 700 } })
    const { status } = partsOf(page)
    await status.getByRole('button', { name: 'Status: Live' }).waitFor({ timeout: 40_000 })
    reference.contrary.change({ upgradeRefusals: 1_000_000, upgradeRefusalStatus: 503 })
    reference.misfortune.dropSockets(1006)
    const words = /Polling: the live stream fails \(.+\), status is up to \d+ min old$/u
    const link = status.getByRole('button', { name: words })
    await link.waitFor({ timeout: 40_000 })
    for (const viewport of [
      { width: 1_024, height: 700 },
      { width: 720, height: 450 },
      { width: 480, height: 450 },
    ]) {
      await page.setViewportSize(viewport)
      const bar = await link.boundingBox()
      expect((bar?.x ?? 0) + (bar?.width ?? Infinity), `${viewport.width}`).toBeLessThanOrEqual(viewport.width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      await link.focus()
      await page.keyboard.press('Enter')
      const line = page.getByRole('dialog').getByRole('listitem')
      await expect.poll(() => textOf(line)).toMatch(/^Helvetia Rückversicherung .* Polling: .* min old/u)
      const cut = await line.evaluate((item) =>
        [...item.querySelectorAll('span, bdi')].map((part) => {
          const { left, right, width } = part.getBoundingClientRect()
          return { text: part.textContent, inside: left >= 0 && right <= innerWidth, width }
        }),
      )
      for (const { text, inside, width } of cut)
        expect({ text, inside, wide: width > 60 }).toEqual({ text, inside: true, wide: true })
      await page.keyboard.press('Escape')
      await line.waitFor({ state: 'hidden' })
    }
  },
  120_000,
)
