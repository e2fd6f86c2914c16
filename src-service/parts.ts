import { openBodies } from './net/bodies.ts'
import type { Clock } from './faults/clock.ts'
import type { GraphContext } from './graphql/context.ts'
import type { ChosenProfile } from './faults/contrary/profile.ts'
import { exhaustedAs } from './faults/contrary/transport/shapes.ts'
import { startWatchCounts } from './faults/contrary/transport/stream.ts'
import { formedTokens } from './faults/contrary/paging/page-tokens.ts'
import { onePerTenant, openCredentials } from './access/credentials.ts'
import type { Credentials, KnownCredentials, NewCredentialSet } from './access/credentials.ts'
import type { openKeys } from './storage/stored-keys.ts'
import { makeGraph } from './graphql/graph.ts'
import type { GraphEndpoint } from './graphql/graphql-endpoint.ts'
import { startLedger } from './graphql/points/ledger.ts'
import type { Ledger } from './graphql/points/ledger.ts'
import { startMisfortunes } from './faults/misfortune/misfortune.ts'
import { startOperationLog } from './graphql/operation-log.ts'
import type { ServiceOptions } from './options.ts'
import { startPageTokens } from './graphql/schema/page-token.ts'
import { pricedLedger } from './graphql/points/priced-ledger.ts'
import { startPlayground } from './playground/playground.ts'
import { storedUsers, memoryUsers } from './playground/users.ts'
import { openPlanes } from './faults/misfortune/regions.ts'
import type { Planes } from './faults/misfortune/regions.ts'
import { startHub } from './stream/streams.ts'
import type { State } from './storage/state.ts'
import { startTokens } from './access/tokens.ts'
import type { Tokens } from './access/tokens.ts'
import type { World } from './world/world.ts'

/** All answering parts of a service, without a port. */
export type Parts = {
  world: World
  contrary: ChosenProfile['contrary']
  credentials: KnownCredentials
  /** The first credential set; empty where the sets are those of a data folder. */
  pair: { clientId: string; clientSecret: string }
  ledger: Ledger
  planes: Planes
  context: Omit<GraphContext, 'call'>
  endpoint: GraphEndpoint
  tokens: Tokens
}

export type PartsOptions = {
  options: ServiceOptions
  chosen: ChosenProfile
  state: State
  clock: Clock
  /** Keys of a data folder; null without one. */
  kept: ReturnType<typeof openKeys> | null
  /** Closes the sockets of a credential set. */
  dropSet: (clientId: string) => void
}

/** Opens the parts. Planes and hub run until they are stopped. */
export async function openParts({
  options,
  chosen: { schema, contrary },
  state,
  clock: { now },
  kept,
  dropSet,
}: PartsOptions): Promise<Parts> {
  const { balance = 100_000, costLimit = 10_000, windowMs = 60_000 } = options
  const { world, access, reboots } = state
  const credentials = openCredentials(firstSets(options, world), dropSet, access)
  const pair = pairOf(options, credentials)
  const tokens = await startTokens({
    credentials,
    lifetimeSeconds: options.tokenLifetimeSeconds ?? 86_400,
    now,
    storage: kept?.storage,
  })
  const ledger = pricedLedger(startLedger({ balance, costLimit, windowMs, enforced: options.points ?? true, now }), {
    ...options,
    priceFactor: (set) => (options.priceFactor?.(set) ?? 1) * contrary.is.costFactor,
  })
  const planes = openPlanes(world)
  const bodies = openBodies(options.bodies)
  const context = {
    world,
    planes,
    ledger,
    reboots,
    pageTokens: formedTokens(startPageTokens(kept?.pageKey), contrary, now),
    hub: startHub(world),
    contrary,
    watchCounts: startWatchCounts(contrary, world),
    nowSeconds: () => Math.floor(now() / 1000),
  }
  const playground = startPlayground({
    users: access ? storedUsers(access) : memoryUsers(options.users ?? []),
    credentials,
    ledger,
    bodies,
    now,
  })
  const endpoint = {
    graph: makeGraph({
      schema,
      introspection: contrary.is.introspection,
      ledger,
      whenEmpty: options.exhausted ?? contrary.is.exhaustedStatus,
      exhausted: exhaustedAs(contrary),
    }),
    context,
    tokens,
    misfortunes: startMisfortunes(),
    log: startOperationLog(),
    playground,
    bodies,
  }
  return { world, contrary, credentials, pair, ledger, planes, context, endpoint, tokens }
}

function firstSets(options: ServiceOptions, world: World): NewCredentialSet[] {
  const { credentials, clientId, clientSecret, role, data } = options
  if (data !== undefined) return []
  const given = typeof credentials === 'function' ? credentials(world) : [{ clientId, clientSecret }]
  const sets = credentials === 'per-tenant' ? onePerTenant(world) : given
  return role === undefined ? sets : sets.map((set) => ({ role, ...set }))
}

function pairOf({ data }: ServiceOptions, credentials: Credentials): Parts['pair'] {
  if (data !== undefined) return { clientId: '', clientSecret: '' }
  const [first] = credentials.list()
  if (!first) throw new RangeError('A service needs a credential set')
  return { clientId: first.clientId, clientSecret: first.clientSecret }
}
