import { badInput, found, loggedIn, reachOf, tenantOf } from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import { MAX_PAGE_SIZE } from '../points/cost.ts'
import { asBadInput } from './page-input.ts'
import type { TenantPlaces, TenantPlacesPage } from '../../world/search/tenant-places.ts'

type Direction = 'ASC' | 'DESC'
type Params = {
  limit?: number | null
  cursor?: string | null
  sort?: readonly { field: string; direction?: Direction | null }[] | null
  filter?: readonly { field: string; comparisonOperator: string; value: string }[] | null
}

/** All rooms and sites of a tenant, those without devices too, in the form of the twin (section 8). */
export const placeDataTypes = /* GraphQL */ `
  extend type Tenant {
    "All rooms, also those without devices."
    roomData(params: RoomConnectionParams): RoomDataConnection
  }
  extend type Query {
    "All sites of a tenant, also those without devices."
    siteData(tenantId: String!, params: SiteConnectionParams): SiteDataConnection
  }
  type RoomDataConnection {
    total: Int
    pageInfo: CursorPageInfo
    edges: [RoomEdge]
  }
  type SiteDataConnection {
    total: Int
    pageInfo: CursorPageInfo
    edges: [SiteEdge]
  }
  type CursorPageInfo {
    hasNextPage: Boolean
    endCursor: String
  }
  input RoomConnectionParams {
    "1 to 5000."
    limit: Int = 10
    cursor: String
    paging: Paging
    sort: [RoomSort!]
  }
  input RoomSort {
    "ROOM_NAME; without it in the order in which they were made."
    field: String!
    direction: SortDirection
  }
  input SiteConnectionParams {
    "1 to 5000."
    limit: Int = 10
    cursor: String
    paging: Paging
    filter: [SiteFilter!]
  }
  input SiteFilter {
    "NAME"
    field: String!
    "EQUALS"
    comparisonOperator: String!
    value: String!
  }
  enum Paging {
    NEXT_PAGE
  }
`

export const placeDataFields = {
  Tenant: {
    roomData: ({ id }: { id: string }, { params }: { params?: Params | null }, context: GraphContext) => {
      const search = searchFor(context, 'rooms', id, params)
      return context.planes.ofTenant(id).use((data) => {
        const page = data.roomsOfTenant(search)
        const places = page.places.map((room) => ({
          ...room,
          site: found('site', room.siteId, data.site(room.siteId)),
        }))
        return connection(context, keyOf('rooms', search), { ...page, places })
      })
    },
  },
  Query: {
    siteData: loggedIn((_source, { tenantId, params }: { tenantId: string; params?: Params | null }, context) => {
      const search = searchFor(context, 'sites', tenantOf(context, tenantId).id, params)
      return context.planes
        .ofTenant(tenantId)
        .use((data) => connection(context, keyOf('sites', search), data.sitesOfTenant(search)))
    }),
  },
}

function searchFor(
  context: GraphContext,
  table: 'sites' | 'rooms',
  tenantId: string,
  params: Params | null | undefined,
): TenantPlaces {
  const limit = params?.limit ?? 10
  if (limit < 1 || limit > MAX_PAGE_SIZE) throw badInput(`limit must be between 1 and ${MAX_PAGE_SIZE}`)
  const search = {
    tenantId,
    reach: reachOf(context),
    name: nameIn(params?.filter ?? []),
    byName: directionIn(params?.sort ?? []),
    limit,
  }
  const cursor = params?.cursor
  const after = cursor ? asBadInput(() => context.pageTokens.read(keyOf(table, search), cursor)) : null
  return { ...search, after }
}

function directionIn(sort: NonNullable<Params['sort']>): Direction | null {
  const [first] = sort
  if (sort.length > 1 || (first && first.field !== 'ROOM_NAME')) throw badInput('sort takes ROOM_NAME alone')
  return first ? (first.direction ?? 'ASC') : null
}

function nameIn(filter: NonNullable<Params['filter']>): string | null {
  const [first] = filter
  if (filter.length > 1 || (first && (first.field !== 'NAME' || first.comparisonOperator !== 'EQUALS')))
    throw badInput('filter takes NAME with EQUALS alone')
  return first?.value ?? null
}

/** Returns what a cursor is valid for. */
function keyOf(table: 'sites' | 'rooms', { tenantId, name, byName }: Omit<TenantPlaces, 'after'>): string {
  return JSON.stringify([table, tenantId, name, byName])
}

function connection(
  { pageTokens }: GraphContext,
  key: string,
  { places, last, more, total }: TenantPlacesPage<unknown>,
) {
  return {
    total,
    pageInfo: { hasNextPage: more, endCursor: last.length > 0 ? pageTokens.write(key, last) : null },
    edges: places.map((node) => ({ node })),
  }
}
