import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Role } from './roles.ts'
import type { Reach } from './world/search.ts'
import type { World } from './world/world.ts'

/** Who may ask, and for what (spec section 2, API credentials). */
export type CredentialSet = {
  clientId: string
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
  /** Ids of sites, for a scope of accounts: only devices that stand there are seen. Left out: all of its tenants' devices. */
  sites?: readonly string[]
}

/** The credential sets of this service: managed from outside, since there is no API operation for it (spec section 2). */
export type Credentials = {
  list(): CredentialSet[]
  /** Throws when the id is taken. */
  add(set?: NewCredentialSet): CredentialSet
  /** Switches a set off or on again; off closes its sockets with 4403. Throws when there is no such set, as all verbs do. */
  setActive(clientId: string, active: boolean): void
  /** Takes effect with the next request and the next event. */
  setReach(clientId: string, reach: Pick<NewCredentialSet, 'tenants' | 'sites'>): void
  /** Takes effect with the next request. */
  setRole(clientId: string, role: Role): void
  /** Deletes the set for good. */
  remove(clientId: string): void
}

export type KnownCredentials = Credentials & {
  /** The active set of that id. */
  find(clientId: string): CredentialSet | undefined
  /** The active set of the right pair. Takes the same time however wrong the pair is. */
  admit(clientId: string, clientSecret: string): CredentialSet | undefined
  /** As if all sets were deleted, while it is on. Unlike `setActive` it leaves open sockets alone. */
  refuse(on: boolean): void
}

/** `onOff` is told of each set that is no longer good. */
export function openCredentials(first: readonly NewCredentialSet[], onOff: (clientId: string) => void): KnownCredentials {
  const sets = new Map<string, CredentialSet>()
  let refused = false
  const known = (clientId: string): CredentialSet => {
    const set = sets.get(clientId)
    if (!set) throw new RangeError(`There is no credential set ${clientId}`)
    return set
  }
  const find = (clientId: string): CredentialSet | undefined => {
    const set = sets.get(clientId)
    return set?.active && !refused ? set : undefined
  }
  const add = (given: NewCredentialSet = {}): CredentialSet => {
    const set = make(given)
    if (sets.has(set.clientId)) throw new RangeError(`There is a credential set ${set.clientId} already`)
    sets.set(set.clientId, set)
    return { ...set }
  }
  first.forEach(add)
  return {
    list: () => [...sets.values()].map((set) => ({ ...set })),
    add,
    setActive(clientId, active) {
      known(clientId).active = active
      if (!active) onOff(clientId)
    },
    setReach: (clientId, reach) => void (known(clientId).reach = reachOf(reach)),
    setRole: (clientId, role) => void (known(clientId).role = role),
    remove(clientId) {
      sets.delete(known(clientId).clientId)
      onOff(clientId)
    },
    find,
    admit: (clientId, clientSecret) => {
      const set = find(clientId)
      return same(clientSecret, set?.clientSecret ?? '') && set ? set : undefined
    },
    refuse: (on) => void (refused = on),
  }
}

/** One set for each tenant, named after it: what a company with many customers is given. */
export function onePerTenant(world: Pick<World, 'tenants'>): NewCredentialSet[] {
  return world.tenants().map(({ id, name }) => ({ name, tenants: [id] }))
}

function make(given: NewCredentialSet): CredentialSet {
  return {
    clientId: given.clientId ?? randomUUID(),
    clientSecret: given.clientSecret ?? randomBytes(32).toString('base64url'),
    name: given.name ?? 'API credentials',
    role: given.role ?? 'admin',
    reach: reachOf(given),
    active: true,
  }
}

function reachOf({ tenants, sites }: Pick<NewCredentialSet, 'tenants' | 'sites'>): Reach | null {
  return tenants === undefined && sites === undefined ? null : { tenants: tenants ?? null, sites: sites ?? null }
}

/** Compares hashes, so that neither the length nor the first wrong letter shows in the time it takes. */
function same(given: string, wanted: string): boolean {
  return timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(wanted).digest())
}
