import { wait } from '../../src-shared/lib/clock.ts'
import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import type { Gauge, RefreshCost } from '../../src-shared/model/gauge.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { ConnectionInput, ConnectionState, LegResult } from '../../src-shared/model/connection.ts'
import { pause, remove, retry, save, tryOut } from './change.ts'
import {
  begin,
  recheckSecrets,
  openContext,
  ownPacers,
  settleColumns,
  type ConnectionsOptions,
  type ConnectionContext,
} from './context.ts'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { gaugesOf } from './pacers.ts'
import { demoConnection, shownInput, stateOf, duplicatesOf } from './managed.ts'
import { managed, reportReadable, seenState, teamOf } from './shared.ts'
import type { TeamConnections } from './team-connections.ts'
import type { Api } from '../api/client.ts'
import type { Raw } from '../api/raw.ts'
import { offersOf } from './offers.ts'
import type { SchemaHistory } from './stored/schema-history.ts'
import type { Shape } from '../pacing/cost/shape.ts'
import type { PeopleSource } from '../occupancy/occupancy.ts'
import type { Estimating } from '../pacing/cost/estimate.ts'
import type { Client } from './client.ts'
import type { ExtraColumns } from '../sync/columns/extra-columns.ts'
import { exportCsv, importCsv, previewImport, type Imported } from './import/import.ts'
import { senderOf, type Sender } from './senders.ts'
import { redactAll, snapshotOf, type ConnectionsSnapshot } from './snapshot.ts'
import { columnCostOf, hours, readStatus, refreshCostOf } from './elsewhere.ts'
import { syncScope } from './refresh.ts'
import { forgetAtStart } from './stored/orphaned-connections.ts'

/**
 * All connections: stored without their secrets, each running by itself, so that one broken customer affects no other.
 */
export interface Connections {
  states(): ConnectionState[]
  gauges(): Gauge[]
  /** Returns the points that each credential set used in the last hour. In a team it rejects where nobody says them. */
  hours(): Promise<CallOutput<'points.hour'>['sets']>
  /** Returns what estimates the costs of a connection's credential set. Throws a fault of kind `input` for an unknown one. */
  estimating(connection: string): Estimating
  /**
   * Creates or changes a connection. Rejects with a fault of kind `input`, `ca`, `keychain` or `storage`; then nothing
   * was changed.
   */
  save(input: ConnectionInput): Promise<string>
  /**
   * Tests each leg of the typed connection and stores nothing. Rejects only with a fault of kind `input`, or `stopped`.
   */
  test(input: ConnectionInput): Promise<LegResult[]>
  /** Returns a connection's input with an empty secret; null when the id is unknown. */
  show(id: string): ConnectionInput | null
  /** Pauses or resumes a connection, also over a restart. Rejects with `storage`; then nothing was changed. */
  pause(id: string, paused: boolean): Promise<void>
  /**
   * Removes its secret, rows, history and settings. After a failure it is still listed and can be removed again. A
   * secret in a keychain that is unavailable now is removed by the next run that can reach it (`onOrphanedSecrets`).
   */
  remove(id: string): Promise<void>
  /**
   * Imports connections from a list (CSV, or pasted from a spreadsheet); without `apply` returns a preview only.
   * Rejects with a fault of kind `input` when it is not a list, or `storage` when the settings cannot be written; then
   * nothing was changed.
   */
  import(list: { text: string; apply: boolean }): Promise<Imported>
  /** Returns a list that `import` reads, without the secrets. */
  export(): string
  retry(id: string): void
  /** Retries the connections with such a fault at once, because its cause was removed. */
  retryAfter(kind: FaultKind): void
  /** Reports the system's sleep and wake events. */
  power(event: 'sleeps' | 'wakes'): void
  /** Syncs a node's tenants, or all. Resolves when the sync has begun. */
  read(scope: string): Promise<void>
  /**
   * Reads only the status of a node's known devices. Resolves when it is read, and rejects with the reason where it
   * cannot be.
   */
  readStatus(scope: string): Promise<void>
  /** Returns the cost of `read` and of `readStatus`, points. */
  refreshCost(scope: string): Promise<RefreshCost>
  /** Restores the state of a restarted data thread and begins a full sync. Resolves when it has begun. */
  recovered(): Promise<void>
  /** The extra columns that the services offer. */
  columns: Pick<ExtraColumns, 'state' | 'cost' | 'switch'>
  /** Returns the sending of the operator's queries. Throws a fault of kind `input` for one that is unknown or does not run. */
  raw(connection: string): Raw
  /** Returns the connections that run and have read their schema, or were refused it, as people counts see them. */
  peopleSources(): PeopleSource[]
  /** Returns the reading of a connection beside its sync; null where it does not run. */
  reader(connection: string): ConnectionReader | null
  /** What the services offer, by connection: as the call `offers.read`. */
  offers(connection: string): ReturnType<typeof offersOf>
  schemaHistory: Pick<SchemaHistory, 'read' | 'of'>
  /** Removes the tokens and secrets of all running connections from a text that is to be kept. */
  redact(text: string): string
  /**
   * Returns a connection as it sends what the operator writes. Throws a fault of kind `input` for one that is unknown or does not
   * run.
   */
  running(connection: string): Pick<Client, 'raw' | 'subscriptions' | 'tenantIds'>
  /** Returns the running connections, as actions see them. */
  senders(): Sender[]
  /** Number of stored connections that cannot be read. */
  unreadable: number
  snapshot: ConnectionsSnapshot
  /** What a team does with its connections. */
  team: TeamConnections
  stop(): Promise<void>
}

