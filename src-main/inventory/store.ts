import type { Cache, CacheReader, CacheWriter } from '../storage/cache/cache.ts'
import type { StoredDevice, StoredTenant, TenantId } from '../storage/cache/rows.ts'
import { openCache } from '../storage/cache/cache.ts'
import { type Journal, type JournalEntry, type JournalState, openJournal } from '../storage/journal/journal.ts'
import type { Change, Opened } from './thread/protocol.ts'
import { deviceKey, patchRows, tenantKey } from './keys.ts'
import { claimsAt, isOfAll, seenFromAt } from './engine/claims.ts'
import { at, codes, connectedAt, sinceAt, textAt } from './engine/columns/columns.ts'
import {
  type Inventory,
  newInventory,
  newTouched,
  putRow,
  putTenant,
  roomOf,
  setWord,
  type Touched,
} from './engine/inventory.ts'
import { countsOf } from './engine/places.ts'
import { blind, newTenant, provenUntil, type Tenant } from './engine/tenants.ts'
import { rowAt } from './engine/view.ts'
import type { Known } from './writes/transitions.ts'
import { newRecent, type Recent } from './writes/recent-updates.ts'

/** Cache, journal and memory, kept in step: the disk first, then the memory, then the answer (design, invariant 2). */
export interface Store {
  readonly inventory: Inventory
  readonly cache: Cache
  readonly journal: Journal
  readonly recent: Recent
  rev: number
  /** The journal's sequence. */
  sequence: number
  /** What the journal knows and the cache does not, because its write failed after the journal's. Usually empty. */
  readonly ahead: Map<string, Ahead>
  /** Transitions in the journal that no answer has told yet, for the same reason. */
  owed: Change['transitions']
  /** The cache has followed a journal that is not there any more. */
  readonly journalLost: boolean
}

/**
 * A word that the journal has taken and the row has not. `order` is the position of the event, or of the request, that
 * told it (protocol.ts): whatever comes again from up to there was taken with it, and is not judged a second time.
 */
export interface Ahead {
  state: JournalState
  order: number
}

/** Opens the files of a profile, and begins anew what is damaged. `rev` is the first revision; `now` in ms. */
export function openStore(profile: string, rev: number, now: number): Store {
  const journal = openJournal(profile, now)
  try {
    const { cache, reader } = openCache(profile, () => readInto(newInventory()))
    const store: Store = {
      inventory: reader.inventory,
      cache,
      journal,
      recent: newRecent(),
      rev,
      sequence: journal.sequence(),
      ahead: new Map(),
      owed: [],
      journalLost: journal.sequence() === 0 && cache.sequence() > 0,
    }
    catchUp(store)
    return store
  } catch (thrown) {
    journal.close()
    throw thrown
  }
}

export function openedOf({ rev, inventory, cache, journal, journalLost }: Store): Opened {
  return {
    rev,
    totals: countsOf(inventory.places.totals),
    cache: cache.opened,
    journal: journalLost ? 'damaged' : journal.opened,
    journalAside: journal.aside,
  }
}

export function closeStore(store: Store): void {
  store.cache.close()
  store.journal.close()
}

function readInto(inventory: Inventory): CacheReader & { inventory: Inventory } {
  const touched = newTouched()
  return {
    inventory,
    tenant: (stored, connections) => putTenant(inventory, tenantOf(stored, connections), touched),
    device: (of, stored) => {
      const tenant = inventory.tenants.get(tenantKey(of.service, of.id))
      if (tenant)
        putRow(
          inventory,
          tenant,
          {
            fact: stored,
            since: stored.since,
            seenAt: stored.seenAt,
            claims: stored.claims,
            asked: 0,
            ...(stored.older !== undefined && { older: stored.older }),
          },
          touched,
        )
    },
  }
}

/** Nothing is seen before the links stand: whatever was cached is unknown at first. */
function tenantOf(stored: StoredTenant, connections: string[]): Tenant {
  const { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed } = stored
  return {
    ...newTenant(stored.service, stored),
    lastFull: stored.lastFull,
    connections: new Map(connections.map((connection) => [connection, blind])),
    span: { sessionStart, sessionConfirmed, earlierStart, earlierConfirmed },
    readInSession: true,
  }
}

/** After a crash between the two commits the journal is ahead: its word on `connected` is put into the rows. */
function catchUp(store: Store): void {
  if (store.cache.sequence() === store.sequence) return
  const late = [...store.inventory.rows.slotOf].flatMap(([key, slot]) => {
    const state = store.journal.state(key)
    const said = connectedAt(store.inventory.rows, slot)
    return state && said !== null && differs(store, slot, state) ? [{ slot, state }] : []
  })
  const touched = newTouched()
  for (const { slot, state } of late) {
    const before = storedDevice(store, slot)
    setWord(
      store.inventory,
      tenantAt(store, slot),
      slot,
      {
        ...before,
        connected: state.connected,
        since: state.since,
        seenAt: Math.max(before.seenAt, state.at),
        asked: 0,
      },
      touched,
    )
  }
  store.cache.write(store.sequence, (to) => {
    for (const { slot } of late) to.word(tenantAt(store, slot), storedDevice(store, slot))
  })
}

