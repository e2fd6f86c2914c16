import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * Assigns a reader to each tenant. Several connections of one service may list the same tenant; it is synced and paid
 * for once (invariant 9).
 *
 * The rule. The connections that see the same part of a tenant have one reader, and the others stand by: they list the
 * tenant and subscribe to its devices, which costs no points, and do not sync. Connections with the same credential set
 * see the same part. Others compare fingerprints: the number of devices and the ids of the first ones (where the
 * service sorts, of the last ones too); a fingerprint costs about a hundredth of a sync, and is taken only where
 * connections overlap, at each full sync. Where the fingerprints differ, or one is unavailable, both read: each its own
 * part. A service without totals is read by both.
 *
 * The reader is the first, in the operator's order, of those with the highest rank (see `Rank`). It stays the reader
 * until another one has a higher rank, so that an unstable connection does not pass the work to and fro. The connection
 * that takes over syncs at once when the previous one has not read the whole tenant, and otherwise when its next sync
 * is due: until then its own subscription has delivered everything.
 */
export interface Assignments {
  join(options: MemberOptions): Member
}

/** 0: cannot read. 1: can read, but its live link is down. 2: no fault. */
export type Rank = 0 | 1 | 2

/** The part of a tenant that a connection sees; equal texts mean the same part. Null: not comparable. */
export type Fingerprint = string | null

export interface MemberOptions {
  /** Id of the connection. */
  connection: string
  service: string
  /** Its credential set: equal texts mean the same rights. */
  credentials: string
  /** Returns its position in the operator's list. */
  place: () => number
  /** Resolves with the fingerprint; rejects when it is unavailable. */
  fingerprint: (tenant: string) => Promise<Fingerprint>
  /** Returns the time up to which its link has proven to deliver all events, ms; null before the first proof. */
  provenAt: () => number | null
  onTake: (tenant: string, from: Assigned) => void
  /** Called when another connection reads the tenant from now on. */
  onYield: (tenant: string) => void
  /** Called when the reader has read the whole tenant, and this connection claims the reader's devices. */
  onShared: (tenant: string) => void
}

export interface Assigned {
  /** When the whole tenant was last read in this run, ms; null: it has to be read now. */
  readAt: number | null
  /** Time up to which the previous reader has proven to receive events, ms; null: none. */
  provenUntil: number | null
}

export interface Member {
  /** Sets the tenants that it lists. Resolves when the reader of each is known. */
  lists(tenants: readonly string[]): Promise<void>
  setRank(rank: Rank): void
  reads(tenant: string): boolean
  /**
   * Returns the connection that reads the tenant for this one, once it was read completely; null when it is its own
   * reader, or has to wait.
   */
  readBefore(tenant: string): string | null
  readAt(tenant: string): number | null
  /** Returns whether the service has other connections. */
  hasCompany(): boolean
  begun(tenant: string): void
  /** Records the end of a sync. Returns the connections that claim the reader's devices, when it was `whole`. */
  ended(tenant: string, outcome: 'whole' | 'partial' | 'failed', at: number): string[]
  /** Returns the connections that claim the reader's devices, where this one has read the whole tenant. */
  sharedWith(tenant: string): string[]
  shared(tenant: string, connection: string): void
  leave(): void
}

interface Joined {
  options: MemberOptions
  rank: Rank
  /** Tenants that it failed to read in its last attempt. */
  failing: Set<string>
}

/** Connections that see the same part of a tenant. */
interface TenantPart {
  tenant: string
  reader: Joined
  members: Set<Joined>
  /** Ids of connections that have left: their claims may return with them, so they are updated. */
  absent: Set<string>
  pulling: Set<Joined>
  readAt: number | null
}

/** Concurrent fingerprints of one connection. */
const parallelFingerprints = 4

export function createAssignments(): Assignments {
  const services = new Map<string, { joined: Set<Joined>; parts: Map<string, TenantPart[]> }>()
  return {
    join(options) {
      const known = services.get(options.service) ?? {
        joined: new Set<Joined>(),
        parts: new Map<string, TenantPart[]>(),
      }
      services.set(options.service, known)
      const self: Joined = { options, rank: 2, failing: new Set() }
      known.joined.add(self)
      return memberOf(self, known.joined, known.parts)
    },
  }
}

function memberOf(self: Joined, joined: Set<Joined>, parts: Map<string, TenantPart[]>): Member {
  const partOf = (tenant: string): TenantPart | undefined => parts.get(tenant)?.find(({ members }) => members.has(self))
  const own = (): TenantPart[] => [...parts.values()].flat().filter(({ members }) => members.has(self))
  return {
    async lists(tenants) {
      const listed = new Set(tenants)
      for (const part of own()) if (!listed.has(part.tenant)) quit(parts, part, self)
      const rest = [...tenants]
      const worker = async () => {
        for (let tenant = rest.shift(); tenant !== undefined; tenant = rest.shift())
          await assign(parts, self, tenant, () => joined.has(self))
      }
      await Promise.all(Array.from({ length: parallelFingerprints }, worker))
    },
    setRank(rank) {
      if (self.rank === rank) return
      // Tenants that failed with everything else may be tried again.
      if (self.rank === 0) self.failing.clear()
      self.rank = rank
      for (const part of own()) elect(part)
    },
    reads: (tenant) => partOf(tenant)?.reader === self,
    readBefore(tenant) {
      const part = partOf(tenant)
      return part === undefined || part.readAt === null || part.reader === self ? null : part.reader.options.connection
    },
    readAt: (tenant) => partOf(tenant)?.readAt ?? null,
    hasCompany: () => joined.size > 1,
    begun(tenant) {
      partOf(tenant)?.pulling.add(self)
    },
    ended(tenant, outcome, at) {
      const part = partOf(tenant)
      return part === undefined ? [] : ended(part, self, outcome, at)
    },
    sharedWith(tenant) {
      const part = partOf(tenant)
      return part === undefined || part.reader !== self || part.readAt === null ? [] : claimantsOf(part, self)
    },
    shared(tenant, connection) {
      const other = [...(partOf(tenant)?.members ?? [])].find(({ options }) => options.connection === connection)
      other?.options.onShared(tenant)
    },
    leave() {
      joined.delete(self)
      for (const part of own()) {
        part.absent.add(self.options.connection)
        quit(parts, part, self)
      }
    },
  }
}

