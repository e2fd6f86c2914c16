import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../inventory/profile.ts'

const beta = { id: 'beta', name: 'Beta', region: 'US-1' }
let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [beta, acme], at: 0 })
  const place = (id: string, site: string, room: string | null) =>
    fact(id, { site: { id: site, name: site }, room: room === null ? null : { id: room, name: room } })
  calls.page(pageOf([place('a', 'Wien', 'r2'), place('b', 'Wien', 'r1'), place('c', 'Berlin', 'r3')]))
  calls.page(pageOf([place('d', 'Austin', null)], { tenant: beta.id }))
  calls.visibility({ service, connection, tenants: [acme.id], visible: true, confirmedAt: 10, visibleSince: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const mapOf = (over: Partial<Parameters<Calls['overviewMap']>[0]> = {}) =>
  calls.overviewMap({ tiles: 'site', layout: null, watched: [], now: 0, ...over })
const set = (id: string, connected: boolean) =>
  calls.events({ service, events: [event(id, { connected, order: 20, at: 6000 })] })

test('sites are grouped by tenant and region, by name, with their devices by status', () => {
  const { places, counts, layout } = mapOf()
  expect(places?.groups.map(({ kind, name, parent }) => [kind, name, parent])).toEqual([
    ['region', 'EU-1', null],
    ['tenant', 'Acme', 0],
    ['region', 'US-1', null],
    ['tenant', 'Beta', 2],
  ])
  expect(places?.tiles.map(({ name, group }) => [name, group])).toEqual([
    ['Berlin', 1],
    ['Wien', 1],
    ['Austin', 3],
  ])
  // Nobody sees Beta.
  expect(counts).toEqual([0, 0, 1, 0, 0, 2, 0, 1, 0])
  set('a', false)
  expect(mapOf({ layout })).toMatchObject({ layout, places: null, counts: [0, 0, 1, 1, 0, 1, 0, 1, 0] })
})

test('rooms are grouped by site, and a new place makes a new layout', () => {
  const { places, layout } = mapOf({ tiles: 'room' })
  expect(places?.tiles.map(({ name, group }) => [name, places.groups[group]?.name])).toEqual([
    ['r3', 'Berlin'],
    ['r1', 'Wien'],
    ['r2', 'Wien'],
    ['No room', 'Austin'],
  ])
  calls.page(
    pageOf([fact('e', { site: { id: 'Wien', name: 'Wien' }, room: { id: 'r9', name: 'r9' } })], { requestOrder: 30 }),
  )
  const next = mapOf({ tiles: 'room', layout })
  expect(next.layout).not.toBe(layout)
  expect(next.places?.tiles).toHaveLength(5)
  expect(mapOf({ tiles: 'room', layout: next.layout }).places).toBeNull()
})

test('a layout of a thread before this one is not taken for the present one', () => {
  const { layout } = mapOf()
  const other = callsOn({ ...store, rev: 77 })
  expect(other.overviewMap({ tiles: 'site', layout, watched: [], now: 0 }).places).not.toBeNull()
})

test('the tiles of watched devices and rooms are marked', () => {
  const room = 'm:https%3A%2F%2Fservice.test/acme/Berlin/r3'
  expect(mapOf({ watched: [key('a'), room, 'gone'] }).watched).toEqual([0, 1])
  expect(mapOf({ tiles: 'room', watched: [key('a'), room] }).watched).toEqual([0, 2])
})

test('with a query only its devices count, and a query of one place leaves the other tiles empty', () => {
  const query = (filter: string, scope = 'all') => mapOf({ query: { scope, filter } })
  expect(query('status:online')).toMatchObject({
    counts: [0, 0, 1, 0, 0, 2, 0, 0, 0],
    totals: { connected: 3, disconnected: 0, unknown: 0 },
  })
  set('a', false)
  expect(query('site:Wien')).toMatchObject({
    counts: [0, 0, 0, 1, 0, 1, 0, 0, 0],
    totals: { connected: 1, disconnected: 1, unknown: 0 },
  })
  expect(query('', `t:${encodeURIComponent(service)}/beta`).counts).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0])
  expect(query('', 'gone').totals).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
  expect(mapOf().totals).toEqual({ connected: 2, disconnected: 1, unknown: 1 })
  expect(mapOf({ tiles: 'room', query: { scope: 'all', filter: 'id:b' } }).counts.filter((count) => count > 0)).toEqual(
    [1],
  )
})
