import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import { appState } from '../renderer/support/pipe-stub.ts'
import { expectNoViolations } from '../support/accessibility.ts'
import { listed, openRows } from '../support/listed.ts'
import { browserTest, serveFleet, useWindows, type Served } from '../support/window.ts'
import { columnOf, focused, partsOf, shows } from '../support/page-parts.ts'

const windows = useWindows()
let reference: Service
let served: Served

beforeAll(async () => {
  ;({ reference, served } = await serveFleet(windows.shared, { devices: 1_200, tenants: 4 }))
})

const numberText = (value: number) => value.toLocaleString('en-US')

test('the first view is the devices offline now, longest first, with totals on top', async () => {
  const { page, totals, choice } = await openRows(windows, served)
  const { online, offline, staged } = reference.world.totals()
  await shows(
    totals,
    `1,200 devices: ${numberText(online)} online, ${numberText(offline)} offline, ${numberText(staged)} unknown`,
  )
  expect(await choice('Offline').isChecked()).toBe(true)
  await listed(page, offline)
  const down = reference.world
    .devices()
    .filter(({ connected }) => connected === false)
    .toSorted((one, other) => Date.parse(one.lastDetected ?? '') - Date.parse(other.lastDetected ?? ''))
  expect(down.length).toBeGreaterThan(3)
  await expect.poll(() => columnOf(page, 'Name')).toEqual(down.map(({ name }) => name))
  expect(new Set(await columnOf(page, 'Status'))).toEqual(new Set(['offline']))
})

test('spares are not listed as offline until they are asked for, and every count says so', async () => {
  const { page, totals, choice, filter } = await openRows(windows, served)
  const down = reference.world.devices().filter(({ connected }) => connected === false)
  const byModel = Map.groupBy(down, ({ hardwareModel }) => hardwareModel)
  const [model, spares] = [...byModel].find(([, devices]) => devices.length > 1 && devices.length < down.length) ?? [
    '',
    [],
  ]
  const choiceOf = (act: string) =>
    page.getByRole('button', { name: new RegExp(`^${spares.length} spares ${act}$`, 'u') })
  await listed(page, down.length)
  await served.muster.call('settings.change', { spareModels: [model.toUpperCase()] })
  await listed(page, down.length - spares.length)
  await shows(choice('Offline'), `Offline ${down.length - spares.length}`)
  await shows(totals, new RegExp(`, ${down.length} offline \\(${spares.length} spares\\), `, 'u'))
  expect(await columnOf(page, 'Name')).not.toContain(spares[0]?.name)
  await expectNoViolations(page, 'spares that are not listed')
  await choiceOf('not listed · Show').click()
  await listed(page, down.length)
  await shows(choice('Offline'), `Offline ${down.length}`)
  expect(await filter.inputValue()).toBe('connected:no')
  await choiceOf('listed · Hide').click()
  await listed(page, down.length - spares.length)
  await choice('All').click()
  await page.getByRole('button', { name: /spares/u }).waitFor({ state: 'detached' })
  await choice('Offline').click()
  // With other terms it is theirs that are counted.
  await filter.fill(`connected:no spare:no model:"${model}"`)
  await listed(page, 0)
  await shows(choice('Offline'), 'Offline 0')
  await choiceOf('not listed · Show').click()
  await listed(page, spares.length)
  await served.muster.call('settings.change', { spareModels: [] })
  await choiceOf('listed · Hide').waitFor({ state: 'detached' })
})

test('only the row of a device that comes back flashes', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  const { row, rows } = partsOf(page)
  await rows.first().waitFor()
  const [back] = await columnOf(page, 'Name')
  const device = reference.world.find(({ name, connected }) => name === back && connected === false)
  const watched = await page.evaluateHandle(() => {
    const lit = new Set<string>()
    const look = () =>
      document
        .querySelectorAll('#devices [data-flash]')
        .forEach((line) => lit.add(line.querySelector('[data-column=name]')?.textContent ?? ''))
    new MutationObserver(look).observe(document.querySelector('#devices') ?? document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    })
    return lit
  })
  reference.world.setConnected(device.id, true)
  await expect.poll(() => row(device.name).count()).toBe(0)
  expect(await watched.evaluate((lit) => [...lit])).toEqual([device.name])
  expect(await rows.first().evaluate((line) => line.getAnimations().length)).toBe(0)
  reference.world.setConnected(device.id, false)
})

test('without the demo, nothing says DEMO', async () => {
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await partsOf(page).rows.first().waitFor()
  expect(await page.getByText(/DEMO/u).count()).toBe(0)
  expect(await page.title()).not.toContain('DEMO')
})

test('the content policy blocks nothing that the window does', async () => {
  const blocked: string[] = []
  const before = async (page: Page) => {
    await page.exposeFunction('blocked', (text: string) => blocked.push(text))
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', (event) => window.blocked(event.violatedDirective + ' ' + event.blockedURI))",
    )
  }
  const page = await windows.open(served.server.newUrl(), { before })
  const { rows } = partsOf(page)
  await rows.first().waitFor()
  expect(blocked).toEqual([])
})

test('a notification that is opened leads to its incident', async () => {
  await served.muster.call('settings.change', { holdOffSeconds: 0, recoverySeconds: 0, groupingSeconds: 0 })
  const page = await windows.open(served.server.newUrl(), { log: served.muster.log })
  await partsOf(page).rows.first().waitFor()
  const device = reference.world.find(({ connected }) => connected === true)
  reference.world.setConnected(device.id, false)
  await page.getByRole('button', { name: 'Notifications, 1 new' }).press('Enter', { timeout: 40_000 })
  await page
    .getByRole('list', { name: 'Recent notifications' })
    .getByRole('button')
    .filter({ hasText: device.name })
    .press('Enter')
  await page
    .getByRole('region', { name: 'Incident', exact: true })
    .getByRole('heading', { name: device.name })
    .waitFor()
  await expect.poll(() => focused(page)).toBe('Incident')
})

browserTest('a window that cannot be drawn says so, and can be loaded again', async () => {
  // The desktop shell gives the window a bridge; this one answers with what no core would.
  const before = (page: Page) =>
    page.addInitScript(`window.musterBridge = {
    ask: async () => ${JSON.stringify(JSON.stringify({ ok: true, value: { ...appState(), connections: [null] } }))},
    subscribe: () => {},
  }`)
  const page = await windows.open(served.server.newUrl(), {
    before,
    expected: [/TypeError/u, /Cannot read properties/u, /is not iterable/u],
  })
  const alert = page.getByRole('alert')
  await alert.getByText('The window could not be drawn.').waitFor()
  await alert.getByRole('button', { name: 'Load again' }).waitFor()
})
