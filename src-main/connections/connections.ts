import { GraphQLError } from 'graphql'
import { wait } from '../../src-shared/lib/clock.ts'
import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import type { Estimate, Gauge, RefreshCost } from '../../src-shared/model/gauge.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { ConnectionInput, ConnectionState, LegResult } from '../../src-shared/model/connection.ts'
import { pause, remove, retry, save, tryOut } from './change.ts'
import {
  begin,
  lookAtSecrets,
  openContext,
  settleColumns,
  type ConnectionsOptions,
  type ConnectionContext,
} from './context.ts'
import { gaugesOf } from './pacers.ts'
import { demoConnection, managedConnection, shownInput, stateOf, twinsOf } from './managed.ts'
import { estimate } from '../pacing/cost/estimate.ts'
import type { ExtraColumns } from '../sync/columns/extra-columns.ts'
import { exportCsv, importCsv, previewImport, type Imported } from './import/import.ts'
import { snapshotOf, type ConnectionsSnapshot } from './snapshot.ts'
import { syncScope, readStatus, refreshCost } from './refresh.ts'
import { forgetAtStart } from './stored/orphaned-connections.ts'

/** All connections: stored without their secrets, each running by itself, so that one broken customer greys no other. */
export interface Connections {
  states(): ConnectionState[]
  gauges(): Gauge[]
  /** What an operation is going to cost the credential set of this connection. Throws a fault of kind `input`. */
  estimate(connection: string, document: string, variables: Record<string, unknown>): Estimate
  /** Makes or changes one. Rejects with a fault of kind `input`, `ca`, `keychain` or `storage`; then nothing was changed. */
  save(input: ConnectionInput): Promise<string>
  /** Tries each leg of what was typed, and stores nothing. Rejects with a fault of kind `input` only, or `stopped`. */
  test(input: ConnectionInput): Promise<LegResult[]>
  /** What was typed for it, its secret left empty; null when there is none of this id. */
  show(id: string): ConnectionInput | null
  /** Neither read nor listened to until it is called off; kept over a restart. Rejects with `storage`; then nothing was changed. */
  pause(id: string, paused: boolean): Promise<void>
  /**
   * Wipes its secret, its rows, its history and its settings. What fails half-way is still listed, and can be removed again.
   * A secret in a keychain that cannot be reached in this run is wiped by the next one that reaches it (`onOrphanedSecrets`).
   */
  remove(id: string): Promise<void>
  /**
   * Connections from a list (CSV, or pasted from a spreadsheet); without `apply` only what would be done. Rejects with a
   * fault of kind `input` when it is no such list, or `storage` when the settings cannot be written; then nothing was changed.
   */
  import(list: { text: string; apply: boolean }): Promise<Imported>
  /** A list that `import` reads, without the secrets. */
  export(): string
  retry(id: string): void
  /** Tries those again at once in whose way such a fault stands: what brought it about is mended. */
  retryAfter(kind: FaultKind): void
  /** The system's own word on sleep and wake. */
  power(word: 'sleeps' | 'wakes'): void
  /** Reads a node's tenants anew, or everything. Resolves when it has begun. */
  read(scope: string): Promise<void>
  /** Reads the status of a node's known devices alone. Resolves when it is read, and rejects with why it cannot be. */
  readStatus(scope: string): Promise<void>
  /** What these two would cost. */
  refreshCost(scope: string): Promise<RefreshCost>
  /** The data thread was begun anew: gives it again what it has to hold, and reads everything. Resolves when that has begun. */
  recovered(): Promise<void>
  /** The extra columns that their services offer. */
  columns: Pick<ExtraColumns, 'state' | 'cost' | 'switch'>
  /** How many of the stored connections cannot be read. */
  unreadable: number
  snapshot: ConnectionsSnapshot
  stop(): Promise<void>
}

export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const context = await openContext(options)
  const { entries, stored } = context
  if (stored.unreadable.length > 0)
    options.ports.log('error', `${stored.unreadable.length} connections in the settings cannot be read`)
  if (options.demo !== null) begin(context, demoConnection(options.demo))
  else for (const record of stored.records) begin(context, managedConnection(options.ports.secrets, record))
  context.costs.keep(new Set([...entries.all()].map(({ set }) => set)))
  // Not awaited: a keychain may ask a person first.
  void context.orphanedSecrets.wipe((id) => entries.has(id), context.stopping.signal)
  await forgetAtStart(context)
  settleColumns(context)
  const offSecrets = options.ports.secrets.onChange(() => void lookAtSecrets(context))
  const offPreferences = options.preferences.onChange(() => {
    for (const { runner } of entries.all()) runner?.sync.reschedule()
    context.pacers.check()
  })
  return {
    states() {
      const twins = twinsOf(entries.all())
      return [...entries.all()].map((entry) =>
        stateOf(entry, context.lastSeen.of(entry.record.id), options.demo !== null, twins.get(entry)),
      )
    },
    gauges: () => gaugesOf(context.pacers, entries.all()),
    estimate: (connection, document, variables) => estimateOf(context, connection, document, variables),
    columns: context.extraColumns,
    unreadable: stored.unreadable.length,
    snapshot: snapshotOf(context),
    save: (input) => context.alone(() => save(context, input)),
    test: (input) => tryOut(context, input),
    show(id) {
      const entry = entries.get(id)
      return entry === undefined ? null : shownInput(entry)
    },
    pause: (id, paused) => context.alone(() => pause(context, id, paused)),
    remove: (id) => context.alone(() => remove(context, id)),
    import: ({ text, apply }) => (apply ? context.alone(() => importCsv(context, text)) : previewImport(context, text)),
    export: () => exportCsv(context),
    retry: (id) => retry(context, id),
    retryAfter(kind) {
      for (const { runner } of entries.all()) {
        if (runner?.sync.state().faults.some(({ fault }) => fault.kind === kind)) runner.sync.retry()
      }
    },
    power: (word) => context.lostTime[word](),
    read: (scope) => syncScope(context, scope),
    readStatus: (scope) => readStatus(context, scope),
    refreshCost: (scope) => refreshCost(context, scope),
    async recovered() {
      await syncScope(context, everything)
      context.extraColumns.recovered()
    },
    async stop() {
      offSecrets()
      offPreferences()
      context.lostTime.stop()
      await stop(context)
    },
  }
}

function estimateOf(
  context: ConnectionContext,
  connection: string,
  document: string,
  variables: Record<string, unknown>,
): Estimate {
  const entry = context.entries.get(connection)
  if (entry === undefined) throw new FaultError('input', 'connection: There is no such connection.')
  try {
    return estimate(context.pacers.of(entry.record), document, variables)
  } catch (error) {
    if (error instanceof GraphQLError) throw new FaultError('input', `document: ${error.message}`)
    if (error instanceof RangeError) throw new FaultError('input', 'document: It is nested too deeply.')
    throw error
  }
}

const takeBackWithinMs = 2000

async function stop(context: ConnectionContext): Promise<void> {
  context.stopping.abort(new FaultError('stopped'))
  // A change that is under way takes its secrets back first; a keychain that asks a person is not waited for, and what it got is wiped at the next start.
  await Promise.race([context.alone(async () => {}), wait(context.options.ports.clock, takeBackWithinMs)])
  context.starts.stop()
  context.extraColumns.stop()
  await Promise.all([...context.entries.all()].map(({ runner }) => runner?.stop()))
  context.lastSeen.stop()
  context.schemas.stop()
  context.pacers.stop()
  await context.costs.stop()
}

export type { DemoService } from './managed.ts'