/** Puts a member into the part of the tenant that it sees, which may have changed. */
async function assign(
  parts: Map<string, TenantPart[]>,
  self: Joined,
  tenant: string,
  isJoined: () => boolean,
): Promise<void> {
  const all = () => parts.get(tenant) ?? []
  const own = () => all().find(({ members }) => members.has(self))
  const before = own()
  // Members that stand by compare themselves with their reader.
  if (before !== undefined && before.reader === self && before.members.size > 1) return
  for (const part of all().toSorted((a, b) => Number(b === before) - Number(a === before))) {
    const { reader } = part
    if (reader === self || !(await hasSameDevices(self, reader, tenant))) continue
    if (!isJoined()) return
    const now = own()
    // Meanwhile the part may have ended, or this connection may have become a reader for others.
    if (!all().includes(part) || part.reader !== reader || (now?.reader === self && now.members.size > 1)) continue
    return enter(parts, part, self)
  }
  if (!isJoined()) return
  const now = own()
  if (now !== undefined && now.reader === self) return
  if (now !== undefined) quit(parts, now, self)
  markPresent(all(), self)
  parts.set(tenant, [
    ...all(),
    { tenant, reader: self, members: new Set([self]), absent: new Set(), pulling: new Set(), readAt: null },
  ])
}

function enter(parts: Map<string, TenantPart[]>, part: TenantPart, self: Joined): void {
  const before = parts.get(part.tenant)?.find(({ members }) => members.has(self))
  if (before === part) return
  if (before !== undefined) quit(parts, before, self)
  part.members.add(self)
  markPresent(parts.get(part.tenant) ?? [], self)
  elect(part)
}

/**
 * Removes a connection from the absent ones: it claims the devices of its part's reader, even after joining another
 * part.
 */
function markPresent(all: readonly TenantPart[], self: Joined): void {
  for (const { absent } of all) absent.delete(self.options.connection)
}

function quit(parts: Map<string, TenantPart[]>, part: TenantPart, self: Joined): void {
  part.members.delete(self)
  part.pulling.delete(self)
  self.failing.delete(part.tenant)
  if (part.members.size > 0) return elect(part)
  const left = (parts.get(part.tenant) ?? []).filter((other) => other !== part)
  if (left.length > 0) parts.set(part.tenant, left)
  else parts.delete(part.tenant)
}

const rankOf = (member: Joined, { tenant }: TenantPart): Rank => (member.failing.has(tenant) ? 0 : member.rank)

function elect(part: TenantPart): void {
  const { members, reader } = part
  const inOrder = [...members].toSorted((a, b) => a.options.place() - b.options.place())
  const best = largest(inOrder.map((member) => rankOf(member, part)))
  if (members.has(reader) && rankOf(reader, part) === best) return
  const next = inOrder.find((member) => rankOf(member, part) === best)
  if (next === undefined) return
  part.reader = next
  if (members.has(reader)) reader.options.onYield(part.tenant)
  handOver(part, reader)
}

/** Hands a part over, unless the previous reader is still syncing it and can continue. */
function handOver(part: TenantPart, before: Joined): void {
  const continues = part.pulling.has(before) && rankOf(before, part) > 0
  if (part.readAt === null && continues) return
  part.reader.options.onTake(part.tenant, { readAt: part.readAt, provenUntil: before.options.provenAt() })
}

function ended(part: TenantPart, self: Joined, outcome: 'whole' | 'partial' | 'failed', at: number): string[] {
  part.pulling.delete(self)
  if (outcome === 'failed') {
    self.failing.add(part.tenant)
    if (part.reader === self) elect(part)
    else part.reader.options.onTake(part.tenant, { readAt: null, provenUntil: self.options.provenAt() })
    return []
  }
  self.failing.delete(part.tenant)
  if (outcome === 'partial') return []
  part.readAt = at
  return claimantsOf(part, self)
}

/** The connections that claim what this one has read. */
const claimantsOf = ({ members, absent }: TenantPart, self: Joined): string[] => [
  ...[...members].filter((member) => member !== self).map(({ options }) => options.connection),
  ...absent,
]

/**
 * Compares two connections; two different fingerprints are taken again, because a device may have been added between
 * them.
 */
async function hasSameDevices(one: Joined, other: Joined, tenant: string): Promise<boolean> {
  if (one.options.credentials === other.options.credentials) return true
  return (await hasSameFingerprint(one, other, tenant)) || hasSameFingerprint(one, other, tenant)
}

async function hasSameFingerprint(one: Joined, other: Joined, tenant: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [one, other].map(({ options }) => options.fingerprint(tenant).catch(() => null)),
  )
  return mine !== null && mine !== undefined && mine === theirs
}
