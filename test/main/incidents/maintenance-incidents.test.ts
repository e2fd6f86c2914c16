import { titleOf } from '../../support/messages.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, only, open, openWorld, usual, type World } from './world.ts'
import { afterEach, describe, expect, test } from 'vitest'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> => openWorld(leftovers, plan, over)
const second = 1_000
const minute = 60 * second

const openTitles = (it: World): string[] => open(it).map(titleOf).toSorted()
describe('maintenance windows', () => {
  /** A window over a node, from then until then. */
  function quiet(it: World, node: string, until: number, from = -Infinity): void {
    const holds = (now: number) => (now >= from && now < until ? until : null)
    it.policies.maintenanceUntil = (id, now) => (id === 'q' ? holds(now) : null)
    it.policies.maintenanceAt = (path, now) =>
      path.includes(node) && holds(now) !== null ? { id: 'q', name: 'Patching', node, until } : null
  }

  test('a drop before it began is notified as usual, and is not in its report', async () => {
    const it = await world()
    const begun = it.clock.now()
    quiet(it, 's:test/acme/berlin', begun + 60 * minute, begun + minute)
    await it.drop(...it.ids('berlin').filter((id) => !id.startsWith('berlin-c')))
    await it.clock.advance(minute)
    await it.drop(...it.ids('berlin').filter((id) => id.startsWith('berlin-c')))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual([expect.stringMatching(/^8 devices offline in Berlin$/u)])
    await it.clock.advance(60 * minute)
    expect(it.lines()).toEqual([
      expect.stringMatching(
        /^Patching is over: 4 devices did not come back \| 4 devices went offline in this maintenance window/u,
      ),
    ])
  })

  test('an incident that begins in it is not notified but reported at its end', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    await it.back(...it.ids('berlin').filter((id) => id !== 'berlin-c-4'))
    await it.clock.advance(50 * minute)
    expect(it.lines()).toEqual([])
    expect(only(it).delivery.maintenance).toEqual({ id: 'q', name: 'Patching' })
    await it.clock.advance(10 * minute)
    expect(it.lines()).toEqual([
      'Patching is over: 1 device did not come back | 12 devices went offline in this maintenance window, 11 came back. Still offline: Studio berlin-c-4.',
    ])
    await it.clock.advance(30 * minute)
    expect(it.lines()).toEqual([])
    await it.back('berlin-c-4')
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['Studio berlin-c-4 is back'])
  })

  test('a restart keeps its state; without changes there is no report', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * minute)
    await it.restart()
    await it.see()
    await it.clock.advance(60 * minute)
    expect(it.titles()).toEqual(['Patching is over: 1 device did not come back'])
    quiet(it, 's:test/acme/rome', it.clock.now() + 60 * minute)
    await it.clock.advance(120 * minute)
    expect(it.lines()).toEqual([])
  })

  test('its report waits for a device that has just recovered', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    await it.drop('berlin-a-1')
    await it.clock.advance(59.5 * minute)
    await it.back('berlin-a-1')
    await it.clock.advance(45 * second)
    expect(it.titles()).toEqual([])
    await it.drop('berlin-a-1')
    await it.clock.advance(10 * minute)
    expect(it.titles()).toEqual(['Patching is over: 1 device did not come back'])
  })

  test("a watched device overrides it, with its own notification and its place's state", async () => {
    const it = await world({ watched: [keyOf('acme', 'berlin-a-1')] })
    const elsewhere = ['rome-a-1', 'rome-b-1', 'paris-b-1', 'paris-b-2', 'oslo-a-1']
    await it.drop(...elsewhere)
    await it.clock.advance(2 * minute)
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    it.lines()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([
      'Studio berlin-a-1 is offline | Room a, Berlin, Acme. Since 03:02 UTC. On the watch list. 12 devices of Berlin are down in the maintenance window Patching.',
    ])
    expect(openTitles(it)).toEqual([
      '11 devices offline in Berlin',
      '5 devices offline in 3 sites',
      'Studio berlin-a-1 is offline',
    ])
    // What drops elsewhere afterwards does not take it along either.
    await it.drop('paris-a-1', 'oslo-a-2')
    await it.clock.advance(2 * minute)
    expect(open(it).find(({ delivery }) => delivery.overrode !== '')).toMatchObject({
      scope: { shape: 'device' },
      delivery: { overrode: 'Patching' },
    })
    expect(it.titles()).toEqual(['7 devices offline in 3 sites'])
    await it.clock.advance(20 * minute)
    expect(it.titles()).toEqual([])
  })

  test('an override names its own place, and no other in the same maintenance', async () => {
    const it = await world({ watched: [keyOf('acme', 'berlin-a-1')] })
    quiet(it, 't:test/acme', it.clock.now() + 60 * minute)
    await it.drop(...it.ids('rome').filter((id) => id.startsWith('rome-a')), ...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([
      expect.stringContaining('12 devices of Berlin are down in the maintenance window Patching.'),
    ])
  })

  test('a watched device overrides it, and suppressed devices make no outage of others', async () => {
    const it = await world({ watched: [keyOf('acme', 'berlin-a-1')] })
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    await it.drop(...it.ids('berlin'), ...it.ids('oslo'))
    await it.clock.advance(3 * minute)
    expect(it.titles().toSorted()).toEqual([
      'Studio berlin-a-1 is offline',
      'Studio oslo-a-1 is offline',
      'Studio oslo-a-2 is offline',
    ])
    expect(openTitles(it)).toContain('11 devices offline in Berlin')
  })

  test('a removed maintenance window ends at once', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 60 * minute)
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * minute)
    it.policies.maintenanceAt = () => null
    it.policies.maintenanceUntil = () => null
    it.alerts().recheck()
    await it.clock.advance(second)
    expect(it.titles()).toEqual(['Patching is over: 1 device did not come back'])
  })
})
