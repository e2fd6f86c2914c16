import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import type { Lane } from '../../../src-shared/model/gauge.ts'
import type { TenantPlaces } from '../../../src-shared/model/places.ts'
import type { Capabilities } from '../../api/capabilities.ts'
import type { PlaceSources } from '../../api/places/lists.ts'
import { learnPlaceSources } from '../../api/places/schema.ts'
import type { SyncContext } from '../context.ts'
import { placesKey } from '../faults.ts'
import { directoryOf, type TenantCounts } from './directory.ts'
import { readTenantPlaces, type ReadPlaces } from './tenant-places.ts'

/** Age at which the places of a tenant are read again after a full sync, ms. */
const maxAgeMs = 60 * 60_000
/** Delay after the first failure, ms; it doubles with each further one, up to the age above. */
const firstDelayMs = 5 * 60_000
/** Number of consecutive failures after which the fault is shown. */
const shownAfter = 2

/** Reads the accounts, sites and rooms of the tenants that this connection reads, in the background. */
export interface PlacesReading {
  /** Begins to read what is due, unless a sync runs. */
  check(): void
  /** Requests these tenants for the operator; null: all. They are read at the next `check`. */
  request(tenants: ReadonlySet<string> | null): void
  /** Resolves when nothing is being read. */
  stop(): Promise<void>
}

type Sync = Pick<SyncContext, 'options' | 'signal' | 'reader' | 'member' | 'faults'>

interface State {
  sync: Sync
  /** The capabilities for which `sources` were learned; they are read again once a day. */
  madeFor: Capabilities | null
  /** Null where the service offers none. */
  sources: PlaceSources | null
  /** By tenant: when it is to be read again, monotonic ms. */
  due: Map<string, number>
  /** Tenants that the operator requests. */
  requested: Set<string>
  failures: Map<string, number>
  /** What was read of each tenant. */
  counts: Map<string, TenantCounts>
  /** Tenants whose list became empty at the last reading, which is not believed yet. */
  doubted: Set<string>
  limit: { pageSize: number }
  /** True once what earlier runs have read is known. */
  isLoaded: boolean
  reading: Promise<void> | null
  cancelRetry: () => void
}

export function createPlacesReading(sync: Sync): PlacesReading {
  const state: State = {
    sync,
    madeFor: null,
    sources: null,
    due: new Map(),
    requested: new Set(),
    failures: new Map(),
    counts: new Map(),
    doubted: new Set(),
    limit: { pageSize: Infinity },
    isLoaded: false,
    reading: null,
    cancelRetry: () => {},
  }
  return {
    check: () => check(state),
    request(tenants) {
      for (const { id } of sync.reader.ownTenants()) if (tenants?.has(id) ?? true) state.requested.add(id)
    },
    async stop() {
      state.cancelRetry()
      await state.reading
    },
  }
}

function check(state: State): void {
  const { sync } = state
  const tenants = sync.reader.tenants()
  if (tenants === null || state.reading !== null || sync.signal.aborted) return
  if (sync.reader.state().state !== 'idle') return
  const isFirst = !state.isLoaded
  const tenantIds = isFirst ? [] : dueTenants(state)
  if (!isFirst && tenantIds.length === 0) return
  state.cancelRetry()
  const work = isFirst ? load(state) : read(state, tenants.capabilities, tenantIds)
  state.reading = work.then(() => {
    state.reading = null
    planRetry(state)
    // The operator may have requested more meanwhile.
    if (isFirst || state.requested.size > 0) check(state)
  })
}

/** Loads when each tenant was read before, so that a restart reads nothing anew. */
async function load(state: State): Promise<void> {
  const { data, service, connection, clock, log } = state.sync.options
  try {
    for (const { tenant, readAt, ...counts } of await data.placeLists({ service, connection })) {
      const age = clock.now() - readAt
      // The clock was set back: its age is unknown.
      if (age < 0) continue
      state.due.set(tenant, clock.monotonic() + maxAgeMs - age)
      state.counts.set(tenant, { ...counts, points: null, at: readAt })
    }
  } catch (error) {
    log('info', `the age of the list of places is unknown (${toFault(error).kind})`)
  }
  state.isLoaded = true
}

/** Returns the tenants to read now, those that the operator requests first. */
function dueTenants({ sync, due, requested, failures, counts }: State): string[] {
  const now = sync.options.clock.monotonic()
  const own = sync.reader.ownTenants().map(({ id }) => id)
  const kept = new Set(own)
  for (const known of [due, requested, failures, counts])
    for (const id of known.keys()) if (!kept.has(id)) known.delete(id)
  return own
    .filter((id) => requested.has(id) || ((due.get(id) ?? -Infinity) <= now && !sync.reader.isOutdated(id)))
    .toSorted((one, other) => Number(requested.has(other)) - Number(requested.has(one)))
}

async function read(state: State, capabilities: Capabilities, tenants: readonly string[]): Promise<void> {
  const { options, signal, member } = state.sync
  try {
    const sources = await sourcesFor(state, capabilities)
    if (sources === null) return state.requested.clear()
    for (const tenant of tenants) {
      if (signal.aborted) return
      if (member.reads(tenant)) await readOne(state, sources, tenant)
      state.requested.delete(tenant)
    }
    report(state)
  } catch (error) {
    if (signal.aborted) return
    const { kind } = toFault(error)
    options.log('info', `the accounts, sites and rooms could not be read (${kind})`)
    // What concerns all tenants is shown by the sync that meets it too.
    for (const tenant of tenants) postpone(state, tenant, { kind, detail: '' })
    state.requested.clear()
  }
}

