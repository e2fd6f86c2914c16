import type { Network } from '../../../src-main/ports.ts'
import { openCredentials } from '../../../src-service/access/credentials.ts'
import { usualContrary } from '../../../src-service/faults/contrary/profile.ts'
import { startWatchCounts } from '../../../src-service/faults/contrary/transport/stream.ts'
import { makeGraph } from '../../../src-service/graphql/graph.ts'
import { startPageTokens } from '../../../src-service/graphql/schema/page-token.ts'
import { makeSchema } from '../../../src-service/graphql/schema/schema.ts'
import { openPlanes } from '../../../src-service/faults/misfortune/regions.ts'
import { startLedger } from '../../../src-service/graphql/points/ledger.ts'
import { openState } from '../../../src-service/storage/state.ts'
import { startHub } from '../../../src-service/stream/streams.ts'
import type { World } from '../../../src-service/world/world.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { memorySockets, type MemorySockets } from './memory-socket.ts'

/**
 * The reference service's world, schema, costs and point limit behind a network port without a network: its time is the
 * given clock's, and an answer takes none. Only its tokens and its side of the stream are implemented here.
 */
export interface MemoryService {
  network: Network
  world: World
  sockets: Pick<MemorySockets, 'publish' | 'cut' | 'silence'>
  /**
   * Sets whether it can be reached. False, as when a VPN drops: requests and dials fail, and open sockets receive
   * nothing any more.
   */
  reach(reachable: boolean): void
  reachable(): boolean
  /** Returns the number of unanswered requests. */
  underWay(): number
  stop(): void
}

export interface MemoryServiceOptions {
  devices: number
  tenants: number
  seed: number
  clock: Clock
  tokenSeconds: number
}

export function startMemoryService({
  devices,
  tenants,
  seed,
  clock,
  tokenSeconds,
}: MemoryServiceOptions): MemoryService {
  const { world, reboots, close } = openState(null, { devices, tenants, seed, now: clock.now })
  const ask = asker(world, reboots, clock)
  let reachable = true
  let underWay = 0
  const sockets = memorySockets(() => reachable)
  const off = world.onChange(({ id, tenantId, name, connected }) =>
    sockets.publish({ id, tenantId, name, connected: connected === true }),
  )
  const answer = async (url: string, body: string): Promise<Response> => {
    if (!reachable) throw new FaultError('connect', 'memory')
    if (url.endsWith('/graphql')) return ask(body)
    return Response.json({ access_token: `token of ${clock.now()}`, token_type: 'Bearer', expires_in: tokenSeconds })
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    underWay += 1
    try {
      return await answer(String(input), String(init?.body))
    } finally {
      underWay -= 1
    }
  }
  return {
    network: {
      proxyOf: async () => null,
      open: () => ({ fetch, fetchOnce: fetch, dial: () => sockets.dial, close: async () => {} }),
    },
    world,
    sockets,
    reach(now) {
      reachable = now
      if (!now) sockets.silence()
    },
    reachable: () => reachable,
    underWay: () => underWay,
    stop() {
      off()
      close()
    },
  }
}

type Ask = (body: string) => Promise<Response>

/** Returns GraphQL as the service answers it, with the headers of the point limit. */
function asker(world: World, reboots: ReturnType<typeof openState>['reboots'], clock: Clock): Ask {
  const ledger = startLedger({ balance: 100_000, costLimit: 10_000, windowMs: 60_000, enforced: true, now: clock.now })
  const graph = makeGraph({ schema: makeSchema('full'), introspection: true, ledger, whenEmpty: 429 })
  const contrary = usualContrary('full', clock.now)
  const [set] = openCredentials([{}], () => {}, null).list()
  if (set === undefined) throw new Error('a service needs a credential set')
  const context = {
    world,
    planes: openPlanes(world),
    ledger,
    reboots,
    pageTokens: startPageTokens(),
    hub: startHub(world),
    contrary,
    watchCounts: startWatchCounts(contrary, world),
    nowSeconds: () => Math.floor(clock.now() / 1000),
  }
  return async (body) => {
    const call = { session: { set, expiresAt: Infinity }, charge: null as ReturnType<typeof ledger.charge> | null }
    const answer = await graph({ body, accept: 'application/json' }, { ...context, call })
    const { limit, remaining, secondsToReset } = call.charge ?? ledger.balance(set.clientId)
    const points = {
      'graphql-ratelimit-querycost': call.charge?.cost ?? 0,
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': secondsToReset,
    }
    return new Response(answer.body, {
      status: answer.status,
      headers: {
        ...answer.headers,
        ...Object.fromEntries(Object.entries(points).map(([name, value]) => [name, String(value)])),
      },
    })
  }
}

/** The addresses of a connection to it. */
export const memoryAddresses = {
  tokenUrl: 'https://memory/oauth/token',
  graphqlUrl: 'https://memory/graphql',
  subscriptionUrl: 'wss://memory/graphql',
  clientId: 'bench',
  clientSecret: 'nothing-to-steal',
  ca: '',
}
