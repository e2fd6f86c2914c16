import type { CacheWriter } from '../../storage/cache/cache.ts'
import type { PlaceDepartures } from '../../storage/journal/device-places.ts'
import { maxTenants } from '../../../src-shared/model/bounds.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { textAt } from '../engine/columns/columns.ts'
import { changeTenant, newTouched, putTenant, removeTenant, type Touched } from '../engine/inventory.ts'
import { setDirectory } from '../engine/listed-places.ts'
import { applyVisibility, setFutureUnconfirmed, setShown, applySuspension } from '../engine/visibility.ts'
import {
  notVisible,
  hasSession,
  newTenant,
  type VisibilitySessions,
  nextSessions,
  type Tenant,
} from '../engine/tenants.ts'
import { deviceKey, tenantKey } from '../keys.ts'
import { departuresOf, applyDepartures, writeDepartures } from './departures.ts'
import { forgetUpdates } from './recent-updates.ts'
import type { TenantFields } from '../../../src-shared/model/inventory.ts'
import type { InventoryData } from '../thread/protocol.ts'
import type { Change } from '../thread/change.ts'
import { changeOf, readNotes, commit, isShared, type Store, tenantsListedBy, writeCache } from '../store.ts'

/**
 * Sets the tenants that a connection lists (protocol.ts, `tenants`). The history of removed ones stays in the journal.
 */
export function tenants(
  store: Store,
  input: { service: string; connection: string; tenants: TenantFields[]; at: number; partial?: boolean },
): Change {
  const facts = new Map(
    input.tenants.map((tenant) => [tenantKey(input.service, tenant.id), withKnownFields(store, input.service, tenant)]),
  )
  const missing = tenantsListedBy(store, input.connection, input.service).filter(({ key }) => !facts.has(key))
  const room = Math.max(0, maxTenants - facts.size)
  // Those that were listed last stay.
  const dropped = input.partial === true ? missing.slice(0, Math.max(0, missing.length - room)) : missing
  return commit(store, {
    entries: [],
    keys: keysBelow(store, dropped.filter(isLastListing)),
    departures: goneWith(store, dropped, input.connection, input.at),
    cache: (to) => {
      for (const fact of facts.values()) writeListed(to, { service: input.service, ...fact }, input.connection)
      writeUnlisted(store, to, dropped, input.connection)
    },
    memory: (touched) => {
      for (const fact of facts.values()) applyListed(store, input.service, fact, input.connection, touched)
      applyUnlisted(store, dropped, input.connection, touched)
    },
  })
}

/** The tenant with its former name or region where the service failed to report it. */
function withKnownFields({ inventory }: Store, service: string, { failed = [], ...fact }: TenantFields): TenantFields {
  const known = inventory.tenants.get(tenantKey(service, fact.id))
  if (known === undefined) return fact
  return {
    ...fact,
    ...(failed.includes('name') && { name: known.name }),
    ...(failed.includes('region') && { region: known.region }),
  }
}

/** Ids of the connections that list any tenant, or did (protocol.ts, `connections`). */
export function connections({ inventory, journal }: Store): string[] {
  const listing = [...inventory.tenants.values()].flatMap((tenant) => [...tenant.connections.keys()])
  return [...new Set([...listing, ...journal.withdrawn.connections()])].sort()
}

function writeListed(to: CacheWriter, tenant: TenantFields & { service: string }, connection: string): void {
  to.tenant(tenant)
  to.list(tenant, connection)
}

function applyListed(
  { inventory }: Store,
  service: string,
  fact: TenantFields,
  connection: string,
  touched: Touched,
): void {
  const known = inventory.tenants.get(tenantKey(service, fact.id))
  const tenant = known ?? newTenant(service, fact)
  if (known) changeTenant(inventory, known, fact.name, fact.region, touched)
  else putTenant(inventory, tenant, touched)
  if (!tenant.connections.has(connection)) tenant.connections.set(connection, notVisible)
}

/** Keys of the journal-only states of removed tenants. */
function keysBelow({ journalOnly }: Store, gone: Tenant[]): string[] {
  return [...journalOnly.keys()].filter((key) => gone.some((tenant) => key.startsWith(`${tenant.key}/`)))
}

const isLastListing = (tenant: Tenant) => tenant.connections.size === 1

/** The rows that lose their claim when a connection no longer lists the tenant. */
const departuresWithout = (store: Store, tenant: Tenant, connection: string) =>
  departuresOf(store, tenant, (claims) => claims.filter((claim) => claim.connection !== connection))

