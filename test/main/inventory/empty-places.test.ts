import { beforeEach, describe, expect, test } from 'vitest'
import { accountNode, roomNode, siteNode, tenantNode } from '../../../src-main/inventory/keys.ts'
import { acme, connection, service } from './profile.ts'
import { calls, inSite, list, read, room, site, tenant, two, useTenant } from './place-lists.ts'

useTenant()

describe('without empty places', () => {
  const expanded = [
    ...calledRegions(),
    tenantNode(tenant),
    accountNode(tenant, 'n'),
    accountNode(tenant, 's'),
    siteNode(tenant, 'a'),
    siteNode(tenant, 'b'),
  ]
  const lines = (keep: string | null = null, reveal: string | null = null) =>
    calls.tree({ expanded, offset: 0, limit: 100, reveal, withoutEmpty: { keep } })
  const names = (keep: string | null = null) =>
    lines(keep)
      .rows.slice(2)
      .map(({ name, posInSet, setSize }) => `${name} ${posInSet}/${setSize}`)
  const synced = () => calls.finish({ service, tenant: acme.id, generation: 1, at: 5, connection })

  beforeEach(() => {
    read([inSite('d', 'a')])
    list({
      accounts: two,
      sites: [site('a', { account: 'n' }), site('b', { account: 's' })],
      rooms: [room('r1', 'a'), room('2', 'a'), room('3', 'b')],
    })
  })

  test('the tree has the places with devices, and their positions count only those', () => {
    synced()
    expect(names()).toEqual(['North 1/1', 'Site a 1/1', 'Room r1 1/1'])
    expect(lines().total).toBe(5)
  })

  test('the scope stays, with the places above it', () => {
    synced()
    const kept = roomNode(tenant, 'b', '3')
    expect(names(kept)).toEqual(['North 1/2', 'Site a 1/1', 'Room r1 1/1', 'South 2/2', 'Site b 1/1', 'Room 3 1/1'])
    expect(lines(kept, kept).index).toBe(7)
    expect(lines(null, kept).index).toBeNull()
    expect(names('s:gone')).toHaveLength(3)
  })

  test('nothing is left out of a tenant that was not fully synced: its places may have devices', () => {
    expect(names()).toHaveLength(7)
  })

  test('are found alone by name where only places without devices are asked for', () => {
    const found = (find: string) =>
      calls.findPlaces({ asked: { find, empty: true }, limit: 9 }).places.map(({ name }) => name)
    expect([found('o'), found('site'), found('Room r1')]).toEqual([['South', 'Room 2', 'Room 3'], ['Site b'], []])
    read([inSite('e', 'b')], 2)
    expect(found('site')).toEqual([])
  })

  test('counts and searches are the same', () => {
    synced()
    const { places } = calls.findPlaces({ asked: { find: 'Room 3' }, limit: 5 })
    expect(places.map(({ name }) => name)).toEqual(['Room 3'])
    expect(lines().rows[1]?.counts).toEqual(
      calls.tree({ expanded, offset: 0, limit: 100, reveal: null }).rows[1]?.counts,
    )
  })
})

/** The region of the tenant, which every tree begins with. */
function calledRegions(): string[] {
  return [`r:${tenant.slice(0, tenant.indexOf('/'))}/${acme.region}`]
}
