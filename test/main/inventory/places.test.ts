import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { regionNode, roomNode, siteNode, tenantNode } from '../../../src-main/inventory/keys.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

const tenant = `https%3A%2F%2Fservice.test/${acme.id}`
let temp: ReturnType<typeof tempProfile>
let calls: Calls
beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme, { id: 'b', name: 'Berlin Brewers', region: null }], at: 0 })
  calls.page(
    pageOf([
      fact('a'),
      fact('b', { site: { id: 's2', name: 'Nürnberg' }, room: { id: 'r2', name: 'Bar Berlin' } }),
      fact('c', { site: { id: 's2', name: 'Nürnberg' }, room: null }),
      fact('d', { site: null, room: null }),
    ]),
  )
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const find = (text: string, limit = 50) => calls.findPlaces({ asked: { find: text }, limit })

test('places are found by name: prefixes first, tenants before sites before rooms', () => {
  expect(find('berlin').places.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'tenant Berlin Brewers',
    'site Berlin',
    'room Bar Berlin',
  ])
  expect(find('nurn').places).toEqual([
    {
      id: siteNode(tenant, 's2'),
      kind: 'site',
      name: 'Nürnberg',
      above: [
        { id: tenantNode(tenant), kind: 'tenant', name: 'Acme' },
        { id: regionNode(service, 'EU-1'), kind: 'region', name: 'EU-1' },
      ],
    },
  ])
  expect(find('  BERLIN ', 1)).toMatchObject({ total: 3, places: [{ name: 'Berlin Brewers' }] })
})

test('a name search leaves out regions and "No site"', () => {
  expect(find('').places.map(({ name }) => name)).toEqual([
    'Acme',
    'Berlin Brewers',
    'Berlin',
    'Nürnberg',
    'Bar Berlin',
    'Room 1',
  ])
  expect(find('no site').total).toBe(0)
})

test('places are found below a node, and of one kind', () => {
  const names = (asked: { within?: string; kind?: 'site' | 'room' }) =>
    calls.findPlaces({ asked: { find: '', ...asked }, limit: 50 }).places.map(({ name }) => name)
  expect(names({ kind: 'site', within: tenantNode(tenant) })).toEqual(['Berlin', 'Nürnberg'])
  expect(names({ kind: 'room', within: siteNode(tenant, 's2') })).toEqual(['Bar Berlin'])
  expect(names({ within: siteNode(tenant, 'gone') })).toEqual([])
})

test('places are returned by their ids, and the room of a device with its ancestors', () => {
  expect(calls.findPlaces({ asked: { nodes: ['s:gone', siteNode(tenant, null)] }, limit: 9 }).places).toMatchObject([
    { name: 'No site', above: [{ name: 'Acme' }, { name: 'EU-1' }] },
  ])
  const [room] = calls.findPlaces({ asked: { device: key('b') }, limit: 1 }).places
  expect([room?.id, ...(room?.above ?? []).map(({ id }) => id)]).toEqual([
    roomNode(tenant, 's2', 'r2'),
    siteNode(tenant, 's2'),
    tenantNode(tenant),
    regionNode(service, 'EU-1'),
  ])
  expect(calls.findPlaces({ asked: { device: 'gone' }, limit: 1 })).toEqual({ total: 0, places: [] })
})

const region = () => calls.tree({ expanded: [], offset: 0, limit: 1, reveal: null }).rows[0]?.id ?? ''
const lines = (sort?: 'name' | 'offline') =>
  calls
    .tree({
      expanded: [region(), tenantNode(tenant), siteNode(tenant, 's2'), roomNode(tenant, 's2', 'r2')],
      offset: 0,
      limit: 50,
      reveal: null,
      ...(sort && { sort }),
    })
    .rows.map(({ name }) => name)

test('the tree is sorted by name, or by devices down, at each level', () => {
  calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 0 })
  const byName = lines()
  calls.events({ service, events: [event('c', { connected: false, at: 10 })] })
  expect(lines()).toEqual(byName)
  expect(lines('name')).toEqual(byName)
  const byOffline = lines('offline')
  expect(byOffline.indexOf('Nürnberg')).toBeLessThan(byOffline.indexOf('Berlin'))
  expect(byName.indexOf('Nürnberg')).toBeGreaterThan(byName.indexOf('Berlin'))
  expect(byOffline.indexOf('No room')).toBeLessThan(byOffline.indexOf('Bar Berlin'))
  expect(byOffline.toSorted()).toEqual(byName.toSorted())
})

test('a node is revealed at its line in the requested order', () => {
  calls.events({ service, events: [event('c', { connected: false, at: 10 })] })
  for (const sort of ['name', 'offline'] as const) {
    const { index, expanded } = calls.tree({ expanded: [], offset: 0, limit: 1, reveal: siteNode(tenant, 's1'), sort })
    const { rows } = calls.tree({ expanded, offset: index ?? 0, limit: 1, reveal: null, sort })
    expect(rows[0]).toMatchObject({ id: siteNode(tenant, 's1') })
  }
})

test('counts say how many tenants of the scope were never read completely', () => {
  expect(calls.counts({ scope: 'all' }).tenants).toEqual({ all: 2, unread: 2 })
  calls.finish({ service, tenant: acme.id, generation: 1, at: 5, connection })
  expect(calls.counts({ scope: 'all' }).tenants).toEqual({ all: 2, unread: 1 })
  expect(calls.counts({ scope: siteNode(tenant, 's2') }).tenants).toEqual({ all: 1, unread: 0 })
  expect(calls.counts({ scope: 'gone' })).toMatchObject({ counts: null, tenants: { all: 0, unread: 0 } })
})

test('the devices of a site, a room or a device are returned up to a limit, of nothing larger', () => {
  const ids = (scope: string, limit = 9) =>
    calls
      .scopeDevices({ scope, limit })
      .devices?.map(({ id }) => id)
      .toSorted() ?? null
  expect(ids(siteNode(tenant, 's2'))).toEqual(['b', 'c'])
  expect(ids(siteNode(tenant, 's2'), 1)).toBeNull()
  expect(ids(roomNode(tenant, 's2', 'r2'))).toEqual(['b'])
  expect(ids(`d:${key('d')}`)).toEqual(['d'])
  expect([ids(tenantNode(tenant)), ids(region()), ids('all'), ids('gone')]).toEqual([null, null, null, null])
})
