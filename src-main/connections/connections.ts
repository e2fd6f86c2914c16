import { GraphQLError } from 'graphql'
import { wait } from '../../src-shared/lib/clock.ts'
import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import type { Estimate, Gauge } from '../../src-shared/model/gauge.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { ConnectionInput, ConnectionState, LegResult } from '../../src-shared/model/connection.ts'
import type { RefreshCost } from '../../src-shared/model/cost.ts'
import { pause, remove, retry, save, tryOut } from './change.ts'
import {
  begin,
  gaugesOf,
  lookAtSecrets,
  openContext,
  pacerOf,
  settleColumns,
  type ConnectionsOptions,
  type ConnectionContext,
} from './context.ts'
import { demoConnection, managedConnection, shownInput, stateOf, twinsOf } from './managed.ts'
import { estimate } from '../pacing/estimate.ts'
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
   * A secret in a keychain that cannot be reached in this run is wiped by the next one that reaches it (`onSecretsLeft`).
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
  /** The further columns that their services offer. */
  columns: Pick<ExtraColumns, 'state' | 'price' | 'switch'>
  /** How many of the stored connections cannot be read. */
  unreadable: number
  inside: ConnectionsSnapshot
  stop(): Promise<void>
}

export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  const desk = await openContext(options)
  const { entries, stored } = desk
  if (stored.unreadable.length > 0)
    options.ports.log('error', `${stored.unreadable.length} connections in the settings cannot be read`)
  if (options.demo !== null) begin(desk, demoConnection(options.demo))
  else for (const record of stored.records) begin(desk, managedConnection(options.ports.secrets, record))
  desk.prices.keep(new Set([...entries.values()].map(({ set }) => set)))
  // Not awaited: a keychain may ask a person first.
  void desk.leftSecrets.wipe((id) => entries.has(id), desk.stopping.signal)
  await forgetAtStart(desk)
  settleColumns(desk)
  const offSecrets = options.ports.secrets.onChange(() => void lookAtSecrets(desk))
  const offPreferences = options.preferences.onChange(() => {
    for (const { runner } of entries.values()) runner?.estate.reschedule()
    for (const pacer of desk.pacers.values()) pacer.look()
  })
  return {
    states() {
      const twins = twinsOf(entries.values())
      return [...entries.values()].map((entry) =>
        stateOf(entry, desk.marks.of(entry.record.id), options.demo !== null, twins.get(entry)),
      )
    },
    gauges: () => gaugesOf(desk),
    estimate: (connection, document, variables) => estimateOf(desk, connection, document, variables),
    columns: desk.further,
    unreadable: stored.unreadable.length,
    inside: snapshotOf(desk),
    save: (input) => desk.alone(() => save(desk, input)),
    test: (input) => tryOut(desk, input),
    show(id) {
      const entry = entries.get(id)
      return entry === undefined ? null : shownInput(entry)
    },
    pause: (id, paused) => desk.alone(() => pause(desk, id, paused)),
    remove: (id) => desk.alone(() => remove(desk, id)),
    import: ({ text, apply }) => (apply ? desk.alone(() => importCsv(desk, text)) : previewImport(desk, text)),
    export: () => exportCsv(desk),
    retry: (id) => retry(desk, id),
    retryAfter(kind) {
      for (const { runner } of entries.values()) {
        if (runner?.estate.state().faults.some(({ fault }) => fault.kind === kind)) runner.estate.retry()
      }
    },
    power: (word) => desk.lostTime[word](),
    read: (scope) => syncScope(desk, scope),
    readStatus: (scope) => readStatus(desk, scope),
    refreshCost: (scope) => refreshCost(desk, scope),
    async recovered() {
      await syncScope(desk, everything)
      desk.further.recovered()
    },
    async stop() {
      offSecrets()
      offPreferences()
      desk.lostTime.stop()
      await stop(desk)
    },
  }
}

function estimateOf(
  desk: ConnectionContext,
  connection: string,
  document: string,
  variables: Record<string, unknown>,
): Estimate {
  const entry = desk.entries.get(connection)
  if (entry === undefined) throw new FaultError('input', 'connection: There is no such connection.')
  try {
    return estimate(pacerOf(desk, entry.record), document, variables)
  } catch (error) {
    if (error instanceof GraphQLError) throw new FaultError('input', `document: ${error.message}`)
    if (error instanceof RangeError) throw new FaultError('input', 'document: It is nested too deeply.')
    throw error
  }
}

const takeBackWithinMs = 2000

async function stop(desk: ConnectionContext): Promise<void> {
  desk.stopping.abort(new FaultError('stopped'))
  // A change that is under way takes its secrets back first; a keychain that asks a person is not waited for, and what it got is wiped at the next start.
  await Promise.race([desk.alone(async () => {}), wait(desk.options.ports.clock, takeBackWithinMs)])
  desk.starts.stop()
  desk.further.stop()
  await Promise.all([...desk.entries.values()].map(({ runner }) => runner?.stop()))
  desk.marks.stop()
  desk.schemas.stop()
  for (const pacer of desk.pacers.values()) pacer.stop()
  await desk.prices.stop()
}

export type { DemoService } from './managed.ts'
