import { bodyOf, titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { known, changeOpen, only, open, openWorld, usual, type World, openTitles } from './world.ts'

/** Two or three things at a time: what was said of an incident, where it stands, and whether anybody looks. */

export const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
export const world = (over?: Parameters<typeof openWorld>[2], plan = usual): Promise<World> =>
  openWorld(leftovers, plan, over)
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute

export function quiet(it: World, node: string, from: number, until: number): void {
  const holds = (now: number) => from <= now && now < until
  it.policies.maintenanceAt = (path, now) =>
    holds(now) && path.includes(node) ? { id: 'q', name: 'Patching', node, until } : null
  it.policies.maintenanceUntil = (id, now) => (id === 'q' && holds(now) ? until : null)
  it.alerts().recheck()
}

describe('an acknowledged incident', () => {
  test('that splits to a part of its place counts all recovered devices at its end', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await changeOpen(it, known(it))
    it.lines()
    await it.back(...it.ids('berlin').slice(0, 6))
    await it.clock.advance(5 * minute)
    await it.back(...it.ids('berlin').slice(6, 9))
    await it.clock.advance(5 * minute)
    expect([openTitles(it), it.lines()]).toEqual([['3 devices offline in Room c'], []])
    await it.back(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['12 devices are back in Berlin'])
  })

  test.each(['acknowledged', 'snoozed'] as const)(
    'that recovered during a pause is notified when it is open again after that: %s',
    async (how) => {
      const it = await world()
      await it.drop('rome-a-1')
      await it.clock.advance(2 * minute)
      await changeOpen(it, how === 'acknowledged' ? known(it) : { snoozed: { at: it.clock.now(), until: null } })
      it.lines()
      await it.alerts().pause(480)
      await it.back('rome-a-1')
      await it.clock.advance(6 * hour)
      await it.drop('rome-a-1')
      await it.clock.advance(3 * hour)
      expect(only(it)).toMatchObject({ operator: { acknowledged: null, snoozed: null }, extent: { down: 1 } })
      expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
    },
  )
})

test('that recovered unseen and drops again before that is notified, is notified', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  await it.blind('acme')
  it.setUnreported(true, 'rome-a-1')
  await it.clock.advance(8 * hour)
  await it.see('acme')
  await it.clock.advance(75 * second)
  expect(open(it)).toEqual([])
  it.titles()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * hour)
  expect(it.titles()).toContain('Studio rome-a-1 is offline')
})

test.each(['growth', 'quiet', 'acknowledged'] as const)(
  '"no device went offline" is not said after a monitoring loss where some did: %s',
  async (how) => {
    const it = await world()
    if (how === 'quiet') quiet(it, 's:test/acme/berlin', it.clock.now(), it.clock.now() + 3 * hour)
    else await it.drop(...it.ids('berlin').slice(0, 10))
    await it.clock.advance(5 * minute)
    if (how === 'acknowledged') await changeOpen(it, known(it))
    await it.blind('acme')
    await it.clock.advance(10 * minute)
    it.lines()
    it.setUnreported(false, ...it.ids('berlin'))
    await it.see('acme')
    await it.clock.advance(20 * minute)
    const offline = how === 'quiet' ? 12 : 2
    expect(it.lines()).toContain(
      `Monitoring restored for Acme | ${offline} devices went offline meanwhile, in what was known before or in a maintenance window.`,
    )
  },
)

test('an acknowledged storm does not grow: a new outage has its own notification', async () => {
  const sites = [1, 2, 3, 4, 5, 6].map((n) => `s${n}`)
  const it = await world(
    {},
    { acme: { ...Object.fromEntries(sites.map((site) => [site, { [`${site}room`]: 3, z: 1 }])), big: { a: 60 } } },
  )
  const trio = (site: string) => [1, 2, 3].map((n) => `${site}-${site}room-${n}`)
  await it.drop(...sites.slice(0, 5).flatMap(trio))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  it.lines()
  await it.drop(...trio('s6'))
  await it.clock.advance(3 * minute)
  expect(it.titles()).toEqual([expect.stringMatching(/^3 devices offline in (Room s6room|S6)$/u)])
})

describe('a place', () => {
  test('stays one incident over a snooze in which most of it recovered and dropped again', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await changeOpen(it, { snoozed: { at: it.clock.now(), until: it.clock.now() + hour } })
    it.titles()
    await it.back(...it.ids('berlin').slice(3))
    await it.clock.advance(10 * minute)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(hour)
    expect(it.titles()).toEqual(['12 devices offline in Berlin'])
  })

  test('lists all of its devices, also one that was back for a moment', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.drop('york-a-1')
    await it.clock.advance(50 * second)
    await it.back('berlin-a-1')
    await it.clock.advance(50 * second)
    await it.drop('berlin-a-1')
    await it.clock.advance(5 * second)
    expect(open(it).find(({ scope }) => scope.path[0]?.name === 'Berlin')?.extent.down).toBe(12)
  })

  test('does not split while a recovery is unconfirmed', async () => {
    const it = await world()
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    it.lines()
    await it.back(...it.ids('berlin').slice(3))
    await it.clock.advance(20 * second)
    it.alerts().recheck()
    await it.clock.advance(10 * second)
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(5 * minute)
    expect([openTitles(it), it.lines()]).toEqual([['12 devices offline in Berlin'], []])
  })

  test('does not continue with devices that moved out of it: they have incidents elsewhere', async () => {
    const it = await world()
    await it.drop('berlin-a-1', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * minute)
    it.lines()
    const before = only(it)
    await it.move('paris', 'b', 'berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(openTitles(it)).toEqual(['3 devices offline in Room a', 'Studio berlin-a-1 is offline'])
    expect(open(it).find(({ scope }) => scope.shape === 'device')).toMatchObject({
      scope: { path: [{ name: 'Room b' }, { name: 'Paris' }, {}, {}] },
      splitFrom: { id: before.id },
      delivery: { notifiedAt: before.delivery.notifiedAt },
    })
    await it.move('paris', 'b', 'berlin-a-2', 'berlin-a-3', 'berlin-a-4')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ scope }) => scope.where)).not.toContainEqual({ kind: 'place', name: 'Room a' })
    expect(it.lines()).toEqual([])
    await it.back(...it.ids('paris'))
    await it.clock.advance(5 * minute)
    expect(open(it)).toEqual([])
  })

  test('of one device is where that device is by now', async () => {
    const it = await world()
    await it.drop('berlin-a-1')
    await it.clock.advance(2 * minute)
    await it.move('oslo', 'a', 'berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ scope: { path: [{ name: 'Room a' }, { name: 'Oslo' }, {}, {}] } })
    expect(titleOf(only(it))).toBe('Studio berlin-a-1 is offline')
    expect(bodyOf(only(it))).toContain('Oslo')
  })
})

