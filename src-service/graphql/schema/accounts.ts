import type { GraphQLResolveInfo } from 'graphql'
import { accountsOf, reachOf } from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import { searchRoom } from './device-search.ts'
import type { FindArgs as DeviceArgs } from './device-search.ts'
import { pageSizeOf, asBadInput } from './page-input.ts'
import type { PageTokens } from './page-token.ts'
import type { PlacePage, PlaceSearch } from '../../world/search/place-pages.ts'
import type { Account, Room, Site } from '../../world/store/rows.ts'

type FindArgs = { params?: { nextToken?: string | null; pageSize?: number | null } | null }

/** The types of the full profile beyond the specification's. */
export const accountTypes = /* GraphQL */ `
  extend type Tenant {
    accounts: [Account!]
  }
  "A part of a tenant, with sites of its own."
  type Account {
    id: ID!
    name: String
    sites(params: PlaceFindArgs): SiteConnection
  }
  extend type Site {
    account: Account
    rooms(params: PlaceFindArgs): RoomConnection
  }
  extend type Room {
    "Filters, sorts and pages as every search of devices."
    devices(params: DeviceFindArgs): DeviceConnection
  }
  input PlaceFindArgs {
    nextToken: String
    "1 to 5000."
    pageSize: Int = 10
  }
  type SiteConnection {
    edges: [SiteEdge]
    pageInfo: PageInfo
  }
  type SiteEdge {
    node: Site
  }
  type RoomConnection {
    edges: [RoomEdge]
    pageInfo: PageInfo
  }
  type RoomEdge {
    node: Room
  }
`

/**
 * The hierarchy below a tenant: accounts, sites, rooms, devices (spec section 1; the fields are ours). Accounts are in
 * every region; the rest is in the data of the tenant's region, and paged, so that its cost is known in advance.
 */
export const accountFields = {
  Tenant: {
    accounts: ({ id }: { id: string }, _args: unknown, context: GraphContext) => accountsOf(context, id),
  },
  Account: {
    sites: ({ id, tenantId }: Account, { params }: FindArgs, context: GraphContext) => {
      const search = searchFor(context.pageTokens, `sites of ${id}`, params, reachOf(context)?.sites ?? null)
      return context.planes
        .ofTenant(tenantId)
        .use((data) => connection(context.pageTokens, `sites of ${id}`, data.sitesOf(id, search)))
    },
  },
  Site: {
    account: ({ accountId }: Site, _args: unknown, { world }: GraphContext) => world.account(accountId),
    rooms: (site: Site, { params }: FindArgs, context: GraphContext) => {
      const search = searchFor(context.pageTokens, `rooms of ${site.id}`, params, null)
      return context.planes
        .ofTenant(site.tenantId)
        .use((data) =>
          connection(context.pageTokens, `rooms of ${site.id}`, withSite(data.roomsOf(site.id, search), site)),
        )
    },
  },
  Room: {
    devices: (room: Room & { site: Site }, args: DeviceArgs, context: GraphContext, info: GraphQLResolveInfo) =>
      searchRoom(context, room, args, info),
  },
}

function withSite(page: PlacePage<Room>, site: Site): PlacePage<Room & { site: Site }> {
  return { ...page, places: page.places.map((room) => ({ ...room, site })) }
}

function searchFor(
  pageTokens: PageTokens,
  key: string,
  params: FindArgs['params'],
  ids: readonly string[] | null,
): PlaceSearch {
  const token = params?.nextToken
  return {
    pageSize: pageSizeOf(params),
    after: token ? Number(asBadInput(() => pageTokens.read(key, token))[0]) : null,
    ids,
  }
}

function connection(pageTokens: PageTokens, key: string, { places, last, more, total }: PlacePage<unknown>) {
  return {
    edges: places.map((node) => ({ node })),
    pageInfo: {
      totalCount: total,
      countOnPage: places.length,
      nextToken: more && last !== null ? pageTokens.write(key, [last]) : null,
      hasNextPage: more,
    },
  }
}
