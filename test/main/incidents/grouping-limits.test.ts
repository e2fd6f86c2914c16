import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { reportLimits } from '../../../src-main/incidents/engine/maintenance/report.ts'
import { byWorst } from '../../../src-main/incidents/engine/state.ts'
import { maxRecent } from '../../../src-main/incidents/engine/state.ts'
import type { Severity } from '../../../src-shared/model/incidents.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, only, open, openWorld, stored, usual, type World } from './world.ts'
import type { Plan } from './world-devices.ts'

/** How much is too much, how long is too long: both sides of each limit. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan: Plan = usual): Promise<World> =>
  openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Sites of four devices each: all four down are a site that is down. */
const sites = (count: number): Plan => ({
  acme: Object.fromEntries([...Array(count).keys()].map((n) => [`site${n}`, { a: 2, b: 2 }])),
})
/** Sites of ten devices each: one device down explains none of them. */
const wide = (count: number): Plan => ({
  acme: Object.fromEntries([...Array(count).keys()].map((n) => [`site${n}`, { a: 10 }])),
})
const firsts = (from: number, before: number): string[] =>
  [...Array(before).keys()].slice(from).map((n) => `site${n}-a-1`)
const allOf = (it: World, from: number, before: number): string[] =>
  it.ids().filter((id) => Number(/\d+/u.exec(id)?.[0]) >= from && Number(/\d+/u.exec(id)?.[0]) < before)

describe('devices without a common place', () => {
  test('three are notified alone, four as one', async () => {
    const three = await world({}, wide(5))
    await three.drop(...firsts(0, 3))
    await three.clock.advance(2 * minute)
    expect(three.titles()).toHaveLength(3)
    const four = await world({}, wide(5))
    await four.drop(...firsts(0, 4))
    await four.clock.advance(2 * minute)
    expect(four.titles()).toEqual(['4 devices offline in 4 sites'])
  })

  test('those of ten minutes count together, and older ones do not', async () => {
    const soon = await world({}, wide(5))
    await soon.drop(...firsts(0, 3))
    await soon.clock.advance(9 * minute)
    await soon.drop('site3-a-1')
    await soon.clock.advance(2 * minute)
    expect(open(soon).map(({ scope, extent }) => [scope.shape, extent.down])).toEqual([['several', 4]])
    const late = await world({}, wide(5))
    await late.drop(...firsts(0, 3))
    await late.clock.advance(12 * minute)
    await late.drop('site3-a-1')
    await late.clock.advance(2 * minute)
    expect(open(late).map(({ scope }) => scope.shape)).toEqual(['device', 'device', 'device', 'device'])
  })

  test('nine are minor, ten are more than that', async () => {
    const it = await world({}, wide(12))
    await it.drop(...firsts(0, 9))
    await it.clock.advance(2 * minute)
    expect(only(it).severity).toBe('minor')
    await it.drop('site9-a-1')
    await it.clock.advance(2 * minute)
    expect(only(it).severity).toBe('major')
  })
})

