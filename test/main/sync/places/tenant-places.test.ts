import { expect, test } from 'vitest'
import type { Reply, Request } from '../../../../src-main/api/client.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { pageOf, params, placeService, sitesWith, type SiteOf } from './service.ts'

const room = 'type Room { id: ID! name: String capacity: Int size: String floor: String site: Site }'
const own = `type Query { tenant(id: ID!): Tenant site(id: String!): Site } type Tenant { accounts: [Account!] }
  type Account { id: ID! name: String sites(params: PageArgs): SiteConnection }
  type Site { id: ID! name: String rooms(params: PageArgs): RoomConnection } ${room}`
const twin = `type Query { tenant(id: ID!): Tenant siteData(tenantId: String!, params: CursorArgs): SiteData }
  type Tenant { accounts: [Account!] roomData(params: CursorArgs): RoomData } type Account { id: ID! name: String sites(params: PageArgs): SiteConnection }
  type Site { id: ID! name: String } ${room}`

const two = { a: sitesWith('x', [2, 1]), b: sitesWith('y', [3]) }
const all = [...two.a, ...two.b]
const valueOf = (site: SiteOf) => ({ ...site, rooms: params(site.rooms) })
const listed = (accounts: Record<string, readonly SiteOf[]>, most?: number) => ({
  tenant: () => ({
    accounts: Object.entries(accounts).map(([id, sites]) => ({
      id,
      name: id,
      sites: params(sites.map(valueOf), most),
    })),
    roomData: params(
      Object.values(accounts)
        .flat()
        .flatMap((site) => site.rooms.map((each) => ({ ...each, site }))),
      most,
    ),
  }),
  site: ({ id }: { id: string }) =>
    valueOf(
      Object.values(accounts)
        .flat()
        .find((site) => site.id === id) ?? { id, name: '', rooms: [] },
    ),
  siteData: params(Object.values(accounts).flat(), most),
})

const idsOf = (list: readonly { id: string }[] | undefined | null) => list?.map(({ id }) => id).toSorted()

/** Replaces the replies to the first requests of this list. */
const failing =
  (field: string, errors: Reply['errors'], change: (data: Record<string, unknown>) => unknown, times = Infinity) =>
  ({ operation }: Request, reply: Reply): Reply => {
    if (operation.name !== 'Places' || !operation.document.includes(field) || (times -= 1) < 0) return reply
    return { ...reply, errors, data: change(reply.data as Record<string, unknown>) }
  }

const down = (...path: (string | number)[]) => [{ message: 'Region is unavailable', code: 'UNAVAILABLE', path }]

test('a region that is down is a fault, though its accounts are known', async () => {
  const service = placeService(own, {
    tenant: () => ({
      accounts: ['a', 'b'].map((id) => ({
        id,
        name: id,
        sites() {
          throw new Error('Region is unavailable')
        },
      })),
    }),
  })
  expect(await service.read()).toMatchObject({
    places: { accounts: [{ id: 'a' }, { id: 'b' }], sites: [], rooms: [] },
    partial: true,
  })
})

test('nothing at all is rejected with the reason', async () => {
  const { read } = placeService(own, listed(two), {
    answer: failing('accounts', down('p0'), () => ({ p0: null })),
  })
  await expect(read()).rejects.toMatchObject({ fault: { kind: 'partial', detail: 'Region is unavailable' } })
})

test('an empty list beside an error is no emptiness', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: failing('roomData', [{ message: 'not now', code: null, path: null }], () => ({
      p0: { roomData: { edges: [], total: 0, pageInfo: { hasNextPage: false, endCursor: null } } },
    })),
  })
  expect(await read()).toMatchObject({ places: { rooms: [] }, partial: true, fault: { kind: 'partial' } })
})

test('where the accounts fail, the sites whose account is unknown are left out, with their rooms', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: failing('accounts', down('p0', 'accounts', 1, 'sites'), (data) => {
      const { accounts } = data['p0'] as { accounts: { sites: unknown }[] }
      return { p0: { accounts: accounts.map((each, at) => (at === 1 ? { ...each, sites: null } : each)) } }
    }),
  })
  const found = await read()
  expect([found?.partial, idsOf(found?.places.sites), idsOf(found?.places.rooms)]).toEqual([
    true,
    ['x0', 'x1'],
    ['x0r0', 'x0r1', 'x1r0'],
  ])
  expect(found?.places.sites.map(({ account }) => account)).toEqual(['a', 'a'])
})

test('edges that are null, and rooms of which a field failed, are missing and not removed', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: failing('roomData', down('p0', 'roomData', 'edges', 1, 'node', 'capacity'), (data) => {
      const { roomData } = data['p0'] as { roomData: { edges: unknown[] } }
      return { p0: { roomData: { ...roomData, edges: [null, ...roomData.edges.slice(1)] } } }
    }),
  })
  const found = await read()
  expect([found?.partial, idsOf(found?.places.rooms)]).toEqual([true, ['x1r0', 'y0r0', 'y0r1', 'y0r2']])
  expect(found?.places.sites).toHaveLength(3)
})

test('one list that is forbidden leaves the others', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: ({ operation }, reply) =>
      operation.document.includes('siteData') ? new FaultError('forbidden', 'HTTP 403') : reply,
  })
  const found = await read()
  expect([found?.fault?.kind, found?.places.sites.length, found?.places.rooms.length]).toEqual(['forbidden', 3, 6])
})

