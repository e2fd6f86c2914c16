import { at, connectedAt, sinceAt, textAt, timeAt } from '../engine/columns/columns.ts'
import { newTouched, setTime, applyReport, type RowReport } from '../engine/inventory.ts'
import type { Tenant } from '../engine/tenants.ts'
import type { Change, LiveEvent, ReconciliationInput } from '../thread/protocol.ts'
import { updateSince, remember } from './recent-updates.ts'
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
}

interface Drafts {
  bySlot: Map<number, Draft>
  entries: OrderedEntry[]
}

/** Live events (protocol.ts, `events`). */
export function events(store: Store, input: { service: string; events: LiveEvent[] }): Answer {
  const drafts: Drafts = { bySlot: new Map(), entries: [] }
  const unknownDevices = new Set<string>()
  for (const event of input.events) {
    const slot = slotOfEvent(store, input.service, event)
    if (slot === null) unknownDevices.add(event.id)
    else applyEvent(store, draftOf(store, drafts, slot), event, drafts.entries)
  }
  const change = write(store, drafts)
  for (const event of input.events) remember(store.recentUpdates, input.service, event)
  return { ...change, unknownDevices: [...unknownDevices] }
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
  const change = write(store, drafts)
  if (input.partial !== true) tenant.syncedInSession = true
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
  draft.hasState = true
  draft.requestOrder = Math.max(draft.requestOrder, input.requestOrder)
  draft.seenAt = Math.max(draft.seenAt, input.requestedAt ?? input.at)
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
  }
  drafts.bySlot.set(slot, draft)
  return draft
}

function write(store: Store, { bySlot, entries }: Drafts): Change {
  const drafts = [...bySlot.values()]
  return commit(store, {
    entries,
    keys: drafts.map(({ key }) => key),
    places: drafts.flatMap(({ key, name, namedAt }) => (namedAt === null ? [] : [{ key, name, at: namedAt }])),
    cache:
      drafts.length === 0
        ? null
        : (to) => {
            for (const { slot, key: _key, known: _known, hasState: _hasState, namedAt: _namedAt, ...fields } of drafts)
              to.update(tenantAt(store, slot), { ...storedDevice(store, slot), ...fields })
          },
    memory: (touched) => {
      for (const draft of drafts) {
        setTime(store.inventory, 'lastDetected', draft.slot, draft.lastDetected, touched)
        applyReport(store.inventory, tenantAt(store, draft.slot), draft.slot, draft, touched)
      }
    },
  })
}