describe('places that go down together', () => {
  test('are named with the worst first, then what is down for longest', () => {
    const of = (severity: Severity, openedAt: number) => ({ severity, openedAt })
    const order = [of('critical', 3), of('critical', 4), of('major', 1), of('major', 2), of('minor', 0)]
    expect([order[4], order[3], order[0], order[2], order[1]].flatMap((one) => one ?? []).sort(byWorst)).toEqual(order)
  })

  test('four are notified each, five as one', async () => {
    const it = await world({}, sites(12))
    await it.drop(...allOf(it, 0, 4))
    await it.clock.advance(2 * minute)
    expect(it.titles()).toHaveLength(4)
    const more = await world({}, sites(12))
    await more.drop(...allOf(more, 0, 5))
    await more.clock.advance(2 * minute)
    expect(more.titles()).toEqual(['20 devices offline in 5 sites'])
  })

  test('a place down within ten minutes joins under the same id, a later one does not', async () => {
    const it = await world({}, sites(30))
    await it.drop(...allOf(it, 0, 5))
    await it.clock.advance(5 * minute)
    await it.drop(...allOf(it, 5, 6))
    await it.clock.advance(3 * minute)
    const [storm, grown] = it.sent
    expect(it.titles()).toEqual(['20 devices offline in 5 sites', '24 devices offline in 6 sites'])
    expect(grown?.id).toBe(storm?.id)
    await it.clock.advance(5 * minute)
    await it.drop(...allOf(it, 6, 7))
    await it.clock.advance(3 * minute)
    expect(it.titles()).toEqual(['4 devices offline in Site6'])
  })

  test('more devices than a filter names open with all devices down in these places', async () => {
    const it = await world({}, { acme: Object.fromEntries([...Array(10).keys()].map((n) => [`site${n}`, { a: 40 }])) })
    await it.drop(...allOf(it, 0, 5))
    await it.clock.advance(3 * minute)
    expect(it.sent).toMatchObject([{ devices: 200, open: { scope: 't:test/acme', filter: 'connected:no' } }])
  })

  test('three that end are notified each, four as one', async () => {
    const it = await world({}, sites(30))
    await it.drop(...allOf(it, 0, 7))
    await it.clock.advance(2 * minute)
    it.lines()
    await it.back(...allOf(it, 0, 3))
    await it.clock.advance(3 * minute)
    expect(it.titles().toSorted()).toEqual([
      '4 devices are back in Site0',
      '4 devices are back in Site1',
      '4 devices are back in Site2',
    ])
    await it.back(...allOf(it, 3, 7))
    await it.clock.advance(3 * minute)
    expect(it.titles()).toEqual(['16 devices are back'])
  })
})

describe('a place that is down', () => {
  test('takes its own devices from an incident without a common place, and leaves the others', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'paris-a-1', 'rome-a-1', 'rome-b-1', 'oslo-a-1')
    await it.clock.advance(2 * minute)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(open(it).map(titleOf).toSorted()).toEqual(['12 devices offline in Berlin', '4 devices offline in 3 sites'])
  })

  test('takes later drops in it while at least half of its peak is down', async () => {
    const it = await world({}, { acme: { rome: { a: 20 }, oslo: { a: 2 } } })
    await it.drop(...it.ids('rome').slice(0, 16))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('rome').slice(0, 8))
    await it.clock.advance(2 * minute)
    await it.drop('rome-a-19')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ scope, extent }) => [scope.shape, extent.down])).toEqual([['node', 9]])
    await it.back('rome-a-9', 'rome-a-10')
    await it.clock.advance(2 * minute)
    await it.drop('rome-a-20')
    await it.clock.advance(2 * minute)
    expect(open(it).some(({ scope }) => scope.shape === 'device')).toBe(true)
  })

  test('joins a larger place while it grew lately, and not after half an hour', async () => {
    const soon = await world()
    await soon.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await soon.clock.advance(25 * minute)
    await soon.drop('berlin-b-1', 'berlin-b-2', 'berlin-b-3', 'berlin-c-1', 'berlin-c-2')
    await soon.clock.advance(2 * minute)
    expect(open(soon).map(titleOf)).toEqual(['8 devices offline in Berlin'])
    const late = await world()
    await late.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await late.clock.advance(35 * minute)
    await late.drop('berlin-b-1', 'berlin-b-2', 'berlin-b-3', 'berlin-c-1', 'berlin-c-2')
    await late.clock.advance(2 * minute)
    expect(open(late)).toHaveLength(late.sent.length)
    expect(open(late).length).toBeGreaterThan(1)
  })
})

