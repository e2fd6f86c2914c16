import type { LoopDelay } from '../../../src-shared/contract/diagnostics.ts'
import { claimsAt, countsByClaimant, connectionsAt } from '../engine/claims.ts'
import { roomOf, slotsOf } from '../engine/inventory.ts'
import { factsOf } from '../engine/places.ts'
import type { Tenant } from '../engine/tenants.ts'
import { spareRule } from '../engine/filter/spares.ts'
import { treePage } from '../engine/tree.ts'
import { countsIn, hiddenIn, indexIn, rowAt, tenantsIn, syncedTenants, pageOf } from '../engine/view.ts'
import { textAt } from '../engine/columns/columns.ts'
import { exportPart, dropAbandoned, newExports } from '../reads/exports.ts'
import { metricsOf, statisticsOf } from './metrics.ts'
import { incidentCalls } from './incident-calls.ts'
import { jobCalls } from './job-calls.ts'
import { changesCalls } from './changes-calls.ts'
import { overviewCalls } from './overview-calls.ts'
import { reportCalls } from './report-calls.ts'
import { schemaCalls } from './schema-calls.ts'
import { keptQueryCalls } from './kept-query-calls.ts'
import { noteCalls } from './note-calls.ts'
import { compareCalls } from './compare-calls.ts'
import { firmwareCalls } from './firmware-calls.ts'
import { loadColumns, coverage, writeExtraValues, unreadColumns, unreadIn } from '../extra-columns.ts'
import { connections, forget, setVisibility, show, tenants } from '../writes/tenants.ts'
import { subscriptionLost, unsubscribed } from '../writes/subscription-lost.ts'
import { departed } from '../writes/departed.ts'
import { finish, nextGeneration, page, pull } from '../writes/pages.ts'
import { placeLists, places } from '../writes/places.ts'
import type { InventoryData } from './protocol.ts'
import { joinedPlaces } from '../reads/device-history.ts'
import { findPlaces } from '../reads/find-places.ts'
import { devicesById } from '../reads/devices-by-id.ts'
import { scopeDevices } from '../reads/scope-devices.ts'
import { actionDevices, actionPlaces } from '../reads/action-devices.ts'
import { adopt } from '../writes/ownership.ts'
import { closeStore, openResultOf, type Store, tenantAt, tenantIn } from '../store.ts'
import { priorities } from '../reads/priorities.ts'
import { totalOf, valuesIn } from '../reads/values.ts'
import { locations } from '../reads/locations.ts'
import { events, reconciliation } from '../writes/device-updates.ts'

/** The data thread's calls as synchronous functions, without those that open its files anew (thread.ts). */
export type Calls = {
  [N in Exclude<keyof InventoryData, 'applyLog' | 'keepAct' | 'dropActs' | 'writeSnapshot' | 'readSnapshot'>]: (
    input: Parameters<InventoryData[N]>[0],
  ) => Awaited<ReturnType<InventoryData[N]>>
}

/** Transitions of a device's detail (inventory.ts), and intervals of its names and places (place-calls.ts). */
const shownTransitions = 100
const shownPlaces = 100

/** The thread's event loop delay, and a monotonic clock in ms. */
interface ThreadStatus {
  delay: () => LoopDelay | null
  now: () => number
}

export function callsOn(
  store: Store,
  { delay, now }: ThreadStatus = { delay: () => null, now: () => performance.now() },
): Calls {
  return {
    open: () => openResultOf(store),
    tenants: (input) => tenants(store, required(input)),
    page: (input) => page(store, required(input)),
    places: (input) => places(store, required(input)),
    placeLists: (input) => placeLists(store, required(input)),
    finish: (input) => finish(store, required(input)),
    departed: (input) => departed(store, required(input)),
    events: (input) => events(store, required(input)),
    reconciliation: (input) => reconciliation(store, required(input)),
    adopt: (input) => adopt(store, required(input)),
    visibility: (input) => setVisibility(store, required(input)),
    show: (input) => show(store, required(input)),
    subscriptionLost: (input) => subscriptionLost(store, required(input)),
    unsubscribed: (input) => unsubscribed(store, required(input)),
    forget: (input) => forget(store, required(input)),
    ...readsOf(store),
    pull: (input) => pull(store, required(input)),
    nextGeneration: (input) => nextGeneration(store, required(input)),
    connections: () => connections(store),
    locations: (input) => locations(store, required(input)),
    metrics: metricsOf(store, delay, now),
    statistics: (input) => statisticsOf(store, required(input).now),
    ...incidentCalls(store),
    ...jobCalls(store),
    ...overviewCalls(store),
    ...changesCalls(store),
    ...reportCalls(store),
    ...schemaCalls(store),
    ...keptQueryCalls(store),
    ...noteCalls(store),
    ...compareCalls(store),
    ...firmwareCalls(store),
    logPosition: () => store.journal.logPosition.read(),
    // Its name was claimed with its signature (signed-input.ts).
    claimName: () => {},
    pendingActs: () => store.journal.pendingActs.first(),
    sharedConnections: () => store.journal.sharedConnections.all(),
    removedConnections: () => store.journal.erasures.removed(),
    shareConnection(input) {
      store.journal.sharedConnections.save(required(input))
      store.journal.erasures.setRemoved(required(input).id, false)
    },
    unshareConnection(input) {
      store.journal.sharedConnections.remove(required(input).id)
      store.journal.erasures.setRemoved(required(input).id, true)
    },
    handovers: () => store.journal.shiftHandovers.list(),
    handover: (input) => store.journal.shiftHandovers.one(required(input).id),
    saveHandover: (input) => store.journal.shiftHandovers.save(required(input)),
    acceptHandover: (input) => store.journal.shiftHandovers.accept(required(input)),
    sharedSettings: () => store.journal.sharedSettings.all(),
    saveSharedSettings: (input) => store.journal.sharedSettings.save(required(input)),
    views: () => store.journal.views.all(),
    priorities: (input) => priorities(store, required(input)),
    costs: () => store.cache.costs().map(({ credentials, shapes }) => ({ credentials, shapes: parsed(shapes) })),
    saveCosts: (input) =>
      store.cache.saveCosts(
        required(input).credentials,
        required(input).shapes === null ? null : JSON.stringify(required(input).shapes),
      ),
    saveView: (input) => store.journal.views.save(required(input)),
    removeView: (input) => store.journal.views.remove(required(input).id),
    close: () => closeStore(store),
  }
}

