import { bodyOf, entryOf, titleOf } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { isEnd } from '../../../src-shared/notifications/desktop-notification.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { minute } from '../sync/bed.ts'
import { openWorld } from './world.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const world = () => openWorld(leftovers, { acme: { berlin: { a: 12 } }, borg: { rome: { a: 1 } } })
type World = Awaited<ReturnType<typeof world>>

/** The first notified incident and its devices, as the journal has them. */
function storedOf(it: World) {
  const id = it.sent[0]?.id ?? ''
  const { incident, events = [] } = it.calls().storedIncident({ id }) ?? {}
  const { rows } = it.calls().incidentMembers({ id, offset: 0, limit: 10 })
  return {
    closedAt: incident?.closedAt,
    events: events.map((one) => entryOf(one).join(' ').trim()),
    rows: rows.map(({ name, unlisted, recoveredAt }) => [name, unlisted, recoveredAt !== null]),
  }
}

const ends = (told: World['sent']) => told.filter(isEnd).map(({ kind, devices }) => [kind, devices])

/** Takes the devices down until that is notified. Returns the notifications after that. */
async function down(it: World, ...ids: string[]) {
  await it.drop(...ids)
  await it.clock.advance(5 * minute)
  const before = it.sent.length
  return () => it.sent.slice(before)
}

