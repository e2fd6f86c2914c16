import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { extraColumn, type ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Cost } from '../../../src-shared/model/gauge.ts'
import type { Change, InventoryData } from '../../inventory/thread/protocol.ts'
import type { LoadedColumn } from '../../inventory/engine/columns/extras.ts'
import type { Log, Settings } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'
import type { ConnectionColumns } from './connection-columns.ts'
import { totalCost, type PartCost } from '../tenants/sync-cost.ts'

/** A connection as far as extra columns go. */
export interface ColumnSource {
  service: string
  credentials: string
  columns: ConnectionColumns
  cost: (name: string) => Promise<PartCost>
}

export interface ExtraColumnsOptions {
  data: InventoryData
  clock: Clock
  /** Which columns are on is kept here. */
  settings: Settings
  log: Log
  sources: () => ColumnSource[]
  publish: (change: Change) => void
  onState: () => void
}

/** The extra columns of all connections (design, section 5): what is offered, what is on, and how far it was read. */
export interface ExtraColumns {
  state(): ExtraColumn[]
  /** Returns the cost of reading a column. Rejects with a fault of kind `input` when nobody offers it, or with why it is rejected. */
  cost(name: string): Promise<Cost>
  /** Rejects with `input` when nobody offers it, or `storage` when it cannot be kept; then nothing was changed. */
  switch(name: string, on: boolean): Promise<void>
  /** The offered or read columns have changed. Called once when the connections are there, too. */
  changed(): void
  /** Services that no connection reads any more are forgotten, and with them what only they offer. `services`: those that are left. */
  keep(services: ReadonlySet<string>): void
  /** The data thread was begun anew and holds nothing: it is told again what is on, and what was read is looked for again. */
  recovered(): void
  stop(): void
}

const settingsKey = 'columnsOn'
/** A column that is on is known by its type and services from the last run, until the services have said it again. */
const kept = z
  .array(z.object({ name: z.string().max(200), type: extraColumn.shape.type, services: z.array(z.string()) }))
  .catch([])
/** How often the progress of a sync is asked for anew. */
const countMs = 500

interface ExtraColumnsState {
  options: ExtraColumnsOptions
  on: LoadedColumn[]
  coverage: Map<string, { read: number; of: number }>
  /** The columns that the data thread holds, as text. */
  held: string
  cancelCount: (() => void) | null
  stopped: boolean
}

export function openExtraColumns(options: ExtraColumnsOptions): ExtraColumns {
  const extra: ExtraColumnsState = {
    options,
    on: kept.parse(options.settings.get(settingsKey) ?? []),
    coverage: new Map(),
    held: '',
    cancelCount: null,
    stopped: false,
  }
  return {
    state: () => stateOf(extra),
    cost: (name) => priceOf(extra, name),
    switch: (name, on) => change(extra, name, on),
    changed: () => changed(extra),
    keep: (services) => keepServices(extra, services),
    recovered() {
      extra.held = ''
      for (const { columns } of options.sources()) columns.doubt()
      changed(extra)
    },
    stop() {
      extra.stopped = true
      extra.cancelCount?.()
    },
  }
}

/** Each column once, with all services that offer it. Where they differ in its type it is text. */
function offeredBy({ options }: ExtraColumnsState): Map<string, LoadedColumn> {
  const all = new Map<string, LoadedColumn>()
  for (const { service, columns } of options.sources()) {
    for (const { name, type } of columns.offered()) {
      const known = all.get(name)
      if (known === undefined) all.set(name, { name, type, services: [service] })
      else
        all.set(name, {
          name,
          type: known.type === type ? type : 'text',
          services: [...new Set([...known.services, service])],
        })
    }
  }
  return all
}

/** Returns the columns that are offered, and those that are on though nobody has offered them yet in this run. */
function columnsOf(extra: ExtraColumnsState): Map<string, LoadedColumn> {
  const offered = offeredBy(extra)
  for (const column of extra.on) {
    const now = offered.get(column.name)
    // A service that cannot be reached now has not taken its fields back.
    offered.set(
      column.name,
      now === undefined ? column : { ...now, services: [...new Set([...column.services, ...now.services])] },
    )
  }
  return offered
}

