import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AccessStore, StoredSet } from './access-store.ts'
import type { Role } from './roles.ts'
import type { Reach } from '../world/search/search.ts'
import type { World } from '../world/world.ts'

/** Who may ask, and for what (spec section 2, API credentials). */
export type CredentialSet = {
  clientId: string
  /** Empty for a set of a data folder, which keeps no more than a hash of it: `add` shows it once. */
  clientSecret: string
  name: string
  role: Role
  /** What it sees of the world; null: everything. */
  reach: Reach | null
  /** False, as the portal can switch it: neither its secret nor any of its tokens is accepted. */
  active: boolean
}

export type NewCredentialSet = {
  /** Invented when it is not given, as is the secret. */
  clientId?: string | undefined
  clientSecret?: string | undefined
  name?: string
  /** Default: admin. */
  role?: Role
  /** Ids of tenants; left out: all. */
  tenants?: readonly string[]
  /** Ids of accounts (spec section 2, `scope`): only what belongs to them is seen. Left out: all of its tenants' devices. */
  accounts?: readonly string[]
  /** Ids of sites, within that: only devices that stand there are seen. Left out: all. */
  sites?: readonly string[]
}

/** What a set is held to; what is left out holds it to nothing. */
export type Scope = Pick<NewCredentialSet, 'tenants' | 'accounts' | 'sites'>

type SetChange = Partial<Pick<CredentialSet, 'name' | 'role' | 'reach' | 'active'>>

/** The credential sets of this service: managed from outside, since there is no API operation for it (spec section 2). */
export type Credentials = {
  list(): CredentialSet[]
  /** Throws when the id is taken. */
  add(set?: NewCredentialSet): CredentialSet
  /** Switches a set off or on again; off closes its sockets with 4403. Throws when there is no such set, as all verbs do. */
  setActive(clientId: string, active: boolean): void
  /** Takes effect with the next request and the next event. */
  setReach(clientId: string, reach: Scope): void
  /** As `setReach`. */
  setRole(clientId: string, role: Role): void
  /** Several things at once: who reads meanwhile sees all of it or nothing. */
  edit(clientId: string, members: SetChange): void
  /** Deletes the set for good. */
  remove(clientId: string): void
}

export type KnownCredentials = Credentials & {
  /** The active set of that id. Its members follow every change, so that whoever holds it need not ask again. */
  find(clientId: string): CredentialSet | undefined
  /** The active set of the right pair. Takes the same time however wrong the pair is. */
  admit(clientId: string, clientSecret: string): CredentialSet | undefined
  /** As if all sets were deleted, while it is on. Unlike `setActive` it leaves open sockets alone. */
  refuse(on: boolean): void
  /** Takes in what other processes have changed on the shelf; every other verb does so first, but sockets ask nothing. */
  refresh(): void
}

/** Where sets are kept when the service has stopped. */
type Shelf = Pick<AccessStore, 'version' | 'sets' | 'addSet' | 'changeSet' | 'dropSet'>

/** What a secret is compared with where there is no such set, so that it takes as long. */
const hashOfNobody = hashOf('')

/** The set that everybody holds, and what is kept of it. */
type Held = { set: CredentialSet; secretHash: string; made: number }

/**
 * `onOff` is told of each set that is no longer good. Without a shelf the sets are those of `first` and of `add`, for as
 * long as the service runs; with one they are those that stand there.
 */
export function openCredentials(
  first: readonly NewCredentialSet[],
  onOff: (clientId: string) => void,
  shelf: Shelf | null = null,
): KnownCredentials {
  const sets = new Map<string, Held>()
  let [refused, seen] = [false, -1]
  const refresh = (): void => {
    const version = shelf?.version() ?? seen
    if (version === seen) return
    seen = version
    takeIn(sets, shelf?.sets() ?? [], onOff)
  }
  const known = (clientId: string): Held => {
    refresh()
    const held = sets.get(clientId)
    if (!held) throw new RangeError(`There is no credential set ${clientId}`)
    return held
  }
  const edit = (clientId: string, members: SetChange): void => {
    const held = known(clientId)
    Object.assign(held.set, members)
    shelf?.changeSet(toStored(held))
    if (members.active === false) onOff(clientId)
  }
  const goodOne = (clientId: string): Held | undefined => {
    refresh()
    const held = sets.get(clientId)
    return held?.set.active && !refused ? held : undefined
  }
  const add = (given: NewCredentialSet = {}): CredentialSet => {
    refresh()
    const held = make(given)
    const { clientId, clientSecret } = held.set
    if (sets.has(clientId)) throw new RangeError(`There is a credential set ${clientId} already`)
    if (shelf) held.set.clientSecret = ''
    shelf?.addSet(toStored(held))
    sets.set(clientId, held)
    return { ...held.set, clientSecret }
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
      known(clientId)
      shelf?.dropSet(clientId)
      sets.delete(clientId)
      onOff(clientId)
    },
    find: (clientId) => goodOne(clientId)?.set,
    admit(clientId, clientSecret) {
      const held = goodOne(clientId)
      return same(hashOf(clientSecret), held?.secretHash ?? hashOfNobody) && held ? held.set : undefined
    },
    refuse: (on) => void (refused = on),
    refresh,
  }
}

/** What stands on the shelf now, into the sets that are held; those that are gone or off are told of. */
function takeIn(sets: Map<string, Held>, stored: readonly StoredSet[], onOff: (clientId: string) => void): void {
  const there = new Set(stored.map(({ clientId }) => clientId))
  const gone = [...sets.keys()].filter((clientId) => !there.has(clientId))
  for (const clientId of gone) sets.delete(clientId)
  const off = stored.filter(({ clientId, active }) => !active && sets.get(clientId)?.set.active === true)
  for (const { secretHash, made, ...members } of stored) {
    const set = Object.assign(sets.get(members.clientId)?.set ?? { clientSecret: '' }, members)
    sets.set(set.clientId, { set, secretHash, made })
  }
  for (const clientId of [...gone, ...off.map(({ clientId }) => clientId)]) onOff(clientId)
}

function toStored({ set: { clientId, name, role, reach, active }, secretHash, made }: Held): StoredSet {
  return { clientId, name, role, reach, active, secretHash, made }
}

/** One set for each tenant, named after it: what a company with many customers is given. */
export function onePerTenant(world: Pick<World, 'tenants'>): NewCredentialSet[] {
  return world.tenants().map(({ id, name }) => ({ name, tenants: [id] }))
}

function make(given: NewCredentialSet): Held {
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

/** Null, for everything, where nothing is given. */
export function toReach({ tenants, accounts, sites }: Scope): Reach | null {
  return (tenants ?? accounts ?? sites) === undefined
    ? null
    : { tenants: tenants ?? null, accounts: accounts ?? null, sites: sites ?? null }
}

/** Enough for a secret of 256 bits of chance: nobody can try them all, however quick the hash is. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares hashes, so that neither the length nor the first wrong letter shows in the time it takes. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(wanted))
}
