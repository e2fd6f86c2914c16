import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AccessStore, StoredSet } from './access-store.ts'
import type { Role } from './roles.ts'
import type { Reach } from '../world/search/search.ts'
import type { World } from '../world/world.ts'

/** A client of the API and its permissions (spec section 2, API credentials). */
export type CredentialSet = {
  clientId: string
  /** Empty for a set of a data folder, which stores only its hash: `add` shows it once. */
  clientSecret: string
  name: string
  role: Role
  /** The part of the world that it sees; null: everything. */
  reach: Reach | null
  /** False, as the portal can set it: neither its secret nor any of its tokens is accepted. */
  active: boolean
}

export type NewCredentialSet = {
  /** Generated when it is missing, as is the secret. */
  clientId?: string | undefined
  clientSecret?: string | undefined
  name?: string
  /** Default: admin. */
  role?: Role
  /** Ids of tenants; left out: all. */
  tenants?: readonly string[]
  /**
   * Ids of accounts (spec section 2, `scope`): limits the set to their devices. Left out: all devices of its tenants.
   */
  accounts?: readonly string[]
  /** Ids of sites: limits the set further to the devices there. Left out: all. */
  sites?: readonly string[]
}

/** The limits of a set; members left out set no limit. */
export type Scope = Pick<NewCredentialSet, 'tenants' | 'accounts' | 'sites'>

type SetChange = Partial<Pick<CredentialSet, 'name' | 'role' | 'reach' | 'active'>>

/**
 * The credential sets of this service: managed from outside, since the API has no operation for it (spec section 2).
 */
export type Credentials = {
  list(): CredentialSet[]
  /** Adds a set. Throws when the id exists. */
  add(set?: NewCredentialSet): CredentialSet
  /**
   * Activates or deactivates a set; deactivation closes its sockets with 4403. Throws when the set is unknown, as all
   * verbs do.
   */
  setActive(clientId: string, active: boolean): void
  /** Changes the reach, from the next request and the next event. */
  setReach(clientId: string, reach: Scope): void
  /** Changes the role, as `setReach` does. */
  setRole(clientId: string, role: Role): void
  /** Changes several members at once: a concurrent reader sees all or none. */
  edit(clientId: string, members: SetChange): void
  /** Deletes the set for good. */
  remove(clientId: string): void
}

export type KnownCredentials = Credentials & {
  /** Returns the active set with that id. Its members follow every change, so that it can be kept. */
  find(clientId: string): CredentialSet | undefined
  /** Returns the active set of a valid pair, in constant time for any invalid one. */
  admit(clientId: string, clientSecret: string): CredentialSet | undefined
  /** Rejects all sets while on, as if they were deleted. Unlike `setActive` it leaves open sockets alone. */
  rejectAll(on: boolean): void
  /** Reads changes by other processes; every other verb does so first, but sockets call none. */
  refresh(): void
}

/** The storage of sets beyond the service's run. */
type CredentialStorage = Pick<AccessStore, 'version' | 'sets' | 'addSet' | 'changeSet' | 'dropSet'>

/** Compared with the secret of an unknown set, so that it takes as long. */
const dummyHash = hashOf('')

/** The shared object of a set, and its stored data. */
type Entry = { set: CredentialSet; secretHash: string; made: number }

/**
 * Opens the sets. `onOff` is called for each set that is no longer valid. Without a shelf the sets are those of `first`
 * and of `add`, while the service runs; with one they are the stored ones.
 */
