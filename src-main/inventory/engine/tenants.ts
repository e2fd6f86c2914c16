import type { TenantRef } from '../../../src-shared/model/inventory.ts'
import { tenantKey } from '../keys.ts'

/** A tenant as the engine keeps it, with what Muster knows of its own sight on it. */
export interface Tenant {
  readonly service: string
  readonly id: string
  readonly key: string
  name: string
  region: string | null
  /**
   * Connections that list it, and from when on each sees what it claims of it, ms: rows last heard of before that stay
   * unknown until something tells of them. `blind` while it does not see.
   */
  readonly connections: Map<string, number>
  /** Of these, the ones that doubt themselves: they go on seeing, but until they are sure again nothing is said by them. */
  readonly held: Set<string>
  /** Ids of the devices that a connection does not hear of, by connection: readings alone tell of them. */
  readonly watched: Map<string, ReadonlySet<string>>
  /** When the last full reading was complete. */
  lastFull: number | null
  span: Span
  /** Whether a page or reading came in during this session: only then is it the session that vouches for the rows. */
  readInSession: boolean
}

/** Times of sight, ms: the present (or last) session of seeing the tenant, and the one before it. */
export interface Span {
  sessionStart: number | null
  sessionConfirmed: number | null
  earlierStart: number | null
  earlierConfirmed: number | null
}

export const neverSeen: Span = {
  sessionStart: null,
  sessionConfirmed: null,
  earlierStart: null,
  earlierConfirmed: null,
}

export function newTenant(service: string, fact: { id: string; name: string; region: string | null }): Tenant {
  return {
    service,
    id: fact.id,
    key: tenantKey(service, fact.id),
    name: fact.name,
    region: fact.region,
    connections: new Map(),
    held: new Set(),
    watched: new Map(),
    lastFull: null,
    span: neverSeen,
    readInSession: false,
  }
}

/** No row was ever heard of after this moment. */
export const blind = Infinity

/** Whether any connection sees any of it. */
export const isSeen = (tenant: Tenant): boolean => seenFrom(tenant, '') !== blind

/** Whether a session of seeing it goes on, in doubt or not. */
export const inSession = ({ connections }: Tenant): boolean => [...connections.values()].some((from) => from !== blind)

/** From when on a claimant sees the tenant, ms; `blind` while it doubts itself. For '', which all share who name no connection, the first of them. */
export function seenFrom({ connections, held }: Tenant, by: string): number {
  if (by !== '') return held.has(by) ? blind : (connections.get(by) ?? blind)
  let least = blind
  for (const [each, from] of connections) if (!held.has(each)) least = Math.min(least, from)
  return least
}

export function refOf(tenant: Tenant): TenantRef {
  return { key: tenant.key, id: tenant.id, name: tenant.name, region: tenant.region }
}

/**
 * The span after a word on sight. A session begins when the tenant comes into sight; the one before it is kept when
 * rows were read in it, because it vouches for them until they are read again.
 */
export function spanAfter(tenant: Tenant, seenBefore: boolean, seenNow: boolean, confirmedAt: number): Span {
  const { span } = tenant
  if (seenBefore) return { ...span, sessionConfirmed: Math.max(span.sessionConfirmed ?? confirmedAt, confirmedAt) }
  if (!seenNow) return span
  const started = { sessionStart: confirmedAt, sessionConfirmed: confirmedAt }
  if (!tenant.readInSession && span.earlierStart !== null) return { ...span, ...started }
  return { ...started, earlierStart: span.sessionStart, earlierConfirmed: span.sessionConfirmed }
}

/**
 * Up to when a row's last word is known to have held: the link was proven to work until then, and would have told.
 * A row that was not read in a session is not vouched for by it.
 */
export function provenUntil(span: Span, seenAt: number): number {
  const { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed } = span
  if (sessionStart !== null && seenAt >= sessionStart) return Math.max(seenAt, sessionConfirmed ?? seenAt)
  if (earlierStart !== null && seenAt >= earlierStart) return Math.max(seenAt, earlierConfirmed ?? seenAt)
  return seenAt
}
