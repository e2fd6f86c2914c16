import { beforeEach, describe, expect, test } from 'vitest'
import { accountNode, roomNode, siteNode, tenantNode } from '../../../src-main/inventory/keys.ts'
import { acme, connection, fact, key, query, service } from './profile.ts'
import { calls, inSite, list, read, reopened, site, tenant, tree, two, useTenant } from './place-lists.ts'

useTenant()

describe('accounts', () => {
  const filtered = (filter: string, scope = 'all') =>
    calls
      .rows({ query: query({ filter, scope }), offset: 0, limit: 50, now: 0 })
      .rows.map(({ id }) => id)
      .toSorted()

  beforeEach(() => {
    read([inSite('d', 'a'), inSite('e', 'b'), fact('f', { site: null, room: null })])
  })

  test('with one account there is no such level, with two there is, and it goes again', () => {
    const sites = [site('a', { account: 'n' }), site('b', { account: 's' })]
    list({ accounts: two.slice(0, 1), sites })
    const flat = ['Site a 1', '  Room r1 1', 'Site b 1', '  Room r1 1', 'No site 1', '  No room 1']
    expect(tree()).toEqual(flat)
    expect(list({ accounts: two, sites })).toMatchObject({ structure: true, many: true, devices: [] })
    const levels = [
      'North 1',
      '  Site a 1',
      '    Room r1 1',
      'South 1',
      '  Site b 1',
      '    Room r1 1',
      'No account 1',
      '  No site 1',
      '    No room 1',
    ]
    expect(tree()).toEqual(levels)
    reopened()
    expect(tree()).toEqual(levels)
    expect(list({ accounts: null, sites })).toMatchObject({ structure: true, many: true })
    expect(tree()).toEqual(flat)
    reopened()
    expect(tree()).toEqual(flat)
  })

  test('node ids of sites and rooms stay as they are', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' })] })
    const [found] = calls.findPlaces({ asked: { nodes: [roomNode(tenant, 'a', 'r1')] }, limit: 1 }).places
    expect(found?.above.map(({ id }) => id).slice(0, 3)).toEqual([
      siteNode(tenant, 'a'),
      accountNode(tenant, 'n'),
      tenantNode(tenant),
    ])
  })

  test('a site that moves to another account takes its counts, rows and filters with it', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' }), site('b', { account: 'n' })] })
    const scope = accountNode(tenant, 's')
    const sort = [{ column: 'account' as const, direction: 'asc' as const }]
    const inOrder = () =>
      calls
        .rows({ query: query({ sort }), offset: 0, limit: 9, now: 0 })
        .rows.map(({ id, account }) => [id, account?.name])
    expect([filtered('account:north'), filtered('account:south'), filtered('', scope)]).toEqual([['d', 'e'], [], []])
    expect(inOrder()).toEqual([
      ['d', 'North'],
      ['e', 'North'],
      ['f', undefined],
    ])
    const change = list({ accounts: two, sites: [site('a', { account: 's' }), site('b', { account: 'n' })] })
    expect(change).toMatchObject({ structure: true, many: true })
    expect([filtered('account:north'), filtered('account:south'), filtered('', scope)]).toEqual([['e'], ['d'], ['d']])
    expect(inOrder()).toEqual([
      ['e', 'North'],
      ['d', 'South'],
      ['f', undefined],
    ])
    expect(calls.counts({ scope }).counts).toEqual({ connected: 0, disconnected: 0, unknown: 1 })
    expect(tree()).toContain('South 1')
  })

  test('the filter finds accounts exactly, by wildcard, by part, none, negated and as text', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' }), site('b', { account: 's' })] })
    expect(filtered('account:NORTH')).toEqual(['d'])
    expect(filtered('account:*outh')).toEqual(['e'])
    expect(filtered('account~ort')).toEqual(['d'])
    expect(filtered('account:none')).toEqual(['f'])
    expect(filtered('-account:North,South')).toEqual(['f'])
    expect(filtered('south')).toEqual(['e'])
    expect(calls.values({ scope: 'all', field: 'account', text: '', limit: 9 }).values).toEqual([
      { value: 'North', count: 1 },
      { value: 'South', count: 1 },
    ])
  })

  test('an account is a scope of every read', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' }), site('b', { account: 's' })] })
    const scope = accountNode(tenant, 'n')
    expect(filtered('', scope)).toEqual(['d'])
    expect(filtered('', accountNode(tenant, null))).toEqual(['f'])
    expect(calls.totals({ queries: [query({ scope })], now: 0 }).totals).toEqual([1])
    expect(calls.scopeTenants({ scope }).tenants).toEqual([{ service, id: acme.id }])
    expect(calls.scopeDevices({ scope, limit: 9 }).devices).toEqual([{ service, tenant: acme.id, id: 'd' }])
    expect(calls.values({ scope, field: 'site', text: '', limit: 9 }).values).toEqual([{ value: 'Site a', count: 1 }])
    expect(calls.locations({ keys: [key('d')], paused: [] }).nodes.map(({ kind }) => kind)).toEqual([
      'region',
      'tenant',
      'account',
      'site',
      'room',
    ])
    const span = { from: 0, until: 100, parts: 1, now: 100 }
    expect(calls.availability({ subject: { node: scope }, ...span }).devices).toBe(1)
    expect(calls.findPlaces({ asked: { find: 'nor' }, limit: 9 }).places).toMatchObject([
      { id: scope, kind: 'account' },
    ])
    expect(
      calls.exportPart({
        query: query({ scope }),
        columns: ['account'],
        format: 'csv',
        after: null,
        now: 0,
        keys: null,
      }).text,
    ).toContain('North')
  })

  test('a renamed account changes tree, rows and values', () => {
    const sites = [site('a', { account: 'n' })]
    list({ accounts: two, sites })
    expect(filtered('account:North')).toEqual(['d'])
    expect(list({ accounts: [{ id: 'n', name: 'Nord' }, two[1] ?? { id: '', name: '' }], sites })).toMatchObject({
      many: true,
    })
    expect([filtered('account:North'), filtered('account:Nord')]).toEqual([[], ['d']])
    expect(tree()).toContain('Nord 1')
  })

  test('a device of a listed site stands in its account at once', () => {
    list({ accounts: two, sites: [site('c', { account: 's' })] })
    read([inSite('g', 'c')], 500)
    expect(filtered('account:south')).toEqual(['g'])
  })

  test('a tenant that moves to another region keeps its accounts and counts', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' }), site('c', { account: 's' })] })
    const before = tree()
    calls.tenants({ service, connection, tenants: [{ ...acme, region: 'US-1' }], at: 0 })
    expect(tree()).toEqual(before)
    expect(filtered('region:US-1')).toEqual(['d', 'e', 'f'])
    expect(calls.tree({ expanded: [], offset: 0, limit: 9, reveal: null }).rows.map(({ name }) => name)).toEqual([
      'US-1',
    ])
  })
})

