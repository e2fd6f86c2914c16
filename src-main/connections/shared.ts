import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import {
  begin,
  forgetKept,
  halt,
  haltReading,
  reads,
  recordsWithout,
  settle,
  store,
  type ConnectionContext,
} from './context.ts'
import { answerOf } from './elsewhere.ts'
import { managedConnection, type ManagedConnection } from './managed.ts'
import { syncScope } from './refresh.ts'
import type { ConnectionRecord } from './stored/record.ts'
import type { TeamConnections } from './team-connections.ts'

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

/** Drops a connection that another member removed, usually with the secret that this one had of it. */
export async function applyRemoved(context: ConnectionContext, id: string, keepsSecret = false): Promise<void> {
  const entry = context.entries.get(id)
  if (entry === undefined) {
    // A failover may have lost the record, and not the secret; the next start tries again.
    if (!keepsSecret) await context.options.ports.secrets.remove(id).catch(() => {})
    return
  }
  await halt(context, entry)
  // As long as the record is there, the next start finds a secret that a kill has left.
  if (!keepsSecret) await context.options.ports.secrets.remove(id).catch(() => context.orphanedSecrets.note(id))
  store(context, recordsWithout(context, entry))
  forgetKept(context, [id])
  context.entries.remove(id)
  await settleShared(context)
}

/** Replaces all connections by those of a snapshot. */
export async function applyRecords(context: ConnectionContext, records: readonly ConnectionRecord[]): Promise<void> {
  const known = new Set(records.map(({ id }) => id))
  for (const { record } of Array.from(context.entries.all()))
    if (!known.has(record.id)) await applyRemoved(context, record.id, true)
  for (const record of records) await applyRecord(context, record)
}

async function settleShared(context: ConnectionContext): Promise<void> {
  settle(context)
  await reportReadable(context)
}

/** Begins or ends to read the connections of a credential set whose leader has changed. */
export async function leadChanged(context: ConnectionContext, set: string): Promise<void> {
  for (const entry of context.entries.all())
    if (entry.set === set) {
      if (!reads(context, entry)) await haltReading(context, entry)
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
    // Reading a secret finds out where it is, of a paused one too.
    if ((await entry.secret().catch(() => null)) !== null && !entry.record.paused) sets.add(entry.set)
  shared.canRead(sets)
}

/** Returns a connection of another member, or of none, in its place in the list. */
export function seenState(context: ConnectionContext, entry: ManagedConnection, own: ConnectionState): ConnectionState {
  const { shared } = context.options
  if (shared === undefined || entry.record.paused || reads(context, entry)) return own
  const seen = shared.seen(entry.record.id)
  const { lastReadingAt, lastEventAt, heardAt } = own
  if (seen === null) {
    const fault = { kind: 'no-secret' as const, detail: 'No member of the team that has it is here now.' }
    const at = heardAt ?? lastReadingAt ?? context.options.ports.clock.now()
    return { ...own, link: { state: 'off' }, checks: [], faults: [{ where: 'the team', fault, at }] }
  }
  const { state, operator } = seen
  return {
    ...own,
    readBy: operator,
    secret: own.secret === 'missing' ? 'elsewhere' : own.secret,
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

/** Returns what a team does with these connections. */
export function teamOf(context: ConnectionContext): TeamConnections {
  const { entries } = context
  return {
    read: (scope) => syncScope(context, scope),
    leadChanged: (set) => context.serially(() => leadChanged(context, set)),
    put: (record) => context.serially(() => applyRecord(context, record)),
    remove: (id) => context.serially(() => applyRemoved(context, id)),
    replace: (records) => context.serially(() => applyRecords(context, records)),
    records: () => [...entries.all()].map(({ record }) => record),
    setsOf: (of) =>
      [...entries.all()].flatMap(({ record, service, set }) =>
        of.connection === undefined ? (service === of.service ? [set] : []) : record.id === of.connection ? [set] : [],
      ),
    serviceOf: (id) => entries.get(id)?.service ?? null,
    heard: (id, seen) => context.lastSeen.note(id, seen),
    carriedOut: context.orders.seen,
    columnsChanged: () => context.extraColumns.changed(),
    answer: (what, input) => answerOf(context, what, input),
  }
}
