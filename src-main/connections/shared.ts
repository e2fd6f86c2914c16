import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import { begin, halt, settle, store, type ConnectionContext } from './context.ts'
import { managedConnection, type ManagedConnection } from './managed.ts'
import type { ConnectionRecord } from './stored/record.ts'

/** A connection of the team as the member that reads it sees it. */
export interface SeenElsewhere {
  state: ConnectionState
  /** The operator of that member. */
  operator: string
}

/** The team whose connections these are. */
export interface SharedConnections {
  /** Returns whether this member reads the credential set. */
  leads(set: string): boolean
  /** Returns how its leader sees a connection; null while nobody reads it. */
  seen(connection: string): SeenElsewhere | null
  /** Returns the gauges of the credential sets that other members read. */
  gauges(): Gauge[]
  /** Tells all members of a new or changed connection. Rejects with `team-away`; then nothing was changed. */
  save(record: ConnectionRecord): Promise<void>
  remove(id: string): Promise<void>
  /** Notes that a secret was typed for these addresses; `trusts`: whether it may be sent to those of the record. */
  pin(record: ConnectionRecord): void
  trusts(record: ConnectionRecord): boolean
  /** Is told which credential sets this member has a secret of. */
  canRead(sets: ReadonlySet<string>): void
  /** Lets the members that lead sync a scope. */
  refresh(scope: string): void
}

/** Returns a stored connection. Its secret is sent only to the addresses that it was typed for, whoever changes the record. */
export function managed({ options }: ConnectionContext, record: ConnectionRecord): ManagedConnection {
  const { shared, ports } = options
  return managedConnection(ports.secrets, record, () => shared?.trusts(record) ?? true)
}

/** Takes over a connection that another member added or changed. */
export async function applyRecord(context: ConnectionContext, given: ConnectionRecord): Promise<void> {
  const before = context.entries.get(given.id)
  const { inKeychain: _theirs, ...record } = given
  const own = before?.record.inKeychain
  const after: ConnectionRecord = { ...record, ...(own !== undefined && { inKeychain: own }) }
  if (before !== undefined && isDeepStrictEqual(before.record, after)) return
  const records = new Map([...context.entries.all()].map((entry) => [entry.record.id, entry.record]))
  store(context, records.set(after.id, after).values())
  if (before !== undefined) await halt(context, before)
  begin(context, managed(context, after))
  await settleShared(context)
}

/** Drops a connection that another member removed. Its secret stays in the keychain, for the operator to remove or use again. */
export async function applyRemoved(context: ConnectionContext, id: string): Promise<void> {
  const entry = context.entries.get(id)
  if (entry === undefined) return
  await halt(context, entry)
  store(
    context,
    [...context.entries.all()].filter((other) => other !== entry).map(({ record }) => record),
  )
  for (const each of [context.lastSeen, context.schemas, context.access, context.placeDirectories]) each.forget([id])
  context.entries.remove(id)
  await settleShared(context)
}

/** Replaces all connections by those of a snapshot. */
export async function applyRecords(context: ConnectionContext, records: readonly ConnectionRecord[]): Promise<void> {
  const known = new Set(records.map(({ id }) => id))
  for (const { record } of [...context.entries.all()]) if (!known.has(record.id)) await applyRemoved(context, record.id)
  for (const record of records) await applyRecord(context, record)
}

async function settleShared(context: ConnectionContext): Promise<void> {
  settle(context)
  await reportReadable(context)
}

/** Starts or halts the connections of a credential set whose leader has changed. */
export async function leadChanged(context: ConnectionContext, set: string): Promise<void> {
  const leads = context.options.shared?.leads(set) ?? true
  for (const entry of context.entries.all())
    if (entry.set === set) {
      if (!leads) await halt(context, entry)
      else if (entry.runner === null) begin(context, entry)
    }
  context.options.onState()
}

/** Finds out which credential sets this member has a secret of. */
export async function reportReadable(context: ConnectionContext): Promise<void> {
  const { shared } = context.options
  if (shared === undefined) return
  const sets = new Set<string>()
  for (const entry of context.entries.all())
    if (!entry.record.paused && (await entry.secret().catch(() => null)) !== null) sets.add(entry.set)
  shared.canRead(sets)
}

/** Returns a connection of another member, or of none, in its place in the list. */
export function seenState(context: ConnectionContext, entry: ManagedConnection, own: ConnectionState): ConnectionState {
  const { shared } = context.options
  if (shared === undefined || entry.record.paused || shared.leads(entry.set)) return own
  const seen = shared.seen(entry.record.id)
  const { lastReadingAt, lastEventAt, heardAt } = own
  if (seen === null) {
    const fault = { kind: 'no-secret' as const, detail: 'No member of the team that has it is here now.' }
    return { ...own, link: { state: 'off' }, checks: [], faults: [{ where: 'the team', fault, at: 0 }] }
  }
  const { state, operator } = seen
  return {
    ...own,
    readBy: operator,
    link: state.link,
    sync: state.sync,
    checks: state.checks,
    faults: state.faults,
    lastReadingAt: state.lastReadingAt ?? lastReadingAt,
    lastEventAt: state.lastEventAt ?? lastEventAt,
    heardAt: state.heardAt ?? heardAt,
    ...(state.notOffered !== undefined && { notOffered: state.notOffered }),
    ...(state.access !== undefined && { access: state.access }),
    ...(state.places !== undefined && { places: state.places }),
  }
}