describe('the places of policies', () => {
  const a = siteNode(tenant, 'a')
  const room = roomNode(tenant, 'a', 'r1')
  const nodes = [a, room, accountNode(tenant, 'n'), accountNode(tenant, 's'), tenantNode(tenant), 'all', 's:gone']
  const places = () => calls.policyPlaces({ nodes }).map(({ node, account }) => [node, account])
  const north = accountNode(tenant, 'n')

  beforeEach(() => {
    read([inSite('d', 'a'), inSite('e', 'b')])
  })

  test('have the account that the tree has above them', () => {
    list({ accounts: two, sites: [site('a', { account: 'n' })] })
    expect(places()).toEqual([
      [a, north],
      [room, north],
      [north, null],
      [accountNode(tenant, 's'), null],
      [tenantNode(tenant), null],
      ['all', null],
    ])
  })

  test('have the only account of the tenant, which is listed although the tree leaves it out', () => {
    list({ accounts: two.slice(0, 1), sites: [site('a', { account: 'n' }), site('b')] })
    expect(places()).toEqual([
      [a, north],
      [room, north],
      [north, null],
      [tenantNode(tenant), null],
      ['all', null],
    ])
    const [found] = calls.findPlaces({ asked: { nodes: [room] }, limit: 1 }).places
    expect(found?.onlyAccount).toBe(north)
    const [other] = calls.findPlaces({ asked: { nodes: [siteNode(tenant, 'b')] }, limit: 1 }).places
    expect(other?.onlyAccount).toBeUndefined()
  })

  test('have no account where the service lists none', () => {
    list({ accounts: [], sites: [site('a')] })
    expect(places()).toEqual([
      [a, null],
      [room, null],
      [tenantNode(tenant), null],
      ['all', null],
    ])
  })

  test('a site that joins the only account is a change, although the tree stays as it is', () => {
    list({ accounts: two.slice(0, 1), sites: [site('a')] })
    expect(list({ accounts: two.slice(0, 1), sites: [site('a', { account: 'n' })] }).structure).toBe(true)
    expect(list({ accounts: two.slice(0, 1), sites: [site('a', { account: 'n' })] }).structure).toBe(false)
  })
})
