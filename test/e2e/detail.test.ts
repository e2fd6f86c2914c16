import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { browserTest, serveFleet, useWindows, type Served } from '../support/window.ts'
import { partsOf, shows, textOf } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 300, tenants: 2 }))
})

test('the detail shows all eight fields, their age, and status changes as they happen', async () => {
  const device = reference.world.find(
    ({ connected, site, room }) => connected === true && site !== null && room !== null,
  )
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, row, detail, field } = partsOf(page)
  await choice('All').click()
  await filter.fill(device.id)
  await row(device.name).click()
  await shows(detail.getByRole('heading', { level: 2 }), device.name)
  await shows(field('ID'), device.id)
  await shows(field('Name'), device.name)
  await shows(field('Model'), device.hardwareModel)
  await shows(field('Reported status'), 'online')
  await shows(field('Site'), device.site?.name ?? '')
  await shows(field('Room'), device.room?.name ?? '')
  const [connection] = (await served.muster.call('app.state', {})).connections
  await shows(detail.getByRole('region', { name: 'Connection' }), `Connection ${connection?.name}`)
  for (const [name, word] of [
    ['lastDetected', 'Last seen'],
    ['lastConfigRequestDate', 'Last config check-in'],
  ] as const) {
    const shown = await field(word).getByRole('time').first().getAttribute('datetime')
    // A heartbeat may have come since: as exact as the service itself.
    expect(Math.abs(Date.parse(shown ?? '') - Date.parse(device[name] ?? ''))).toBeLessThan(5 * 60_000)
    expect(await textOf(field(word))).toMatch(/\d\d:\d\d:\d\d .*(ago|just now)$/u)
  }
  await detail.getByText(/^Last update .*(just now|ago)$/u).waitFor()
  await detail.getByText('No status changes yet.').waitFor()
  reference.world.setConnected(device.id, false)
  const transitions = detail.getByRole('region', { name: 'Status history' }).getByRole('listitem')
  await shows(transitions, /^Offline at (?:[\d-]+ )?\d\d:\d\d:\d\d$/u)
  await shows(field('Reported status'), 'offline')
  await detail.getByText(/^Offline for \d+ s, seen live at/u).waitFor()
  reference.world.setConnected(device.id, true)
  await expect.poll(() => transitions.count()).toBe(2)
  await shows(transitions.first(), /^Online at (?:[\d-]+ )?\d\d:\d\d:\d\d$/u)
  await expect
    .poll(() => detail.getByRole('listbox', { name: /over the last 24 hours/u }).getAttribute('aria-label'))
    .toMatch(/^1 device over the last 24 hours: up .*, down .*, no data .*; 1 disconnect\.$/u)
})

test('a device is added to the watch list and removed, from its detail and from its menu', async () => {
  const device = reference.world.find(({ connected }) => connected === true)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, row, rows, detail } = partsOf(page)
  await choice('All').click()
  await filter.fill(device.id)
  await row(device.name).click()
  const eye = rows.first().getByRole('img', { name: 'On the watch list' })
  await detail.getByRole('button', { name: 'Watch', exact: true }).click()
  await eye.waitFor()
  await expect.poll(async () => (await served.muster.call('app.state', {})).settings.watched).toHaveLength(1)
  await rows.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove from the watch list' }).click()
  await eye.waitFor({ state: 'detached' })
  await detail.getByRole('button', { name: 'Watch', exact: true, pressed: false }).waitFor()
  await expect.poll(async () => (await served.muster.call('app.state', {})).settings.watched).toEqual([])
})

test('a device that is renamed is renamed in its open detail', async () => {
  const device = reference.world.find(({ connected }) => connected === false)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { row, detail } = partsOf(page)
  await row(device.name).first().click()
  reference.world.renameDevice(device.id, 'Renamed while it was looked at')
  await shows(detail.getByRole('heading', { level: 2 }), 'Renamed while it was looked at')
})

