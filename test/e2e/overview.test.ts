import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { focused, partsOf, shows } from '../support/page-parts.ts'
import { servedWithPast } from '../support/served-past.ts'
import { browserTest, savedBy, useWindows, shell, type OpenOptions, type Served } from '../support/window.ts'

const windows = useWindows()
let reference: Service
let served: Served

/** Ten days of the past are in the journal: a week ago is known, and so are the last 24 hours. */
beforeAll(async () => {
  ;({ reference, served } = await servedWithPast(windows.shared, 10))
  await served.muster.call('settings.change', { holdOffSeconds: 0, groupingSeconds: 1 })
}, 120_000)

/** Opens the overview by its entry in the rail. */
async function open(options: OpenOptions = {}): Promise<Page> {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log, ...options })
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()
  await mapOf(page).waitFor()
  return page
}

const mapOf = (page: Page) => page.getByRole('listbox', { name: 'Fleet map' })
const tileOf = (page: Page) => mapOf(page).getByRole('option')
const fleetOf = (page: Page) => page.getByRole('region', { name: 'Fleet', exact: true })
const numberOf = (page: Page, word: string) => fleetOf(page).getByRole('button', { name: new RegExp(`^${word}`, 'u') })
/** The inventory shows this place. */
const scopeOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Scope' }).getByText(name).first().waitFor()
const toOverview = (page: Page) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Overview' }).click()

test('the numbers are the inventory’s, with their last 24 hours and their value a week ago', async () => {
  const page = await open()
  const { counts } = await served.muster.call('inventory.counts', { scope: 'all' })
  for (const [word, count] of [
    ['Online', counts?.connected],
    ['Offline', counts?.disconnected],
    ['Unknown', counts?.unknown],
  ] as const)
    await shows(numberOf(page, word), new RegExp(`${count}$`, 'u'))
  await fleetOf(page)
    .getByRole('img', { name: /^Online over the last 24 hours: lowest \d+ at .*, highest \d+ at .*, last \d+\.$/u })
    .waitFor()
  await expect
    .poll(() =>
      fleetOf(page)
        .getByText(/^\d+(\.\d)?.* a week ago$/u)
        .count(),
    )
    .toBe(3)
  await numberOf(page, 'Offline').click()
  const { table } = partsOf(page)
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String((counts?.disconnected ?? 0) + 1))
  const [gone] = reference.world.devices().filter(({ connected }) => connected === true)
  await toOverview(page)
  reference.world.setConnected(gone?.id ?? '', false)
  await shows(numberOf(page, 'Offline'), new RegExp(`${(counts?.disconnected ?? 0) + 1}$`, 'u'))
  reference.world.setConnected(gone?.id ?? '', true)
  await shows(numberOf(page, 'Offline'), new RegExp(`${counts?.disconnected}$`, 'u'))
})

test('the keyboard alone leads over the map to a place in the inventory', async () => {
  const page = await open()
  await page.keyboard.press('Tab')
  for (let press = 0; press < 40 && (await focused(page)) !== 'Fleet map'; press += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Home')
  const first = await tileOf(page).getAttribute('aria-label')
  await page.keyboard.press('End')
  await expect.poll(() => tileOf(page).getAttribute('aria-label')).not.toBe(first)
  await page.keyboard.press('Home')
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
  const label = (await tileOf(page).getAttribute('aria-label')) ?? ''
  const total = Number(/(\d+) (?:online|offline|unknown)/u.exec(label.replace(/^.*? of /u, ''))?.[1])
  await page.keyboard.press('Enter')
  const { table, totals } = partsOf(page)
  await scopeOf(page, label.split(', ')[0] ?? '')
  await shows(totals, new RegExp(`^${total} devices?:`, 'u'))
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(total + 1))
})

test('the table has what the map shows, by rooms too, with the last 7 days', async () => {
  const page = await open()
  const panel = page.getByRole('region', { name: 'Fleet map', exact: true })
  await panel.getByRole('radio', { name: 'Rooms' }).check({ force: true })
  await panel.getByRole('combobox', { name: 'Colour by' }).selectOption('Availability, 7 d')
  await panel.getByRole('radio', { name: 'Table' }).check({ force: true })
  const table = panel.getByRole('table')
  await table
    .getByRole('cell', { name: /^\d+(\.\d)?.%$/u })
    .first()
    .waitFor()
  const map = await served.muster.call('overview.map', { tiles: 'room', layout: null })
  const rooms = map.places?.tiles.filter((_, tile) =>
    map.counts.slice(tile * 3, tile * 3 + 3).some((count) => count > 0),
  )
  expect(await table.getAttribute('aria-rowcount')).toBe(String((rooms?.length ?? 0) + 1))
  const offline = await table.locator('tbody tr td:nth-of-type(2)').allTextContents()
  expect(offline.map(Number)).toEqual(offline.map(Number).toSorted((one, other) => other - one))
  await panel.getByRole('radio', { name: 'Map' }).check({ force: true })
  for (const size of ['All the same', 'Offline devices'])
    await panel.getByRole('combobox', { name: 'Size by' }).selectOption({ label: size })
  await panel.getByRole('combobox', { name: 'Colour by' }).selectOption('Age of the data')
  await expect.poll(() => tileOf(page).getAttribute('aria-label')).toMatch(/oldest data .* old/u)
})

