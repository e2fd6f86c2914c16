import { bodyOf, titleOf } from '../../support/messages.ts'
import { afterEach, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { known, changeOpen, open, openWorld, snoozed, usual, type World } from '../incidents/world.ts'

/** Tests of notifications delayed by a pause, a snooze, an acknowledgement or a monitoring loss: each comes once, with its state by then. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const berlin = (it: World) => it.ids('berlin')
const flaps = async (it: World, id: string) => {
  for (let n = 0; n < 6; n += 1) {
    await (n % 2 === 0 ? it.drop(id) : it.back(id))
    await it.clock.advance(20 * second)
  }
  await it.clock.advance(minute)
}

/** Acknowledged, and over in a pause that goes on. */
async function overInPause(): Promise<World> {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  it.lines()
  await it.alerts().pause(60)
  await it.back('rome-a-1')
  await it.clock.advance(10 * minute)
  return it
}

test('devices recovered under an acknowledgement that was undone count in the next recovery', async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  await it.back(...berlin(it).slice(0, 6))
  await it.clock.advance(5 * minute)
  await changeOpen(it, { acknowledged: null })
  await it.clock.advance(5 * minute)
  it.lines()
  await it.back(...berlin(it).slice(6, 9))
  await it.clock.advance(5 * minute)
  await it.back(...berlin(it))
  await it.clock.advance(5 * minute)
  expect(it.lines().join('\n')).toContain('12 devices are back')
})

test('devices recovered under an undone acknowledgement count in a combined recovery', async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  await it.drop('rome-a-1', 'london-a-1', 'oslo-a-1')
  await it.clock.advance(2 * minute)
  await it.back(...berlin(it).slice(0, 5))
  await it.clock.advance(5 * minute)
  await changeOpen(it, { acknowledged: null })
  it.titles()
  await it.back(...berlin(it), 'rome-a-1', 'london-a-1', 'oslo-a-1')
  await it.clock.advance(5 * minute)
  expect(it.titles()).toEqual(['15 devices are back'])
})

test('a part that splits from an incident whose snooze ended in a pause is notified with it', async () => {
  const it = await world({}, { acme: { berlin: { a: 3, b: 4, c: 4, d: 4 }, oslo: { a: 2 } } })
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, snoozed(it, 10 * minute))
  it.lines()
  await it.alerts().pause(60)
  await it.clock.advance(15 * minute)
  it.alerts().recheck()
  await it.clock.advance(minute)
  await it.back(...berlin(it).filter((id) => !['berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-b-1'].includes(id)))
  await it.clock.advance(50 * minute)
  const lines = it.lines()
  expect(lines.join()).toContain('berlin-b-1 is offline')
})

test('the end of a pause notifies at once, also where a snooze lasts longer', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  await changeOpen(it, snoozed(it, 8 * hour))
  it.lines()
  await it.alerts().pause(60)
  await it.drop('york-a-1')
  await it.clock.advance(61 * minute)
  expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
})

test('the end of a pause notifies at once, also where a maintenance window lasts longer', async () => {
  const it = await world()
  const until = it.clock.now() + 8 * hour
  it.policies.maintenanceAt = (path, now) =>
    now < until && path.includes('s:test/acme/berlin')
      ? { id: 'q', name: 'Patching', node: 's:test/acme/berlin', until }
      : null
  it.policies.maintenanceUntil = (id, now) => (id === 'q' && now < until ? until : null)
  await it.drop('berlin-a-1')
  await it.clock.advance(2 * minute)
  await it.alerts().pause(60)
  await it.drop('york-a-1')
  await it.clock.advance(61 * minute)
  expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
})

test('a device that drops again in a pause is not counted in the room of the remaining one', async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  it.lines()
  await it.alerts().pause(60)
  await it.back(...berlin(it).filter((id) => id !== 'berlin-a-3'))
  await it.clock.advance(5 * minute)
  await it.drop('berlin-b-1')
  await it.clock.advance(5 * minute)
  const [one] = open(it)
  expect(bodyOf(one)).not.toContain('Room a')
})

test('a device that drops again in a snooze is not counted in the room of the remaining one', async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, snoozed(it, hour))
  it.lines()
  await it.back(...berlin(it).filter((id) => id !== 'berlin-a-3'))
  await it.clock.advance(5 * minute)
  await it.drop('berlin-b-1')
  await it.clock.advance(hour)
  const lines = it.lines()
  expect(lines[0]).not.toContain('Room a, Berlin, Acme. Studio berlin-b-1 and')
})

