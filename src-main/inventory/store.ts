import type { Cache, CacheWriter } from '../storage/cache/cache.ts'
import type { StoredDevice, TenantId } from '../storage/cache/rows.ts'
import { openCache } from '../storage/cache/cache.ts'
import type { PlaceDepartures, PlaceReport } from '../storage/journal/device-places.ts'
import { type Journal, type JournalEntry, type JournalState, openJournal } from '../storage/journal/journal.ts'
import type { OpenResult } from './thread/open-result.ts'
import type { Change } from './thread/change.ts'
import { createCacheReader } from './cache-reader.ts'
import { deviceKey, patchRows, tenantKey } from './keys.ts'
import { claimsAt, isClaimedByAll, visibleSinceAt } from './engine/claims.ts'
import { at, connectedAt, sinceAt, textAt } from './engine/columns/columns.ts'
import { type Inventory, newTouched, roomOf, applyReport, type Touched } from './engine/inventory.ts'
import { countsOf, isNamed } from './engine/places.ts'
import { confirmedUntil, type Tenant } from './engine/tenants.ts'
import { rowAt } from './engine/view.ts'
import type { LastReport } from './writes/transitions.ts'
import { type RecentUpdates, updateText } from './writes/recent-updates.ts'

/**
 * Cache, journal and memory, consistent with each other: the disk first, then the memory, then the answer (design,
 * invariant 2).
 */
export interface Store {
  readonly inventory: Inventory
  readonly cache: Cache
  readonly journal: Journal
  readonly recentUpdates: RecentUpdates
  rev: number
  /** The journal's sequence. */
  sequence: number
  /**
   * Device states that the journal has and the cache has not, because its write failed after the journal's. Usually
   * empty.
   */
  readonly journalOnly: Map<string, JournalOnlyState>
  /** Transitions in the journal that no answer has reported yet, for the same reason. */
  unreportedTransitions: Change['transitions']
  /** True when the cache follows a journal that no longer exists. */
  readonly journalLost: boolean
}

/**
 * A state that the journal has and the row has not. `order` is the position of the event or request that reported it
 * (protocol.ts): a report up to that position is not classified a second time.
 */
export interface JournalOnlyState {
  state: JournalState
  order: number
}

/** Opens the files of a profile and replaces damaged ones. `rev` is the first revision; `now` in ms. */
export function openStore(profile: string, rev: number, now: number): Store {
  const journal = openJournal(profile, now)
  try {
    const isCopy = journal.logPosition.read() !== null
    const { cache, reader } = openCache(profile, () => createCacheReader(isCopy))
    const store: Store = {
      inventory: reader.inventory,
      cache,
      journal,
      recentUpdates: reader.recentUpdates,
      rev,
      sequence: journal.sequence(),
      journalOnly: new Map(),
      unreportedTransitions: [],
      journalLost: journal.sequence() === 0 && cache.sequence() > 0,
    }
    dropOldPosition(store)
    if (isCopy) beginSharing(store)
    replayJournal(store)
    readNotes(store)
    return store
  } catch (thrown) {
    journal.close()
    throw thrown
  }
}

/** Returns whether this is a copy of the team's, which keeps all that decides about later reports. */
export const isShared = ({ inventory }: Pick<Store, 'inventory'>): boolean => inventory.rows.unsaved !== null

/** Keeps from here on what decides about later reports (`saveReportState`). */
export function beginSharing({ inventory: { rows, places }, recentUpdates }: Store): void {
  rows.unsaved ??= new Set()
  places.unsaved ??= new Set()
  recentUpdates.unsaved ??= new Set()
}

/** Writes to the cache what has changed since the last time of what decides about later reports. */
export function saveReportState(store: Store, to: CacheWriter): void {
  const { inventory, recentUpdates } = store
  const { rows, places } = inventory
  for (const slot of rows.unsaved ?? [])
    if (rows.alive[slot] === 1)
      to.sight(tenantAt(store, slot), textAt(rows.id, slot), {
        unconfirmed: rows.unconfirmed[slot] === 1,
        handedOver: rows.handedOver[slot] === 1,
        subscribedUntil: rows.subscribedUntil.get(slot) ?? null,
      })
  for (const node of places.unsaved ?? []) {
    const place = places.byId.get(node)
    const named = place !== undefined && isNamed(place) ? { name: place.name, order: place.nameOrder } : null
    to.placeName(node, named)
  }
  for (const key of recentUpdates.unsaved ?? []) to.recentUpdate(key, updateText(recentUpdates, key))
  for (const unsaved of [rows.unsaved, places.unsaved, recentUpdates.unsaved]) unsaved?.clear()
}

