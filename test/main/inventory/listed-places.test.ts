import { beforeEach, describe, expect, test } from 'vitest'
import { roomNode, siteNode } from '../../../src-main/inventory/keys.ts'
import { maxPlaces } from '../../../src-shared/model/bounds.ts'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'
import { acme, connection, key, query, service } from './profile.ts'
import { calls, inSite, list, order, read, reopened, room, site, tenant, tree, two, useTenant } from './place-lists.ts'

useTenant()

describe('listed places', () => {
  test('sites and rooms without devices are in the tree with 0, also after a restart', () => {
    const change = list({ sites: [site('a'), site('b')], rooms: [room('1', 'a'), room('2', null)] })
    expect(change).toMatchObject({ structure: true, many: false, devices: [], leftOut: 0 })
    const expected = ['Site a 0', '  Room 1 0', 'Site b 0', 'No site 0', '  Room 2 0']
    expect(tree()).toEqual(expected)
    reopened()
    expect(tree()).toEqual(expected)
    expect(calls.placeLists({ service, connection })).toEqual([
      { tenant: acme.id, readAt: order, accounts: null, sites: 2, rooms: 2 },
    ])
  })

  test('the same list again changes nothing', () => {
    const same = { accounts: two, sites: [site('a', { account: 'n' })], rooms: [room('1', 'a', { capacity: 4 })] }
    list(same)
    const { base, rev, structure, many } = list(same)
    expect({ structure, many, rev }).toEqual({ structure: false, many: false, rev: base })
  })

  test('a place without devices goes when it is no longer listed, one with devices stays', () => {
    read([inSite('d', 'a')])
    list({ sites: [site('a'), site('b')], rooms: [room('r1', 'a', { capacity: 8 }), room('2', 'b')] })
    expect(tree()).toEqual(['Site a 1', '  Room r1 1', 'Site b 0', '  Room 2 0'])
    expect(calls.device({ key: key('d') }).device?.roomFacts).toEqual({ capacity: 8, size: null, floor: null })
    expect(list({}).structure).toBe(true)
    expect(tree()).toEqual(['Site a 1', '  Room r1 1'])
    expect(calls.device({ key: key('d') }).device).not.toHaveProperty('roomFacts')
    reopened()
    expect(tree()).toEqual(['Site a 1', '  Room r1 1'])
  })

  test('a listed place stays when its last device goes', () => {
    read([inSite('d', 'a')])
    list({ sites: [site('a')] })
    calls.finish({ service, tenant: acme.id, generation: 2, at: 5, connection })
    expect(tree()).toEqual(['Site a 0'])
  })

  test('a part of a list removes nothing, and its nulls are no news', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' }), site('b')], rooms: [room('1', 'a', { floor: '3' })] })
    list({ sites: [site('a', { name: 'Renamed' })], rooms: [room('1', 'a')] }, { partial: true })
    const expected = ['North 0', '  Renamed 0', '    Room 1 0', 'South 0', 'No account 0', '  Site b 0']
    expect(tree()).toEqual(expected)
    expect(roomRow(roomNode(tenant, 'a', '1'))).toMatchObject({ roomFacts: { floor: '3' } })
    reopened()
    expect(tree()).toEqual(expected)
  })

  test('a room in a site that is not listed is in a site without a name until a device names it', () => {
    list({ rooms: [room('1', 'a')] })
    expect(tree()).toEqual([' 0', '  Room 1 0'])
    reopened()
    read([inSite('d', 'a')])
    expect(tree()).toEqual(['Site a 1', '  Room 1 0', '  Room r1 1'])
  })

  test('two sites may each have a room of the same id', () => {
    list({ sites: [site('a'), site('b')], rooms: [room('1', 'a'), room('1', 'b', { name: 'Other' }), room('1', null)] })
    const expected = ['Site a 0', '  Room 1 0', 'Site b 0', '  Other 0', 'No site 0', '  Room 1 0']
    expect(tree()).toEqual(expected)
    reopened()
    expect(tree()).toEqual(expected)
  })

  test('capacity, size and floor are in the room’s line and in the device’s detail', () => {
    read([inSite('d', 'a')])
    const facts = { capacity: 12, size: 'LARGE', floor: '2nd' }
    list({ sites: [site('a')], rooms: [room('r1', 'a', facts)] })
    expect(roomRow(roomNode(tenant, 'a', 'r1'))).toMatchObject({ roomFacts: facts })
    reopened()
    expect(calls.device({ key: key('d') }).device?.roomFacts).toEqual(facts)
    expect(list({ sites: [site('a')], rooms: [room('r1', 'a')] }).structure).toBe(true)
    expect(calls.device({ key: key('d') }).device).not.toHaveProperty('roomFacts')
  })

  test('nothing is written for a tenant that is not listed, or of an earlier request', () => {
    expect(list({ sites: [site('a')] }, { connection: 'other' }).structure).toBe(false)
    expect(list({ sites: [site('a')] }, { tenant: 'gone' }).structure).toBe(false)
    list({ sites: [site('b')] }, { requestOrder: 900 })
    expect(list({ sites: [site('a')] }, { requestOrder: 899 }).structure).toBe(false)
    expect(tree()).toEqual(['Site b 0'])
  })
})

