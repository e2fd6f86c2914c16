import { titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { known, changeOpen, open, openWorld, snoozed, usual, type World } from './world.ts'

/** Tests that a mark on one incident suppresses no other, and that no timer repeats. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How often it is asked where devices are within two minutes. */
async function looksIn(it: World): Promise<number> {
  const before = it.requests.locations
  await it.clock.advance(2 * minute)
  return it.requests.locations - before
}
/** Time after time of a window over a node: `times` are spans. */
function quiet(it: World, node: string, times: readonly (readonly [from: number, until: number])[]): void {
  const at = (now: number) => times.find(([from, until]) => from <= now && now < until)
  it.policies.maintenanceAt = (path, now) => {
    const time = at(now)
    return time !== undefined && path.includes(node)
      ? { id: `${node} ${time[0]}`, name: 'Patching', node, until: time[1] }
      : null
  }
  it.policies.maintenanceUntil = (id, now) => {
    const time = at(now)
    return time !== undefined && id === `${node} ${time[0]}` ? time[1] : null
  }
  it.alerts().recheck()
}

describe('a mark on a smaller incident', () => {
  test('a snooze of a device does not hold for its site', async () => {
    const it = await world()
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * minute)
    await changeOpen(it, snoozed(it, null))
    it.titles()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['12 devices offline in Berlin'])
  })

  test('an acknowledged incident without a common place takes no other device', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'paris-a-1', 'rome-a-1', 'rome-b-1')
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    it.titles()
    await it.drop('york-a-1')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
  })

  test('incidents of a time without notifications and later ones do not mix', async () => {
    const it = await world({ notifyOffline: false })
    await it.drop(...it.ids('berlin').slice(0, 9))
    await it.clock.advance(5 * minute)
    it.settings.notifyOffline = true
    it.alerts().recheck()
    await it.drop(...it.ids('berlin').slice(9))
    await it.clock.advance(5 * minute)
    expect(it.titles()).not.toEqual([])
    it.settings.notifyOffline = false
    it.alerts().recheck()
    await it.drop(...it.ids('rome'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([])
  })
})

describe('no repeated timer', () => {
  test('for an ended snooze, or an incident that is acknowledged, unknown or never notified', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    await changeOpen(it, snoozed(it, minute))
    await it.clock.advance(minute)
    expect(await looksIn(it)).toBeLessThan(5)
    await changeOpen(it, { acknowledged: null })
    await changeOpen(it, snoozed(it, minute))
    it.titles()
    await it.blind()
    await it.clock.advance(5 * minute)
    expect(await looksIn(it)).toBeLessThan(5)
    it.titles()
    await it.see()
    await it.clock.advance(5 * minute)
    expect(it.titles()).toContain('Studio rome-a-1 is offline')
  })

  test('for a maintenance window that goes on, is followed by the next, or is extended', async () => {
    const it = await world()
    const now = it.clock.now()
    quiet(it, 's:test/acme/berlin', [
      [now, now + hour],
      [now + hour, now + 2 * hour],
    ])
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(hour + minute)
    expect(await looksIn(it)).toBeLessThan(5)
    expect(it.titles()).toEqual([])
    expect(open(it).map(({ delivery }) => delivery.maintenance?.id)).toEqual([`s:test/acme/berlin ${now + hour}`])
    quiet(it, 's:test/acme/berlin', [
      [now, now + hour],
      [now + hour, now + 5 * hour],
    ])
    await it.clock.advance(2 * hour)
    expect(await looksIn(it)).toBeLessThan(5)
    await it.clock.advance(2 * hour)
    expect(it.titles()).toEqual(['Patching is over: 12 devices did not come back'])
  })

  test('for a device that becomes unknown within its hold-off', async () => {
    const it = await world({ notifyMonitoringLost: false })
    await it.drop('rome-a-1', ...it.ids('berlin'))
    await it.clock.advance(minute)
    await it.blind()
    await it.clock.advance(5 * minute)
    expect(await looksIn(it)).toBeLessThan(5)
    expect(it.titles()).toEqual([])
  })

  test('for a device that moves to a place with other thresholds', async () => {
    const it = await world()
    it.policies.nodes = new Map([['s:test/acme/rome', { holdOffSeconds: 3600 }]])
    await it.drop('rome-a-1', 'oslo-a-1')
    await it.clock.advance(5 * minute)
    expect(await looksIn(it)).toBeLessThan(5)
    expect(it.titles()).toEqual(['Studio oslo-a-1 is offline'])
  })
})

