import type { TenantRef } from '../../../src-shared/model/inventory.ts'
import { tenantKey } from '../keys.ts'
import { type Accounts, type Directory, noAccounts } from './directory.ts'

/** A tenant in the engine, with its visibility. */
export interface Tenant {
  readonly service: string
  readonly id: string
  readonly key: string
  name: string
  region: string | null
  /**
   * Connections that list it, and since when each sees the rows that it claims, ms: rows last updated before that stay
   * unknown until they are reported again. `notVisible` while it does not see.
   */
  readonly connections: Map<string, number>
  /**
   * Connections whose visibility is uncertain at the moment: rows that only they see are unknown until it is certain
   * again.
   */
  readonly suspended: Set<string>
  /** Ids of the devices without a subscription, by connection: only syncs report them. */
  readonly unsubscribed: Map<string, ReadonlySet<string>>
  /** The places that connections list, by connection. */
  readonly directories: Map<string, Directory>
  accounts: Accounts
  /** Order of the latest request that named one of its places (`Place.nameOrder`). */
  latestNameOrder: number
  /** When the last full sync was complete, ms. */
  lastSyncAt: number | null
  sessions: VisibilitySessions
  /** True when a page or reconciliation came in during this session: only then does the session confirm the rows. */
  syncedInSession: boolean
}

/** Times, ms, of the present (or last) session in which the tenant was visible, and of the one before it. */
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
    directories: new Map(),
    accounts: noAccounts,
    latestNameOrder: 0,
    lastSyncAt: null,
    sessions: noSessions,
    syncedInSession: false,
  }
}

/** The value of "visible since" for a connection that does not see. */
export const notVisible = Infinity

/** True when any connection sees the tenant. */
export const isVisible = (tenant: Tenant): boolean => visibleSince(tenant, '') !== notVisible

/** True while a visibility session is open, uncertain or not. */
export const hasSession = ({ connections }: Tenant): boolean =>
  [...connections.values()].some((since) => since !== notVisible)

/**
 * Since when a claimant sees the tenant, ms; `notVisible` while it is suspended. For the shared claimant '' the
 * earliest of all.
 */
export function visibleSince({ connections, suspended }: Tenant, connection: string): number {
  if (connection !== '') return suspended.has(connection) ? notVisible : (connections.get(connection) ?? notVisible)
  let earliest = notVisible
  for (const [each, since] of connections) if (!suspended.has(each)) earliest = Math.min(earliest, since)
  return earliest
}

/** Returns a tenant as it is shown: connections that are not shown (`Inventory.shown`) do not see it. */
export function asShown(tenant: Tenant, shown: ReadonlySet<string> | null): Tenant {
  if (shown === null) return tenant
  const sinceOf = (connection: string, since: number) => (shown.has(connection) ? since : notVisible)
  const connections = [...tenant.connections].map(([each, since]) => [each, sinceOf(each, since)] as const)
  return { ...tenant, connections: new Map(connections) }
}

export function refOf(tenant: Tenant): TenantRef {
  return { key: tenant.key, id: tenant.id, name: tenant.name, region: tenant.region }
}

/**
 * The sessions after a change of visibility. A session begins when the tenant becomes visible; the former one stays
 * when rows were read in it, because it confirms them until they are read again.
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
 * Up to when a row's last report is known to have held, ms: until then the connection worked and would have reported a
 * change. A session confirms only the rows that were read in it.
 */
export function confirmedUntil(sessions: VisibilitySessions, seenAt: number): number {
  const { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed } = sessions
  if (sessionStart !== null && seenAt >= sessionStart) return Math.max(seenAt, sessionConfirmed ?? seenAt)
  if (earlierStart !== null && seenAt >= earlierStart) return Math.max(seenAt, earlierConfirmed ?? seenAt)
  return seenAt
}
