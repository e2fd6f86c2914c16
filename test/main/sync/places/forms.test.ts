import { expect, test } from 'vitest'
import type { ReadPlaces } from '../../../../src-main/sync/places/tenant-places.ts'
import { params, placeService, sitesWith, type AccountOf, type SiteOf } from './service.ts'

const accounts: AccountOf[] = [
  { id: 'a', name: 'Europe', sites: sitesWith('x', [3, 0, 27]) },
  {
    id: 'b',
    name: 'Asia',
    sites: sitesWith(
      'y',
      Array.from({ length: 130 }, (_, at) => at % 4),
    ),
  },
  { id: 'c', name: 'Events', sites: [] },
]
const sites = accounts.flatMap((account) => account.sites)
const rooms = sites.flatMap((site) => site.rooms.map((room) => ({ ...room, site })))

const room = 'type Room { id: ID! name: String capacity: Int size: Size floor: String site: Site } enum Size { SMALL }'
const query =
  'type Query { tenant(id: ID!): Tenant site(id: String!): Site siteData(tenantId: String!, params: CursorArgs): SiteData }'

const siteValue = (site: SiteOf) => ({ ...site, rooms: params(site.rooms) })
const accountValue = (account: AccountOf) => ({ ...account, sites: params(account.sites.map(siteValue)) })
const root = {
  tenant: () => ({ accounts: accounts.map(accountValue), roomData: params(rooms) }),
  site: ({ id }: { id: string }) => siteValue(sites.find((each) => each.id === id) ?? { id, name: '', rooms: [] }),
  siteData: params(
    accounts.flatMap(({ sites: of, ...account }) => of.map((site) => ({ ...siteValue(site), account }))),
  ),
}

const byId = <T extends { id: string }>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => (one.id < other.id ? -1 : 1))

function whole(withAccounts: boolean): Pick<ReadPlaces, 'places' | 'partial' | 'fault'> {
  return {
    places: {
      accounts: withAccounts ? accounts.map(({ id, name }) => ({ id, name })) : null,
      sites: byId(
        accounts.flatMap((account) =>
          account.sites.map(({ id, name }) => ({ id, name, account: withAccounts ? account.id : null })),
        ),
      ),
      rooms: byId(rooms.map(({ site, ...each }) => ({ ...each, site: site.id }))),
    },
    partial: false,
    fault: null,
  }
}

async function readAll(sdl: string, more?: Parameters<typeof placeService>[2], value: unknown = root) {
  const service = placeService(sdl, value, more)
  const read = await service.read()
  if (read === null) return { ...service, read: null, points: 0 }
  const { points, ...rest } = read
  const { places } = rest
  return {
    ...service,
    points,
    read: { ...rest, places: { ...places, sites: byId(places.sites), rooms: byId(places.rooms) } },
  }
}

const own = `type Tenant { accounts: [Account!] } type Account { id: ID! name: String sites(params: PageArgs): SiteConnection }`

test.each<[string, string, boolean]>([
  [
    'accounts with pages of sites, and rooms by site',
    `${query} ${own} ${room} type Site { id: ID! name: String account: Acc rooms(params: PageArgs): RoomConnection } type Acc { id: ID! }`,
    true,
  ],
  [
    'accounts, and the lists of the twin',
    `${query} type Tenant { accounts: [Account!]! roomData(params: CursorArgs): RoomData } type Account { id: ID! name: String }
    ${room} type Site { id: ID! name: String account: Account }`,
    true,
  ],
  [
    'accounts with sites, and rooms of the tenant',
    `type Query { tenant(id: ID!): Tenant } type Tenant { accounts: [Account!]! roomData(params: CursorArgs!): RoomData! }
    type Account { id: ID! name: String sites(params: PageArgs!): SiteConnection! } ${room} type Site { id: ID! name: String }`,
    true,
  ],
  [
    'the lists of the twin alone',
    `${query} type Tenant { roomData(params: CursorArgs): RoomData } ${room} type Site { id: ID! name: String }`,
    false,
  ],
  [
    'sites that name their account and have pages of rooms',
    `type Query { tenant(id: ID!): Tenant siteData(tenantId: ID!, params: CursorArgs): SiteData! } type Tenant { accounts: [Account!] }
    type Account { id: ID! name: String } ${room} type Site { id: ID! name: String account: Account rooms(params: PageArgs): RoomConnection }`,
    true,
  ],
  [
    'accounts, sites and rooms, each in pages within the former',
    `type Query { tenant(id: ID!): Tenant } ${own} ${room} type Site { id: ID! name: String rooms(params: PageArgs): RoomConnection }`,
    true,
  ],
])('a service with %s is read completely', async (_name, sdl, withAccounts) => {
  const { read } = await readAll(sdl)
  expect(read).toEqual(whole(withAccounts))
})

test('plain lists without pages, one in the other, are read in one operation', async () => {
  const lists = `type Query { tenant(id: ID!): Tenant } type Tenant { accounts: [Account] } type Account { id: ID! name: String sites: [Site!]! }
    type Site { id: ID! name: String rooms: [Room] } ${room}`
  const plain = {
    tenant: () => ({ accounts: accounts.map((account) => ({ ...account, sites: () => account.sites })) }),
  }
  const { read, asked } = await readAll(lists, undefined, plain)
  expect([read, asked()]).toEqual([whole(true), 1])
})

test('sites of the tenant without accounts are read with their rooms', async () => {
  const { read } = await readAll(
    `type Query { tenant(id: ID!): Tenant site(id: ID!): Site } type Tenant { sites(params: PageArgs): SiteConnection }
    type Site { id: ID! name: String rooms(params: PageArgs): RoomConnection } ${room}`,
    undefined,
    { ...root, tenant: () => ({ sites: params(sites.map(siteValue)) }) },
  )
  expect(read).toEqual(whole(false))
})

test('a room without capacity, size and floor in the schema has none', async () => {
  const { read } = await readAll(
    `${query} type Tenant { roomData(params: CursorArgs): RoomData } type Room { id: ID! name: String site: Site } type Site { id: ID! name: String }`,
  )
  expect(read?.places.rooms[3]).toMatchObject({ capacity: null, size: null, floor: null })
})

test.each<[string, string]>([
  ['no lists of places', 'type Query { tenant(id: ID!): Tenant } type Tenant { id: ID! }'],
  [
    'accounts to which no site is assigned',
    `type Query { tenant(id: ID!): Tenant } type Tenant { accounts: [Account!] } type Account { id: ID! name: String }`,
  ],
  [
    'rooms that name no site',
    'type Query { tenant(id: ID!): Tenant } type Tenant { roomData(params: CursorArgs): RoomData } ',
  ],
  [
    'a search of sites that wants more than a page',
    `type Query { tenant(id: ID!): Tenant siteData(tenantId: ID!, region: String!): SiteData } type Tenant { id: ID! }`,
  ],
])('of a service with %s nothing is read', async (_name, sdl) => {
  const { read, asked } = await readAll(
    `${sdl} ${sdl.includes('Room {') ? '' : 'type Room { id: ID! }'} type Site { id: ID! }`,
  )
  expect([read, asked()]).toEqual([null, 0])
})
