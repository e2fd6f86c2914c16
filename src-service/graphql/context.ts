import type { Contrary } from '../faults/contrary/contrary.ts'
import type { WatchCounts } from '../faults/contrary/transport/stream.ts'
import type { Call } from './call.ts'
import type { Ledger } from './points/ledger.ts'
import type { PageTokens } from './schema/page-token.ts'
import type { Reboots } from '../world/life/reboots.ts'
import type { Planes } from '../faults/misfortune/regions.ts'
import type { Hub } from '../stream/streams.ts'
import type { World } from '../world/world.ts'

/** The state that a request carries through the resolvers. */
export type GraphContext = {
  /** Data that every region has. Places and devices are reached only through the planes. */
  world: Pick<World, 'tenants' | 'accounts' | 'account' | 'site'>
  planes: Planes
  pageTokens: PageTokens
  hub: Hub
  reboots: Reboots
  ledger: Ledger
  contrary: Contrary
  watchCounts: WatchCounts
  /** By the service's clock, seconds since 1970. */
  nowSeconds(): number
  call: Call
}
