import { afterEach, describe, expect, test } from 'vitest'
import { createLeftovers } from '../../support/fleet.ts'
import { only, open, openWorld, type World } from './world.ts'
import { service, type Plan } from './world-devices.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())
const second = 1_000
const minute = 60 * second

const plan: Plan = { acme: { berlin: { a: 4, b: 4 }, rome: { a: 4 }, york: { a: 12 }, oslo: { a: 12 } } }
const north = 'a:test/acme/n'

/** Tells which site belongs to which account. Oslo has none. */
async function list(it: World, accounts: { id: string; name: string }[]) {
  const of = (id: string, account: string | null) => ({ id, name: id, account })
  const places = { accounts, sites: [of('berlin', 'n'), of('rome', 'n'), of('york', 's'), of('oslo', null)], rooms: [] }
  const at = it.clock.now()
  const input = { service, connection: 'c', tenant: 'acme', places, requestOrder: 1_000, at }
  it.alerts().applyChange(it.calls().places(input))
  await it.clock.advance(0)
}

async function world(): Promise<World> {
  const it = await openWorld(leftovers, plan)
  await list(it, [
    { id: 'n', name: 'Retail North' },
    { id: 's', name: 'Retail South' },
  ])
  return it
}

describe('an account', () => {
  test('whose sites are all down is where the outage is', async () => {
    const it = await world()
    await it.drop(...it.ids('Berlin'), ...it.ids('Rome'))
    await it.clock.advance(2 * minute)
    expect(only(it).scope).toMatchObject({
      shape: 'node',
      where: { kind: 'place', name: 'Retail North', of: 'account' },
      context: ['Acme'],
    })
    expect(only(it).scope.path.map(({ kind }) => kind)).toEqual(['account', 'tenant', 'region'])
    expect(it.titles()).toEqual(['12 devices offline in account Retail North'])
  })

  test('gives way to the deepest place with the same devices, and stands above it', async () => {
    const it = await world()
    await it.drop(...it.ids('York'))
    await it.clock.advance(2 * minute)
    expect(it.lines()).toEqual([expect.stringMatching(/^12 devices offline in Room a \| york, Retail South, Acme\./u)])
  })

  test('gives way to its tenant where another account is down as well', async () => {
    const it = await world()
    await it.drop(...it.ids())
    await it.clock.advance(2 * minute)
    expect(only(it).scope.path.map(({ kind }) => kind)).toEqual(['tenant', 'region'])
  })

  test('has thresholds that its sites inherit', async () => {
    const it = await world()
    it.policies.nodes = new Map([
      ['t:test/acme', { holdOffSeconds: 600 }],
      [north, { holdOffSeconds: 10 }],
    ])
    it.alerts().recheck()
    await it.clock.advance(second)
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(15 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test('has a maintenance window that its sites inherit', async () => {
    const it = await world()
    const run = { id: 'w', name: 'Refit', node: north, from: 0, until: it.clock.now() + 60 * minute }
    it.policies.maintenanceAt = (path) => (path.includes(north) ? run : null)
    it.alerts().recheck()
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
    expect(
      open(it)
        .map(({ delivery }) => delivery.maintenance?.name ?? null)
        .toSorted(),
    ).toEqual(['Refit', null])
  })

  test('that is the only one left does not move an incident, which keeps its place', async () => {
    const it = await world()
    await it.drop(...it.ids('Berlin'), ...it.ids('Rome'))
    await it.clock.advance(2 * minute)
    await list(it, [{ id: 'n', name: 'Retail North' }])
    await it.clock.advance(2 * minute)
    expect(open(it).reduce((sum, { extent }) => sum + extent.down, 0)).toBe(12)
    await it.back(...it.ids('Berlin'), ...it.ids('Rome'))
    await it.clock.advance(30 * minute)
    expect(open(it)).toEqual([])
  })

  test('that is not known is said as such', async () => {
    const it = await openWorld(leftovers, { acme: { ...plan['acme'], lima: { a: 12 } } })
    await list(it, [
      { id: 'n', name: 'Retail North' },
      { id: 's', name: 'Retail South' },
    ])
    await it.drop(...it.ids('Oslo'), ...it.ids('Lima'))
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['24 devices offline in Acme, without an account'])
  })

  test('is given with devices of an incident and long-standing ones, where there are several', async () => {
    const it = await openWorld(leftovers, plan, {}, () => {}, ['york-a-1', 'oslo-a-1'])
    const placesOf = (rows: readonly { name: string; account?: string | undefined }[]) =>
      rows.map(({ name, account = null }) => [name, account]).toSorted()
    const known = () => ({
      members: placesOf(it.calls().incidentMembers({ id: only(it).id, offset: 0, limit: 10 }).rows),
      longStanding: placesOf(
        it.calls().longStanding({ except: ['test/acme/rome-a-1'], now: it.clock.now(), offset: 0, limit: 10 }).rows,
      ),
    })
    await it.drop('rome-a-1')
    await it.clock.advance(2 * minute)
    await list(it, [{ id: 'n', name: 'Retail North' }])
    expect(known()).toEqual({
      members: [['Studio rome-a-1', null]],
      longStanding: [
        ['Studio oslo-a-1', null],
        ['Studio york-a-1', null],
      ],
    })
    await list(it, [
      { id: 'n', name: 'Retail North' },
      { id: 's', name: 'Retail South' },
    ])
    expect(known()).toEqual({
      members: [['Studio rome-a-1', 'Retail North']],
      longStanding: [
        ['Studio oslo-a-1', null],
        ['Studio york-a-1', 'Retail South'],
      ],
    })
  })
})

describe('a policy of an account', () => {
  const only = [{ id: 'n', name: 'Retail North' }]

  test('applies to its sites while it is the only one of the tenant, and to no other site', async () => {
    const it = await world()
    await list(it, only)
    it.policies.nodes = new Map([
      ['t:test/acme', { holdOffSeconds: 600 }],
      [north, { holdOffSeconds: 10 }],
    ])
    it.alerts().recheck()
    await it.clock.advance(second)
    await it.drop('rome-a-1', 'york-a-1')
    await it.clock.advance(15 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })

  test("suppresses in its sites while it is its tenant's only one, and its incidents keep that", async () => {
    const it = await world()
    await list(it, only)
    const run = { id: 'w', name: 'Refit', node: north, from: 0, until: it.clock.now() + 60 * minute }
    it.policies.maintenanceAt = (path) => (path.includes(north) ? run : null)
    it.policies.maintenanceUntil = () => run.until
    it.alerts().recheck()
    await it.drop(...it.ids('Rome'), 'york-a-1')
    await it.clock.advance(2 * minute)
    expect(it.titles()).toEqual(['Studio york-a-1 is offline'])
    await it.restart()
    const suppressed = open(it).filter(({ delivery }) => delivery.maintenance?.name === 'Refit')
    expect(suppressed.map(({ extent }) => extent.down)).toEqual([4])
    expect(suppressed[0]?.scope.path.map(({ onlyAccount }) => onlyAccount)).toContain(north)
  })

  test('does not apply while the service lists no accounts, and applies again when it does', async () => {
    const it = await world()
    it.policies.nodes = new Map([
      ['t:test/acme', { holdOffSeconds: 600 }],
      [north, { holdOffSeconds: 10 }],
    ])
    await list(it, [])
    await it.drop('rome-a-1')
    await it.clock.advance(minute)
    expect(it.titles()).toEqual([])
    await list(it, only)
    await it.clock.advance(15 * second)
    expect(it.titles()).toEqual(['Studio rome-a-1 is offline'])
  })
})