export function openCredentials(
  first: readonly NewCredentialSet[],
  onInvalid: (clientId: string) => void,
  storage: CredentialStorage | null = null,
): KnownCredentials {
  const sets = new Map<string, Entry>()
  let [rejected, seen] = [false, -1]
  const refresh = (): void => {
    const version = storage?.version() ?? seen
    if (version === seen) return
    seen = version
    applyStored(sets, storage?.sets() ?? [], onInvalid)
  }
  const entryOf = (clientId: string): Entry => {
    refresh()
    const entry = sets.get(clientId)
    if (!entry) throw new RangeError(`There is no credential set ${clientId}`)
    return entry
  }
  const edit = (clientId: string, members: SetChange): void => {
    const entry = entryOf(clientId)
    Object.assign(entry.set, members)
    storage?.changeSet(toStored(entry))
    if (members.active === false) onInvalid(clientId)
  }
  const activeEntry = (clientId: string): Entry | undefined => {
    refresh()
    const entry = sets.get(clientId)
    return entry?.set.active && !rejected ? entry : undefined
  }
  const add = (given: NewCredentialSet = {}): CredentialSet => {
    refresh()
    const entry = make(given)
    const { clientId, clientSecret } = entry.set
    if (sets.has(clientId)) throw new RangeError(`There is a credential set ${clientId} already`)
    if (storage) entry.set.clientSecret = ''
    storage?.addSet(toStored(entry))
    sets.set(clientId, entry)
    return { ...entry.set, clientSecret }
  }
  refresh()
  first.forEach(add)
  return {
    list() {
      refresh()
      return [...sets.values()].map(({ set }) => ({ ...set }))
    },
    add,
    edit,
    setActive: (clientId, active) => edit(clientId, { active }),
    setReach: (clientId, reach) => edit(clientId, { reach: toReach(reach) }),
    setRole: (clientId, role) => edit(clientId, { role }),
    remove(clientId) {
      entryOf(clientId)
      storage?.dropSet(clientId)
      sets.delete(clientId)
      onInvalid(clientId)
    },
    find: (clientId) => activeEntry(clientId)?.set,
    admit(clientId, clientSecret) {
      const entry = activeEntry(clientId)
      return same(hashOf(clientSecret), entry?.secretHash ?? dummyHash) && entry ? entry.set : undefined
    },
    rejectAll: (on) => void (rejected = on),
    refresh,
  }
}

/** Updates the sets from the stored ones; reports those that are removed or deactivated. */
function applyStored(
  sets: Map<string, Entry>,
  stored: readonly StoredSet[],
  onInvalid: (clientId: string) => void,
): void {
  const there = new Set(stored.map(({ clientId }) => clientId))
  const gone = [...sets.keys()].filter((clientId) => !there.has(clientId))
  for (const clientId of gone) sets.delete(clientId)
  const off = stored.filter(({ clientId, active }) => !active && sets.get(clientId)?.set.active === true)
  for (const { secretHash, made, ...members } of stored) {
    const set = Object.assign(sets.get(members.clientId)?.set ?? { clientSecret: '' }, members)
    sets.set(set.clientId, { set, secretHash, made })
  }
  for (const clientId of [...gone, ...off.map(({ clientId }) => clientId)]) onInvalid(clientId)
}

function toStored({ set: { clientId, name, role, reach, active }, secretHash, made }: Entry): StoredSet {
  return { clientId, name, role, reach, active, secretHash, made }
}

/** Returns one set for each tenant, named after it, as a company with many customers gets them. */
export function onePerTenant(world: Pick<World, 'tenants'>): NewCredentialSet[] {
  return world.tenants().map(({ id, name }) => ({ name, tenants: [id] }))
}

function make(given: NewCredentialSet): Entry {
  const clientSecret = given.clientSecret ?? randomBytes(32).toString('base64url')
  const set = {
    clientId: given.clientId ?? randomUUID(),
    clientSecret,
    name: given.name ?? 'API credentials',
    role: given.role ?? 'admin',
    reach: toReach(given),
    active: true,
  }
  return { set, secretHash: hashOf(clientSecret), made: Date.now() }
}

/** Returns the reach; null, for everything, where no limit is given. */
export function toReach({ tenants, accounts, sites }: Scope): Reach | null {
  return (tenants ?? accounts ?? sites) === undefined
    ? null
    : { tenants: tenants ?? null, accounts: accounts ?? null, sites: sites ?? null }
}

/** Returns the hash of a secret. A fast one suffices for 256 random bits, which cannot be guessed. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares hashes, so that the duration reveals neither the length nor the first wrong character. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}
