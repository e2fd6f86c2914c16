import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/data/calls.ts'
import { roomNode, siteNode, tenantNode } from '../../../src-main/data/keys.ts'
import { openStore } from '../../../src-main/data/store.ts'
import { acme, connection, fact, key, pageOf, service, tempProfile } from './profile.ts'

const tenant = `https%3A%2F%2Fservice.test/${acme.id}`
let temp: ReturnType<typeof tempProfile>
let calls: Calls
beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme, { id: 'b', name: 'Berlin Brewers', region: null }], at: 0 })
  calls.page(pageOf([
    fact('a'), fact('b', { site: { id: 's2', name: 'Nürnberg' }, room: { id: 'r2', name: 'Bar Berlin' } }),
    fact('c', { site: { id: 's2', name: 'Nürnberg' }, room: null }), fact('d', { site: null, room: null }),
  ]))
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const find = (text: string, limit = 50) => calls.places({ asked: { find: text }, limit })

test('places are found by name: those that begin with it first, tenants before sites before rooms, each with what is above it', () => {
  expect(find('berlin').places.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['tenant Berlin Brewers', 'site Berlin', 'room Bar Berlin'])
  expect(find('nurn').places).toEqual([{ id: siteNode(tenant, 's2'), kind: 'site', name: 'Nürnberg', above: [{ id: tenantNode(tenant), kind: 'tenant', name: 'Acme' }, { id: 'r:EU-1', kind: 'region', name: 'EU-1' }] }])
  expect(find('  BERLIN ', 1)).toMatchObject({ total: 3, places: [{ name: 'Berlin Brewers' }] })
})

test('the placeless and the regions are not found by name, but everything else without one', () => {
  expect(find('').places.map(({ name }) => name)).toEqual(['Acme', 'Berlin Brewers', 'Berlin', 'Nürnberg', 'Bar Berlin', 'Room 1'])
  expect(find('no site').total).toBe(0)
})

test('places by their ids, without those that are gone, and the room of a device with all above it', () => {
  expect(calls.places({ asked: { nodes: ['s:gone', siteNode(tenant, null)] }, limit: 9 }).places).toMatchObject([{ name: 'No site', above: [{ name: 'Acme' }, { name: 'EU-1' }] }])
  const [room] = calls.places({ asked: { device: key('b') }, limit: 1 }).places
  expect([room?.id, ...(room?.above ?? []).map(({ id }) => id)]).toEqual([roomNode(tenant, 's2', 'r2'), siteNode(tenant, 's2'), tenantNode(tenant), 'r:EU-1'])
  expect(calls.places({ asked: { device: 'gone' }, limit: 1 })).toEqual({ total: 0, places: [] })
})
