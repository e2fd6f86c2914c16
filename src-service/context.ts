import type { GraphQLError } from 'graphql'
import type { Contrary } from './contrary/contrary.ts'
import type { WatchCounts } from './contrary/stream.ts'
import type { Charge, Ledger } from './points/ledger.ts'
import type { PageTokens } from './graphql/page-token.ts'
import type { Reboots } from './world/reboots.ts'
import type { Planes } from './misfortune/regions.ts'
import type { Hub, Reader } from './stream/streams.ts'
import type { Session } from './access/tokens.ts'
import type { World } from './world/world.ts'

/** What one request carries through the resolvers. */
export type GraphContext = {
  /** What every region knows. Places and devices are reached through the planes alone. */
  world: Pick<World, 'tenants' | 'accounts' | 'account' | 'site'>
  planes: Planes
  pageTokens: PageTokens
  hub: Hub
  reboots: Reboots
  ledger: Ledger
  contrary: Contrary
  watchCounts: WatchCounts
  /** By the service's clock, since 1970. */
  nowSeconds(): number
  call: Call
}

/** Written while a request is answered: who asks, and what it cost. */
export type Call = {
  session: Session | null
  /** Null until the operation is about to run, and for good when nobody is logged in. */
  charge: Charge | null
  /** Told beside data that is there only in part. */
  beside?: GraphQLError[]
  /** Who takes the events of a subscription. */
  reader?: Reader
}
