import { textMessage } from '../../support/messages.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { incidentIdOf } from '../../../src-main/incidents/engine/drops/drop.ts'
import { storedDrop } from '../../../src-main/incidents/stored/drop.ts'
import { storedIncident } from '../../../src-main/incidents/stored/state.ts'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import { createLeftovers } from '../../support/fleet.ts'
import { keyOf, known, changeOpen, only, open, openWorld, stored, type World } from './world.ts'
import type { Plan } from './world-devices.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const minute = 60_000

const sites = (name: string): Plan[string] =>
  Object.fromEntries([...Array(8).keys()].map((n) => [`${name}${n}`, { a: 10 }]))
const two: Plan = { acme: sites('rome'), beta: sites('york') }
const firsts = (name: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${name}${n + from}-a-1`)
const world = (plan: Plan = two) => openWorld(leftovers, plan)
const tenantsOf = (incident: Incident, it: World) => [
  ...new Set(
    [...it.alerts().state().drops.values()]
      .filter((drop) => incidentIdOf(drop) === incident.id)
      .map(({ key }) => key.split('/')[1]),
  ),
]

describe('a group of single devices', () => {
  test('is of one tenant', async () => {
    const it = await world()
    await it.drop(...firsts('rome', 5), ...firsts('york', 4))
    await it.clock.advance(2 * minute)
    expect(
      open(it)
        .map((one) => [one.scope.shape, one.extent.down, one.scope.context, tenantsOf(one, it)])
        .toSorted(),
    ).toEqual([
      ['several', 4, ['Beta'], ['beta']],
      ['several', 5, ['Acme'], ['acme']],
    ])
  })

  test('is not made of a few devices each of several tenants', async () => {
    const it = await world()
    await it.drop(...firsts('rome', 3), ...firsts('york', 3))
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ scope }) => scope.shape)).toEqual(Array(6).fill('device'))
  })

  test('takes nothing new after its ten minutes, however much of it is down', async () => {
    const it = await world()
    await it.drop(...firsts('rome', 5))
    await it.clock.advance(9 * minute)
    await it.drop('rome5-a-1')
    await it.clock.advance(2 * minute)
    expect(only(it).extent.down).toBe(6)
    await it.drop('rome6-a-1')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ scope, extent }) => [scope.shape, extent.down])).toEqual([
      ['several', 6],
      ['device', 1],
    ])
  })

  test('that split from a place takes no other device', async () => {
    const it = await world({ acme: { berlin: { a: 5, b: 5, c: 5, d: 5, e: 5 }, rome: { a: 40 } } })
    await it.drop(...it.ids('berlin'))
    await it.clock.advance(2 * minute)
    await it.back(...it.ids('berlin').filter((id) => !id.endsWith('-1')))
    await it.clock.advance(3 * minute)
    expect(open(it).map(({ scope, extent }) => [scope.shape, extent.down])).toEqual([['several', 5]])
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    expect(open(it).map(({ scope, extent }) => [scope.shape, extent.down])).toEqual([
      ['several', 5],
      ['device', 1],
    ])
  })

  test('is of one tenant also where a region splits into it', async () => {
    const it = await world({
      acme: { rome: { a: 5 }, bonn: { a: 5 }, oslo: { a: 5 }, bern: { a: 5 } },
      beta: { york: { a: 5 }, bath: { a: 5 }, kent: { a: 5 }, deal: { a: 5 } },
    })
    await it.drop(...it.ids())
    await it.clock.advance(2 * minute)
    expect(only(it).scope.path[0]?.kind).toBe('region')
    await it.back(...it.ids().filter((id) => !id.endsWith('-1')))
    await it.clock.advance(3 * minute)
    expect(open(it).map((one) => [one.scope.shape, one.extent.down, tenantsOf(one, it)])).toEqual([
      ['several', 4, ['acme']],
      ['several', 4, ['beta']],
    ])
  })
})

/** Lays one down as it was kept once: devices of two tenants in one. */
async function mixed(it: World): Promise<Incident> {
  await it.drop(...firsts('rome', 5), ...firsts('york', 4))
  await it.clock.advance(2 * minute)
  await changeOpen(it, known(it))
  const [acme, beta] = open(it).toSorted((one, other) => other.extent.down - one.extent.down)
  if (acme === undefined || beta === undefined) throw new Error('there are not two')
  const one: Incident = {
    ...acme,
    scope: { ...acme.scope, path: [] },
    extent: { ...acme.extent, down: 9, peak: 12, named: [...beta.extent.named, ...acme.extent.named] },
    about: [...acme.about, ...beta.about],
    message: textMessage('9 devices offline in 9 sites'),
  }
  const drops = [...it.alerts().state().drops.values()].map((drop) => ({ ...storedDrop(drop), incident: one.id }))
  await it.restart(() =>
    it.calls().saveAlerts({
      drops: { put: drops, gone: [] },
      notifications: { put: [], gone: [] },
      monitoringLosses: { put: [], gone: [] },
      members: [],
      events: [],
      unseen: [],
      taken: [],
      incidents: [storedIncident(one, String), storedIncident({ ...beta, closedAt: it.clock.now() }, String)],
    }),
  )
  return one
}

describe('a stored group of several tenants', () => {
  test('becomes one for each tenant, with its state, without a notification', async () => {
    const it = await world()
    const before = await mixed(it)
    it.lines()
    await it.see()
    await it.clock.advance(5 * minute)
    const [first, second, ...more] = open(it).toSorted((one, other) => other.extent.down - one.extent.down)
    expect([first, second, more]).toMatchObject([
      {
        id: before.id,
        scope: { context: ['Acme'] },
        extent: { down: 5, peak: 5 },
        about: ['test/acme/'],
        operator: { acknowledged: before.operator.acknowledged },
        delivery: { notifiedAt: before.delivery.notifiedAt },
      },
      {
        scope: { context: ['Beta'] },
        extent: { down: 4, peak: 4 },
        about: ['test/beta/'],
        operator: { acknowledged: before.operator.acknowledged },
        delivery: { notifiedAt: before.delivery.notifiedAt },
        openedAt: before.openedAt,
      },
      [],
    ])
    expect(it.lines()).toEqual([])
    expect(stored(it, before.id)?.events.at(-1)).toMatchObject({
      what: 'moved',
      detail: { kind: 'otherTenants', count: 4 },
    })
  })

  test('ends tenant by tenant', async () => {
    const it = await world()
    const before = await mixed(it)
    await it.see()
    await it.clock.advance(5 * minute)
    it.lines()
    await it.back(...firsts('york', 4))
    await it.clock.advance(5 * minute)
    expect(it.titles()).toEqual(['4 devices are back in 4 sites'])
    expect(only(it).id).toBe(before.id)
  })
})

describe('the severity of an incident', () => {
  test('follows the devices down now, with its peak beside it', async () => {
    const it = await world({ acme: { ...sites('rome'), ...sites('oslo') } })
    await it.drop(...firsts('rome', 8), ...firsts('oslo', 4))
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ severity: 'major', extent: { down: 12 } })
    await it.back(...firsts('rome', 8), ...firsts('oslo', 3))
    await it.clock.advance(3 * minute)
    expect(only(it)).toMatchObject({ severity: 'minor', extent: { down: 1, peak: 12 } })
    await it.back('oslo3-a-1')
    await it.clock.advance(3 * minute)
    expect(stored(it, [...it.sent].at(-1)?.open.incident ?? '')?.incident.value).toMatchObject({ severity: 'major' })
  })

  test('of a site is lower when less than half of it is down', async () => {
    const it = await world({ acme: { rome: { a: 10, b: 10 }, oslo: { a: 40 } } })
    await it.drop(...it.ids('rome'))
    await it.clock.advance(2 * minute)
    expect(only(it).severity).toBe('critical')
    await it.back(
      ...it
        .ids('rome')
        .slice(0, 11)
        .filter((id) => id !== 'rome-a-1'),
    )
    await it.clock.advance(3 * minute)
    expect(only(it)).toMatchObject({ severity: 'critical', extent: { down: 10 } })
    await it.back('rome-b-2')
    await it.clock.advance(3 * minute)
    expect(open(it)).toMatchObject([{ severity: 'major', extent: { down: 9 } }])
  })

  test('counts unknown devices as down', async () => {
    const it = await world({ acme: sites('rome') })
    it.settings.watched = [keyOf('acme', 'none')]
    await it.drop(...firsts('rome', 8), 'rome0-a-2', 'rome1-a-2')
    await it.clock.advance(2 * minute)
    await it.blind('acme')
    await it.clock.advance(2 * minute)
    expect(only(it)).toMatchObject({ severity: 'major', extent: { down: 0, unseen: 10 } })
  })
})

test('a missed drop counts from when it was found', async () => {
  const it = await world()
  await it.blind()
  await it.clock.advance(minute)
  it.setUnreported(false, 'rome0-a-1')
  await it.see()
  const foundAt = it.clock.now()
  await it.clock.advance(3 * minute)
  expect(only(it)).toMatchObject({ extent: { since: null, foundAt } })
  expect(only(it).openedAt).toBeGreaterThan(foundAt)
})