test('a card opens its tenant’s page, and the worst are in the inventory with their devices', async () => {
  const page = await open()
  const cards = page.getByRole('region', { name: 'Tenants' }).getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(3)
  const offline = await cards.locator('b').allTextContents()
  expect(offline.map(Number)).toEqual(offline.map(Number).toSorted((one, other) => other - one))
  const name = await cards.first().locator('bdi').first().textContent()
  await cards.first().getByRole('button').click()
  await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
  await page.getByRole('button', { name: /^\d+ devices in the inventory$/u }).click()
  await scopeOf(page, name ?? '')
  await toOverview(page)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const most = page.getByRole('region', { name: 'Most disconnects' }).getByRole('button')
  await most.first().waitFor()
  const counts = (await most.locator('.ranked-value').allTextContents()).map((text) => Number.parseInt(text, 10))
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  await page.getByRole('region', { name: 'Worst sites' }).getByRole('button').first().waitFor()
  const device = await most.first().locator('bdi').first().textContent()
  await most.first().click()
  await shows(partsOf(page).detail.getByRole('heading', { level: 2 }), new RegExp(device?.slice(0, 8) ?? '', 'u'))
})

test('an open incident is a bar of the day and opens by Enter, and Escape leads back', async () => {
  const site = reference.world.devices().filter((device, _, all) => device.site?.id === all[0]?.site?.id)
  for (const { id } of site) reference.world.setConnected(id, false)
  const page = await open()
  const line = page.getByRole('region', { name: 'Open incidents' }).getByRole('listitem').getByRole('button').first()
  await line.waitFor()
  await line.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Incident', exact: true }).getByRole('heading', { level: 2 }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  for (const { id } of site) reference.world.setConnected(id, true)
})

test('a tenant’s page leads to its sites by the keys alone, and Escape back to the overview', async () => {
  const page = await open()
  const card = page.getByRole('region', { name: 'Tenants' }).getByRole('button').first()
  await card.waitFor()
  const name = await card.locator('bdi').first().textContent()
  await card.press('Enter')
  await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
  const lines = page.getByRole('region', { name: 'Sites by hour' }).getByRole('listitem')
  await lines.first().waitFor()
  const tenant = reference.world.tenants().find((each) => each.name === name)
  const its = reference.world.devices().filter((device) => device.tenantId === tenant?.id)
  await shows(page.getByRole('region', { name: 'Most disconnects' }), new RegExp(`of ${its.length} devices`, 'u'))
  await page.getByRole('region', { name: 'Availability' }).getByRole('listbox').waitFor()
  await expectNoViolations(page, 'the page of a tenant')
  const exported = async (word: string) => {
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
    const item = page.getByRole('menuitem', { name: word })
    return await savedBy(page, () => item.press('Enter'))
  }
  expect((await exported('Sites, PNG')).bytes.subarray(1, 4).toString()).toBe('PNG')
  expect((await exported('Sites, CSV')).text).toMatch(/^site,in,offline,unknown,online\r\n/u)
  expect((await exported('Sites by hour, CSV')).text.split('\r\n').length).toBeGreaterThan(24)
  expect((await exported('Most disconnects, CSV')).text).toMatch(/^id,name,tenant|^id,name,site/u)
  const site = await lines.first().locator('bdi').first().textContent()
  await lines.first().getByRole('button').press('Enter')
  await page.getByRole('heading', { level: 1, name: site ?? '' }).waitFor()
  await page.getByRole('region', { name: 'Rooms by hour' }).getByRole('listitem').first().waitFor()
  await expectNoViolations(page, 'the page of a site')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('overview')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a site that goes offline is so on its page, with its incident', async () => {
  const [first] = reference.world.devices()
  const site = reference.world.devices().filter((device) => device.site?.id === first?.site?.id)
  const page = await open()
  await page.getByRole('region', { name: 'Tenants' }).getByRole('button').first().waitFor()
  const tenant = reference.world.tenants().find(({ id }) => id === first?.tenantId)
  await page
    .getByRole('region', { name: 'Tenants' })
    .getByRole('button', { name: new RegExp(tenant?.name ?? '', 'u') })
    .press('Enter')
  for (const { id } of site) reference.world.setConnected(id, false)
  await page
    .getByRole('region', { name: 'Open incidents' })
    .getByRole('button', { name: new RegExp(first?.site?.name ?? '', 'u') })
    .first()
    .waitFor()
  await shows(page.getByRole('region', { name: 'Sites', exact: true }), /\d+ of \d+ offline/u)
  for (const { id } of site) reference.world.setConnected(id, true)
})