function statesOf(context: ConnectionContext): ConnectionState[] {
  const { entries, options } = context
  const duplicates = duplicatesOf(entries.all())
  return [...entries.all()].map((entry) => {
    const access = context.access.of(entry.record.id, entry.set)
    const places = context.placeDirectories.of(entry.record.id, entry.set)
    return seenState(context, entry, {
      ...stateOf(entry, context.lastSeen.of(entry.record.id), options.demo !== null, duplicates.get(entry)),
      ...(access !== undefined && { access }),
      ...(places !== undefined && { places }),
    })
  })
}

export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const context = await openContext(options)
  const { entries, stored } = context
  if (stored.unreadable.length > 0)
    options.ports.log('error', `${stored.unreadable.length} connections in the settings cannot be read`)
  if (options.demo !== null) begin(context, demoConnection(options.demo))
  else for (const record of stored.records) begin(context, managed(context, record))
  context.costs.keep(new Set([...entries.all()].map(({ set }) => set)))
  // Not awaited: a keychain may ask the user first.
  void context.orphanedSecrets.wipe((id) => entries.has(id), context.stopping.signal)
  // In a team, what belongs to no connection is forgotten by all together, when it is removed.
  if (options.shared === undefined) await forgetAtStart(context)
  void reportReadable(context)
  settleColumns(context)
  const offSecrets = options.ports.secrets.onChange(
    () => void recheckSecrets(context).then(() => reportReadable(context)),
  )
  const offPreferences = options.preferences.onChange(() => {
    for (const { runner } of entries.all()) runner?.sync.reschedule()
    context.pacers.check()
  })
  return {
    states: () => statesOf(context),
    ...pointsOf(context),
    estimating: (connection) => estimatingOf(context, connection),
    columns: { ...context.extraColumns, cost: (name) => columnCostOf(context, name) },
    ...queriesOf(context),
    senders: () => [...entries.all()].flatMap((entry) => senderOf(context, entry)),
    unreadable: stored.unreadable.length,
    snapshot: snapshotOf(context),
    save: (input) => context.serially(() => save(context, input)),
    test: (input) => tryOut(context, input),
    show(id) {
      const entry = entries.get(id)
      return entry === undefined ? null : shownInput(entry)
    },
    pause: (id, paused) => context.serially(() => pause(context, id, paused)),
    remove: (id) => context.serially(() => remove(context, id)),
    import: ({ text, apply }) =>
      apply ? context.serially(() => importCsv(context, text)) : previewImport(context, text),
    export: () => exportCsv(context),
    retry: (id) => retry(context, id),
    retryAfter(kind) {
      for (const { runner } of entries.all()) {
        if (runner?.sync.state().faults.some(({ fault }) => fault.kind === kind)) runner.sync.retry()
      }
    },
    power: (event) => context.sleepDetection[event](),
    async read(scope) {
      options.shared?.refresh(scope)
      await syncScope(context, scope)
    },
    team: teamOf(context),
    readStatus: (scope) => readStatus(context, scope),
    refreshCost: (scope) => refreshCostOf(context, scope),
    async recovered() {
      await syncScope(context, everything)
      context.extraColumns.recovered()
    },
    async stop() {
      offSecrets()
      offPreferences()
      context.sleepDetection.stop()
      await stop(context)
    },
  }
}