function stateOf(extra: ExtraColumnsState): ExtraColumn[] {
  const sources = extra.options.sources()
  const on = new Set(extra.on.map(({ name }) => name))
  return [...columnsOf(extra).values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type }) => ({
      name,
      type,
      on: on.has(name),
      read: extra.coverage.get(name)?.read ?? 0,
      of: extra.coverage.get(name)?.of ?? 0,
      reading: sources.some(({ columns }) => columns.syncing().includes(name)),
      fault: faultOf(sources, name),
    }))
}

function faultOf(sources: readonly ColumnSource[], name: string): Fault | null {
  return sources.map(({ columns }) => columns.fault(name)).find((fault) => fault !== null) ?? null
}

function changed(extra: ExtraColumnsState): void {
  if (extra.stopped) return
  dropRejected(extra)
  const all = columnsOf(extra)
  extra.on = extra.on.map((column) => all.get(column.name) ?? column)
  const names = extra.on.map(({ name }) => name)
  for (const { columns } of extra.options.sources()) columns.want(names)
  hold(extra)
  countSoon(extra)
  extra.options.onState()
}

/** A field that everybody rejects who offers it is switched off; why, is told with it. */
function dropRejected(extra: ExtraColumnsState): void {
  const sources = extra.options.sources()
  const rejected = extra.on.filter(({ name }) => {
    const offering = sources.filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
    return offering.length > 0 && offering.every(({ columns }) => columns.isRejected(name))
  })
  if (rejected.length === 0) return
  extra.on = extra.on.filter((column) => !rejected.includes(column))
  tryKeep(extra)
}

function keepServices(extra: ExtraColumnsState, services: ReadonlySet<string>): void {
  const left = extra.on.map((column) => ({
    ...column,
    services: column.services.filter((service) => services.has(service)),
  }))
  if (left.every((column, index) => column.services.length === extra.on[index]?.services.length)) return
  extra.on = left.filter((column) => column.services.length > 0)
  tryKeep(extra)
}

/** For what nobody waits for: it counts in this run all the same. */
function tryKeep(extra: ExtraColumnsState): void {
  try {
    keep(extra)
  } catch {
    extra.options.log('warn', 'which columns are on could not be kept')
  }
}

function keep({ options, on }: Pick<ExtraColumnsState, 'options' | 'on'>): void {
  savingSettings(() => options.settings.set(settingsKey, on))
}

/** The data thread holds what is on, for rows, sort and filter. */
function hold(extra: ExtraColumnsState): void {
  const { data, publish, log } = extra.options
  const held = JSON.stringify(extra.on)
  if (held === extra.held) return
  extra.held = held
  data.extraColumns({ columns: extra.on }).then(publish, (error: unknown) => {
    extra.held = ''
    log('warn', `the columns could not be held (${toFault(error).kind})`)
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
        // A data thread that has died answers the next time.
      },
      () => {},
    )
  })
}

function offerOf(extra: ExtraColumnsState, name: string): LoadedColumn {
  const offered = columnsOf(extra).get(name)
  if (offered === undefined) throw new FaultError('input', 'name: No service offers this field.')
  return offered
}

/** At one stroke: of two switches at the same time neither undoes the other. */
async function change(extra: ExtraColumnsState, name: string, on: boolean): Promise<void> {
  const column = offerOf(extra, name)
  const others = extra.on.filter((each) => each.name !== name)
  const wanted = on ? [...others, column] : others
  keep({ options: extra.options, on: wanted })
  extra.on = wanted
  changed(extra)
}

async function priceOf(extra: ExtraColumnsState, name: string): Promise<Cost> {
  offerOf(extra, name)
  const offering = extra.options
    .sources()
    .filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
  const parts = await Promise.all(
    offering.map(async ({ credentials, cost }) => ({ credentials, ...(await cost(name)) })),
  )
  return totalCost(parts)
}