describe('state that is dropped', () => {
  test('changes of a device that can make nothing flap any more', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(second)
    await it.back('rome-a-1')
    await it.clock.advance(29 * minute)
    await it.drop('york-a-1')
    await it.clock.advance(2 * minute)
    expect([...it.alerts().state().flaps.keys()]).toEqual([keyOf('beta', 'york-a-1')])
  })

  test('the oldest notifications, beyond the listed ones', async () => {
    const it = await world({}, wide(maxRecent + 10))
    for (const id of firsts(0, maxRecent + 5)) {
      await it.drop(id)
      await it.clock.advance(12 * minute)
    }
    expect(it.alerts().state().notifications.size).toBe(maxRecent)
    expect(it.alerts().notifications().recent.map(titleOf).at(-1)).toBe('Studio site5-a-1 is offline')
  })

  test('maintenance reports are dropped when too old for a handover, or too many', async () => {
    const it = await world()
    const ends = async (id: string) => {
      const until = it.clock.now() + hour
      it.policies.maintenanceAt = (path, now) =>
        path.includes('s:test/acme/oslo') && now < until ? { id, name: id, node: 's:test/acme/oslo', until } : null
      it.policies.maintenanceUntil = (one, now) => (one === id && now < until ? until : null)
      await it.drop('oslo-a-1')
      await it.clock.advance(2 * minute)
      await it.back('oslo-a-1')
      await it.clock.advance(hour + 5 * minute)
    }
    await ends('first')
    await it.clock.advance(reportLimits.ms - 30 * minute)
    await ends('second')
    await ends('third')
    expect(
      it
        .alerts()
        .state()
        .maintenanceReports.map(({ name }) => name),
    ).toEqual(['second', 'third'])
  })
})

test('a muted model does not flap either, unless the device is watched', async () => {
  const it = await world({ mutedModels: ['X50'], watched: [keyOf('beta', 'york-a-1')] })
  for (let n = 0; n < 7; n += 1) {
    await it[n % 2 === 0 ? 'drop' : 'back']('rome-a-1', 'york-a-1')
    await it.clock.advance(20 * second)
  }
  await it.clock.advance(5 * minute)
  expect(it.titles()).toEqual(['Studio york-a-1 is flapping'])
})

describe("an operator's action", () => {
  test('is in the history, and so is its undo', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    const at = it.clock.now()
    for (const change of [
      { acknowledged: { at, reason: 'Known' } },
      { acknowledged: null },
      { snoozed: { at, until: at + hour } },
      { snoozed: null },
      { snoozed: { at, until: null } },
      { snoozed: null },
      { snoozed: null },
    ]) {
      await it.alerts().mark([{ id, ...change }])
      await it.clock.advance(second)
    }
    expect(stored(it, id)?.events.map(({ what }) => what)).toEqual([
      'opened',
      'notified',
      'acknowledged',
      'unacknowledged',
      'snoozed',
      'unacknowledged',
      'snoozed',
      'unacknowledged',
    ])
  })

  test('ends when the incident grows beyond it, and the history says so', async () => {
    const it = await world()
    await it.drop('berlin-a-1')
    await it.clock.advance(2 * minute)
    const { id } = only(it)
    await it.alerts().mark([{ id, snoozed: { at: it.clock.now(), until: null } }])
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ id, operator: { snoozed: null } })
    expect(stored(it, id)?.events.map(({ what }) => what)).toContain('unacknowledged')
  })

  test('a snooze of an incident that was never notified ends without a notification', async () => {
    const it = await world({ notifyOffline: false })
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.alerts().mark([{ id: only(it).id, snoozed: { at: it.clock.now(), until: it.clock.now() + 10 * minute } }])
    await it.clock.advance(20 * minute)
    expect([only(it).operator.snoozed, only(it).delivery.renotify]).toEqual([null, false])
  })
})

describe('state that the journal rejected until now', () => {
  test('is stored before the journal is read again', async () => {
    const it = await world()
    it.disk.full = true
    await it.alerts().pause(60)
    it.disk.full = false
    await it.alerts().reload()
    expect(it.alerts().notifications().pausedUntil).not.toBeNull()
  })

  test('is dropped and found out anew where another member has written since', async () => {
    const it = await world()
    it.disk.full = true
    await it.alerts().pause(60)
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    it.disk.full = false
    await it.alerts().readAgain()
    expect(it.alerts().notifications().pausedUntil).toBeNull()
    await it.clock.advance(2 * minute)
    expect([open(it).length, it.titles().length]).toEqual([1, 1])
  })
})

test('a device that left the inventory without an event is found within half an hour', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  it.removeUnreported('rome-a-1')
  await it.clock.advance(31 * minute)
  expect(open(it)).toEqual([])
})
