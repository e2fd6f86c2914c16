import { toFault } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { createTurns, type Turns } from '../api/event-loop-turns.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Ports } from '../ports.ts'
import { savingSettings } from '../settings/saving.ts'
import type { AccessOptions, PlacesOptions } from '../sync/options.ts'
import type { ConnectionColumnsOptions } from '../sync/columns/connection-columns.ts'
import { detectSleep, type SleepDetection } from '../live/transport/sleep-detection.ts'
import { createDeduplicator, type Deduplicator } from '../sync/events/deduplicator.ts'
import { createEventQueues, type EventQueues } from '../sync/events/events.ts'
import { openExtraColumns, type ColumnSource, type ExtraColumns } from '../sync/columns/extra-columns.ts'
import { createAssignments, type Assignments } from '../sync/assignments/assignments.ts'
import { hasSettled, setOf, type DemoService, type ManagedConnection } from './managed.ts'
import { openOrphanedSecrets, type OrphanedSecrets } from './stored/orphaned-secrets.ts'
import { openLastSeen, type LastSeenStore } from './stored/last-seen.ts'
import { openCostStore, type CostStore } from './stored/cost-store.ts'
import { loadRecords, storeRecords, type ConnectionRecord, type Stored } from './stored/record.ts'
import { startClient, type Client } from './client.ts'
import { startRunner, type Runner } from './runner.ts'
import type { SharedConnections } from './team-connections.ts'
import { createEntries, type Entries } from './entries.ts'
import { createPacers, type Pacers } from './pacers.ts'
import { openAccessStore, type AccessStore } from './stored/access.ts'
import { openPlaceDirectories, type PlaceDirectoryStore } from './stored/places.ts'
import { createSchemaHistory, type SchemaHistory } from './stored/schema-history.ts'
import { openSchemas, type Schemas } from './stored/schemas.ts'
import { createStartQueue, type StartQueue } from './start-queue.ts'
import { createOrders, type Orders } from './orders.ts'

export interface ConnectionsOptions {
  ports: Ports
  data: InventoryData
  demo: DemoService | null
  /** The operator's settings, read each time. */
  preferences: {
    get(): Pick<Settings, 'fullSyncMinutes' | 'reservePercent' | 'backgroundLimitPercent' | 'backgroundPaused'>
    onChange(listener: () => void): () => void
  }
  /** Returns the keys of the devices on the watch list, then of those in the viewport. */
  urgentKeys: () => Iterable<string>
  random: () => number
  /** The team whose connections these are; left out for a Muster on its own. */
  shared?: SharedConnections
  publish: (change: Change) => void
  onState: () => void
  onGauge: () => void
  onColumns: () => void
  /** Called when the computer slept, or its clock was set. */
  onTimeLost: () => void
  /** Called when a service's schema differs from the last one; `detail` describes the difference. */
  onDrift: (connection: Pick<ConnectionRecord, 'id' | 'name'>, detail: string) => void
  /** Called when a connection is added or changed. */
  onRecord: (record: ConnectionRecord) => void
  /** Called with the number of removed connections whose secrets may remain in a keychain that was unavailable. */
  onOrphanedSecrets: (count: number) => void
}

/** The state that all actions on connections share. Each part owns its own state. */
export interface ConnectionContext {
  readonly options: ConnectionsOptions
  /** The stored connections at the start. */
  readonly stored: Stored
  /** The connections by their ids, in the operator's order. */
  readonly entries: Entries
  readonly pacers: Pacers
  readonly costs: CostStore
  readonly lastSeen: LastSeenStore
  readonly starts: StartQueue
  readonly turns: Turns
  readonly assignments: Assignments
  readonly deduplicator: Deduplicator
  readonly queues: EventQueues
  readonly schemas: Schemas
  readonly schemaHistory: SchemaHistory
  readonly access: AccessStore
  readonly placeDirectories: PlaceDirectoryStore
  readonly orphanedSecrets: OrphanedSecrets
  readonly extraColumns: ExtraColumns
  readonly sleepDetection: SleepDetection
  readonly orders: Orders
  readonly stopping: AbortController
  /** Runs changes of connections one after the other: two windows may save the same one at once. */
  readonly serially: <T>(change: () => Promise<T>) => Promise<T>
}

