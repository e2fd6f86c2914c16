import { buildSchema, graphql } from 'graphql'
import type { Api, Reply, Request } from '../../../../src-main/api/client.ts'
import { learnPlaceSources } from '../../../../src-main/api/places/schema.ts'
import { createCosts } from '../../../../src-main/pacing/cost/costs.ts'
import { readTenantPlaces } from '../../../../src-main/sync/places/tenant-places.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'

export interface Named {
  id: string
  name: string
}
export type RoomOf = Named & { capacity: number; size: string; floor: string }
export type SiteOf = Named & { rooms: RoomOf[]; account?: Named | null }
export type AccountOf = Named & { sites: SiteOf[] }

type Params = { params?: Readonly<Record<string, unknown>> | null }

/** Pages as the reference service gives them; a token is the position. */
export function pageOf(all: readonly unknown[], { params }: Params, most = 5_000): unknown {
  const size = Number(params?.['pageSize'] ?? params?.['limit'] ?? 10)
  if (size > most) throw new Error(`pageSize must be between 1 and ${most}`)
  const token = params?.['nextToken'] ?? params?.['cursor'] ?? null
  const from = token === null ? 0 : Number(String(token).replace('t', ''))
  const end = from + size
  const next = end < all.length ? `t${end}` : null
  return {
    edges: all.slice(from, end).map((node) => ({ node })),
    pageInfo: { totalCount: all.length, nextToken: next, hasNextPage: next !== null, endCursor: next },
    total: all.length,
  }
}

export const pageTypes = /* GraphQL */ `
  input PageArgs {
    nextToken: String
    pageSize: Int = 10
  }
  input CursorArgs {
    limit: Int = 10
    cursor: String
    paging: Paging
  }
  enum Paging {
    NEXT_PAGE
  }
  type PageInfo {
    totalCount: Int
    nextToken: String
    hasNextPage: Boolean
  }
  type CursorPageInfo {
    hasNextPage: Boolean
    endCursor: String
  }
  type SiteEdge {
    node: Site
  }
  type RoomEdge {
    node: Room
  }
  type SiteConnection {
    edges: [SiteEdge!]
    pageInfo: PageInfo
  }
  type RoomConnection {
    edges: [RoomEdge]
    pageInfo: PageInfo
  }
  type SiteData {
    edges: [SiteEdge]
    total: Int
    pageInfo: CursorPageInfo
  }
  type RoomData {
    edges: [RoomEdge]
    total: Int
    pageInfo: CursorPageInfo
  }
`

export const params =
  <T>(all: readonly T[], most?: number) =>
  (args: Params) =>
    pageOf(all, args, most)

/** A service with this schema and these values at its root. `answer` may replace a reply. */
export function placeService(
  sdl: string,
  rootValue: unknown,
  { limit = 10_000, answer }: { limit?: number; answer?: (request: Request, reply: Reply) => Reply | FaultError } = {},
) {
  const schema = buildSchema(`${pageTypes} ${sdl}`)
  const requests: Request[] = []
  const costs = createCosts()
  const api: Api = {
    async run(request) {
      const { operation, variables, size } = request
      requests.push(request)
      const cost = size * 7
      if (operation.name === 'Places' && cost > limit) {
        costs.tooExpensive(operation.shape, size, cost)
        throw new FaultError('cost-limit', 'too expensive', { status: 400, answerText: '' })
      }
      const { data, errors = [] } = await graphql({
        schema,
        source: operation.document,
        variableValues: variables,
        rootValue,
      })
      if (data === undefined) throw new Error(errors.map(({ message }) => message).join())
      costs.learn(operation.shape, size, operation.name === 'Places' ? cost : 5, 10)
      const reply: Reply = {
        data: JSON.parse(JSON.stringify(data)),
        errors: errors.map(({ message, path = null }) => ({ message, code: null, path })),
      }
      const replaced = answer?.(request, reply) ?? reply
      if (replaced instanceof FaultError) throw replaced
      return replaced
    },
  }
  const as = { lane: 'background', signal: new AbortController().signal } as const
  const pageSizes = { pageSize: Infinity }
  return {
    api,
    costs,
    requests,
    pageSizes,
    asked: () => requests.filter(({ operation }) => operation.name === 'Places').length,
    learn: () => learnPlaceSources(api, as),
    async read(tenant = 't') {
      const sources = await learnPlaceSources(api, as)
      if (sources === null) return null
      return readTenantPlaces(
        {
          api,
          pacer: { costs, pagePoints: () => 100_000 / 32 },
          dialect: { pageLimit: () => null },
          limit: pageSizes,
          ...as,
        },
        sources,
        tenant,
      )
    },
  }
}

/** Sites with this many rooms each, named by their numbers. */
export function sitesWith(prefix: string, rooms: readonly number[]): SiteOf[] {
  return rooms.map((count, at) => ({
    id: `${prefix}${at}`,
    name: `Site ${prefix}${at}`,
    rooms: Array.from({ length: count }, (_, room) => ({
      id: `${prefix}${at}r${room}`,
      name: `Room ${room}`,
      capacity: room,
      size: 'SMALL',
      floor: '2',
    })),
  }))
}