describe('maintenance windows and unknown devices', () => {
  test('the report waits ten minutes for them at most, and counts them as unknown', async () => {
    const it = await world({ notifyMonitoringLost: false })
    const now = it.clock.now()
    quiet(it, 'r:test/EU-1', [[now, now + hour]])
    await it.drop(...it.ids('berlin'), 'york-a-1')
    await it.clock.advance(30 * minute)
    await it.blind('beta')
    await it.clock.advance(45 * minute)
    expect(it.titles()).toEqual(['Patching is over: 12 devices did not come back, 1 device with no data since'])
    await it.see('beta')
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
  })

  test('a device counts once, and a flapping one is not called offline', async () => {
    const it = await world()
    const now = it.clock.now()
    quiet(it, 's:test/acme/oslo', [[now, now + 20 * minute]])
    for (let round = 0; round < 3; round += 1) {
      await it.drop('oslo-a-1')
      await it.clock.advance(2 * minute)
      await it.back('oslo-a-1')
      await it.clock.advance(2 * minute)
    }
    await it.clock.advance(10 * minute)
    expect(it.lines()).toEqual([
      'Patching is over: 1 device flapping | 1 device went offline in this maintenance window, 0 came back.',
    ])
  })

  test('maintenance that ends while notifications are off notifies neither drops nor recoveries', async () => {
    const it = await world()
    const now = it.clock.now()
    quiet(it, 's:test/acme/berlin', [[now, now + hour]])
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * minute)
    it.settings.notifyOffline = false
    await it.clock.advance(hour)
    it.settings.notifyOffline = true
    it.alerts().recheck()
    await it.back('berlin-a-1')
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual([])
  })
})

describe('notifications of combined causes', () => {
  test('missed transitions make nothing flap, nor after a restart', async () => {
    const it = await world({ notifyMonitoringLost: false })
    for (let round = 0; round < 6; round += 1) {
      await it.blind('acme')
      it.setUnreported(round % 2 === 1, 'rome-a-1')
      await it.clock.advance(5 * second)
      await it.see('acme')
      await it.clock.advance(5 * second)
    }
    await it.restart()
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual([])
  })

  test('four changes, the last not evaluated before a crash, are four', async () => {
    const it = await world()
    for (const change of ['drop', 'back', 'drop'] as const) {
      await it[change]('rome-a-1')
      await it.clock.advance(5 * second)
    }
    await it.back('rome-a-1')
    await it.crash()
    await it.see()
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual([])
  })

  test('an offline device that begins to flap is notified, and so is its end', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    for (let round = 0; round < 3; round += 1) {
      await it.back('rome-a-1')
      await it.clock.advance(10 * second)
      await it.drop('rome-a-1')
      await it.clock.advance(10 * second)
    }
    await it.back('rome-a-1')
    await it.clock.advance(hour)
    expect(it.titles()).toEqual([
      'Studio rome-a-1 is offline',
      'Studio rome-a-1 is flapping',
      'Studio rome-a-1 is steady again',
    ])
  })

  test('a device that recovered during a monitoring loss is named', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(5 * minute)
    await it.blind('acme')
    await it.clock.advance(5 * minute)
    it.titles()
    it.setUnreported(true, 'rome-a-1')
    await it.see('acme')
    await it.clock.advance(5 * minute)
    expect(it.lines()).toEqual([
      'Monitoring restored for Acme | Meanwhile: 1 incident, which is over. Studio rome-a-1 is back.',
    ])
  })

  test('a drop long after a monitoring loss is not counted with it', async () => {
    const it = await world()
    await it.restart(() => it.setUnreported(false, ...it.ids('berlin').slice(0, 9), ...it.ids('rome').slice(0, 15)))
    await it.see()
    await it.clock.advance(72 * hour)
    it.titles()
    await it.drop('berlin-c-4', 'rome-b-10')
    await it.clock.advance(5 * minute)
    expect(it.titles().toSorted()).toEqual(['10 devices offline in Berlin', '16 devices offline in Rome'])
  })

  test('a site that drops device by device is the site', async () => {
    const it = await world()
    for (const id of it.ids('berlin')) {
      await it.drop(id)
      await it.clock.advance(20 * second)
    }
    await it.clock.advance(5 * minute)
    expect(open(it).map((one) => [one.scope.shape, one.severity, titleOf(one)])).toEqual([
      ['node', 'critical', '12 devices offline in Berlin'],
    ])
  })
})

describe('a clock that was ahead', () => {
  test('set back, it delays no drop, growth or monitoring loss, and a pause keeps its length', async () => {
    const it = await world()
    it.clock.jump(3 * hour)
    await it.drop('berlin-a-1')
    await it.clock.advance(second)
    it.clock.jump(-3 * hour)
    await it.drop('oslo-a-1')
    await it.clock.advance(3 * minute)
    expect(it.titles().toSorted()).toEqual(['Studio berlin-a-1 is offline', 'Studio oslo-a-1 is offline'])
    it.clock.jump(30 * 24 * hour)
    await it.alerts().pause(60)
    it.clock.jump(-30 * 24 * hour)
    await it.drop('rome-a-1')
    await it.clock.advance(62 * minute)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })
})

describe('devices that left the service', () => {
  test('leave their incident, and the incident closes', async () => {
    const it = await world()
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await it.remove('rome-a-1')
    await it.clock.advance(2 * minute)
    expect(open(it)).toEqual([])
  })
})

test('many places at a time are evaluated in a moment', async () => {
  const plan = { acme: Object.fromEntries([...Array(600).keys()].map((n) => [`site${n}`, { a: 4 }])) }
  const it = await world({}, plan)
  await it.drop(...it.ids().filter((id) => !id.endsWith('-4') && Number(id.slice(4).split('-')[0]) < 300))
  await it.clock.advance(3 * minute)
  expect(open(it)).toHaveLength(300)
  expect(it.titles()).toEqual(['900 devices offline in 300 sites'])
})