test('a fault of the whole connection ends it', async () => {
  const { read } = placeService(own, listed(two), {
    answer: ({ operation }, reply) => (operation.name === 'Places' ? new FaultError('token') : reply),
  })
  await expect(read()).rejects.toMatchObject({ fault: { kind: 'token' } })
})

test.each([own, twin])('a page that is too expensive is never sent again, and later ones are smaller', async (sdl) => {
  const many = {
    a: sitesWith('x', [40]),
    b: sitesWith(
      'y',
      Array.from({ length: 60 }, () => 2),
    ),
  }
  const { read, requests } = placeService(sdl, listed(many), { limit: 300 })
  const found = await read()
  expect([found?.partial, found?.places.sites.length, found?.places.rooms.length]).toEqual([false, 61, 160])
  const sent = requests
    .filter(({ operation }) => operation.name === 'Places')
    .map((each) => JSON.stringify(each.variables))
  expect(new Set(sent).size).toBe(sent.length)
})

test.each([own, twin])(
  'a page size that is rejected beside good parts is halved to the bound that is named',
  async (sdl) => {
    const many = {
      a: sitesWith('x', [40]),
      b: sitesWith(
        'y',
        Array.from({ length: 60 }, () => 2),
      ),
    }
    const { read, pageSizes } = placeService(sdl, listed(many, 7))
    const found = await read()
    expect([found?.partial, found?.places.sites.length, found?.places.rooms.length]).toEqual([false, 61, 160])
    expect(pageSizes.pageSize).toBe(7)
  },
)

test.each<[string, (at: number) => Record<string, unknown>, string]>([
  ['repeat a token', () => ({ endCursor: 'same', hasNextPage: true }), 'the same token came twice'],
  [
    'bring nothing new',
    (at) => ({ endCursor: `c${at}`, hasNextPage: true }),
    '10 pages in a row without a place that had not come before',
  ],
])('pages that %s are a fault, and what was read stays', async (_name, pageInfo, detail) => {
  let at = 0
  const { read } = placeService(twin, listed(two), {
    answer: failing('roomData', [], (data) => {
      const { roomData } = data['p0'] as { roomData: object }
      at += 1
      return { p0: { roomData: { ...roomData, total: null, pageInfo: pageInfo(at) } } }
    }),
  })
  const found = await read()
  expect(found?.fault).toEqual({ kind: 'paging', detail })
  expect([found?.partial, found?.places.rooms.length]).toEqual([true, 6])
})

test('more pages than the total allows are a fault', async () => {
  const { read } = placeService(twin, listed(two), {
    answer({ operation, variables }, reply) {
      if (!operation.document.includes('roomData')) return reply
      const from = Number((variables['page0_0'] as { cursor: string | null }).cursor ?? 0)
      const edges = Array.from({ length: 100 }, (_, at) => ({
        node: { id: `r${from + at}`, name: '', capacity: null, size: null, floor: null, site: null },
      }))
      const pageInfo = { hasNextPage: true, endCursor: String(from + 100) }
      return { errors: [], data: { p0: { roomData: { edges, pageInfo, total: 5 } } } }
    },
  })
  expect((await read())?.fault).toEqual({ kind: 'paging', detail: expect.stringMatching(/^more than \d+ places$/u) })
})

test('more than 200,000 places of a tenant are not read', async () => {
  const endless = Array.from({ length: 200_500 }, (_, at) => ({ id: `r${at}`, name: 'x' }))
  const { read } = placeService(twin, listed(two), {
    limit: Infinity,
    answer({ operation, variables }, reply) {
      if (!operation.document.includes('roomData')) return reply
      const { cursor } = variables['page0_0'] as { cursor: string | null }
      // More than was asked for: a service may ignore the size.
      const page = pageOf(endless, { params: { limit: 5_000, cursor } }) as { edges: { node: object }[] }
      const edges = page.edges.map(({ node }) => ({
        node: { ...node, capacity: 4, size: null, floor: null, site: null },
      }))
      return { errors: [], data: { p0: { roomData: { ...page, edges } } } }
    },
  })
  const found = await read()
  expect([found?.fault, found?.partial]).toEqual([{ kind: 'paging', detail: 'more than 200000 places' }, true])
  expect(found?.places.rooms.length).toBeLessThanOrEqual(200_000)
})

test('a list that ends before its total is read in part', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: failing('siteData', [], (data) => ({ p0: { ...(data['p0'] as object), total: 9 } })),
  })
  expect(await read()).toMatchObject({ partial: true, fault: { kind: 'partial' } })
})

test('numbers as text, ids as numbers and long names are read', async () => {
  const { read } = placeService(twin, listed(two), {
    answer: failing('roomData', [], () => ({
      p0: {
        roomData: {
          total: '2',
          pageInfo: { hasNextPage: 'false', endCursor: null },
          edges: [
            {
              node: {
                id: 7,
                name: 'n'.repeat(10_000),
                capacity: '12',
                size: '',
                floor: 3,
                site: { id: 'x0', name: 'x' },
              },
            },
            { node: { id: 'i'.repeat(600), name: 'too long an id', capacity: 1, size: '', floor: '', site: null } },
          ],
        },
      },
    })),
  })
  const found = await read()
  expect(found?.places.rooms).toEqual([
    { id: '7', name: `${'n'.repeat(500)}…`, site: 'x0', capacity: 12, size: null, floor: '3' },
  ])
  expect(found?.partial).toBe(true)
})

test('the cost of all its operations is told', async () => {
  const { read, asked } = placeService(twin, listed({ a: all }))
  const found = await read()
  expect(asked()).toBe(3)
  expect(found?.points).toBeGreaterThan(100)
})
