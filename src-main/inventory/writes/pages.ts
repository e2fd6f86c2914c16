import { own } from '../../../src-shared/lib/own.ts'
import type { CacheWriter } from '../../storage/cache/cache.ts'
import { claimedBy, claimsAfter, claimsAt, newestClaim } from '../engine/claims.ts'
import { at, connectedAt, sinceAt, textAt } from '../engine/columns/columns.ts'
import { rowAt } from '../engine/view.ts'
import { newTouched, putRow, type RowState, slotsOf } from '../engine/inventory.ts'
import { doubtRow } from '../engine/visibility.ts'
import type { Tenant } from '../engine/tenants.ts'
import { deviceKey, roomNode, siteNode } from '../keys.ts'
import { departuresOf, takeDepartures, writeDepartures } from './departures.ts'
import type { DeviceFields } from '../../../src-shared/model/inventory.ts'
import type { Change, InventoryData, DeviceFact, PageInput, PullState } from '../thread/protocol.ts'
import { heardSince } from './recent-updates.ts'
import { changeOf, commit, knownOf, type OrderedEntry, slotIn, type Store, takenAlready, tenantIn } from '../store.ts'
import { classifyReport } from './transitions.ts'

/** A page of a pull (protocol.ts, `page`). A tenant that is not listed any more takes no rows. */
export function page(store: Store, input: PageInput): Change {
  const by = input.connection ?? ''
  const tenant = readBy(store, input.service, input.tenant, by)
  if (!tenant) return changeOf(store, newTouched())
  const entries: OrderedEntry[] = []
  // A device that a page names twice counts once, as it was named last.
  const facts = new Map(input.devices.map((fact) => [fact.id, fact]))
  const states = [...facts.values()].map((fact) => stateOf(store, tenant, input, fact, entries))
  return commit(store, {
    entries,
    keys: [...facts.keys()].map((id) => deviceKey(tenant.key, id)),
    disk: (to) => {
      for (const state of states) to.device(tenant, { ...state.fact, ...state })
      writeNames(
        store,
        tenant,
        states.map(({ fact }) => fact),
        to,
      )
      to.pull(tenant, by, input.next)
    },
    memory: (touched) => {
      tenant.readInSession = true
      for (const state of states) putRow(store.inventory, tenant, state, touched)
    },
  })
}

/**
 * The latest word on the name of a site or room counts for all devices in it: also for those on disk that this page
 * does not name, or names with another word.
 */
function writeNames(store: Store, tenant: Tenant, facts: DeviceFields[], to: CacheWriter): void {
  const { byId } = store.inventory.places
  const renamed = new Map<string, () => void>()
  const before = new Map<string, string>()
  const look = (node: string, name: string, write: () => void) => {
    const known = before.get(node) ?? byId.get(node)?.name
    before.set(node, name)
    if (renamed.has(node) || (known !== undefined && known !== name)) renamed.set(node, write)
  }
  for (const { site, room } of facts) {
    if (site) look(siteNode(tenant.key, site.id), site.name, () => to.nameSite(tenant, site.id, site.name))
    const siteId = site?.id ?? null
    if (room)
      look(roomNode(tenant.key, siteId, room.id), room.name, () => to.nameRoom(tenant, siteId, room.id, room.name))
  }
  for (const write of renamed.values()) write()
}

function stateOf(store: Store, tenant: Tenant, input: PageInput, raw: DeviceFact, entries: OrderedEntry[]): RowState {
  const { rows } = store.inventory
  const key = deviceKey(tenant.key, raw.id)
  const slot = slotIn(store, tenant, raw.id)
  const { fact: told, older } = completed(store, slot, raw)
  const weighing = weighed(store, tenant, input, told, slot)
  const isKept = slot !== null && !weighing.live && raw.failed?.includes('connected') === true
  return {
    ...(isKept
      ? { fact: weighing.fact, since: sinceAt(rows, slot) }
      : judged(store, tenant, key, slot, weighing, entries)),
    isKept,
    older,
    seenAt: isKept
      ? at(rows.seenAt, slot)
      : Math.max(input.requestedAt ?? input.at, slot === null ? 0 : at(rows.seenAt, slot)),
    claims: claimedBy(slot === null ? [] : claimsAt(rows, slot), input.connection ?? '', input.generation),
    asked: isKept ? at(rows.asked, slot) : Math.max(input.requestOrder, slot === null ? 0 : at(rows.asked, slot)),
  }
}