test('a monitoring loss that began while the clock was ahead began before now', async () => {
  const it = await world()
  it.clock.jump(5 * hour)
  await it.clock.advance(2 * minute)
  await it.blind('acme')
  await it.clock.advance(20 * second)
  it.titles()
  await it.restart(() => it.clock.jump(-5 * hour))
  await it.see('beta')
  await it.clock.advance(10 * minute)
  expect(it.lines()).toEqual([expect.stringMatching(/^Monitoring lost for Acme since 03:0\d UTC/u)])
})

test('a flapping device that was steady for hours in a snooze and is down is notified as offline', async () => {
  const it = await world()
  await flaps(it, 'rome-a-1')
  expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  await changeOpen(it, snoozed(it, 8 * hour))
  await it.clock.advance(2 * hour)
  await it.drop('rome-a-1')
  await it.clock.advance(7 * hour)
  expect(it.lines().join()).toContain('is offline')
})

test('a flapping device that was steady for hours in a pause and is down is notified as offline', async () => {
  const it = await world()
  await flaps(it, 'rome-a-1')
  expect(it.titles()).toEqual(['Studio rome-a-1 is flapping'])
  await it.alerts().pause(8 * 60)
  await it.clock.advance(2 * hour)
  await it.drop('rome-a-1')
  await it.clock.advance(7 * hour)
  expect(open(it).map(titleOf)).toEqual(['Studio rome-a-1 is offline'])
})

test('a muted model is not notified after a monitoring loss', async () => {
  const it = await world({ mutedModels: ['X50'] })
  await it.blind('acme')
  await it.clock.advance(5 * minute)
  it.setUnreported(false, 'rome-a-1')
  it.lines()
  await it.see('acme')
  await it.clock.advance(15 * minute)
  expect(it.lines()).toEqual(['Monitoring restored for Acme | No device went offline meanwhile.'])
})

test('an incident that is open again is not notified while drops are switched off', async () => {
  const it = await overInPause()
  it.settings.notifyOffline = false
  it.alerts().recheck()
  await it.clock.advance(10 * minute)
  await it.drop('rome-a-1')
  await it.clock.advance(2 * hour)
  expect(it.titles()).toEqual([])
})

test('a summary that grows keeps its earlier statements', async () => {
  const it = await world()
  await it.drop(...it.ids('berlin').slice(0, 10))
  await it.clock.advance(2 * minute)
  await it.blind('acme')
  await it.clock.advance(5 * minute)
  it.setUnreported(false, 'berlin-c-3', 'berlin-c-4')
  it.lines()
  await it.see('acme')
  await it.clock.advance(5 * minute)
  it.setUnreported(true, 'berlin-a-1')
  await it.read('acme')
  await it.clock.advance(5 * minute)
  const lines = it.lines()
  expect(lines.join()).not.toContain('No device went offline meanwhile')
})

test('an incident open again in a maintenance window is not notified before its end', async () => {
  const it = await overInPause()
  const until = it.clock.now() + 3 * hour
  it.policies.maintenanceAt = (path, now) =>
    now < until && path.includes('s:test/acme/rome')
      ? { id: 'q', name: 'Patching', node: 's:test/acme/rome', until }
      : null
  it.policies.maintenanceUntil = (id, now) => (id === 'q' && now < until ? until : null)
  it.alerts().recheck()
  await it.clock.advance(10 * minute)
  await it.drop('rome-a-1')
  await it.clock.advance(2 * hour)
  expect(it.titles()).toEqual([])
})

test("an acknowledged incident's recovery is notified although its last device begins to flap", async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  await it.back(...berlin(it).slice(1))
  await it.clock.advance(40 * minute)
  it.lines()
  await it.back('berlin-a-1')
  await it.drop('berlin-a-1')
  await flaps(it, 'berlin-a-1')
  await it.back('berlin-a-1')
  await it.clock.advance(3 * hour)
  expect(open(it)).toEqual([])
  const lines = it.lines()
  expect(lines.join()).toMatch(/1[12] devices are back/u)
})