test('the tree and a link lead to the page of a place, and a link to an unknown one says so', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const line = page
    .getByRole('treegrid')
    .or(page.getByRole('tree'))
    .getByText(reference.world.tenants()[0]?.name ?? '')
    .first()
  await line.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show its page' }).click()
  await page.getByRole('heading', { level: 1, name: reference.world.tenants()[0]?.name ?? '' }).waitFor()
  const map = await served.muster.call('overview.map', { tiles: 'site', layout: null })
  const site = map.places?.tiles.find((_, tile) => (map.counts[tile * 3 + 2] ?? 0) > 0)
  const link = `place/${encodeURIComponent(site?.id ?? '')}`
  expect((await served.muster.call('links.read', { link: `muster://${link}` })).open).toMatchObject({ place: site?.id })
  // The desktop application gets links from the system; only a browser has them in its address.
  if (shell === 'electron') return
  await page.evaluate((hash) => (window.location.hash = hash), link)
  await page.getByRole('heading', { level: 1, name: site?.name ?? '' }).waitFor()
  await page.evaluate(() => (window.location.hash = 'place/s%3Anowhere'))
  await page.getByText('There is no such tenant, account or site here.').waitFor()
})

test('the points of the last hour are shown by what used them, as a table too, and add up', async () => {
  const page = await open()
  const panel = page.getByRole('region', { name: 'Points', exact: true })
  await panel.getByText(/^[\d,]+ points used, at most [\d,]+ of 100,000 in one minute/u).waitFor()
  await panel.getByRole('img', { name: /points used/u }).waitFor()
  const byActivity = panel.getByRole('table', { name: 'Points by activity, last hour' })
  await byActivity.getByRole('cell', { name: 'Inventory', exact: true }).first().waitFor()
  await panel.getByRole('radio', { name: 'Table' }).check({ force: true })
  const minutes = panel.getByRole('region', { name: 'Points by minute' })
  const numbers = (cells: string[]) => cells.map((text) => Number(text.replaceAll(/[≥ ,]/gu, '')))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  await expect
    .poll(async () => {
      const used = await minutes.locator('tbody tr td:nth-of-type(1)').allTextContents()
      const charged = await byActivity.locator('tbody tr td:last-of-type').allTextContents()
      return sum(numbers(used)) > 0 && sum(numbers(used)) === sum(numbers(charged))
    })
    .toBe(true)
})