export async function openContext(options: ConnectionsOptions): Promise<ConnectionContext> {
  const {
    ports: { settings, clock, log },
    data,
    publish,
    onColumns,
  } = options
  const entries = createEntries(clock)
  const costs = await openCostStore({ data, clock, log })
  const context: ConnectionContext = {
    options,
    stored: loadRecords(settings),
    entries,
    pacers: createPacers({
      clock,
      random: options.random,
      policy: options.preferences.get,
      costs,
      onGauge: options.onGauge,
    }),
    costs,
    lastSeen: openLastSeen(settings, clock, log),
    starts: createStartQueue(clock),
    turns: createTurns(),
    assignments: createAssignments(),
    deduplicator: createDeduplicator(clock),
    queues: createEventQueues(),
    orders: createOrders(clock, options.shared !== undefined),
    stopping: new AbortController(),
    serially: oneByOne(),
    schemas: openSchemas(settings, clock, log),
    schemaHistory: createSchemaHistory({ data, clock, log }),
    access: openAccessStore(settings, clock, log),
    placeDirectories: openPlaceDirectories(settings, clock, log),
    orphanedSecrets: openOrphanedSecrets(options.ports, options.onOrphanedSecrets),
    sleepDetection: detectSleep(clock, (ms, lastGoodAt) => {
      log('warn', `${Math.round(ms / 1000)} s were lost: the computer slept, or its clock was set`)
      options.onTimeLost()
      for (const { runner, client } of entries.all()) {
        runner?.sync.loseTime(lastGoodAt)
        client?.loseTime()
      }
    }),
    extraColumns: openExtraColumns({
      data,
      clock,
      settings,
      log,
      publish,
      onState: onColumns,
      shared: options.shared?.columns ?? null,
      sources: () => [...entries.all()].flatMap(sourceOf),
    }),
  }
  return context
}

/** Returns a connection as a source of extra columns; none while it does not run. */
function sourceOf({ record, service, runner }: ManagedConnection): ColumnSource[] {
  if (runner === null) return []
  const { columns, columnCost: cost } = runner.sync
  return [{ service, credentials: setOf(record), columns, cost }]
}

/** Returns whether this Muster reads a connection: in a team one member does. */
export const reads = ({ options: { shared } }: ConnectionContext, { set }: Pick<ManagedConnection, 'set'>): boolean =>
  shared?.leads(set) ?? true

/** Returns the pacers of the credential sets that this Muster reads: the member that reads one tells of all its points. */
export const ownPacers = (context: ConnectionContext): ReadonlyMap<string, Pacer> =>
  new Map([...context.pacers.state()].filter(([set]) => reads(context, { set })))

/** Puts an entry in its place and starts it in its turn, unless it is paused. `first`: a person waits for it. */
export function begin(context: ConnectionContext, entry: ManagedConnection, first = false): void {
  const { record } = entry
  context.entries.put(entry)
  context.options.onRecord(record)
  entry.begin()
  if (!record.paused) context.starts.begin(record.id, first, (signal, done) => void start(context, entry, signal, done))
}

/**
 * Starts an entry: its client, and what reads with it, unless another member of the team reads it. An unreadable CA is the
 * entry's fault, not an error of the start.
 */
async function start(
  context: ConnectionContext,
  entry: ManagedConnection,
  signal: AbortSignal,
  done: () => void,
): Promise<void> {
  // Reading the secret sets where it is (`ManagedConnection.where`).
  const secret = await entry.secret().catch(() => null)
  if (signal.aborted) return
  const isRead = reads(context, entry)
  // Whoever has no secret sees what the others read.
  if (!isRead && secret === null) return done()
  try {
    const client = entry.client ?? openClient(context, entry)
    entry.opened(client)
    if (isRead) entry.started(read(context, entry, client, done))
    else done()
  } catch (error) {
    entry.failed(toFault(error))
    done()
  }
  context.options.onState()
}

function openClient(context: ConnectionContext, entry: ManagedConnection): Client {
  const { ports, random } = context.options
  const { record, service, set, secret } = entry
  return startClient({
    record,
    ports,
    pacer: context.pacers.of(record),
    dialect: context.costs.dialect(set, service, record.id, (news) => learned(context, entry, news)),
    turns: context.turns,
    secret,
    random,
  })
}

/** Begins to read a connection. */
function read(context: ConnectionContext, entry: ManagedConnection, client: Client, done: () => void): Runner {
  const { data, preferences, publish, onState, onDrift } = context.options
  const { assignments, deduplicator, queues, orders } = context
  const { record, service, set } = entry
  return startRunner({
    client,
    record,
    service,
    assignments,
    deduplicator,
    queues,
    data,
    order: orders.next,
    publish,
    credentials: set,
    place: () => context.entries.placeOf(record.id),
    refreshMs: () => preferences.get().fullSyncMinutes * 60_000,
    urgentKeys: context.options.urgentKeys,
    isTimeLost: context.sleepDetection.check,
    lastReadingAt: context.lastSeen.of(record.id).lastReadingAt,
    history: context.entries.history(record.id),
    columns: columnsOf(context, record),
    onSchema(fingerprint) {
      const before = context.schemas.of(record.id)
      const drift = context.schemas.compare(record.id, fingerprint)
      if (drift === null) return
      context.schemaHistory.drifted(record.id, before, fingerprint)
      onDrift(record, drift)
    },
    access: accessOf(context, entry),
    places: placesOf(context, entry),
    onState() {
      if (hasSettled(entry)) done()
      remember(context, entry)
      onState()
    },
  })
}