describe('a device that the service no longer lists while its incident is open', () => {
  test('does not end it as recovered: notification, history and devices name it as unlisted', async () => {
    const it = await world()
    const fresh = await down(it, 'berlin-a-1')
    await it.remove('berlin-a-1')
    await it.clock.advance(2 * minute)
    expect(fresh().map((one) => [one.kind, titleOf(one), bodyOf(one)])).toEqual([
      [
        'unlisted',
        'Studio berlin-a-1 is no longer listed',
        expect.stringContaining('Whether it is back is not known.'),
      ],
    ])
    const { events, rows, closedAt } = storedOf(it)
    expect([rows, closedAt]).toEqual([[['Studio berlin-a-1', true, true]], expect.any(Number)])
    expect(events.toSorted()).toEqual(expect.arrayContaining(['closed 1 device no longer listed', 'unlisted 1 device']))
  })

  test('is notified apart from those of it that recovered', async () => {
    const it = await openWorld(leftovers, { acme: { berlin: { a: 4 } } })
    const fresh = await down(it, 'berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.remove('berlin-a-2')
    await it.back('berlin-a-1', 'berlin-a-3')
    await it.clock.advance(10 * minute)
    expect(fresh().map(({ kind, devices }) => [kind, devices])).toEqual(
      expect.arrayContaining([
        ['recovered', 2],
        ['unlisted', 1],
      ]),
    )
    expect(storedOf(it).rows.toSorted()).toEqual([1, 2, 3].map((n) => [`Studio berlin-a-${n}`, n === 2, true]))
  })

  test('is not notified before its incident ends', async () => {
    const it = await openWorld(leftovers, { acme: { berlin: { a: 4 } } })
    const fresh = await down(it, 'berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.remove('berlin-a-2')
    await it.clock.advance(10 * minute)
    expect(ends(fresh())).toEqual([])
    await it.back('berlin-a-1', 'berlin-a-3')
    await it.clock.advance(10 * minute)
    expect(ends(fresh()).toSorted()).toEqual([
      ['recovered', 2],
      ['unlisted', 1],
    ])
  })

  test('is not notified when it had recovered by then', async () => {
    const it = await world()
    const fresh = await down(it, 'berlin-a-1')
    await it.alerts().pause(10)
    await it.back('berlin-a-1')
    await it.clock.advance(5 * minute)
    await it.remove('berlin-a-1')
    await it.clock.advance(15 * minute)
    expect(ends(fresh()).filter(([kind]) => kind === 'unlisted')).toEqual([])
    expect(storedOf(it).rows).toEqual([['Studio berlin-a-1', false, true]])
    expect(storedOf(it).events.filter((event) => event.includes('listed'))).toEqual([])
  })

  test('is not notified when it was never notified as down', async () => {
    const it = await world()
    await it.alerts().pause(30)
    const fresh = await down(it, 'berlin-a-1')
    await it.remove('berlin-a-1')
    await it.clock.advance(60 * minute)
    expect(fresh()).toEqual([])
    expect(it.alerts().state().incidents.size).toBe(0)
  })

  test('is not notified where recoveries are not, and the incident ends all the same', async () => {
    const it = await openWorld(leftovers, { acme: { berlin: { a: 3 } } }, { notifyRecovered: false })
    const fresh = await down(it, 'berlin-a-1')
    await it.remove('berlin-a-1')
    await it.clock.advance(2 * minute)
    expect([fresh(), storedOf(it).closedAt]).toEqual([[], expect.any(Number)])
    expect(it.alerts().state().incidents.size).toBe(0)
  })

  test('is notified when a pause is over', async () => {
    const it = await world()
    const fresh = await down(it, 'berlin-a-1')
    await it.alerts().pause(10)
    await it.remove('berlin-a-1')
    await it.clock.advance(5 * minute)
    expect(fresh()).toEqual([])
    await it.clock.advance(10 * minute)
    expect(fresh().map(({ kind }) => kind)).toEqual(['unlisted'])
  })
})

describe('over a restart', () => {
  test.each(['restart', 'crash'] as const)('it is notified when the pause is over (%s)', async (way) => {
    const it = await world()
    const fresh = await down(it, 'berlin-a-1')
    await it.alerts().pause(10)
    await it.remove('berlin-a-1')
    await it.clock.advance(5 * minute)
    await it[way]()
    await it.see()
    await it.clock.advance(2 * minute)
    expect(fresh()).toEqual([])
    await it.clock.advance(10 * minute)
    expect(fresh().map((one) => [one.kind, titleOf(one)])).toEqual([
      ['unlisted', 'Studio berlin-a-1 is no longer listed'],
    ])
    await it[way]()
    await it.clock.advance(20 * minute)
    expect(ends(fresh())).toHaveLength(1)
  })

  test('it is notified when the minute after a recovery is over', async () => {
    const it = await openWorld(leftovers, { acme: { berlin: { a: 4 } } })
    const fresh = await down(it, 'berlin-a-1', 'berlin-a-2', 'berlin-a-3')
    await it.back('berlin-a-1', 'berlin-a-3')
    for (let left = 300; left > 0 && fresh().length === 0; left -= 1) await it.clock.advance(1_000)
    expect(fresh().map(({ kind }) => kind)).toEqual(['recovered'])
    await it.remove('berlin-a-2')
    await it.clock.advance(5_000)
    expect(fresh()).toHaveLength(1)
    await it.crash()
    await it.clock.advance(2 * minute)
    expect(ends(fresh())).toEqual([
      ['recovered', 2],
      ['unlisted', 1],
    ])
  })

  test.each([false, true])(
    'is notified beside the recovery of an acknowledged incident (over a crash: %s)',
    async (crashes) => {
      const it = await openWorld(leftovers, { acme: { berlin: { a: 4 } } })
      const fresh = await down(it, 'berlin-a-1', 'berlin-a-2', 'berlin-a-3')
      const [id = ''] = it.alerts().state().incidents.keys()
      await it.alerts().mark([{ id, acknowledged: { at: it.clock.now(), reason: 'Known' } }])
      await it.back('berlin-a-1')
      await it.clock.advance(5 * minute)
      await it.alerts().pause(10)
      await it.remove('berlin-a-2', 'berlin-a-3')
      await it.clock.advance(minute)
      if (crashes) await it.crash()
      await it.see()
      await it.clock.advance(15 * minute)
      expect(ends(fresh()).toSorted()).toEqual([
        ['recovered', 1],
        ['unlisted', 2],
      ])
    },
  )

  test('a tenant that left while Muster was off ends its incidents at the next start', async () => {
    const it = await world()
    const fresh = await down(it, 'rome-a-1')
    await it.restart(() => {
      it.calls().saveWithdrawn({ connection: 'c', tenants: [{ key: 'test/borg', name: 'Borg', devices: 1 }] })
      it.calls().tenants({
        service: 'test',
        connection: 'c',
        tenants: [{ id: 'acme', name: 'Acme', region: 'EU-1' }],
        at: it.clock.now(),
      })
    })
    await it.clock.advance(2 * minute)
    expect(ends(fresh())).toEqual([['unlisted', 1]])
    expect(it.alerts().state().drops.size).toBe(0)
  })
})

test('a tenant that is no longer listed ends its incidents, and a paused one does not', async () => {
  const it = await world()
  const fresh = await down(it, 'rome-a-1')
  const { paused, clock } = it
  paused.add('c')
  it.alerts().recheck()
  await clock.advance(minute)
  expect(it.alerts().state().incidents.size).toBe(1)
  paused.delete('c')
  it.alerts().applyChange(
    it.calls().tenants({
      service: 'test',
      connection: 'c',
      tenants: [{ id: 'acme', name: 'Acme', region: 'EU-1' }],
      at: clock.now(),
    }),
  )
  await clock.advance(2 * minute)
  expect(fresh().map((one) => [one.kind, titleOf(one)])).toEqual([['unlisted', 'Studio rome-a-1 is no longer listed']])
  expect(storedOf(it).closedAt).toEqual(expect.any(Number))
})

test('many incidents whose devices are no longer listed are one notification', async () => {
  const rooms = { r1: 2, r2: 2, r3: 2, r4: 2, r5: 2 }
  const it = await openWorld(leftovers, {
    acme: Object.fromEntries(['berlin', 'rome', 'paris', 'oslo', 'bern'].map((site) => [site, rooms])),
  })
  for (const site of ['berlin', 'rome', 'paris', 'oslo']) await down(it, `${site}-r1-1`)
  const fresh = await down(it, 'bern-r1-1')
  expect(it.alerts().state().incidents.size).toBe(5)
  await it.remove(...['berlin', 'rome', 'paris', 'oslo', 'bern'].map((site) => `${site}-r1-1`))
  await it.clock.advance(2 * minute)
  expect(fresh().map((one) => [one.kind, titleOf(one)])).toEqual([['unlisted', '5 devices are no longer listed']])
  expect(bodyOf(fresh()[0]).match(/Studio/gu)).toHaveLength(3)
})