function differs({ inventory: { rows } }: Store, slot: number, state: JournalState): boolean {
  const since = sinceAt(rows, slot)
  // Out of sight for long and online again is nothing that the journal enters.
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

/** A row as the cache keeps it. */
export function storedDevice({ inventory }: Store, slot: number): StoredDevice {
  return { ...rowAt(inventory, slot), claims: claimsAt(inventory.rows, slot) }
}

export function tenantIn(store: Store, service: string, id: string): Tenant | null {
  return store.inventory.tenants.get(tenantKey(service, id)) ?? null
}

export function slotIn(store: Store, tenant: TenantId & { key: string }, id: string): number | null {
  return store.inventory.rows.slotOf.get(deviceKey(tenant.key, id)) ?? null
}

/** The last boolean word on a device: the row's, unless the journal knows better or the row has none. */
export function knownOf(store: Store, tenant: Tenant, key: string, slot: number | null): Known | null {
  const { rows } = store.inventory
  const state = store.ahead.get(key)?.state
  const said = slot === null || state ? null : connectedAt(rows, slot)
  if (slot !== null && said !== null) {
    const seenAt = at(rows.seenAt, slot)
    const heardUntil = rows.heardUntil.get(slot) ?? Infinity
    const isWatched = tenant.watched.size > 0 && isOnlyRead(rows, slot, tenant)
    // The span is that of all who list the tenant: for what only some of them see, it proves nothing.
    return {
      connected: said,
      since: sinceAt(rows, slot),
      unbroken: !isWatched && isHeardAt(rows, slot, tenant),
      provenUntil: Math.min(
        heardUntil,
        isOfAll(rows, slot, tenant) && !isWatched ? provenUntil(tenant.span, seenAt) : seenAt,
      ),
    }
  }
  const journalled = state ?? store.journal.state(key)
  return (
    journalled && {
      connected: journalled.connected,
      since: journalled.since,
      provenUntil: journalled.at,
      unbroken: false,
    }
  )
}

/** Whether readings alone tell of it: of none of those that claim it somebody else does. */
function isOnlyRead(rows: Inventory['rows'], slot: number, { watched }: Tenant): boolean {
  const id = textAt(rows.id, slot)
  const claims = claimsAt(rows, slot)
  return claims.length > 0 && claims.every(({ by }) => watched.get(by)?.has(id) === true)
}

/** Whether it is in sight, or would be but for a doubt, during which nothing is missed. */
function isHeardAt(rows: Inventory['rows'], slot: number, tenant: Tenant): boolean {
  if (at(rows.status, slot) !== codes.unknown) return true
  if (tenant.held.size === 0 || rows.doubted[slot] === 1) return false
  return rows.carried[slot] === 1 || at(rows.seenAt, slot) >= seenFromAt(rows, slot, { ...tenant, held: new Set() })
}

/** What goes into the journal, with the position of what told it. */
export type OrderedEntry = JournalEntry & { order: number }

/** What the journal has taken already, when a word of this position is told again after a write that failed. */
export function takenAlready(store: Store, key: string, order: number): JournalState | null {
  const ahead = store.ahead.get(key)
  return ahead && order <= ahead.order ? ahead.state : null
}

/** A write, in its three parts. */
export interface Plan {
  entries: OrderedEntry[]
  /** The rows that this brings in step with the journal, or removes. */
  keys: string[]
  disk: ((to: CacheWriter) => void) | null
  memory: (touched: Touched) => void
}

/**
 * Carries out a write. The journal goes first: a crash between the two leaves it ahead, and the next start puts the
 * cache in step. When the cache's commit fails, the rows stay as they were, and what the journal has learned is told
 * with the next write that succeeds, once.
 */
export function commit(store: Store, plan: Plan): Change {
  if (plan.entries.length > 0) {
    store.sequence = store.journal.enter(plan.entries)
    for (const { key, state, order, transition } of plan.entries) {
      store.ahead.set(key, { state, order })
      if (transition) store.owed.push({ key, ...transition })
    }
  }
  if (plan.disk) store.cache.write(sequenceAfter(store, plan), plan.disk)
  for (const key of plan.keys) store.ahead.delete(key)
  const touched = newTouched()
  plan.memory(touched)
  return changeOf(store, touched)
}

/** While rows are behind the journal the cache says so, that the next start looks for them. */
function sequenceAfter(store: Store, plan: Plan): number {
  if (store.ahead.size === 0) return store.sequence
  const inStep = new Set(plan.keys)
  return [...store.ahead.keys()].every((key) => inStep.has(key)) ? store.sequence : -1
}

/** The answer to a write. The revision counts up when anything that a window shows has changed. */
export function changeOf(store: Store, touched: Touched): Change {
  const base = store.rev
  if (touched.structure || touched.rows.size > 0) store.rev += 1
  const many = touched.rows.size > patchRows
  const transitions = store.owed
  store.owed = []
  return {
    base,
    rev: store.rev,
    totals: countsOf(store.inventory.places.totals),
    many,
    structure: touched.structure,
    transitions,
    devices: many ? [] : [...touched.rows].map((slot) => rowAt(store.inventory, slot)),
  }
}