/** Returns what the service offers, by its schema; null where that is nothing, or the schema is unknown. */
async function sourcesFor(state: State, capabilities: Capabilities): Promise<PlaceSources | null> {
  const { options, signal } = state.sync
  if (state.madeFor === capabilities) return state.sources
  state.sources = capabilities.described ? await learnPlaceSources(options.api, { lane: 'background', signal }) : null
  state.madeFor = capabilities
  if (state.sources !== null) return state.sources
  options.log('info', `the service lists no accounts, sites and rooms${capabilities.described ? '' : ': no schema'}`)
  options.places.onChange({ state: capabilities.described ? 'not-offered' : 'no-schema' })
  return null
}

async function readOne(state: State, sources: PlaceSources, tenant: string): Promise<void> {
  const { options, signal, faults, reader } = state.sync
  const { api, pacer, dialect, clock, log } = options
  const lane: Lane = state.requested.has(tenant) ? 'person' : 'background'
  const requestOrder = options.order()
  try {
    const found = await readTenantPlaces({ api, pacer, dialect, lane, signal, limit: state.limit }, sources, tenant)
    const fault = found.fault ?? doubtOf(state, tenant, found)
    const leftOut = await write(state, tenant, found.places, requestOrder, fault !== null)
    if (fault === null || !state.counts.has(tenant)) state.counts.set(tenant, { ...countsOf(found), at: clock.now() })
    if (fault !== null) return failed(state, tenant, fault)
    state.failures.delete(tenant)
    state.due.set(tenant, clock.monotonic() + maxAgeMs)
    faults.note(placesKey(tenant), placesOf(reader.nameOf(tenant)), leftOut > 0 ? tooMany(leftOut) : null)
  } catch (error) {
    const fault = toFault(error)
    if (signal.aborted || traitsOf(fault.kind).ofAll) throw error
    log('info', `the accounts, sites and rooms of a tenant could not be read (${fault.kind})`)
    failed(state, tenant, fault)
  }
}

/** Returns how many places were left out, because they are more than Muster keeps. */
async function write(
  { sync: { options } }: State,
  tenant: string,
  places: TenantPlaces,
  requestOrder: number,
  partial: boolean,
): Promise<number> {
  const { data, service, connection, clock, publish, queues } = options
  await queues.writtenBefore(requestOrder)
  const change = await data.places({ service, connection, tenant, places, requestOrder, at: clock.now(), partial })
  publish(change)
  return change.leftOut
}

const placesOf = (tenant: string): string => `places of ${tenant}`

const tooMany = (leftOut: number): Fault => ({
  kind: 'partial',
  detail: `${leftOut} accounts, sites and rooms more than Muster keeps`,
})

/** Returns a fault where a list is empty that was not: it is believed when the next reading says so too. */
function doubtOf({ counts, doubted }: State, tenant: string, found: ReadPlaces): Fault | null {
  const before = counts.get(tenant)
  const now = countsOf(found)
  const isEmptied =
    before !== undefined &&
    (['accounts', 'sites', 'rooms'] as const).some((kind) => (before[kind] ?? 0) > 0 && now[kind] === 0)
  const isRepeated = doubted.delete(tenant)
  if (!isEmptied || isRepeated) return null
  doubted.add(tenant)
  return { kind: 'emptied', detail: 'the accounts, sites and rooms' }
}

const countsOf = ({ places, points }: ReadPlaces): Omit<TenantCounts, 'at'> => ({
  accounts: places.accounts?.length ?? null,
  sites: places.sites.length,
  rooms: places.rooms.length,
  points,
})

/** Postpones the tenant, and shows the fault where it lasts. What the role forbids is no fault. */
function failed(state: State, tenant: string, fault: Fault): void {
  const { faults, reader } = state.sync
  const failures = postpone(state, tenant, fault)
  const isShown = failures >= shownAfter && fault.kind !== 'forbidden'
  faults.note(placesKey(tenant), placesOf(reader.nameOf(tenant)), isShown ? fault : null)
}

/** Returns the number of consecutive failures. */
function postpone({ sync, failures, due }: State, tenant: string, { kind }: Fault): number {
  const count = (failures.get(tenant) ?? 0) + 1
  failures.set(tenant, count)
  const isLasting = traitsOf(kind).lasts !== null && kind !== 'partial'
  const delay = isLasting ? maxAgeMs : Math.min(maxAgeMs, firstDelayMs * 2 ** Math.min(count - 1, 20))
  due.set(tenant, sync.options.clock.monotonic() + delay)
  return count
}

/** Plans to read what failed before the next full sync. */
function planRetry(state: State): void {
  const { clock } = state.sync.options
  const times = [...state.failures.keys()].flatMap((tenant) => state.due.get(tenant) ?? [])
  state.cancelRetry()
  if (times.length === 0 || state.sync.signal.aborted) return
  const earliest = times.reduce((one, other) => Math.min(one, other))
  state.cancelRetry = clock.after(Math.max(0, earliest - clock.monotonic()), () => check(state))
}

/** Reports what is known, once each tenant was read in this run. */
function report({ sync: { options, reader }, counts }: State): void {
  const own = reader.ownTenants().map(({ id }) => id)
  const directory = directoryOf(own.map((id) => counts.get(id) ?? null))
  if (directory !== null) options.places.onChange(directory)
}