/** The devices that go when a connection no longer lists these tenants. */
function goneWith(store: Store, dropped: Tenant[], connection: string, at: number): PlaceDepartures {
  const { rows } = store.inventory
  const shared = dropped.filter((tenant) => !isLastListing(tenant))
  return {
    prefixes: dropped.filter(isLastListing).map(({ key }) => `${key}/`),
    keys: shared.flatMap((tenant) =>
      departuresWithout(store, tenant, connection).gone.map((slot) => textAt(rows.key, slot)),
    ),
    at,
  }
}

function writeUnlisted(store: Store, to: CacheWriter, dropped: Tenant[], connection: string): void {
  for (const tenant of dropped) {
    if (isLastListing(tenant)) to.removeTenant(tenant)
    else {
      writeDepartures(store, tenant, departuresWithout(store, tenant, connection), to)
      to.unlist(tenant, connection)
    }
  }
}

function applyUnlisted(store: Store, dropped: Tenant[], connection: string, touched: Touched): void {
  const { inventory } = store
  for (const tenant of dropped) {
    if (isLastListing(tenant)) removeTenant(inventory, tenant, touched)
    else {
      applyDepartures(store, tenant, departuresWithout(store, tenant, connection), touched)
      setDirectory(inventory, tenant, connection, null, touched)
      tenant.connections.delete(connection)
      tenant.suspended.delete(connection)
      applyVisibility(inventory, tenant, touched)
    }
  }
}

/** Forgets a connection (protocol.ts, `forget`), and without `keepHistory` the history of what no other one lists. */
export function forget(
  store: Store,
  { connection, keepHistory, except }: Parameters<InventoryData['forget']>[0],
): Change {
  const dropped = tenantsListedBy(store, connection).filter(({ service }) => service !== except)
  const sole = dropped.filter(isLastListing)
  const { rows } = store.inventory
  const soleKeys = dropped
    .filter((tenant) => !isLastListing(tenant))
    .flatMap((tenant) => departuresWithout(store, tenant, connection).gone.map((slot) => textAt(rows.key, slot)))
  const { withdrawn } = store.journal
  const wasListed = withdrawn.of(connection)
  const remaining = wasListed.filter(({ key }) => except !== undefined && key.startsWith(tenantKey(except, '')))
  const former = wasListed.filter((each) => !remaining.includes(each) && !store.inventory.tenants.has(each.key))
  if (keepHistory === undefined && sole.length + soleKeys.length + former.length > 0) {
    store.sequence = store.journal.forget(
      [...sole, ...former].map((tenant) => `${tenant.key}/`),
      soleKeys,
    )
    readNotes(store)
    const [tenants, devices] = [new Set(sole.map(({ key }) => key)), new Set(soleKeys)]
    const services = new Set(dropped.map(({ service }) => service))
    forgetUpdates(store.recentUpdates, ({ service, tenant, id }) => {
      if (tenant === null) return services.has(service)
      const key = tenantKey(service, tenant)
      return tenants.has(key) || devices.has(deviceKey(key, id))
    })
  }
  const change = commit(store, {
    entries: [],
    keys: [...keysBelow(store, sole), ...soleKeys],
    ...(keepHistory !== undefined && { departures: goneWith(store, dropped, connection, keepHistory.at) }),
    cache: dropped.length === 0 ? null : (to) => writeUnlisted(store, to, dropped, connection),
    memory: (touched) => applyUnlisted(store, dropped, connection, touched),
  })
  if (remaining.length < wasListed.length) withdrawn.save(connection, remaining)
  const hadSchemas = keepHistory === undefined && store.journal.schemas.erase(connection)
  // With another address it is the same connection, and with its history the operator keeps that of its queries.
  const isErased = keepHistory === undefined && except === undefined
  const runs = isErased ? store.journal.keptQueries.forgetRuns(connection) : 0
  if (dropped.length + former.length + runs > 0 || hadSchemas) {
    if (keepHistory === undefined) store.journal.scrub()
    store.cache.scrub()
  }
  return change
}

/** Sets the connections whose devices are shown as these see them (log-protocol.ts, `show`). */
export function show(store: Store, { connections }: Parameters<InventoryData['show']>[0]): Change {
  const shown = connections === null ? null : new Set(connections)
  const before = store.inventory.shown
  if (shown?.size === before?.size && [...(shown ?? [])].every((one) => before?.has(one) === true))
    return changeOf(store, newTouched())
  return commit(store, {
    entries: [],
    keys: [],
    cache: null,
    memory: (touched) => setShown(store.inventory, shown, touched),
  })
}