/** How a person's reads of a connection are sent, and what its schema says of them. */
export interface ConnectionReader {
  api: Api
  /** Null: the service does not tell its schema, or it was not read yet. */
  queryFields: ReadonlySet<string> | null
  /** Returns the likely points of an operation. */
  expects(shape: Shape, size: number): number
  redact(text: string): string
}

/** What the query screen and a device's detail use of the connections. */
type QuerySource = Pick<
  Connections,
  'running' | 'raw' | 'redact' | 'reader' | 'peopleSources' | 'offers' | 'schemaHistory'
>

const queriesOf = (context: ConnectionContext): QuerySource => ({
  running: (connection) => clientOf(context, connection),
  redact: (text) => redactAll(context, text),
  raw: (connection) => clientOf(context, connection).raw,
  reader: (connection) => readerOf(context, connection),
  peopleSources: () =>
    [...context.entries.all()].flatMap(({ record: { id, name }, client, runner }) => {
      const known = runner?.sync.service()?.capabilities
      if (client === null || runner === null || known === undefined) return []
      const readAt = runner.sync.state().lastReadingAt
      return { id, name, offered: known.peopleCount, readAt, subscriptions: client.subscriptions }
    }),
  offers: (connection) => offersOf(context, connection),
  schemaHistory: context.schemaHistory,
})

function readerOf({ entries }: ConnectionContext, connection: string): ConnectionReader | null {
  const entry = entries.get(connection)
  if (entry === undefined || entry.client === null) return null
  const { client, runner } = entry
  const capabilities = runner?.sync.service()?.capabilities
  return {
    api: client.api,
    queryFields: capabilities?.described === true ? new Set(capabilities.queryFields) : null,
    expects: (shape, size) => client.pacer.costs.quote(shape, size).likely,
    redact: client.redact,
  }
}

function clientOf({ entries }: ConnectionContext, connection: string): Client {
  const entry = entries.get(connection)
  if (entry === undefined) throw new FaultError('input', 'connection: There is no such connection.')
  if (entry.client === null)
    throw new FaultError('input', `connection: It ${entry.record.paused ? 'is paused' : 'is not running'}.`)
  return entry.client
}

const pointsOf = (context: ConnectionContext): Pick<Connections, 'gauges' | 'hours'> => ({
  gauges: () => [...gaugesOf(ownPacers(context), context.entries.all()), ...(context.options.shared?.gauges() ?? [])],
  hours: () => hours(context),
})

function estimatingOf({ entries, pacers }: ConnectionContext, connection: string): Estimating {
  const entry = entries.get(connection)
  if (entry === undefined) throw new FaultError('input', 'connection: There is no such connection.')
  return pacers.of(entry.record)
}

const rollbackTimeoutMs = 2000

async function stop(context: ConnectionContext): Promise<void> {
  context.stopping.abort(new FaultError('stopped'))
  // A change in progress takes its secrets back first. A keychain that asks the user is not awaited; the next start
  // removes what it stored.
  await Promise.race([context.serially(async () => {}), wait(context.options.ports.clock, rollbackTimeoutMs)])
  context.starts.stop()
  context.extraColumns.stop()
  await Promise.all([...context.entries.all()].map((entry) => entry.stop()))
  context.lastSeen.stop()
  context.schemas.stop()
  context.access.stop()
  context.placeDirectories.stop()
  context.pacers.stop()
  await context.costs.stop()
}

export type { DemoService } from './managed.ts'