/** Reports fields that a service lacks, as drift and in the state. */
function learned(
  { options: { onDrift, onState }, schemaHistory }: ConnectionContext,
  { record, runner }: ManagedConnection,
  news: readonly string[],
): void {
  if (runner === null) return
  if (news.length > 0) {
    // A schema that is told has its own difference.
    if (runner.sync.service()?.capabilities.described === false) schemaHistory.rejected(record.id, news)
    onDrift(record, `not offered: ${news.join(', ')}`)
  }
  onState()
}

function columnsOf({ lastSeen, extraColumns }: ConnectionContext, { id }: ConnectionRecord): ConnectionColumnsOptions {
  return {
    readAt: () => lastSeen.of(id).columns,
    onRead: (columns) => lastSeen.note(id, { columns }),
    onChange: () => extraColumns.changed(),
  }
}

function accessOf({ access, options }: ConnectionContext, { record, set }: ManagedConnection): AccessOptions {
  return {
    clientId: record.clientId,
    onRead(found, partial) {
      access.note(record.id, set, found, partial)
      options.onState()
    },
  }
}

function placesOf({ placeDirectories, options }: ConnectionContext, { record, set }: ManagedConnection): PlacesOptions {
  return {
    onChange(directory) {
      placeDirectories.note(record.id, set, directory)
      options.onState()
    },
  }
}

/**
 * Handles a keychain that was locked or unlocked: continues the connections that waited for a secret, and removes
 * orphaned secrets.
 */
export async function recheckSecrets(context: ConnectionContext): Promise<void> {
  const {
    entries,
    orphanedSecrets,
    stopping,
    options: { ports, onState },
  } = context
  if (ports.secrets.kind === 'keychain') void orphanedSecrets.wipe((id) => entries.has(id), stopping.signal)
  for (const entry of entries.all()) {
    const before = entry.where
    await entry.secret().catch(() => null)
    if (stopping.signal.aborted) return
    if (before !== 'missing' || entry.where === 'missing') continue
    if (entry.client === null) begin(context, entry)
    else entry.runner?.sync.retry()
  }
  onState()
}

/** Stores when a connection was last synced and heard, so that the ages survive a restart. */
function remember({ lastSeen }: ConnectionContext, { record, runner }: ManagedConnection): void {
  if (runner === null) return
  const { lastReadingAt, lastEventAt, heardAt } = runner.sync.state()
  const before = lastSeen.of(record.id)
  lastSeen.note(record.id, {
    lastReadingAt: lastReadingAt ?? before.lastReadingAt,
    lastEventAt: lastEventAt ?? before.lastEventAt,
    heardAt: heardAt ?? before.heardAt,
  })
}

/** Lets another member of the team read a connection. What this one sends goes on. */
export async function haltReading(context: ConnectionContext, entry: ManagedConnection): Promise<void> {
  remember(context, entry)
  await entry.stopReading()
}

/** Stops a connection, or removes it from the start queue. */
export async function halt(context: ConnectionContext, entry: ManagedConnection): Promise<void> {
  context.starts.cancel(entry.record.id)
  remember(context, entry)
  await entry.stop()
}

/** Returns the records of all connections but one. */
export const recordsWithout = ({ entries }: ConnectionContext, removed: ManagedConnection): ConnectionRecord[] =>
  [...entries.all()].filter((entry) => entry !== removed).map(({ record }) => record)

/** Forgets what the settings keep of connections beside their records. */
export function forgetKept({ lastSeen, schemas, access, placeDirectories }: ConnectionContext, ids: string[]): void {
  for (const kept of [lastSeen, schemas, access, placeDirectories]) kept.forget(ids)
}

/** Stops a connection and forgets the devices that only it sees; when that fails, restarts it. */
export async function haltAndForget(context: ConnectionContext, entry: ManagedConnection): Promise<void> {
  await halt(context, entry)
  try {
    context.options.publish(await context.options.data.forget({ connection: entry.record.id }))
  } catch (error) {
    begin(context, entry)
    throw error
  }
}

/** Writes all records at once. Throws a fault of kind `storage`; then the file is unchanged. */
export function store(context: ConnectionContext, records: Iterable<ConnectionRecord>): void {
  savingSettings(() => storeRecords(context.options.ports.settings, { ...context.stored, records: [...records] }))
}

/**
 * Completes a change of the connections: removes unused pacers and columns that no service offers, and updates the
 * window.
 */
export function settle(context: ConnectionContext): void {
  const used = new Set([...context.entries.all()].map(({ set }) => set))
  context.pacers.keep(used)
  settleColumns(context)
  context.options.onState()
  context.options.onGauge()
}

/** Keeps the extra columns of the existing connections. An unreadable record counts as a connection of any service. */
export function settleColumns({ entries, extraColumns, stored }: ConnectionContext): void {
  if (stored.unreadable.length === 0) extraColumns.retain(new Set([...entries.all()].map(({ service }) => service)))
  extraColumns.changed()
}
