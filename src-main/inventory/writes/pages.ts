import { own } from '../../../src-shared/lib/own.ts'
import type { PlaceReport } from '../../storage/journal/device-places.ts'
import { claimsWith, claimsAfterSync, claimsAt, newestGeneration } from '../engine/claims.ts'
import { at, connectedAt, sinceAt, textAt } from '../engine/columns/columns.ts'
import { accountOfSite } from '../engine/directory.ts'
import { rowAt } from '../engine/view.ts'
import { newTouched, putRow, type RowState, slotsOf } from '../engine/inventory.ts'
import { setUnconfirmed } from '../engine/visibility.ts'
import type { Tenant } from '../engine/tenants.ts'
import { deviceKey } from '../keys.ts'
import { departuresOf, applyDepartures, gonePlan, writeDepartures } from './departures.ts'
import type { DeviceFields } from '../../../src-shared/model/inventory.ts'
import type { InventoryData, DeviceFact, PageInput, PullState } from '../thread/protocol.ts'
import type { Change } from '../thread/change.ts'
import { withLaterNames, writeNames } from './place-names.ts'
import { updateSince } from './recent-updates.ts'
import {
  changeOf,
  commit,
  lastReportOf,
  type OrderedEntry,
  slotIn,
  type Store,
  journalledState,
  tenantIn,
} from '../store.ts'
import { classifyReport } from './transitions.ts'

/** Writes a page of a full sync (protocol.ts, `page`). A tenant that is not listed any more takes no rows. */
export function page(store: Store, input: PageInput): Change {
  const by = input.connection ?? ''
  const tenant = listedTenant(store, input.service, input.tenant, by)
  if (!tenant) return changeOf(store, newTouched())
  const entries: OrderedEntry[] = []
  // Of repeated devices on a page the last one counts.
  const facts = new Map(input.devices.map((fact) => [fact.id, fact]))
  const states = [...facts.values()].map((fact) =>
    stateOf(store, tenant, input, withLaterNames(store, tenant, input.requestOrder, fact), entries),
  )
  return commit(store, {
    entries,
    keys: [...facts.keys()].map((id) => deviceKey(tenant.key, id)),
    places: states.map(({ fields }) => placeReport(tenant, input, fields, facts.get(fields.id))),
    cache: (to) => {
      for (const state of states) to.device(tenant, { ...state.fields, ...state })
      writeNames(
        store,
        tenant,
        states.filter(({ namesOrder }) => namesOrder === input.requestOrder).map(({ fields }) => fields),
        to,
      )
      to.pull(tenant, by, input.next)
      if (!tenant.syncedInSession) to.synced(tenant)
    },
    memory: (touched) => {
      tenant.syncedInSession = true
      for (const state of states) putRow(store.inventory, tenant, state, touched)
    },
  })
}

/**
 * The name and place of a row for the journal, without what neither this page nor an earlier one reported. The account is
 * that of the site, where the tenant's lists have it.
 */
function placeReport(
  tenant: Tenant,
  input: PageInput,
  fields: DeviceFields,
  fact: DeviceFact | undefined,
): PlaceReport {
  const { id, name, site, room } = fields
  const isKnown = (field: 'name' | 'site' | 'room') => fields[field] !== fact?.[field] || !fact.failed?.includes(field)
  const account = isKnown('site') && site !== null ? accountOfSite(tenant.accounts, site.id) : null
  return {
    key: deviceKey(tenant.key, id),
    at: input.requestedAt ?? input.at,
    ...(isKnown('name') && { name }),
    ...(isKnown('site') && { site }),
    ...(account !== null && { account }),
    ...(isKnown('room') && { room }),
  }
}

function stateOf(store: Store, tenant: Tenant, input: PageInput, fact: DeviceFact, entries: OrderedEntry[]): RowState {
  const { rows } = store.inventory
  const key = deviceKey(tenant.key, fact.id)
  const slot = slotIn(store, tenant, fact.id)
  const { fields, staleFields } = withFormerFields(store, slot, fact)
  const report = effectiveReport(store, tenant, input, fields, slot)
  const retainsState = slot !== null && !report.live && fact.failed?.includes('connected') === true
  return {
    ...(retainsState
      ? { fields: report.fields, since: sinceAt(rows, slot) }
      : classified(store, tenant, key, slot, report, entries)),
    retainsState,
    // A place that an event named has the names that are known for it.
    namesOrder: report.isPlaced ? -1 : input.requestOrder,
    staleFields,
    seenAt: retainsState
      ? at(rows.seenAt, slot)
      : Math.max(input.requestedAt ?? input.at, slot === null ? 0 : at(rows.seenAt, slot)),
    placedAt: placedAtOf(store, slot, input, fact),
    claims: claimsWith(slot === null ? [] : claimsAt(rows, slot), input.connection ?? '', input.generation),
    requestOrder: retainsState
      ? at(rows.requestOrder, slot)
      : Math.max(input.requestOrder, slot === null ? 0 : at(rows.requestOrder, slot)),
  }
}

