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
  readonly suspended: Set<string>
  /** Ids of the devices that a connection does not hear of, by connection: readings alone tell of them. */
  readonly unsubscribed: Map<string, ReadonlySet<string>>
  /** When the last full reading was complete. */
  lastSyncAt: number | null
  sessions: VisibilitySessions
  /** Whether a page or reading came in during this session: only then is it the session that vouches for the rows. */
  syncedInSession: boolean
}

/** Times of sight, ms: the present (or last) session of seeing the tenant, and the one before it. */
export interface VisibilitySessions {
  sessionStart: number | null
  sessionConfirmed: number | null
  earlierStart: number | null
  earlierConfirmed: number | null
}

export const noSessions: VisibilitySessions = {
  sessionStart: null,
  sessionConfirmed: null,
  earlierStart: null,
  earlierConfirmed: null,
}

export function newTenant(service: string, fields: { id: string; name: string; region: string | null }): Tenant {
  return {
    service,
    id: fields.id,
    key: tenantKey(service, fields.id),
    name: fields.name,
    region: fields.region,
    connections: new Map(),
    suspended: new Set(),
    unsubscribed: new Map(),
    lastSyncAt: null,
    sessions: noSessions,
    syncedInSession: false,
  }
}

/** No row was ever heard of after this moment. */
export const notVisible = Infinity

/** Whether any connection sees any of it. */
export const isVisible = (tenant: Tenant): boolean => visibleSince(tenant, '') !== notVisible

/** Whether a session of seeing it goes on, in doubt or not. */
export const hasSession = ({ connections }: Tenant): boolean =>
  [...connections.values()].some((since) => since !== notVisible)

/** From when on a claimant sees the tenant, ms; `blind` while it doubts itself. For '', which all share who name no connection, the first of them. */
export function visibleSince({ connections, suspended }: Tenant, connection: string): number {
  if (connection !== '') return suspended.has(connection) ? notVisible : (connections.get(connection) ?? notVisible)
  let earliest = notVisible
  for (const [each, since] of connections) if (!suspended.has(each)) earliest = Math.min(earliest, since)
  return earliest
}

export function refOf(tenant: Tenant): TenantRef {
  return { key: tenant.key, id: tenant.id, name: tenant.name, region: tenant.region }
}

/**
 * The span after a word on sight. A session begins when the tenant comes into sight; the one before it is kept when
 * rows were read in it, because it vouches for them until they are read again.
 */
export function nextSessions(
  tenant: Tenant,
  wasVisible: boolean,
  isVisibleNow: boolean,
  confirmedAt: number,
): VisibilitySessions {
  const { sessions } = tenant
  if (wasVisible)
    return { ...sessions, sessionConfirmed: Math.max(sessions.sessionConfirmed ?? confirmedAt, confirmedAt) }
  if (!isVisibleNow) return sessions
  const started = { sessionStart: confirmedAt, sessionConfirmed: confirmedAt }
  if (!tenant.syncedInSession && sessions.earlierStart !== null) return { ...sessions, ...started }
  return { ...started, earlierStart: sessions.sessionStart, earlierConfirmed: sessions.sessionConfirmed }
}

/**
 * Up to when a row's last word is known to have held: the link was proven to work until then, and would have told.
 * A row that was not read in a session is not vouched for by it.
 */
export function confirmedUntil(sessions: VisibilitySessions, seenAt: number): number {
  const { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed } = sessions
  if (sessionStart !== null && seenAt >= sessionStart) return Math.max(seenAt, sessionConfirmed ?? seenAt)
  if (earlierStart !== null && seenAt >= earlierStart) return Math.max(seenAt, earlierConfirmed ?? seenAt)
  return seenAt
}