/** The calls that read the inventory. */
function readsOf(store: Store) {
  const { inventory } = store
  const exports = newExports()
  return {
    rows: (input) => {
      const { query, offset, limit, now } = required(input)
      dropAbandoned(exports, now)
      const { total, slots } = pageOf(inventory, query, now, offset, limit)
      return {
        rev: store.rev,
        total,
        rows: slots.map((slot) => rowAt(inventory, slot)),
        unread: unreadIn(inventory, query, now),
      }
    },
    totals: (input) => ({
      rev: store.rev,
      totals: required(input).queries.map((query) => totalOf(inventory, query, required(input).now)),
    }),
    values: (input) => ({ rev: store.rev, values: valuesIn(inventory, required(input)) }),
    keys: (input) => {
      const { query, offset, limit, now } = required(input)
      const { slots } = pageOf(inventory, query, now, offset, limit)
      return { rev: store.rev, keys: slots.map((slot) => textAt(inventory.rows.key, slot)) }
    },
    hidden: (input) => ({
      rev: store.rev,
      ...hiddenIn(inventory, required(input).query, required(input).now, required(input).keys),
    }),
    exportPart: (input) => exportPart(inventory, exports, required(input)),
    extraColumns: (input) => loadColumns(store, required(input)),
    extraValues: (input) => writeExtraValues(store, required(input)),
    coverage: (input) => coverage(store, required(input)),
    unreadColumns: (input) => unreadColumns(store, required(input)),
    spares: (input) => inventory.filters.spareRule.set(spareRule(required(input))),
    scopeTenants: (input) => ({
      tenants: tenantsIn(inventory, required(input).scope).map(({ service, id }) => ({ service, id })),
    }),
    scopeDevices: (input) => ({ devices: scopeDevices(store, required(input)) }),
    devicesById: (input) => devicesById(store, required(input)),
    actionDevices: (input) => actionDevices(store, required(input)),
    actionPlaces: (input) => actionPlaces(store, required(input)),
    locate: (input) => ({
      rev: store.rev,
      index: indexIn(inventory, required(input).query, required(input).now, required(input).key),
    }),
    counts: (input) => ({
      rev: store.rev,
      counts: countsIn(inventory, required(input).scope),
      tenants: syncedTenants(inventory, required(input).scope),
    }),
    connectionCounts: () => ({
      rev: store.rev,
      connections: [...countsByClaimant(inventory.rows)].map(([id, counts]) => ({ id, counts })),
    }),
    tree: (input) => ({ rev: store.rev, ...treePage(inventory, required(input)) }),
    findPlaces: (input) => findPlaces(inventory, required(input)),
    device: (input) => device(store, required(input).key),
    deviceHistory: (input) => deviceHistory(store, required(input).key),
    ids: (input) =>
      ids(store, tenantIn(store, required(input).service, required(input).tenant), required(input).connection),
  } satisfies Partial<Calls>
}

function device(store: Store, key: string): Awaited<ReturnType<InventoryData['device']>> {
  const { inventory, cache, journal, rev } = store
  const slot = inventory.rows.slotOf.get(key)
  if (slot === undefined) return { rev, device: null }
  const row = rowAt(inventory, slot)
  const tenant = tenantAt(store, slot)
  const extra = Object.entries(cache.extra(tenant, row.id)).flatMap(([name, value]) =>
    value === null ? [] : { name, value },
  )
  const transitions = journal.transitions(key, shownTransitions)
  const connections = connectionsAt(inventory.rows, slot, tenant)
  return { rev, device: { row, extra, transitions, connections, ...factsOf(roomOf(inventory, slot)) } }
}

function deviceHistory({ journal }: Store, key: string): Awaited<ReturnType<InventoryData['deviceHistory']>> {
  const all = joinedPlaces(journal.history.placesOf(key, 0, Infinity))
  return { total: all.length, places: all.slice(-shownPlaces).toReversed() }
}

function ids({ inventory }: Store, tenant: Tenant | null, connection?: string): string[] {
  if (!tenant) return []
  const { rows } = inventory
  const slots = slotsOf(inventory, tenant)
  const own =
    connection === undefined
      ? slots
      : slots.filter((slot) => claimsAt(rows, slot).some((claim) => claim.connection === connection))
  return own.map((slot) => textAt(rows.id, slot))
}

/** Null for invalid JSON: costs are learned again. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Throws when a call that needs an input has none. */
function required<T>(input: T | undefined): T {
  if (input === undefined) throw new Error('a call without its input')
  return input
}
