import { connect } from 'node:http2'
import type { ClientHttp2Session } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { GraphServer } from './graph-server.ts'

/** Reads pages of 100 devices over one HTTP/2 connection, as a client reads a fleet. */
export interface PageReader {
  /** Reads `count` pages over all lanes; resolves with the ms of each one, and of all together. */
  read(count: number): Promise<{ each: number[]; all: number }>
  stop(): void
}

export interface Walk {
  pageSize: number
  /** Concurrent streams. */ lanes: number
}

const query = `query Page($id: ID!, $params: DeviceFindArgs) {
  tenant(id: $id) { inventory { deviceSearch(params: $params) {
    edges { node { id name hardwareModel connected lastDetected lastConfigRequestDate site { id name } room { id name } } }
    pageInfo { totalCount countOnPage nextToken hasNextPage }
  } } }
}`

interface Page {
  data: {
    tenant: {
      inventory: {
        deviceSearch: {
          edges: unknown[]
          pageInfo: { countOnPage: number; nextToken: string | null; hasNextPage: boolean }
        }
      }
    }
  }
}

/**
 * Opens a reader. Every answer is parsed and must have the number of devices that it reports; anything else is an error
 * of the benchmark.
 */
export async function openPages(server: GraphServer, { pageSize, lanes }: Walk): Promise<PageReader> {
  const session = connect(server.origin, { ca: server.ca })
  let stopped = false
  session.on('error', (error) => {
    // A stopping server closes the unused connection.
    if (!stopped) throw error
  })
  const headers = server.pair === null ? {} : { authorization: `Bearer ${await tokenFor(session, server.pair)}` }
  const walks = Array.from({ length: lanes }, (_, lane) => walkFrom(server.tenants, lane))
  return {
    async read(count) {
      const each: number[] = []
      let left = count
      const began = performance.now()
      await Promise.all(
        walks.map(async (walk) => {
          while (left-- > 0) {
            const at = performance.now()
            const { nextToken, tenant } = walk
            const body = JSON.stringify({ query, variables: { id: tenant, params: { nextToken, pageSize } } })
            walk.step(pageInfoOf(await post(session, '/graphql', headers, body)))
            each.push(performance.now() - at)
          }
        }),
      )
      return { each, all: performance.now() - began }
    },
    stop() {
      stopped = true
      session.destroy()
    },
  }
}

interface Place {
  tenant: string
  nextToken: string | null
  step(info: { nextToken: string | null }): void
}

/** Walks from the first page of a tenant to its last, then on with the next tenant. */
function walkFrom(tenants: readonly string[], first: number): Place {
  let index = first
  const at = (): string => tenants[index % tenants.length] ?? ''
  const place: Place = {
    tenant: at(),
    nextToken: null,
    step({ nextToken }) {
      if (nextToken === null) index += 1
      Object.assign(place, { tenant: at(), nextToken })
    },
  }
  return place
}

function pageInfoOf(body: string): { nextToken: string | null } {
  const { edges, pageInfo } = (JSON.parse(body) as Page).data.tenant.inventory.deviceSearch
  if (edges.length === 0 || edges.length !== pageInfo.countOnPage)
    throw new Error(`a page holds ${edges.length} devices and says ${pageInfo.countOnPage}`)
  return pageInfo
}

async function tokenFor(session: ClientHttp2Session, pair: object): Promise<string> {
  const answer = await post(session, '/oauth/token', {}, JSON.stringify({ ...pair, grant_type: 'client_credentials' }))
  return (JSON.parse(answer) as { access_token: string }).access_token
}

async function post(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/json',
    accept: 'application/json',
    ...headers,
  })
  stream.end(body)
  return text(stream)
}