/** What was not told is as it was, and as old as it was (design, invariant 14): an error is no emptiness, and moves no device. */
function completed(
  { inventory }: Store,
  slot: number | null,
  { failed = [], ...fact }: DeviceFact,
): { fact: DeviceFields; older: Record<string, number> } {
  if (slot === null || failed.length === 0) return { fact, older: {} }
  const row = rowAt(inventory, slot)
  const kept = Object.fromEntries(failed.map((field) => [field, row[field]]))
  const aged = failed.filter((field) => field !== 'connected' && row[field] !== null && row[field] !== '')
  return {
    fact: { ...fact, ...kept },
    older: Object.fromEntries(aged.map((field) => [field, own(row.older ?? {}, field) ?? row.seenAt])),
  }
}

/** The word that the row takes on, entered where it is new; what the journal has taken before is not entered again. */
function judged(
  store: Store,
  tenant: Tenant,
  key: string,
  slot: number | null,
  { fact, when, provenAt, live, order }: Weighing,
  entries: OrderedEntry[],
): Pick<RowState, 'fact' | 'since'> {
  const taken = takenAlready(store, key, order)
  if (taken) return { fact: { ...fact, connected: taken.connected }, since: taken.since }
  const { since, entry } = classifyReport(knownOf(store, tenant, key, slot), {
    connected: fact.connected,
    at: when,
    lastDetected: fact.lastDetected,
    live,
  })
  if (entry) {
    const notBefore = entry.transition?.notBefore ?? null
    entries.push({
      key,
      order,
      state: { connected: entry.connected, at: provenAt, notBefore, since },
      transition: entry.transition,
    })
  }
  return { fact, since }
}

interface Weighing {
  fact: DeviceFields
  /** When what counts was told, by what (`order`), and whether by an event (`live`). */
  when: number
  /** Up to when it is proven by itself (device-updates.ts, `take`). */
  provenAt: number
  live: boolean
  order: number
}

/**
 * A page tells how things were when it was asked for: what an event said after that counts more (design, invariant
 * 10), and so does a reading that was asked for later.
 */
function weighed(store: Store, tenant: Tenant, input: PageInput, fact: DeviceFields, slot: number | null): Weighing {
  const { rows } = store.inventory
  const heard = heardSince(store.recent, tenant.service, tenant.id, fact.id, input.requestOrder)
  const isLate = slot !== null && input.requestOrder < at(rows.asked, slot)
  const late = isLate ? { connected: connectedAt(rows, slot), name: textAt(rows.name, slot) } : fact
  return {
    fact: {
      ...fact,
      connected: heard?.connected === undefined ? late.connected : heard.connected,
      name: heard?.name ?? late.name,
    },
    ...(heard && heard.connected !== undefined
      ? { when: heard.at, provenAt: heard.at, live: true, order: heard.order }
      : { when: input.at, provenAt: input.requestedAt ?? input.at, live: false, order: input.requestOrder }),
  }
}

/** The end of a pull (protocol.ts, `finish`). */
export function finish(store: Store, input: Parameters<InventoryData['finish']>[0]): Change {
  const by = input.connection ?? ''
  const tenant = readBy(store, input.service, input.tenant, by)
  if (!tenant) return changeOf(store, newTouched())
  const { gone, changed } = departuresOf(store, tenant, (claims) => claimsAfter(claims, by, input.generation))
  const keep = input.keep === true
  const left = keep ? { gone: [], changed: [] } : { gone, changed }
  return commit(store, {
    entries: [],
    keys: left.gone.map((slot) => textAt(store.inventory.rows.key, slot)),
    disk: (to) => {
      writeDepartures(store, tenant, left, to)
      to.finish(tenant, by, input.at)
    },
    memory: (touched) => {
      takeDepartures(store, tenant, left, touched)
      // What nobody else claims, nobody vouches for.
      if (keep) for (const slot of gone) doubtRow(store.inventory, tenant, slot, touched)
      tenant.lastFull = input.at
      // The ages of the tree and of all rows are new: windows ask again.
      touched.structure = true
    },
  })
}

/** The tenant, while this connection lists it: what others would bring, nobody would ever take away. */
function readBy(store: Store, service: string, id: string, by: string): Tenant | null {
  const tenant = tenantIn(store, service, id)
  return tenant && (by === '' || tenant.connections.has(by)) ? tenant : null
}

export function nextGeneration(store: Store, { service, tenant }: { service: string; tenant: string }): number {
  const known = tenantIn(store, service, tenant)
  if (!known) return 1
  const { rows } = store.inventory
  return (
    slotsOf(store.inventory, known).reduce(
      (most, slot) => Math.max(most, newestClaim(rows, slot)),
      store.cache.pulledGeneration(known),
    ) + 1
  )
}

export function pull(
  store: Store,
  { service, tenant, connection = '' }: { service: string; tenant: string; connection?: string },
): PullState | null {
  const known = tenantIn(store, service, tenant)
  return known && store.cache.pull(known, connection)
}