/** Writes to the cache what belongs to no transition. */
export function writeCache({ cache, journalOnly, sequence }: Store, run: (to: CacheWriter) => void): void {
  cache.write(journalOnly.size === 0 ? sequence : -1, run)
}

export function openResultOf({ rev, inventory, cache, journal, journalLost }: Store): OpenResult {
  return {
    rev,
    totals: countsOf(inventory.places.totals),
    cache: cache.opened,
    journal: journalLost ? 'damaged' : journal.opened,
    damagedJournal: journal.damagedCopy,
  }
}

export function closeStore(store: Store): void {
  store.cache.close()
  store.journal.close()
}

/** Takes the notes of the journal into memory. */
export function readNotes({ inventory: { notes }, journal }: Pick<Store, 'inventory' | 'journal'>): void {
  notes.clear()
  for (const { node, note } of journal.notes.all()) notes.set(node, note)
}

/** A cache that is behind the journal lacks rows of the team's log: the journal's position no longer counts. */
function dropOldPosition({ journal, cache, sequence }: Store): void {
  if (cache.sequence() !== sequence && journal.logPosition.read() !== null) journal.logPosition.write(null)
}

/** After a crash between the two commits the journal is ahead: its value of `connected` is written into the rows. */
function replayJournal(store: Store): void {
  if (store.cache.sequence() === store.sequence) return
  const behind = [...store.inventory.rows.slotOf].flatMap(([key, slot]) => {
    const state = store.journal.state(key)
    const connected = connectedAt(store.inventory.rows, slot)
    return state && connected !== null && differs(store, slot, state) ? [{ slot, state }] : []
  })
  const touched = newTouched()
  for (const { slot, state } of behind) {
    const before = storedDevice(store, slot)
    applyReport(
      store.inventory,
      tenantAt(store, slot),
      slot,
      {
        ...before,
        connected: state.connected,
        since: state.since,
        seenAt: Math.max(before.seenAt, state.at),
        requestOrder: 0,
      },
      touched,
    )
  }
  store.cache.write(store.sequence, (to) => {
    for (const { slot } of behind) to.update(tenantAt(store, slot), storedDevice(store, slot))
  })
}

function differs({ inventory: { rows } }: Store, slot: number, state: JournalState): boolean {
  const since = sinceAt(rows, slot)
  // A device that is online again after a long loss of visibility has no entry in the journal.
  if (connectedAt(rows, slot) === state.connected && since !== null && since.at > state.at) return false
  return (
    connectedAt(rows, slot) !== state.connected || since?.at !== state.since?.at || since?.kind !== state.since?.kind
  )
}

export function tenantAt(store: Store, slot: number): Tenant {
  const { tenant } = roomOf(store.inventory, slot)
  if (!tenant) throw new Error('a row without a tenant')
  return tenant
}

/** The row in the cache's form. */
export function storedDevice({ inventory }: Store, slot: number): StoredDevice {
  const { rows } = inventory
  return { ...rowAt(inventory, slot), claims: claimsAt(rows, slot), requestOrder: at(rows.requestOrder, slot) }
}

export function tenantIn(store: Store, service: string, id: string): Tenant | null {
  return store.inventory.tenants.get(tenantKey(service, id)) ?? null
}

/** Returns the tenants that a connection lists; with `service` those of that service. */
export function tenantsListedBy({ inventory }: Store, connection: string, service?: string): Tenant[] {
  return [...inventory.tenants.values()].filter(
    (tenant) => tenant.connections.has(connection) && (service === undefined || tenant.service === service),
  )
}

export function slotIn(store: Store, tenant: TenantId & { key: string }, id: string): number | null {
  return store.inventory.rows.slotOf.get(deviceKey(tenant.key, id)) ?? null
}

/** The last boolean report of a device: the row's, unless the journal has a newer one or the row has none. */
export function lastReportOf(store: Store, tenant: Tenant, key: string, slot: number | null): LastReport | null {
  const { rows } = store.inventory
  const state = store.journalOnly.get(key)?.state
  const connected = slot === null || state ? null : connectedAt(rows, slot)
  if (slot !== null && connected !== null) {
    const seenAt = at(rows.seenAt, slot)
    const subscribedUntil = rows.subscribedUntil.get(slot) ?? Infinity
    const lacksSubscription = tenant.unsubscribed.size > 0 && isUnsubscribed(rows, slot, tenant)
    // The sessions are those of all connections that list the tenant: a device that only some of them see is not
    // confirmed by them.
    return {
      connected,
      since: sinceAt(rows, slot),
      continuous: !lacksSubscription && isContinuouslyVisible(rows, slot, tenant),
      confirmedUntil: Math.min(
        subscribedUntil,
        isClaimedByAll(rows, slot, tenant) && !lacksSubscription ? confirmedUntil(tenant.sessions, seenAt) : seenAt,
      ),
    }
  }
  const journalled = state ?? store.journal.state(key)
  return (
    journalled && {
      connected: journalled.connected,
      since: journalled.since,
      confirmedUntil: journalled.at,
      continuous: false,
    }
  )
}