test("an acknowledged incident's recovery is notified although its last device is gone", async () => {
  const it = await world()
  await it.drop(...berlin(it))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  await it.back(...berlin(it).slice(1))
  await it.clock.advance(40 * minute)
  it.lines()
  await it.remove('berlin-a-1')
  await it.clock.advance(3 * hour)
  expect(open(it)).toEqual([])
  expect(it.lines().join()).toMatch(/11 devices are back/u)
})

test.each([false, true])(
  'a drop that waited to be visible is notified when it is, also with thresholds: %s',
  async (policies) => {
    const it = await world()
    if (policies) it.policies.nodes = new Map([['t:test/beta', { holdOffSeconds: 120 }]])
    it.alerts().recheck()
    await it.clock.advance(minute)
    await it.drop('rome-a-1')
    await it.clock.advance(10 * second)
    await it.blind('acme')
    await it.clock.advance(5 * minute)
    it.lines()
    await it.see('acme')
    await it.clock.advance(15 * minute)
    expect(it.lines().join()).toContain('Studio rome-a-1 is offline')
  },
)

test.each([false, true])('a drop that is no longer muted is notified, also with thresholds: %s', async (policies) => {
  const it = await world({ mutedModels: ['X50'] })
  if (policies) it.policies.nodes = new Map([['t:test/beta', { holdOffSeconds: 120 }]])
  it.alerts().recheck()
  await it.clock.advance(minute)
  await it.drop('rome-a-1')
  await it.clock.advance(5 * minute)
  it.settings.mutedModels = []
  it.alerts().recheck()
  await it.clock.advance(5 * minute)
  expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
})

test('state that a full disk rejected is written at an orderly end, and not notified again', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(80 * second)
  it.disk.full = true
  await it.clock.advance(15 * second)
  expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  it.disk.full = false
  await it.restart()
  await it.see()
  await it.clock.advance(10 * minute)
  expect(it.titles()).toEqual([])
})

test('a maintenance report leaves out a device that is down again in another maintenance', async () => {
  const it = await world()
  const start = it.clock.now()
  const windows = [
    { id: 'room', node: 'm:test/acme/paris/a', from: start, until: start + 10 * minute },
    { id: 'site', node: 's:test/acme/paris', from: start + 100 * second, until: start + hour },
  ]
  const holding = (now: number) =>
    windows.filter(({ from, until }) => from <= now && now < until).toSorted((a, b) => b.until - a.until)
  it.policies.maintenanceAt = (path, now) =>
    holding(now).flatMap(({ id, node, until }) => (path.includes(node) ? { id, name: id, node, until } : []))[0] ?? null
  it.policies.maintenanceUntil = (id, now) => holding(now).find((window) => window.id === id)?.until ?? null
  await it.drop('paris-a-1')
  await it.clock.advance(100 * second)
  await it.back('paris-a-1')
  await it.clock.advance(65 * second)
  await it.drop('paris-a-1')
  await it.clock.advance(30 * minute)
  expect(it.titles()).toEqual([])
  await it.clock.advance(hour)
  expect(it.titles()).toEqual(['site is over: 1 device did not come back'])
})

test('a storm does not call flapping devices offline', async () => {
  const it = await world(
    {},
    { acme: Object.fromEntries([...Array(12).keys()].map((n) => [`site${n}`, { a: 2, b: 2 }])) },
  )
  for (let n = 0; n < 4; n += 1) await (n % 2 === 0 ? it.drop('site6-a-1') : it.back('site6-a-1'))
  await it.drop(...it.ids().filter((id) => /^site[1-4]-/u.test(id)))
  await it.clock.advance(75 * second)
  await it.drop('site6-a-1')
  await it.clock.advance(minute)
  expect(it.titles()).toEqual(['16 devices offline, 1 device flapping in 5 sites'])
})

test('a group waiting for its minute is notified although another tenant becomes unknown', async () => {
  const it = await world()
  await it.drop('paris-a-2', 'berlin-c-1', 'rome-a-2')
  await it.clock.advance(20 * second)
  await it.drop('berlin-b-2')
  await it.clock.advance(20 * second)
  await it.blind('beta')
  await it.clock.advance(95 * second)
  expect(open(it).map((one) => [titleOf(one), one.extent.down])).toEqual([['4 devices offline in 3 sites', 4]])
  it.lines()
  await it.clock.advance(minute)
  expect(it.titles()).toEqual(['4 devices offline in 3 sites'])
})
