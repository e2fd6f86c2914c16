import type { BodyBounds } from './net/bodies.ts'
import type { Certificates } from './net/certificates.ts'
import type { ProfileOptions } from './faults/contrary/profile.ts'
import type { NewCredentialSet } from './access/credentials.ts'
import type { Role } from './access/roles.ts'
import type { WhenEmpty } from './graphql/graph.ts'
import type { Pricing } from './graphql/points/priced-ledger.ts'
import type { PlaygroundUser } from './playground/users.ts'
import type { RebootOptions } from './world/life/reboot-outcomes.ts'
import type { ScenarioName } from './world/life/scenarios.ts'
import type { World } from './world/world.ts'

/** The options of a service. */
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
    /** True: a new world also has sites and rooms without devices, and accounts without sites. Default: false. */
    emptyPlaces?: boolean
    tokenLifetimeSeconds?: number
    /** Points of one window, for each credential set. */
    balance?: number
    /** Highest cost of one operation, points. */
    costLimit?: number
    windowMs?: number
    /** Status of a rejection for an empty balance. Default: 429. */
    exhausted?: WhenEmpty
    /** False: points are counted but no limit is enforced. */
    points?: boolean
    /** True: devices drop and recover at random, and people enter and leave the rooms. Default: false. */
    life?: boolean
    /** Scripted events of the fleet (README.md), by the wall clock, from the start; can be combined with life. */
    scenario?: ScenarioName
    /** What comes of a reboot, and how long a device is away. */
    reboots?: RebootOptions
    /** Default: new ones, or those of a data folder. Pass the same ones to a service that replaces another. */
    certificates?: Certificates
    clientId?: string
    clientSecret?: string
    /**
     * The credential sets, at least one, computed from the new world; `per-tenant`: one for each tenant. Default: one
     * for all tenants, of `clientId` and `clientSecret`.
     */
    credentials?: 'per-tenant' | ((world: Pick<World, 'tenants' | 'accounts' | 'sites'>) => NewCredentialSet[])
    /** Role of these sets, where they name none themselves. Default: admin. */
    role?: Role
    /**
     * A folder that stores the world, users, credential sets, keys and certificates, created when it is missing
     * (README.md). Commands manage the sets; none of the four options above can be combined with it.
     */
    data?: string
    /** Users of the playground; with `data` those of the folder. Default: none. */
    users?: readonly PlaygroundUser[]
    /** Default: 30 s for one body, 64 MiB for all incomplete ones. */
    bodies?: BodyBounds
    /** Milliseconds since 1970; for tests that set the clock of tokens, windows and the world. */
    now?: () => number
  }

/** Throws RangeError for options that cannot be combined. */
export function checkOptions({ credentials, clientId, clientSecret, role, users, data }: ServiceOptions): void {
  if (data !== undefined && users !== undefined)
    throw new RangeError('The users of a data folder are those that stand in it')
  if (data !== undefined && (credentials ?? clientId ?? clientSecret ?? role) !== undefined)
    throw new RangeError('The credential sets of a data folder are those that stand in it')
}
