import { createLeftovers } from '../../support/fleet.ts'
import { known, changeOpen, open, openTitles, openWorld, usual, type World } from './world.ts'
import { afterEach, describe, expect, test } from 'vitest'

/** Two or three things at a time: what was said of an incident, where it stands, and whether anybody looks. */

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

function quiet(it: World, node: string, from: number, until: number): void {
  const holds = (now: number) => from <= now && now < until
  it.policies.maintenanceAt = (path, now) =>
    holds(now) && path.includes(node) ? { id: 'q', name: 'Patching', node, until } : null
  it.policies.maintenanceUntil = (id, now) => (id === 'q' && holds(now) ? until : null)
  it.alerts().recheck()
}

describe('the recovery of an acknowledged incident counts all devices that came back', () => {
  test('also where others end with it', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    await it.drop('rome-a-1', 'london-a-1', 'oslo-a-1')
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('berlin').slice(0, 5))
    await it.clock.advance(5 * minute)
    it.titles()
    await it.back(...it.ids('berlin'), 'rome-a-1', 'london-a-1', 'oslo-a-1')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['15 devices are back'])
  })

  test('also where the last recovery was not seen', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin').slice(0, 10))
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    await it.back(...it.ids('berlin').slice(0, 5))
    await it.clock.advance(5 * minute)
    await it.blind('acme')
    it.setUnreported(true, ...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    it.lines()
    await it.see('acme')
    await it.clock.advance(15 * minute)
    expect(it.lines().join()).toContain('10 devices are back in Berlin')
  })
})

describe('a device is not notified as recovered', () => {
  test('when it dropped again and is suppressed by a maintenance window', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.back('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.clock.advance(65 * second)
    it.lines()
    quiet(it, 's:test/acme/berlin', it.clock.now(), it.clock.now() + 3 * hour)
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.clock.advance(30 * minute)
    await it.back('berlin-b-1')
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio berlin-b-1 is back'])
  })

  test('when it is within its hold-off again', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.back('berlin-a-1')
    await it.clock.advance(65 * second)
    it.lines()
    await it.back('berlin-a-2')
    await it.drop('berlin-a-1')
    await it.clock.advance(70 * second)
    expect(it.titles()).toEqual(['Studio berlin-a-2 is back'])
  })

  test('later, when it recovered while recoveries were switched off', async () => {
    const it = await world({ notifyRecovered: false })
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('berlin').slice(0, 5))
    await it.clock.advance(5 * minute)
    it.lines()
    it.settings.notifyRecovered = true
    it.alerts().recheck()
    await it.back('berlin-b-2')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio berlin-b-2 is back'])
  })
})

describe('a recovery is notified of a device that was notified as down', () => {
  const flap = async (it: World, everyMs: number) => {
    for (let n = 0; n < 3; n += 1) {
      await it.back('berlin-a-1', 'berlin-a-2')
      await it.clock.advance(everyMs)
      await it.drop('berlin-a-1', 'berlin-a-2')
      await it.clock.advance(everyMs)
    }
  }

  test('also where it flapped during a pause before', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2')
    await it.clock.advance(2 * minute)
    it.lines()
    await it.alerts().pause(120)
    await flap(it, 2 * minute)
    await it.back('berlin-a-1', 'berlin-a-2')
    await it.clock.advance(3 * hour)
    expect(it.titles()).toEqual(['2 devices came back while notifications were paused'])
    expect(open(it)).toEqual([])
  })

  test('a device that flapped in between counts in the recovery of an acknowledged incident', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    it.lines()
    await flap(it, 20 * second)
    await it.clock.advance(45 * minute)
    expect(it.titles()).toEqual(['Studio berlin-a-1 is flapping', 'Studio berlin-a-2 is flapping'])
    expect(openTitles(it)).toEqual(['12 devices offline in Berlin'])
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['12 devices are back in Berlin'])
  })
})