function roomRow(id: string) {
  const { expanded, index } = calls.tree({ expanded: [], offset: 0, limit: 1, reveal: id })
  return calls.tree({ expanded, offset: index ?? 0, limit: 1, reveal: null }).rows[0]
}

describe('names', () => {
  const named = (name: string) => list({ sites: [site('a', { name })] }, { requestOrder: 50 })
  const siteName = () => calls.rows({ query: query(), offset: 0, limit: 1, now: 0 }).rows[0]?.site?.name

  test('the name of the later request counts, of a page or a list, also after a restart', () => {
    read([inSite('d', 'a')], 49)
    named('Listed')
    expect(siteName()).toBe('Listed')
    reopened()
    expect(siteName()).toBe('Listed')
  })

  test('a page that was requested before a list does not overrule its names', () => {
    named('Listed')
    read([inSite('d', 'a')], 49)
    expect(siteName()).toBe('Listed')
    reopened()
    expect(siteName()).toBe('Listed')
    read([inSite('d', 'a')], 51)
    expect(siteName()).toBe('Site a')
    reopened()
    expect(siteName()).toBe('Site a')
  })

  test('a list that was requested before a page does not overrule its names', () => {
    read([inSite('d', 'a')], 51)
    named('Listed')
    expect(siteName()).toBe('Site a')
    reopened()
    expect(siteName()).toBe('Site a')
  })

  test('a list that repeats its name after a page has brought another one is the later word', () => {
    named('Listed')
    read([inSite('d', 'a')], 51)
    list({ sites: [site('a', { name: 'Listed' })] }, { requestOrder: 52 })
    expect(siteName()).toBe('Listed')
    reopened()
    expect(siteName()).toBe('Listed')
  })

  test('a renamed site changes its rows and their order', () => {
    read([inSite('d', 'a'), inSite('e', 'b')])
    const change = list({ sites: [site('a', { name: 'Zoo' })] })
    expect(change.devices.map(({ id, site: of }) => [id, of?.name])).toEqual([['d', 'Zoo']])
    const sort = [{ column: 'site' as const, direction: 'asc' as const }]
    expect(calls.rows({ query: query({ sort }), offset: 0, limit: 9, now: 0 }).rows.map(({ id }) => id)).toEqual([
      'e',
      'd',
    ])
  })

  test('names of 10,000 characters are cut, and places with such ids are left out and counted', () => {
    const long = 'x'.repeat(10_000)
    const { leftOut } = list({
      accounts: [...two, { id: long, name: 'Too long' }],
      sites: [site('a', { name: long, account: long }), site(long)],
      rooms: [room('1', 'a', { size: long, floor: long }), room(long, 'a'), room('2', long)],
    })
    expect(leftOut).toBe(4)
    expect(tree().every((line) => line.length < 520)).toBe(true)
    expect(tree()).toHaveLength(5)
    reopened()
    expect(tree()).toHaveLength(5)
  })
})

