import type { BodyBounds } from './net/bodies.ts'
import type { Certificates } from './net/certificates.ts'
import type { ProfileOptions } from './contrary/profile.ts'
import type { NewCredentialSet } from './access/credentials.ts'
import type { WhenEmpty } from './graphql/graph.ts'
import type { Pricing } from './points/priced-ledger.ts'
import type { PlaygroundUser } from './playground/users.ts'
import type { ScenarioName } from './world/life/scenarios.ts'
import type { World } from './world/world.ts'

/** How a service is to be. */
export type ServiceOptions = Pricing &
  ProfileOptions & {
    /** 0 (the default): any free port. */
    port?: number
    host?: string
    /** Default: 5000 in 6 tenants, of seed 1, or what a data folder holds. */
    devices?: number
    tenants?: number
    /** The same seed gives the same world. */
    seed?: number
    tokenLifetimeSeconds?: number
    /** Points of one window, for each credential set. */
    balance?: number
    /** The highest cost of one operation. */
    costLimit?: number
    windowMs?: number
    /** How an operation is refused for which the balance does not suffice. Default: 429. */
    exhausted?: WhenEmpty
    /** False: points are counted but no limit is enforced. */
    points?: boolean
    /** True: devices drop and come back by themselves, and people come and go in the rooms. Default: false. */
    life?: boolean
    /** What happens to the fleet (README.md), by the wall clock, from the start on; beside life where that is asked for too. */
    scenario?: ScenarioName
    /** Default: made at the start, or those of a data folder. Give the same ones to a service that takes another one's place. */
    certificates?: Certificates
    clientId?: string
    clientSecret?: string
    /**
     * The credential sets, at least one, that look at the world that was made; `per-tenant`: one for each tenant. Default:
     * a single one for all tenants, of `clientId` and `clientSecret`.
     */
    credentials?: 'per-tenant' | ((world: Pick<World, 'tenants' | 'accounts' | 'sites'>) => NewCredentialSet[])
    /**
     * A folder in which the world, users, credential sets, keys and certificates are kept, made when it is not there (README.md). The sets are
     * managed by command; none of the three options above goes with it.
     */
    data?: string
    /** Who may log in to the playground; with `data` they are those of the folder. Default: nobody. */
    users?: readonly PlaygroundUser[]
    /** Default: 30 s for one body, 64 MiB for all that are on their way. */
    bodies?: BodyBounds
    /** Milliseconds since 1970; for tests that turn the clock of tokens, windows and the world. */
    now?: () => number
  }

/** Throws RangeError for options that do not go together. */
export function checkOptions({ credentials, clientId, clientSecret, users, data }: ServiceOptions): void {
  if (data !== undefined && users !== undefined)
    throw new RangeError('The users of a data folder are those that stand in it')
  if (data !== undefined && (credentials ?? clientId ?? clientSecret) !== undefined)
    throw new RangeError('The credential sets of a data folder are those that stand in it')
}