browserTest('a map whose colours cannot be read says so, instead of a fleet without data', async () => {
  const page = await open({
    before: (prepared) =>
      prepared.routeWebSocket(/\/pipe/u, (socket) => {
        const core = socket.connectToServer()
        socket.onMessage((message) => {
          const asked = /^\{"id":(\d+),"call":"overview\.(?:facts|places)"/u.exec(String(message))
          if (asked === null) return core.send(message)
          const answer = { ok: false, fault: { kind: 'storage', detail: '' } }
          return socket.send(JSON.stringify({ id: Number(asked[1]), answer }))
        })
      }),
  })
  const panel = page.getByRole('region', { name: 'Fleet map', exact: true })
  for (const colouring of ['Age of the data', 'Availability, 7 d']) {
    await panel.getByRole('combobox', { name: 'Colour by' }).selectOption(colouring)
    await panel.getByRole('alert').waitFor()
    expect(await panel.getByText('no data').count()).toBe(0)
  }
  await panel.getByRole('combobox', { name: 'Colour by' }).selectOption('State')
  await mapOf(page).waitFor()
})

test('rooms in use are streamed when the operator asks for it, and unknown before they change', async () => {
  const page = await open()
  const panel = page.getByRole('region', { name: 'Occupancy', exact: true })
  await panel.getByText(/offers people counts of rooms/u).waitFor()
  await panel.getByRole('button', { name: 'Stream people counts' }).press('Enter')
  await expect.poll(() => reference.subscribedRooms().length, { timeout: 15_000 }).toBeGreaterThan(1)
  await panel.getByText('No known room is in use').waitFor()
  const [room, other] = reference.subscribedRooms()
  reference.world.setPeople(room ?? '', 4)
  reference.world.setPeople(other ?? '', 0)
  await panel.getByText(/^1 of 1 known room in use · 4 people$/u).waitFor({ timeout: 15_000 })
  const rooms = panel.getByRole('table', { name: 'Rooms with the most people' })
  await rooms.getByRole('cell', { name: /^4( of \d+)?$/u }).waitFor()
  await expectNoViolations(page, 'the panel of occupancy', '#overview')
  await rooms.getByRole('button').first().press('Enter')
  await partsOf(page).table.waitFor()
  await toOverview(page)
  await panel.getByRole('button', { name: 'Stop streaming' }).press('Enter')
  await expect.poll(() => reference.subscribedRooms(), { timeout: 15_000 }).toEqual([])
  await panel.getByText(/offers people counts of rooms/u).waitFor()
})

test('it opens first where the setting says so', async () => {
  await served.muster.call('settings.change', { firstScreen: 'overview' })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await mapOf(page).waitFor()
  await served.muster.call('settings.change', { firstScreen: 'inventory' })
})

/** Device pixels of a CSS pixel of the map, and how many colours are drawn on it. */
const drawn = (page: Page) =>
  page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    // A copy that is meant to be read: Chromium warns of reading the one on the screen.
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height })
    const pen = copy.getContext('2d', { willReadFrequently: true })
    pen?.drawImage(canvas, 0, 0)
    const data = pen?.getImageData(0, 0, copy.width, copy.height).data ?? []
    const colours = new Set<number>()
    for (let at = 0; at < data.length; at += 4)
      colours.add(((data[at] ?? 0) << 16) + ((data[at + 1] ?? 0) << 8) + (data[at + 2] ?? 0))
    return { ratio: canvas.width / canvas.clientWidth, colours: colours.size }
  })

test.each([
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  { colorScheme: 'light', viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
] as const)('it is accessible and sharply drawn, $colorScheme', async (options) => {
  const page = await open(options)
  await expect.poll(async () => (await drawn(page)).colours).toBeGreaterThan(8)
  expect((await drawn(page)).ratio).toBeCloseTo(options.deviceScaleFactor, 1)
  await page.getByRole('region', { name: 'Most disconnects' }).getByRole('button').first().waitFor()
  await mapOf(page).focus()
  await expectNoViolations(page, 'the overview')
  await page
    .getByRole('region', { name: 'Fleet map', exact: true })
    .getByRole('radio', { name: 'Table' })
    .check({ force: true })
  await page.getByRole('table').first().waitFor()
  await page
    .getByRole('region', { name: 'Points', exact: true })
    .getByRole('radio', { name: 'Table' })
    .check({ force: true })
  await expectNoViolations(page, 'the map as a table', '#overview')
})

test('charts are exported as a picture and as CSV, by the keys alone', async () => {
  const page = await open()
  await page.getByRole('listbox', { name: 'Fleet map' }).waitFor()
  await expect.poll(() => page.locator('.sparkline').count()).toBeGreaterThan(4)
  const exported = async (word: string) => {
    await page.getByRole('button', { name: 'Export charts' }).press('Enter')
    const item = page.getByRole('menuitem', { name: word })
    return await savedBy(page, () => item.press('Enter'))
  }
  for (const word of ['Fleet, last 24 hours, PNG', 'Tenants, last 24 hours, PNG', 'Fleet map, PNG']) {
    const { name, bytes } = await exported(word)
    expect(name).toMatch(/\.png$/u)
    expect([bytes.subarray(1, 4).toString(), bytes.length > 1000]).toEqual(['PNG', true])
  }
  const day = await exported('Tenants, last 24 hours, CSV')
  expect(day.text.split('\r\n')[0]).toBe('from,tenant,online,offline')
  const map = await exported('Fleet map, CSV')
  const devices = map.text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').slice(-3).map(Number))
  expect(devices.flat().reduce((sum, each) => sum + each, 0)).toBe(reference.world.devices().length)
  expect((await exported('Points, last hour, CSV')).text.split('\r\n').length).toBeGreaterThan(2)
  expect((await exported('Points, last hour, PNG')).name).toMatch(/\.png$/u)
  expect((await exported('Open incidents, CSV')).text.split('\r\n')[0]).toMatch(/^severity,incident,/u)
})