describe('several connections of a tenant', () => {
  const other = { connection: 'c2' }
  beforeEach(() => {
    calls.tenants({ service, ...other, tenants: [acme], at: 0 })
  })

  test('their lists add up, and the account level appears when together they list two', () => {
    list({ accounts: two.slice(0, 1), sites: [site('a', { account: 'n' }), site('x')] })
    list({ accounts: two.slice(1), sites: [site('b', { account: 's' }), site('x')] }, other)
    expect(tree()).toEqual(['North 0', '  Site a 0', 'South 0', '  Site b 0', 'No account 0', '  Site x 0'])
    list({}, other)
    expect(tree()).toEqual(['Site a 0', 'Site x 0'])
  })

  test('a connection that does not know a site’s account does not take it away', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' })] })
    list({ accounts: null, sites: [site('a')] }, other)
    expect(tree()).toEqual(['North 0', '  Site a 0', 'South 0'])
  })

  test('a removed connection takes along what only it lists', () => {
    list({ sites: [site('a')], rooms: [room('1', 'a')] })
    list({ sites: [site('a'), site('b')], rooms: [room('2', 'b')] }, other)
    calls.forget(other)
    expect(tree()).toEqual(['Site a 0', '  Room 1 0'])
    reopened()
    expect(tree()).toEqual(['Site a 0', '  Room 1 0'])
    expect(calls.placeLists({ service, ...other })).toEqual([])
    expect(calls.metrics(undefined).tables.find(({ name }) => name === 'room')?.rows).toBe(1)
    calls.forget({ connection })
    expect(calls.tree({ expanded: [], offset: 0, limit: 9, reveal: null })).toMatchObject({ total: 0, rows: [] })
    reopened()
    expect(calls.metrics(undefined).tables.find(({ name }) => name === 'room')?.rows).toBe(0)
  })

  test('a connection that takes over a tenant’s claims lists the same places', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' })], rooms: [room('1', 'a')] })
    calls.adopt({ service, tenant: acme.id, from: connection, to: other.connection, at: 0 })
    calls.forget({ connection })
    const expected = ['North 0', '  Site a 0', '    Room 1 0', 'South 0']
    expect(tree()).toEqual(expected)
    reopened()
    expect(tree()).toEqual(expected)
  })
})

/** So many rows take long on a busy disk, ms. */
const timeout = 180_000

describe('many places', () => {
  const many = (sites: number, rooms: number): Partial<TenantPlaces> => ({
    accounts: two,
    sites: Array.from({ length: sites }, (_, n) => site(`s${n}`, { account: n % 2 === 0 ? 'n' : 's' })),
    rooms: Array.from({ length: rooms }, (_, n) => room(`r${n}`, `s${n % sites}`)),
  })

  test('100,000 places come, move to another account, survive a restart, and go', { timeout }, () => {
    expect(list(many(50_000, 49_998))).toMatchObject({ leftOut: 0, structure: true })
    const total = () => calls.findPlaces({ asked: { find: 'r' }, limit: 1 }).total
    expect(total()).toBe(49_999)
    reopened()
    expect(total()).toBe(49_999)
    const swapped = many(50_000, 49_998)
    list({ ...swapped, sites: (swapped.sites ?? []).map((each) => ({ ...each, account: 'n' })) })
    const { expanded } = calls.tree({ expanded: [], offset: 0, limit: 1, reveal: siteNode(tenant, 's1') })
    expect(calls.tree({ expanded, offset: 0, limit: 1, reveal: null }).total).toBe(50_000 + 4)
    list({})
    expect(calls.findPlaces({ asked: { find: '' }, limit: 1 }).total).toBe(1)
  })

  test('of more than 200,000 places the first are kept and the rest counted', { timeout }, () => {
    const { leftOut } = list(many(10, maxPlaces))
    expect(leftOut).toBe(12)
    expect(calls.placeLists({ service, connection })).toMatchObject([{ accounts: 2, sites: 10, rooms: maxPlaces - 12 }])
  })

  test('a place that another connection lists already takes no room of the bound', { timeout }, () => {
    calls.tenants({ service, connection: 'c2', tenants: [acme], at: 0 })
    list(many(10, maxPlaces - 12))
    expect(list(many(10, maxPlaces - 12), { connection: 'c2' }).leftOut).toBe(0)
    expect(list({ sites: [site('new')] }, { connection: 'c2' }).leftOut).toBe(1)
  })
})