/**
 * Sets the visibility of a connection's tenants (protocol.ts, `visibility`). The memory changes even if the sessions
 * cannot be written: a full disk must not leave devices online that no connection sees.
 */
export function setVisibility(store: Store, input: Parameters<InventoryData['visibility']>[0]): Change {
  const { connection, service } = input
  const named = input.tenants && new Set(input.tenants)
  const changed = tenantsListedBy(store, connection, service)
    .map((tenant) => ({ tenant, from: visibleSinceAfter(tenant, input, !named || named.has(tenant.id)) }))
    .filter(({ tenant, from }) => from !== notVisible || tenant.connections.get(connection) !== notVisible)
    .map(({ tenant, from }) => ({
      tenant,
      from,
      sessions: sessionsOf(tenant, connection, from, input),
      syncedInSession: tenant.syncedInSession && !isNewSession(tenant, connection, from),
      suspended: from !== notVisible && input.uncertain === true,
    }))
  writeVisibility(store, connection, changed)
  return commit(store, {
    entries: [],
    keys: [],
    cache: null,
    memory: (touched) => {
      for (const { tenant, from, sessions, syncedInSession, suspended } of changed) {
        tenant.sessions = sessions
        tenant.syncedInSession = syncedInSession
        applyVisibleSince(store, tenant, { connection, from, now: input.at ?? Infinity }, touched)
        setSuspended(store, tenant, connection, suspended, touched)
      }
    },
  })
}

/** Since when the connection sees the tenant after this call, ms: without an interruption the earlier time stays. */
function visibleSinceAfter(
  { connections }: Tenant,
  { connection, visible, visibleSince = 0 }: Parameters<InventoryData['visibility']>[0],
  isNamed: boolean,
): number {
  const before = connections.get(connection) ?? notVisible
  if (!visible) return isNamed ? notVisible : before
  return isNamed ? Math.min(before, visibleSince) : notVisible
}

function sessionsOf(
  tenant: Tenant,
  connection: string,
  from: number,
  { confirmedAt, afterGap = false, visible, visibleSince = 0 }: Parameters<InventoryData['visibility']>[0],
): VisibilitySessions {
  const others = [...tenant.connections].some(([name, since]) => name !== connection && since !== notVisible)
  const isSeenNow = from !== notVisible || others
  // Confirmations before a session's start belong to the former one.
  if (!hasSession(tenant) || (afterGap && from !== notVisible))
    return nextSessions(tenant, false, isSeenNow, visible ? Math.max(confirmedAt, visibleSince) : confirmedAt)
  return nextSessions(tenant, true, isSeenNow, confirmedAt)
}

const isNewSession = (tenant: Tenant, connection: string, from: number): boolean =>
  !hasSession(tenant) && from !== (tenant.connections.get(connection) ?? notVisible)

function applyVisibleSince(
  { inventory }: Store,
  tenant: Tenant,
  { connection, from, now }: { connection: string; from: number; now: number },
  touched: Touched,
): void {
  const before = tenant.connections.get(connection)
  if (before === from) return
  if (before === notVisible) setFutureUnconfirmed(inventory, tenant, now, touched)
  tenant.connections.set(connection, from)
  applyVisibility(inventory, tenant, touched)
}

/** Suspends or resumes a connection for a tenant. Afterwards all rows are as before. */
function setSuspended(
  { inventory }: Store,
  tenant: Tenant,
  connection: string,
  isSuspended: boolean,
  touched: Touched,
): void {
  if (tenant.suspended.has(connection) === isSuspended) return
  if (isSuspended) tenant.suspended.add(connection)
  else tenant.suspended.delete(connection)
  applySuspension(inventory, tenant, touched)
}

interface ChangedVisibility {
  tenant: Tenant
  from: number
  sessions: VisibilitySessions
  syncedInSession: boolean
  suspended: boolean
}

/** Throws in a copy of the team's only, which has to say the same as all others. */
function writeVisibility(store: Store, connection: string, changed: readonly ChangedVisibility[]): void {
  try {
    writeCache(store, (to) => {
      for (const { tenant, from, sessions, syncedInSession, suspended } of changed) {
        to.sessions(tenant, sessions, syncedInSession)
        to.visibility(tenant, connection, from === notVisible ? null : from, suspended)
      }
    })
  } catch (thrown) {
    if (isShared(store)) throw thrown
    if (!(thrown instanceof Error && 'errcode' in thrown) && !(thrown instanceof FaultError)) throw thrown
  }
}