test('a blank name is shown as no name, a long one is cut, an open direction mark is removed', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, rows, detail, field } = partsOf(page)
  await choice('All').click()
  const devices = reference.world
    .devices()
    .filter(({ connected }) => connected === true)
    .slice(3, 6)
  for (const [index, name] of ['\u00a0 \u200b ', 'L'.repeat(300), 'Hall \u202eegral'].entries()) {
    const { id } = devices[index] ?? { id: '' }
    reference.world.renameDevice(id, name)
    await filter.fill(`id:${id}`)
    const cell = rows.first().locator('[data-column=name] bdi')
    const shown = ['no name', name, 'Hall egral'][index] ?? ''
    await expect.poll(() => cell.textContent()).toBe(shown)
    await rows.first().click()
    await expect.poll(() => field('Name').locator('bdi').textContent()).toBe(shown)
    await expect.poll(() => detail.getByRole('heading', { level: 2 }).locator('bdi').textContent()).toBe(shown)
    for (const each of [cell, field('Name').locator('bdi'), detail.locator('h2 bdi')])
      expect(await each.evaluate((bdi) => getComputedStyle(bdi).unicodeBidi)).toMatch(/isolate/u)
    if (index === 1) {
      // Cut in the middle of a line, and shaded there.
      const { height, line, more } = await field('Name')
        .locator('bdi')
        .evaluate((bdi) => ({
          height: bdi.clientHeight,
          line: Number.parseFloat(getComputedStyle(bdi).lineHeight),
          more: bdi.scrollHeight > bdi.clientHeight,
        }))
      expect([more, Math.abs(((height / line) % 1) - 0.5) < 0.25]).toEqual([true, true])
    }
  }
})

test('a device that is gone after the next sync is shown as gone', async () => {
  const device = reference.world.find(({ connected }) => connected === false)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { row, detail } = partsOf(page)
  await row(device.name).first().click()
  await detail.getByText(device.id).waitFor()
  reference.world.removeDevice(device.id)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('dialog', { name: 'Refresh' }).getByRole('button', { name: 'Sync all tenants' }).click()
  await detail.getByText('This device is no longer in the fleet.').waitFor()
})

test('each field that has a value can be copied', async () => {
  const { muster } = served
  const page = await windows.open(served.server.newUrl(), { log: muster.log })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { rows, detail, field } = partsOf(page)
  await rows.first().click()
  for (const name of ['Model', 'Tenant', 'ID']) {
    const value = await textOf(field(name))
    await field(name)
      .getByRole('button', { name: `Copy ${name}` })
      .click()
    await field(name)
      .getByRole('button', { name: `Copied ${name}` })
      .waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
  }
  await field('Last seen').getByRole('button', { name: 'Copy Last seen' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u)
  const [connection] = (await muster.call('app.state', {})).connections
  const pause = (paused: boolean) => muster.call('connections.pause', { id: connection?.id ?? '', paused })
  await pause(true)
  await shows(detail.getByRole('region', { name: 'Connection' }), `Connection ${connection?.name} not now: paused`)
  await pause(false)
  await shows(detail.getByRole('region', { name: 'Connection' }), `Connection ${connection?.name}`)
})

browserTest('a link copied in a browser opens there again, also in an open window', async () => {
  const [device, other] = reference.world.devices()
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { choice, filter, row, detail } = partsOf(page)
  await choice('All').click()
  const copied = async (id: string, name: string) => {
    await filter.fill(id)
    await row(name).click()
    await shows(detail.getByRole('heading', { level: 2 }), name)
    await detail.getByRole('button', { name: 'Copy link' }).click()
    await detail.getByRole('button', { name: 'Copied link' }).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const [one, two] = [
    await copied(device?.id ?? '', device?.name ?? ''),
    await copied(other?.id ?? '', other?.name ?? ''),
  ]
  const again = await page.context().newPage()
  await again.goto(one)
  await shows(partsOf(again).detail.getByRole('heading', { level: 2 }), device?.name ?? '')
  expect(new URL(again.url()).hash).toBe('')
  await again.evaluate((url) => {
    window.location.href = url
  }, two)
  await shows(partsOf(again).detail.getByRole('heading', { level: 2 }), other?.name ?? '')
  await again.evaluate(() => {
    window.location.hash = 'room/kitchen'
  })
  await again.getByText('Muster cannot open this link.').waitFor()
})

test('a device that was renamed has its names and places, the newest first', async () => {
  const device = reference.world.find(({ connected, site }) => connected === true && site !== null)
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { choice, filter, row, detail } = partsOf(page)
  await choice('All').click()
  await filter.fill(device.id)
  await row(device.name).click()
  await shows(detail.getByRole('heading', { level: 2 }), device.name)
  const history = detail.getByRole('region', { name: 'Names and places' })
  await history.waitFor({ state: 'detached' })
  const former = device.name
  const long = 'Boardroom '.repeat(12).trim()
  reference.world.renameDevice(device.id, long)
  await served.muster.call('sync.start', { scope: 'all' })
  const lines = history.getByRole('listitem').filter({ hasText: /Since | to /u })
  await expect.poll(() => lines.count()).toBe(2)
  await shows(lines.first(), new RegExp(`^${long} Since `, 'u'))
  await shows(lines.last(), new RegExp(`^${former}.* to .*${device.site?.name}`, 'u'))
  expect(await detail.evaluate((pane) => pane.scrollWidth <= pane.clientWidth)).toBe(true)
})
