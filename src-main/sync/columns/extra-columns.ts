import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { extraColumn, type ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Cost } from '../../../src-shared/model/gauge.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Change } from '../../inventory/thread/change.ts'
import type { LoadedColumn } from '../../inventory/engine/columns/extras.ts'
import type { Log, Settings } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'
import type { ConnectionColumns } from './connection-columns.ts'
import type { SharedColumns } from './shared-columns.ts'
import { totalCost, type PartCost } from '../tenants/sync-cost.ts'

/** The extra columns of one connection. */
export interface ColumnSource {
  service: string
  credentials: string
  columns: ConnectionColumns
  cost: (name: string) => Promise<PartCost>
}

export interface ExtraColumnsOptions {
  data: InventoryData
  clock: Clock
  /** Stores which columns are on. */
  settings: Settings
  log: Log
  sources: () => ColumnSource[]
  publish: (change: Change) => void
  onState: () => void
  /** Those of a team; null for a Muster on its own. */
  shared: SharedColumns | null
}

/**
 * The extra columns of all connections (design, section 5): the offered ones, those that are on, and their progress.
 */
export interface ExtraColumns {
  state(): ExtraColumn[]
  /**
   * Returns the cost of reading a column; null where other members of the team would read it. Rejects with a fault of kind
   * `input` when no service offers it, or with its rejection.
   */
  cost(name: string): Promise<Cost | null>
  /**
   * Switches a column on or off. Rejects with `input` when no service offers it, `storage` when it cannot be stored, or in
   * a team with `team-away`; then nothing was changed.
   */
  switch(name: string, on: boolean): Promise<void>
  /** Handles changed columns of the connections. Also called once when the connections are open. */
  changed(): void
  /** Forgets all services but these, with the columns that only they offer. */
  retain(services: ReadonlySet<string>): void
  /** Restores the columns of a restarted data thread, and checks which were read. */
  recovered(): void
  stop(): void
}

const settingsKey = 'columnsOn'
/** Type and services of a column that is on are known from the last run, until the services report them again. */
const storedColumns = z
  .array(z.object({ name: z.string().max(200), type: extraColumn.shape.type, services: z.array(z.string()) }))
  .catch([])
/** Interval of the progress, ms. */
const countMs = 500

interface ExtraColumnsState {
  options: ExtraColumnsOptions
  on: LoadedColumn[]
  coverage: Map<string, { read: number; of: number }>
  /** The columns of the data thread, as text. */
  loaded: string
  cancelCount: (() => void) | null
  stopped: boolean
}

export function openExtraColumns(options: ExtraColumnsOptions): ExtraColumns {
  const extra: ExtraColumnsState = {
    options,
    on: storedColumns.parse(options.settings.get(settingsKey) ?? []),
    coverage: new Map(),
    loaded: '',
    cancelCount: null,
    stopped: false,
  }
  return {
    state: () => stateOf(extra),
    cost: (name) => costOf(extra, name),
    switch: (name, on) => change(extra, name, on),
    changed: () => changed(extra),
    retain: (services) => retainServices(extra, services),
    recovered() {
      extra.loaded = ''
      for (const { columns } of options.sources()) columns.doubt()
      changed(extra)
    },
    stop() {
      extra.stopped = true
      extra.cancelCount?.()
    },
  }
}

/** Returns each column once, with all services that offer it. Where they differ in its type it is text. */
function offeredBy({ options }: ExtraColumnsState): Map<string, LoadedColumn> {
  const all = offeredHere(options.sources())
  for (const column of options.shared?.told() ?? []) addOffered(all, column)
  return all
}

function offeredHere(sources: readonly ColumnSource[]): Map<string, LoadedColumn> {
  const all = new Map<string, LoadedColumn>()
  for (const { service, columns } of sources)
    for (const { name, type } of columns.offered()) addOffered(all, { name, type, services: [service] })
  return all
}

function addOffered(all: Map<string, LoadedColumn>, { name, type, services }: LoadedColumn): void {
  const known = all.get(name)
  all.set(name, {
    name,
    type: known === undefined || known.type === type ? type : 'text',
    services: [...new Set([...(known?.services ?? []), ...services])],
  })
}

/** Returns the offered columns, and those that are on but not offered yet in this run. */
function columnsOf(extra: ExtraColumnsState): Map<string, LoadedColumn> {
  const offered = offeredBy(extra)
  for (const column of extra.on) {
    const now = offered.get(column.name)
    // A service that is unavailable now has not removed its fields.
    offered.set(
      column.name,
      now === undefined ? column : { ...now, services: [...new Set([...column.services, ...now.services])] },
    )
  }
  return offered
}

function stateOf(extra: ExtraColumnsState): ExtraColumn[] {
  const sources = extra.options.sources()
  const told = Map.groupBy(extra.options.shared?.told() ?? [], ({ name }) => name)
  const on = new Set(extra.on.map(({ name }) => name))
  return [...columnsOf(extra).values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type }) => ({
      name,
      type,
      on: on.has(name),
      read: extra.coverage.get(name)?.read ?? 0,
      of: extra.coverage.get(name)?.of ?? 0,
      reading: isReading(sources, name) || told.get(name)?.some(({ reading }) => reading) === true,
      fault: faultOf(sources, name) ?? told.get(name)?.find(({ fault }) => fault !== null)?.fault ?? null,
    }))
}

