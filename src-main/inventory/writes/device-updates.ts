import type { CacheWriter } from '../../storage/cache/cache.ts'
import { at, connectedAt, sinceAt, textAt, timeAt } from '../engine/columns/columns.ts'
import type { PlaceReport } from '../../storage/journal/device-places.ts'
import { newTouched, setTime, applyReport, roomOf, type RowReport } from '../engine/inventory.ts'
import { moveRow } from '../engine/move-row.ts'
import type { Tenant } from '../engine/tenants.ts'
import type { Change } from '../thread/change.ts'
import type { DevicePlace, LiveEvent, ReconciliationInput, UnplacedDevice } from '../thread/update-protocol.ts'
import { isSamePlace, namesPlace, placeOf, placeOfEvent } from './event-places.ts'
import { withLaterNames, writeNames } from './place-names.ts'
import { updateSince, remember, rememberRead } from './recent-updates.ts'
import {
  changeOf,
  commit,
  lastReportOf,
  type OrderedEntry,
  slotIn,
  storedDevice,
  type Store,
  journalledState,
  tenantAt,
  tenantIn,
} from '../store.ts'
import { classifyReport, type LastReport, type StatusReport } from './transitions.ts'

type Answer = Change & { unknownDevices: string[] }

/** The new state of a row after the reports of one call. */
interface Draft extends RowReport {
  slot: number
  key: string
  lastDetected: number | null
  known: LastReport | null
  /** When the name came, ms; null: no event had one. */
  namedAt: number | null
  place: DevicePlace
  /** When the place was reported, ms; null: it was not. */
  placeAt: number | null
  /** Order of the report that brought names of the place; null: none did. */
  namesOrder: number | null
}

interface Drafts {
  bySlot: Map<number, Draft>
  entries: OrderedEntry[]
}

/** Live events (protocol.ts, `events`). */
export function events(
  store: Store,
  input: { service: string; events: LiveEvent[] },
): Answer & { unplaced: UnplacedDevice[] } {
  const drafts: Drafts = { bySlot: new Map(), entries: [] }
  const unknownDevices = new Set<string>()
  const unplaced = new Map<number, UnplacedDevice>()
  const placed: (DevicePlace | null)[] = []
  for (const event of input.events) {
    const slot = slotOfEvent(store, input.service, event)
    const draft = slot === null ? null : draftOf(store, drafts, slot)
    if (draft === null) unknownDevices.add(event.id)
    else applyEvent(store, draft, event, drafts.entries)
    placed.push(draft && applyPlace(store, draft, event, unplaced))
  }
  const change = write(store, drafts)
  input.events.forEach((event, index) => remember(store.recentUpdates, input.service, event, placed[index] ?? null))
  return { ...change, unknownDevices: [...unknownDevices], unplaced: [...unplaced.values()] }
}

/** Moves a device to the place that an event names; returns it, or null where it names none that is known. */
function applyPlace(
  store: Store,
  draft: Draft,
  event: LiveEvent,
  unplaced: Map<number, UnplacedDevice>,
): DevicePlace | null {
  if (event.order < draft.requestOrder) return null
  const tenant = tenantAt(store, draft.slot)
  const place = placeOfEvent(store, tenant, event, draft.place)
  if (place === null) return null
  if (place === 'unread') {
    const { site, room } = draft.place
    const known = { site: site?.id ?? null, room: room?.id ?? null }
    const named = { site: event.site ?? null, room: event.room ?? null }
    unplaced.set(draft.slot, { tenant: tenant.id, id: event.id, known, named })
    return null
  }
  unplaced.delete(draft.slot)
  setPlace(draft, event.at, namesPlace(event) ? withLaterNames(store, tenant, event.order, place) : place)
  if (namesPlace(event)) draft.namesOrder = event.order
  // Name and place are as old as the older of them.
  if (event.name !== null) draft.placedAt = Math.max(draft.placedAt, event.at)
  return place
}

function setPlace(draft: Draft, reportedAt: number, place: DevicePlace): void {
  draft.place = place
  draft.placeAt = reportedAt
}

/**
 * The slot of an event's device. Without a tenant in the event, the device with this id, when the service has just one.
 */