/** True when every connection that claims the row has no subscription for it: only syncs report it. */
function isUnsubscribed(rows: Inventory['rows'], slot: number, { unsubscribed }: Tenant): boolean {
  const id = textAt(rows.id, slot)
  const claims = claimsAt(rows, slot)
  return claims.length > 0 && claims.every(({ connection }) => unsubscribed.get(connection)?.has(id) === true)
}

/** True when the row is visible, or would be without a suspension, during which nothing is missed. */
function isContinuouslyVisible(rows: Inventory['rows'], slot: number, tenant: Tenant): boolean {
  if (rows.visible[slot] === 1) return true
  if (tenant.suspended.size === 0 || rows.unconfirmed[slot] === 1) return false
  return (
    rows.handedOver[slot] === 1 ||
    at(rows.seenAt, slot) >= visibleSinceAt(rows, slot, { ...tenant, suspended: new Set() })
  )
}

/** A journal entry with the position of its report. */
export type OrderedEntry = JournalEntry & { order: number }

/** The state in the journal, when a report of this position comes again after a write that failed; else null. */
export function journalledState(store: Store, key: string, order: number): JournalState | null {
  const unsynced = store.journalOnly.get(key)
  return unsynced && order <= unsynced.order ? unsynced.state : null
}

/** The three parts of a write. */
export interface WritePlan {
  entries: OrderedEntry[]
  /** Keys of the rows that this write updates or removes. */
  keys: string[]
  cache: ((to: CacheWriter) => void) | null
  memory: (touched: Touched) => void
  /** Names and places of devices as they are after this write. The journal enters what differs from what it has. */
  places?: readonly PlaceReport[]
  /** Devices that this write removes: the journal ends their last name and place, and keeps them. */
  departures?: PlaceDepartures
}

/**
 * Carries out a write. The journal goes first: after a crash between the two it is ahead, and the next start updates
 * the cache. When the cache's commit fails, the rows stay as they were, and the journal's new transitions are reported
 * once, with the next write that succeeds.
 */
export function commit(store: Store, plan: WritePlan): Change {
  const places = store.journal.changedPlaces(plan.places ?? [])
  const departures = departuresIn(plan)
  if (plan.entries.length > 0 || places.length > 0 || departures !== null) {
    store.sequence = store.journal.enter(plan.entries, { reports: places, departures })
    for (const { key, state, order, transition } of plan.entries) {
      store.journalOnly.set(key, { state, order })
      if (transition) store.unreportedTransitions.push({ key, ...transition })
    }
  }
  if (plan.cache) store.cache.write(sequenceAfter(store, plan), plan.cache)
  for (const key of plan.keys) store.journalOnly.delete(key)
  const touched = newTouched()
  plan.memory(touched)
  return changeOf(store, touched)
}

function departuresIn({ departures }: WritePlan): PlaceDepartures | null {
  const isAny = departures !== undefined && departures.keys.length + departures.prefixes.length > 0
  return isAny ? departures : null
}

/** The sequence for the cache: -1 while rows are behind the journal, so that the next start updates them. */
function sequenceAfter(store: Store, plan: WritePlan): number {
  if (store.journalOnly.size === 0) return store.sequence
  const inStep = new Set(plan.keys)
  return [...store.journalOnly.keys()].every((key) => inStep.has(key)) ? store.sequence : -1
}

/** The answer to a write. The revision counts up when anything that the window shows has changed. */
export function changeOf(store: Store, touched: Touched): Change {
  const base = store.rev
  if (touched.structure || touched.many || touched.rows.size > 0) store.rev += 1
  const many = touched.many || touched.rows.size > patchRows
  const transitions = store.unreportedTransitions
  store.unreportedTransitions = []
  return {
    base,
    rev: store.rev,
    totals: countsOf(store.inventory.places.totals),
    many: many,
    structure: touched.structure,
    transitions,
    devices: many ? [] : [...touched.rows].map((slot) => rowAt(store.inventory, slot)),
  }
}
