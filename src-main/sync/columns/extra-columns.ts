import { z } from 'zod'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { extraColumn, type ExtraColumn } from '../../../src-shared/model/inventory.ts'
import type { Cost } from '../../../src-shared/model/cost.ts'
import type { Change, InventoryData, HeldColumn } from '../../inventory/thread/protocol.ts'
import type { Log, Settings } from '../../ports.ts'
import { savingSettings } from '../../settings/saving.ts'
import type { ConnectionColumns } from './connection-columns.ts'
import { totalCost, type PartCost } from '../tenants/sync-cost.ts'

/** A connection as far as further columns go. */
export interface ColumnSource {
  service: string
  credentials: string
  columns: ConnectionColumns
  price: (name: string) => Promise<PartCost>
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

/** The further columns of all connections (design, section 5): what is offered, what is on, and how far it was read. */
export interface ExtraColumns {
  state(): ExtraColumn[]
  /** What reading a column would take. Rejects with a fault of kind `input` when nobody offers it, or with why it is refused. */
  price(name: string): Promise<Cost>
  /** Rejects with `input` when nobody offers it, or `storage` when it cannot be kept; then nothing was changed. */
  switch(name: string, on: boolean): Promise<void>
  /** What is offered or read has changed. Called once when the connections are there, too. */
  changed(): void
  /** Services that no connection reads any more are forgotten, and with them what only they offer. `services`: those that are left. */
  keep(services: ReadonlySet<string>): void
  /** The data thread was begun anew and holds nothing: it is told again what is on, and what was read is looked for again. */
  recovered(): void
  stop(): void
}

const settingsKey = 'columnsOn'
/** What is on is known by its type and services from the last run, until the services have said it again. */
const kept = z
  .array(z.object({ name: z.string().max(200), type: extraColumn.shape.type, services: z.array(z.string()) }))
  .catch([])
/** How often the figures of a reading are asked for anew. */
const countMs = 500

interface Book {
  options: ExtraColumnsOptions
  on: HeldColumn[]
  coverage: Map<string, { read: number; of: number }>
  /** What the data thread was told last. */
  held: string
  cancelCount: (() => void) | null
  stopped: boolean
}

export function openExtraColumns(options: ExtraColumnsOptions): ExtraColumns {
  const book: Book = {
    options,
    on: kept.parse(options.settings.get(settingsKey) ?? []),
    coverage: new Map(),
    held: '',
    cancelCount: null,
    stopped: false,
  }
  return {
    state: () => stateOf(book),
    price: (name) => priceOf(book, name),
    switch: (name, on) => change(book, name, on),
    changed: () => changed(book),
    keep: (services) => keepServices(book, services),
    recovered() {
      book.held = ''
      for (const { columns } of options.sources()) columns.doubt()
      changed(book)
    },
    stop() {
      book.stopped = true
      book.cancelCount?.()
    },
  }
}

/** Each column once, with all services that offer it. Where they differ in its type it is text. */
function offeredBy({ options }: Book): Map<string, HeldColumn> {
  const all = new Map<string, HeldColumn>()
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

/** What is offered, and what is on though nobody has offered it yet in this run. */
function columnsOf(book: Book): Map<string, HeldColumn> {
  const offered = offeredBy(book)
  for (const column of book.on) {
    const now = offered.get(column.name)
    // A service that cannot be reached now has not taken its fields back.
    offered.set(
      column.name,
      now === undefined ? column : { ...now, services: [...new Set([...column.services, ...now.services])] },
    )
  }
  return offered
}

function stateOf(book: Book): ExtraColumn[] {
  const sources = book.options.sources()
  const on = new Set(book.on.map(({ name }) => name))
  return [...columnsOf(book).values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type }) => ({
      name,
      type,
      on: on.has(name),
      read: book.coverage.get(name)?.read ?? 0,
      of: book.coverage.get(name)?.of ?? 0,
      reading: sources.some(({ columns }) => columns.reading().includes(name)),
      fault: faultOf(sources, name),
    }))
}

function faultOf(sources: readonly ColumnSource[], name: string): Fault | null {
  return sources.map(({ columns }) => columns.fault(name)).find((fault) => fault !== null) ?? null
}

function changed(book: Book): void {
  if (book.stopped) return
  dropRefused(book)
  const all = columnsOf(book)
  book.on = book.on.map((column) => all.get(column.name) ?? column)
  const names = book.on.map(({ name }) => name)
  for (const { columns } of book.options.sources()) columns.want(names)
  hold(book)
  countSoon(book)
  book.options.onState()
}

/** A field that everybody refuses who offers it is switched off; why, is told with it. */
function dropRefused(book: Book): void {
  const sources = book.options.sources()
  const refused = book.on.filter(({ name }) => {
    const offering = sources.filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
    return offering.length > 0 && offering.every(({ columns }) => columns.refuses(name))
  })
  if (refused.length === 0) return
  book.on = book.on.filter((column) => !refused.includes(column))
  tryKeep(book)
}

function keepServices(book: Book, services: ReadonlySet<string>): void {
  const left = book.on.map((column) => ({
    ...column,
    services: column.services.filter((service) => services.has(service)),
  }))
  if (left.every((column, index) => column.services.length === book.on[index]?.services.length)) return
  book.on = left.filter((column) => column.services.length > 0)
  tryKeep(book)
}

/** For what nobody waits for: it counts in this run all the same. */
function tryKeep(book: Book): void {
  try {
    keep(book)
  } catch {
    book.options.log('warn', 'which columns are on could not be kept')
  }
}

function keep({ options, on }: Pick<Book, 'options' | 'on'>): void {
  savingSettings(() => options.settings.set(settingsKey, on))
}

/** The data thread holds what is on, for rows, sort and filter. */
function hold(book: Book): void {
  const { data, publish, log } = book.options
  const held = JSON.stringify(book.on)
  if (held === book.held) return
  book.held = held
  data.columnsOn({ columns: book.on }).then(publish, (error: unknown) => {
    book.held = ''
    log('warn', `the columns could not be held (${toFault(error).kind})`)
  })
}

function countSoon(book: Book): void {
  const { clock, data, onState } = book.options
  if (book.cancelCount !== null) return
  book.cancelCount = clock.after(countMs, () => {
    book.cancelCount = null
    const columns = [...columnsOf(book).values()].map(({ name, services }) => ({ name, services }))
    data.coverage({ columns }).then(
      (answer) => {
        const before = JSON.stringify([...book.coverage])
        book.coverage = new Map(answer.columns.map(({ name, read, of }) => [name, { read, of }]))
        if (JSON.stringify([...book.coverage]) !== before && !book.stopped) onState()
        // A data thread that has died answers the next time.
      },
      () => {},
    )
  })
}

function offerOf(book: Book, name: string): HeldColumn {
  const offered = columnsOf(book).get(name)
  if (offered === undefined) throw new FaultError('input', 'name: No service offers this field.')
  return offered
}

/** At one stroke: of two switches at the same time neither undoes the other. */
async function change(book: Book, name: string, on: boolean): Promise<void> {
  const column = offerOf(book, name)
  const others = book.on.filter((each) => each.name !== name)
  const wanted = on ? [...others, column] : others
  keep({ options: book.options, on: wanted })
  book.on = wanted
  changed(book)
}

async function priceOf(book: Book, name: string): Promise<Cost> {
  offerOf(book, name)
  const offering = book.options
    .sources()
    .filter(({ columns }) => columns.offered().some((offered) => offered.name === name))
  const parts = await Promise.all(
    offering.map(async ({ credentials, price }) => ({ credentials, ...(await price(name)) })),
  )
  return totalCost(parts)
}