function slotOfEvent(store: Store, service: string, event: LiveEvent): number | null {
  if (event.tenant !== null) {
    const tenant = tenantIn(store, service, event.tenant)
    return tenant && slotIn(store, tenant, event.id)
  }
  const found = [...store.inventory.tenants.values()].flatMap((tenant) =>
    tenant.service === service ? (slotIn(store, tenant, event.id) ?? []) : [],
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Applies an event. It does not override an answer whose request was sent after the event arrived. */
function applyEvent(store: Store, draft: Draft, event: LiveEvent, entries: OrderedEntry[]): void {
  if (event.order >= draft.requestOrder && event.name !== null) {
    draft.name = event.name
    draft.namedAt = event.at
  }
  // A row's age is that of its `connected`.
  if (event.connected === undefined) return
  draft.seenAt = Math.max(draft.seenAt, event.at)
  draft.hasState = true
  if (event.order >= draft.requestOrder)
    draftReport(
      store,
      draft,
      event.order,
      { connected: event.connected, at: event.at, provenAt: event.at, lastDetected: draft.lastDetected, live: true },
      entries,
    )
}

/** Applies a reconciliation (protocol.ts, `reconciliation`). */
export function reconciliation(store: Store, input: ReconciliationInput): Answer {
  const tenant = tenantIn(store, input.service, input.tenant)
  if (!tenant) return { ...changeOf(store, newTouched()), unknownDevices: input.devices.map(({ id }) => id) }
  const drafts: Drafts = { bySlot: new Map(), entries: [] }
  const unknownDevices: string[] = []
  for (const fact of input.devices) {
    const slot = slotIn(store, tenant, fact.id)
    if (slot === null) unknownDevices.push(fact.id)
    else applyState(store, tenant, input, fact, draftOf(store, drafts, slot), drafts.entries)
  }
  const change = write(store, drafts, input.partial === true ? null : tenant)
  for (const fact of input.devices) rememberRead(store.recentUpdates, input, fact)
  return { ...change, unknownDevices }
}

function applyState(
  store: Store,
  tenant: Tenant,
  input: ReconciliationInput,
  fact: ReconciliationInput['devices'][number],
  draft: Draft,
  entries: OrderedEntry[],
): void {
  const update = updateSince(store.recentUpdates, tenant.service, tenant.id, fact.id, input.requestOrder)
  const isOutdated = (update !== null && update.connected !== undefined) || input.requestOrder < draft.requestOrder
  const lastDetected = fact.lastDetected ?? draft.lastDetected
  if (!isOutdated) {
    draft.lastDetected = lastDetected
    draftReport(
      store,
      draft,
      input.requestOrder,
      { connected: fact.connected, at: input.at, provenAt: input.requestedAt ?? input.at, lastDetected, live: false },
      entries,
    )
  }
  if (input.requestOrder >= draft.requestOrder) applyNameAndPlace(store, tenant, input, fact, draft)
  draft.hasState = true
  draft.requestOrder = Math.max(draft.requestOrder, input.requestOrder)
  draft.seenAt = Math.max(draft.seenAt, input.requestedAt ?? input.at)
}

/** Applies the name and the place of a device that was read by its id, unless an event after the request had them. */
function applyNameAndPlace(
  store: Store,
  tenant: Tenant,
  { requestOrder, requestedAt, at: answeredAt }: ReconciliationInput,
  { id, name, place }: ReconciliationInput['devices'][number],
  draft: Draft,
): void {
  const reportedAt = requestedAt ?? answeredAt
  const update = updateSince(store.recentUpdates, tenant.service, tenant.id, id, requestOrder)
  if (name !== undefined && (update === null || update.name === null)) {
    draft.name = name
    draft.namedAt = reportedAt
  }
  if (place !== undefined && (update === null || update.place === null)) {
    setPlace(draft, reportedAt, withLaterNames(store, tenant, requestOrder, place))
    draft.namesOrder = requestOrder
  }
  if (name !== undefined && place !== undefined) draft.placedAt = Math.max(draft.placedAt, reportedAt)
}

/**
 * Applies a report to a draft. `provenAt`: up to when it is known to hold; for an answer that is when it was requested,
 * and `at` is when it came.
 */
function draftReport(
  store: Store,
  draft: Draft,
  order: number,
  report: StatusReport & { provenAt: number },
  entries: OrderedEntry[],
): void {
  // The draft began with the journal's state.
  if (journalledState(store, draft.key, order)) return
  const { since, entry } = classifyReport(draft.known, report)
  draft.connected = report.connected
  draft.since = since
  if (!entry) return
  const notBefore = entry.transition?.notBefore ?? null
  draft.known = { connected: entry.connected, since, confirmedUntil: report.provenAt, continuous: true }
  entries.push({
    key: draft.key,
    order,
    state: { connected: entry.connected, at: report.provenAt, notBefore, since },
    transition: entry.transition,
  })
}

function draftOf(store: Store, drafts: Drafts, slot: number): Draft {
  const known = drafts.bySlot.get(slot)
  if (known) return known
  const { rows } = store.inventory
  const key = textAt(rows.key, slot)
  const ahead = store.journalOnly.get(key)?.state
  const draft: Draft = {
    slot,
    key,
    name: textAt(rows.name, slot),
    connected: ahead ? ahead.connected : connectedAt(rows, slot),
    since: ahead ? ahead.since : sinceAt(rows, slot),
    lastDetected: timeAt(rows.times.lastDetected, slot),
    seenAt: at(rows.seenAt, slot),
    requestOrder: at(rows.requestOrder, slot),
    hasState: false,
    known: lastReportOf(store, tenantAt(store, slot), key, slot),
    namedAt: null,
    place: placeOf(roomOf(store.inventory, slot)),
    placedAt: at(rows.placedAt, slot),
    placeAt: null,
    namesOrder: null,
  }
  drafts.bySlot.set(slot, draft)
  return draft
}

/** `synced`: the tenant of which these are a sync; null: they are none. */
function write(store: Store, { bySlot, entries }: Drafts, synced: Tenant | null = null): Change {
  const drafts = [...bySlot.values()]
  const placed = drafts.filter(({ placeAt }) => placeAt !== null)
  const isFirstSync = synced !== null && !synced.syncedInSession
  return commit(store, {
    entries,
    keys: drafts.map(({ key }) => key),
    places: drafts.flatMap(placeReport),
    cache:
      drafts.length === 0 && !isFirstSync
        ? null
        : (to) => {
            writeDrafts(store, drafts, to)
            if (isFirstSync) to.synced(synced)
          },
    memory: (touched) => {
      if (synced) synced.syncedInSession = true
      for (const draft of drafts) {
        setTime(store.inventory, 'lastDetected', draft.slot, draft.lastDetected, touched)
        applyReport(store.inventory, tenantAt(store, draft.slot), draft.slot, draft, touched)
      }
      for (const { slot, place, namesOrder } of placed)
        moveRow(store.inventory, tenantAt(store, slot), slot, place, namesOrder, touched)
    },
  })
}

/** Returns the name and the place of a device for the journal, as far as they were reported. */
function placeReport({ key, name, namedAt, place, placeAt }: Draft): PlaceReport[] {
  if (namedAt === null && placeAt === null) return []
  const reportedAt = Math.max(namedAt ?? -Infinity, placeAt ?? -Infinity)
  return [{ key, at: reportedAt, ...(namedAt !== null && { name }), ...(placeAt !== null && place) }]
}

/** Writes the rows; one that moved as a whole, and the names of its places for all devices in them. */
function writeDrafts(store: Store, drafts: readonly Draft[], to: CacheWriter): void {
  for (const { slot, name, connected, since, lastDetected, seenAt, placedAt, requestOrder, place } of drafts) {
    const before = storedDevice(store, slot)
    const tenant = tenantAt(store, slot)
    const after = { ...before, name, connected, since, lastDetected, seenAt, placedAt, requestOrder, ...place }
    if (isSamePlace(before, place)) to.update(tenant, after)
    else {
      const { site: _site, room: _room, ...staleFields } = before.staleFields ?? {}
      to.device(tenant, { ...after, staleFields })
    }
  }
  const named = drafts.filter(({ namesOrder }) => namesOrder !== null)
  for (const [tenant, own] of Map.groupBy(named, ({ slot }) => tenantAt(store, slot)))
    writeNames(
      store,
      tenant,
      own.map(({ place }) => place),
      to,
    )
}