/** When name, site and room were reported: the oldest of them. Those that failed are as old as before. */
function placedAtOf(
  { inventory: { rows } }: Store,
  slot: number | null,
  { requestedAt, at: answeredAt }: PageInput,
  { failed = [] }: DeviceFact,
): number {
  const read = requestedAt ?? answeredAt
  if (slot === null) return read
  const isWhole = !(['name', 'site', 'room'] as const).some((field) => failed.includes(field))
  return isWhole ? Math.max(read, at(rows.placedAt, slot)) : at(rows.placedAt, slot)
}

/**
 * Failed fields keep their former value and age (invariant 14): an error is not an empty value, and moves no device.
 */
function withFormerFields(
  { inventory }: Store,
  slot: number | null,
  { failed = [], ...fact }: DeviceFact,
): { fields: DeviceFields; staleFields: Record<string, number> } {
  if (slot === null || failed.length === 0) return { fields: fact, staleFields: {} }
  const row = rowAt(inventory, slot)
  const former = Object.fromEntries(failed.map((field) => [field, row[field]]))
  const stale = failed.filter((field) => field !== 'connected' && row[field] !== null && row[field] !== '')
  return {
    fields: { ...fact, ...former },
    staleFields: Object.fromEntries(stale.map((field) => [field, own(row.staleFields ?? {}, field) ?? row.placedAt])),
  }
}

/** The new state of the row, with an entry for the journal where it is new there. */
function classified(
  store: Store,
  tenant: Tenant,
  key: string,
  slot: number | null,
  { fields, when, provenAt, live, order }: EffectiveReport,
  entries: OrderedEntry[],
): Pick<RowState, 'fields' | 'since'> {
  const taken = journalledState(store, key, order)
  if (taken) return { fields: { ...fields, connected: taken.connected }, since: taken.since }
  const { since, entry } = classifyReport(lastReportOf(store, tenant, key, slot), {
    connected: fields.connected,
    at: when,
    lastDetected: fields.lastDetected,
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
  return { fields, since }
}

interface EffectiveReport {
  fields: DeviceFields
  /** When the report came, its position (`order`), and whether it is an event (`live`). */
  when: number
  /** Up to when it is known to hold (device-updates.ts, `draftReport`). */
  provenAt: number
  live: boolean
  order: number
  /** Its place is that of an event. */
  isPlaced: boolean
}

/**
 * The report that counts for a device of a page: an event that came after the request is newer (invariant 10), and so
 * is the answer to a later request.
 */
function effectiveReport(
  store: Store,
  tenant: Tenant,
  input: PageInput,
  fields: DeviceFields,
  slot: number | null,
): EffectiveReport {
  const { rows } = store.inventory
  const update = updateSince(store.recentUpdates, tenant.service, tenant.id, fields.id, input.requestOrder)
  const isLate = slot !== null && input.requestOrder < at(rows.requestOrder, slot)
  const late = isLate ? { connected: connectedAt(rows, slot), name: textAt(rows.name, slot) } : fields
  return {
    fields: {
      ...fields,
      connected: update?.connected === undefined ? late.connected : update.connected,
      name: update?.name ?? late.name,
      ...update?.place,
    },
    isPlaced: (update?.place ?? null) !== null,
    ...(update && update.connected !== undefined
      ? { when: update.at, provenAt: update.at, live: true, order: update.order }
      : { when: input.at, provenAt: input.requestedAt ?? input.at, live: false, order: input.requestOrder }),
  }
}

/** Ends a full sync (protocol.ts, `finish`). */
export function finish(store: Store, input: Parameters<InventoryData['finish']>[0]): Change {
  const by = input.connection ?? ''
  const tenant = listedTenant(store, input.service, input.tenant, by)
  if (!tenant) return changeOf(store, newTouched())
  const { gone, changed } = departuresOf(store, tenant, (claims) => claimsAfterSync(claims, by, input.generation))
  const partial = input.partial === true
  const left = partial ? { gone: [], changed: [] } : { gone, changed }
  return commit(store, {
    entries: [],
    ...gonePlan(store, left, input.at),
    cache: (to) => {
      writeDepartures(store, tenant, left, to)
      to.finish(tenant, by, input.at)
    },
    memory: (touched) => {
      applyDepartures(store, tenant, left, touched)
      // No other connection claims these rows, so none confirms them.
      if (partial) for (const slot of gone) setUnconfirmed(store.inventory, tenant, slot, touched)
      tenant.lastSyncAt = input.at
      // The ages of the tree and of all rows changed: the window reads again.
      touched.structure = true
    },
  })
}

/** The tenant when this connection lists it, else null: rows of any other connection would never be removed. */
function listedTenant(store: Store, service: string, id: string, by: string): Tenant | null {
  const tenant = tenantIn(store, service, id)
  return tenant && (by === '' || tenant.connections.has(by)) ? tenant : null
}

export function nextGeneration(store: Store, { service, tenant }: { service: string; tenant: string }): number {
  const known = tenantIn(store, service, tenant)
  if (!known) return 1
  const { rows } = store.inventory
  return (
    slotsOf(store.inventory, known).reduce(
      (newest, slot) => Math.max(newest, newestGeneration(rows, slot)),
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