const isReading = (sources: readonly ColumnSource[], name: string): boolean =>
  sources.some(({ columns }) => columns.syncing().includes(name))

/** Tells the team what this member can read, and how that goes. */
function tellOffered({ options }: ExtraColumnsState): void {
  const sources = options.sources()
  options.shared?.tell(
    [...offeredHere(sources).values()].map((column) => ({
      ...column,
      reading: isReading(sources, column.name),
      fault: faultOf(sources, column.name),
    })),
  )
}

function faultOf(sources: readonly ColumnSource[], name: string): Fault | null {
  return sources.map(({ columns }) => columns.fault(name)).find((fault) => fault !== null) ?? null
}

function changed(extra: ExtraColumnsState): void {
  if (extra.stopped) return
  dropRejected(extra)
  const all = columnsOf(extra)
  const shared = extra.options.shared?.names() ?? null
  if (shared === null) extra.on = extra.on.map((column) => all.get(column.name) ?? column)
  else
    takeOver(
      extra,
      shared.flatMap((name) => all.get(name) ?? []),
    )
  const names = extra.on.map(({ name }) => name)
  for (const { columns } of extra.options.sources()) columns.want(names)
  loadColumns(extra)
  countSoon(extra)
  tellOffered(extra)
  extra.options.onState()
}

/** Has those columns on that the team has on and of which anything is known. */
function takeOver(extra: ExtraColumnsState, on: LoadedColumn[]): void {
  if (JSON.stringify(on) === JSON.stringify(extra.on)) return
  extra.on = on
  tryStore(extra)
}

/** Switches off a field that all its services reject, and reports the reason. */
function dropRejected(extra: ExtraColumnsState): void {
  const sources = extra.options.sources()
  const rejected = extra.on.filter(({ name }) => {
    const offering = sources.filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
    return offering.length > 0 && offering.every(({ columns }) => columns.isRejected(name))
  })
  if (rejected.length === 0) return
  const { shared, log } = extra.options
  if (shared !== null) {
    const told = new Set(shared.told().map(({ name }) => name))
    for (const { name } of rejected)
      if (!told.has(name)) shared.switch(name, false).catch(() => log('warn', 'a rejected column is still on'))
    return
  }
  extra.on = extra.on.filter((column) => !rejected.includes(column))
  tryStore(extra)
}

function retainServices(extra: ExtraColumnsState, services: ReadonlySet<string>): void {
  const left = extra.on.map((column) => ({
    ...column,
    services: column.services.filter((service) => services.has(service)),
  }))
  if (left.every((column, index) => column.services.length === extra.on[index]?.services.length)) return
  extra.on = left.filter((column) => column.services.length > 0)
  tryStore(extra)
}

/** Stores the columns in the background: a failed write affects only the next run. */
function tryStore(extra: ExtraColumnsState): void {
  try {
    store(extra)
  } catch {
    extra.options.log('warn', 'which columns are on could not be stored')
  }
}

function store({ options, on }: Pick<ExtraColumnsState, 'options' | 'on'>): void {
  savingSettings(() => options.settings.set(settingsKey, on))
}

/** Passes the active columns to the data thread, for rows, sort and filter. */
function loadColumns(extra: ExtraColumnsState): void {
  const { data, publish, log } = extra.options
  const loaded = JSON.stringify(extra.on)
  if (loaded === extra.loaded) return
  extra.loaded = loaded
  data.extraColumns({ columns: extra.on }).then(publish, (error: unknown) => {
    extra.loaded = ''
    log('warn', `the columns could not be loaded (${toFault(error).kind})`)
  })
}

function countSoon(extra: ExtraColumnsState): void {
  const { clock, data, onState } = extra.options
  if (extra.cancelCount !== null) return
  extra.cancelCount = clock.after(countMs, () => {
    extra.cancelCount = null
    const columns = [...columnsOf(extra).values()].map(({ name, services }) => ({ name, services }))
    data.coverage({ columns }).then(
      (answer) => {
        const before = JSON.stringify([...extra.coverage])
        extra.coverage = new Map(answer.columns.map(({ name, read, of }) => [name, { read, of }]))
        if (JSON.stringify([...extra.coverage]) !== before && !extra.stopped) onState()
        // A restarted data thread answers the next time.
      },
      () => {},
    )
  })
}

function offeredColumn(extra: ExtraColumnsState, name: string): LoadedColumn {
  const offered = columnsOf(extra).get(name)
  if (offered === undefined) throw new FaultError('input', 'name: No service offers this field.')
  return offered
}

/** Switches a column without an interruption, so that of two concurrent switches neither undoes the other. */
async function change(extra: ExtraColumnsState, name: string, on: boolean): Promise<void> {
  const column = offeredColumn(extra, name)
  if (extra.options.shared !== null) {
    await extra.options.shared.switch(name, on)
    return changed(extra)
  }
  const others = extra.on.filter((each) => each.name !== name)
  const wanted = on ? [...others, column] : others
  store({ options: extra.options, on: wanted })
  extra.on = wanted
  changed(extra)
}

async function costOf(extra: ExtraColumnsState, name: string): Promise<Cost | null> {
  offeredColumn(extra, name)
  const offering = extra.options
    .sources()
    .filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
  if (offering.length === 0 && extra.options.shared !== null) return null
  const parts = await Promise.all(
    offering.map(async ({ credentials, cost }) => ({ credentials, ...(await cost(name)) })),
  )
  return totalCost(parts)
}