test('a flapping device found down after a monitoring loss is offline since an unknown time', async () => {
  for (const restarts of [false, true]) {
    const it = await world()
    for (let n = 0; n < 6; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back']('rome-a-1')
      await it.clock.advance(minute)
    }
    await it.blind()
    await it.clock.advance(hour)
    it.setUnreported(false, 'rome-a-1')
    await it.clock.advance(hour)
    it.lines()
    await it.see()
    if (restarts) await it.restart()
    if (restarts) await it.see()
    await it.clock.advance(40 * minute)
    expect(only(it)).toMatchObject({ kind: 'outage', extent: { since: null } })
    expect(titleOf(only(it))).toBe('Studio rome-a-1 is offline')
    expect(it.alerts().state().drops.values().next().value?.notBefore).not.toBeNull()
  }
})

describe('a maintenance window', () => {
  test('does not report a removed device as recovered', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now(), it.clock.now() + hour)
    await it.drop('berlin-a-1', 'berlin-b-1')
    await it.clock.advance(10 * minute)
    await it.remove('berlin-a-1')
    await it.back('berlin-b-1')
    await it.clock.advance(2 * hour)
    expect(it.lines()).toEqual([
      expect.stringMatching(/1 device went offline in this maintenance window, 1 came back/u),
    ])
  })

  test('covers a device that starts flapping in it, though its first changes were before', async () => {
    const it = await world()
    quiet(it, 's:test/acme/berlin', it.clock.now() + 5 * minute, it.clock.now() + hour)
    await it.drop('berlin-a-1')
    await it.clock.advance(30 * second)
    await it.back('berlin-a-1')
    await it.clock.advance(6 * minute)
    for (let n = 0; n < 5; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back']('berlin-a-1')
      await it.clock.advance(20 * second)
    }
    await it.clock.advance(10 * minute)
    expect(it.lines()).toEqual([])
    expect(only(it)).toMatchObject({ kind: 'flapping', delivery: { maintenance: { id: 'q' } } })
    await it.clock.advance(hour)
    expect(it.titles()[0]).not.toContain('all of it is back')
  })
})

test('flapping starts at its first change, whether the device is up or down when it is detected', async () => {
  const bodies = []
  for (const changes of [5, 6]) {
    const it = await world()
    for (let n = 0; n < changes; n += 1) {
      await it[n % 2 === 0 ? 'drop' : 'back']('rome-a-1')
      await it.clock.advance(n === 4 ? 10 * second : minute)
    }
    await it.clock.advance(minute)
    bodies.push(it.lines().find((line) => line.includes('is flapping')))
  }
  expect(bodies).toEqual([expect.stringContaining('Since 03:00'), bodies[0]])
})

test('a pause counts as recovered the devices that its summary reports as recovered', async () => {
  const it = await world()
  await it.drop(...it.ids('berlin'))
  await it.clock.advance(2 * minute)
  await it.blind('acme')
  await it.clock.advance(5 * minute)
  it.lines()
  await it.alerts().pause(60)
  it.setUnreported(true, ...it.ids('berlin'))
  await it.see('acme')
  await it.clock.advance(10 * minute)
  await it.drop('york-a-1')
  await it.clock.advance(hour)
  expect(it.titles()).toEqual(['1 device went offline, 12 devices came back while notifications were paused'])
})

test('a region with one tenant left is that tenant', async () => {
  const it = await world()
  await it.drop(...it.ids())
  await it.clock.advance(2 * minute)
  expect(openTitles(it)).toEqual(['60 devices offline in EU-1'])
  await it.back(...it.ids('london'), ...it.ids('york'))
  await it.clock.advance(2 * minute)
  expect(openTitles(it)).toEqual(['44 devices offline in Acme'])
})

test('a snooze that ends after notifications were switched off notifies nothing', async () => {
  const it = await world()
  await it.drop('rome-a-1')
  await it.clock.advance(2 * minute)
  it.lines()
  await changeOpen(it, { snoozed: { at: it.clock.now(), until: it.clock.now() + 10 * minute } })
  it.settings.notifyOffline = false
  it.alerts().recheck()
  await it.clock.advance(hour)
  expect(it.lines()).toEqual([])
})
