import { largest } from '../../../src-shared/lib/extremes.ts'

/**
 * Who reads what. Several connections of one service may list the same tenant; it is read and paid for once (invariant 9).
 *
 * The rule. The connections that see the same part of a tenant have one reader, and the others stand by: they list the
 * tenant and subscribe to its devices, which costs no points, and do not pull. Connections with the same credential set
 * see the same part. Of others this is known by a look: the number of devices and the ids of the first ones (where the
 * service sorts, of the last ones as well) are the same for both; a fingerprint costs about a hundredth of a sync, and is
 * taken only where connections overlap, at each full sync. Where the fingerprints differ, or one cannot be had, both read:
 * each its own part. A service that names no total is read by both.
 *
 * The reader is the first, in the operator's order, of those that stand best (see `Standing`). It stays the reader until
 * another one stands better, so that a line that flickers does not pass the work to and fro. The connection that takes over pulls at
 * once when the one before has not read the tenant whole, and else when its next sync is due: until then its own
 * subscription has told it everything.
 */
export interface Assignments {
  join(options: MemberOptions): Member
}

/** 0: cannot read it. 1: can read, but its live link does not stand. 2: nothing is wrong. */
export type Rank = 0 | 1 | 2

/** The part of a tenant that a connection sees; equal texts mean the same part. Null: nothing that could be compared. */
export type Fingerprint = string | null

export interface MemberOptions {
  /** Id of the connection. */
  connection: string
  service: string
  /** Its credential set: the same rights for the same text. */
  credentials: string
  /** Its place in the operator's list. */
  place: () => number
  /** Rejects when it cannot be had. */
  fingerprint: (tenant: string) => Promise<Fingerprint>
  /** Up to when its link was proven to tell everything, ms; null before the first. */
  provenAt: () => number | null
  onTake: (tenant: string, from: Assigned) => void
  /** Another one reads it from now on. */
  onYield: (tenant: string) => void
  /** The reader has read it whole, and this one claims now what the reader claims. */
  onShared: (tenant: string) => void
}

export interface Assigned {
  /** When the tenant was last read whole in this run, ms; null: it has to be read now. */
  readAt: number | null
  /** Up to when the one before was proven to listen; null when nobody did. */
  heardUntil: number | null
}

export interface Member {
  /** These are the tenants that it lists. Resolves when it is known who reads each of them. */
  lists(tenants: readonly string[]): Promise<void>
  setRank(rank: Rank): void
  reads(tenant: string): boolean
  /** Who reads it for this one, once it was read whole; null when it is its own reader, or has to wait. */
  readBefore(tenant: string): string | null
  readAt(tenant: string): number | null
  /** Whether other connections of the service are there. */
  hasCompany(): boolean
  begun(tenant: string): void
  /** The end of a pull. The answer names the connections that claim what the reader claims, when it was `whole`. */
  ended(tenant: string, outcome: 'whole' | 'partial' | 'failed', at: number): string[]
  shared(tenant: string, connection: string): void
  leave(): void
}

interface Joined {
  options: MemberOptions
  rank: Rank
  /** Tenants that it could not read when it last tried. */
  failing: Set<string>
}

/** Connections that see the same part of a tenant. */
interface TenantPart {
  tenant: string
  reader: Joined
  members: Set<Joined>
  /** Ids of those that have left: what they claimed they may claim again, so that it is kept in step. */
  absent: Set<string>
  pulling: Set<Joined>
  readAt: number | null
}

/** Looks of one connection at a time. */
const parallelLooks = 4

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
          await place(parts, self, tenant, () => joined.has(self))
      }
      await Promise.all(Array.from({ length: parallelLooks }, worker))
    },
    setRank(rank) {
      if (self.rank === rank) return
      // What failed with everything else may be tried again with it.
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

/** Puts a member into the part of the tenant that it sees; what it saw before may have changed. */
async function place(
  parts: Map<string, TenantPart[]>,
  self: Joined,
  tenant: string,
  isThere: () => boolean,
): Promise<void> {
  const all = () => parts.get(tenant) ?? []
  const own = () => all().find(({ members }) => members.has(self))
  const before = own()
  // Those who stand by compare themselves with their reader.
  if (before !== undefined && before.reader === self && before.members.size > 1) return
  for (const part of all().toSorted((a, b) => Number(b === before) - Number(a === before))) {
    const { reader } = part
    if (reader === self || !(await seeTheSame(self, reader, tenant))) continue
    if (!isThere()) return
    const now = own()
    // While they looked, the part may have ended, or this one may have become a reader for others.
    if (!all().includes(part) || part.reader !== reader || (now?.reader === self && now.members.size > 1)) continue
    return enter(parts, part, self)
  }
  if (!isThere()) return
  const now = own()
  if (now !== undefined && now.reader === self) return
  if (now !== undefined) quit(parts, now, self)
  isBack(all(), self)
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
  isBack(parts.get(part.tenant) ?? [], self)
  elect(part)
}

/** Each member claims what the reader of its part claims, also when it joins again in another part. */
function isBack(all: readonly TenantPart[], self: Joined): void {
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

/** A pull that the one before is still at, and can go on with, is not begun a second time. */
function handOver(part: TenantPart, before: Joined): void {
  const goesOn = part.pulling.has(before) && rankOf(before, part) > 0
  if (part.readAt === null && goesOn) return
  part.reader.options.onTake(part.tenant, { readAt: part.readAt, heardUntil: before.options.provenAt() })
}

function ended(part: TenantPart, self: Joined, outcome: 'whole' | 'partial' | 'failed', at: number): string[] {
  part.pulling.delete(self)
  if (outcome === 'failed') {
    self.failing.add(part.tenant)
    if (part.reader === self) elect(part)
    else part.reader.options.onTake(part.tenant, { readAt: null, heardUntil: self.options.provenAt() })
    return []
  }
  self.failing.delete(part.tenant)
  if (outcome === 'partial') return []
  part.readAt = at
  return [
    ...[...part.members].filter((member) => member !== self).map(({ options }) => options.connection),
    ...part.absent,
  ]
}

/** Two looks that differ are taken once more: a device may have come between them. */
async function seeTheSame(one: Joined, other: Joined, tenant: string): Promise<boolean> {
  if (one.options.credentials === other.options.credentials) return true
  return (await looksLike(one, other, tenant)) || looksLike(one, other, tenant)
}

async function looksLike(one: Joined, other: Joined, tenant: string): Promise<boolean> {
  const [mine, theirs] = await Promise.all(
    [one, other].map(({ options }) => options.fingerprint(tenant).catch(() => null)),
  )
  return mine !== null && mine !== undefined && mine === theirs
}
