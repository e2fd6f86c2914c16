import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import type { ConnectionInput, LegResult } from '../../src-shared/model/connection.ts'
import type { Policy } from '../pacing/admission.ts'
import { startPacer } from '../pacing/pacer.ts'
import {
  begin,
  forgetKept,
  halt,
  haltAndForget,
  recordsWithout,
  settle,
  store,
  type ConnectionContext,
} from './context.ts'
import { setOf, type ManagedConnection } from './managed.ts'
import { managed, reportReadable } from './shared.ts'
import { tryLegs } from './trial/legs.ts'
import { checkKnownSecret, recordOf, type ConnectionRecord } from './stored/record.ts'
import { forgetBeforeRemoval } from './stored/orphaned-connections.ts'

/** A connection as it should be stored. An empty secret keeps the known one. */
export interface PlannedSave {
  record: ConnectionRecord
  secret: string
}

/** Creates or changes a connection and returns its id. Rejects with a fault; then nothing was changed. */
export async function save(context: ConnectionContext, input: ConnectionInput): Promise<string> {
  rejectInDemo(context)
  const wanted = wantedOf(context, input)
  // Read before anything is stored, so that the form reports an unusable CA.
  if (wanted.record.ca.trim() !== '') await context.options.ports.network.open(wanted.record.ca).close()
  const [rejected] = (await applyAll(context, [wanted], true)).values()
  if (rejected !== undefined) throw rejected
  return wanted.record.id
}

/** Tests the typed connection without storing anything. Rejects for invalid input as `save` does. */
export async function tryOut(context: ConnectionContext, input: ConnectionInput): Promise<LegResult[]> {
  rejectInDemo(context)
  const { record, secret } = wantedOf(context, input)
  const { ports, random, shared: team } = context.options
  const isTrusted = team?.trusts(record) ?? true
  const shared = context.pacers.state().get(setOf(record))
  const pacer = shared ?? startPacer({ clock: ports.clock, random, policy: () => unlimitedPolicy, onChange: () => {} })
  try {
    return await tryLegs({
      record,
      ports,
      pacer,
      turns: context.turns,
      signal: context.stopping.signal,
      // Of a team's connection another member may have changed the addresses.
      secret: async () => (secret !== '' ? secret : isTrusted ? ports.secrets.get(record.id) : null),
    })
  } finally {
    if (shared === undefined) pacer.stop()
  }
}

/** A test is a person's own request and costs little. */
const unlimitedPolicy: Policy = { reservePercent: 0, backgroundLimitPercent: 100, backgroundPaused: false }

/** Throws in the demo, which is never mixed with real connections. */
export function rejectInDemo({ options: { demo } }: ConnectionContext): void {
  if (demo !== null) throw new FaultError('input', 'name: This is the demo. Press Connect your service to leave it.')
}

/**
 * Checks the typed values. An edit keeps what the form does not contain: the id, the pause, and where the secret may
 * be.
 */
export function wantedOf(context: ConnectionContext, input: ConnectionInput): PlannedSave {
  const before = input.id === null ? undefined : context.entries.get(input.id)?.record
  const record = {
    ...recordOf(input, before?.id ?? globalThis.crypto.randomUUID()),
    ...inKeychain(context, before, input.clientSecret),
    paused: before?.paused ?? false,
  }
  checkKnownSecret(before, record, input.clientSecret)
  return { record, secret: input.clientSecret }
}

/**
 * Returns whether a keychain ever took the secret: it may stay there until the connection is removed, even after a
 * later one was typed without a keychain.
 */
function inKeychain(
  { options: { ports } }: ConnectionContext,
  before: ConnectionRecord | undefined,
  typed: string,
): Pick<ConnectionRecord, 'inKeychain'> {
  if (typed !== '' && ports.secrets.kind !== 'session') return { inKeychain: true }
  if (before === undefined) return { inKeychain: false }
  return before.inKeychain === undefined ? {} : { inKeychain: before.inKeychain }
}

/**
 * Stores these connections, with one write of the settings, and restarts them. Resolves with the rejections by id;
 * nothing of those was stored. Rejects when the settings cannot be written; then nothing was changed.
 */
export async function applyAll(
  context: ConnectionContext,
  all: readonly PlannedSave[],
  first: boolean,
): Promise<Map<string, unknown>> {
  const rejected = new Map<string, unknown>()
  const ready: (PlannedSave & { undo: () => Promise<boolean> })[] = []
  const keychain = keychainGuard()
  context.orphanedSecrets.expect(
    all.flatMap(({ record: { id }, secret }) => (secret === '' || context.entries.has(id) ? [] : id)),
  )
  for (const wanted of all) {
    if (context.stopping.signal.aborted) break
    try {
      ready.push({ ...wanted, undo: await keychain(() => storeSecret(context, wanted)) })
    } catch (error) {
      rejected.set(wanted.record.id, error)
    }
  }
  try {
    context.stopping.signal.throwIfAborted()
    await tellTeam(context, ready)
    const records = new Map([...context.entries.all()].map(({ record }) => [record.id, record]))
    for (const { record } of ready) records.set(record.id, record)
    if (ready.length > 0) store(context, records.values())
  } catch (error) {
    for (const { record, undo } of ready) if (!(await undo())) noteOrphan(context, record.id)
    context.orphanedSecrets.settled()
    throw error
  }
  context.orphanedSecrets.settled()
  await restart(context, ready, first)
  return rejected
}

/** Tells the team of connections. Rejects with `team-away` where it cannot be told of the first one. */
async function tellTeam({ options: { shared } }: ConnectionContext, ready: readonly PlannedSave[]): Promise<void> {
  if (shared === undefined) return
  for (const { record, secret } of ready) {
    if (secret !== '') shared.pin(record)
    await shared.save(record)
  }
}

/** After this many consecutive failures the keychain is not asked again: each may take a minute. */
const keychainTries = 3

function keychainGuard(): <T>(run: () => Promise<T>) => Promise<T> {
  let failures = 0
  return async (run) => {
    if (failures >= keychainTries) throw new FaultError('keychain', 'it failed before')
    try {
      const done = await run()
      failures = 0
      return done
    } catch (error) {
      failures = toFault(error).kind === 'keychain' ? failures + 1 : 0
      throw error
    }
  }
}

/** Records the secret of a new connection that could not be stored and whose secret the keychain did not return. */
function noteOrphan({ entries, orphanedSecrets, options: { ports } }: ConnectionContext, id: string): void {
  if (entries.has(id)) return
  try {
    orphanedSecrets.note(id)
  } catch {
    ports.log('error', 'an orphaned secret could not be recorded')
  }
}

/**
 * Puts a secret into the keychain. Returns the undo, which resolves with whether it succeeded: a keychain that fails
 * then keeps the new secret.
 */
async function storeSecret(
  { options: { ports }, entries }: ConnectionContext,
  { record: { id }, secret }: PlannedSave,
): Promise<() => Promise<boolean>> {
  const { secrets, log } = ports
  if (secret === '') return async () => true
  const former = entries.has(id) ? await unlessLocked(secrets.get(id)) : null
  await secrets.set(id, secret)
  return () =>
    (former === null ? secrets.remove(id) : secrets.set(id, former)).then(
      () => true,
      () => {
        log('error', 'a secret could not be rolled back')
        return false
      },
    )
}

/** Returns null for a locked keychain, into which nothing could be restored either. */
async function unlessLocked(former: Promise<string | null>): Promise<string | null> {
  try {
    return await former
  } catch (error) {
    if (toFault(error).kind === 'keychain-locked') return null
    throw error
  }
}

async function restart(context: ConnectionContext, ready: readonly PlannedSave[], first: boolean): Promise<void> {
  const created = ready.map(({ record }) => managed(context, record))
  const moved = created.filter(
    ({ record: { id }, service }) => (context.entries.get(id)?.service ?? service) !== service,
  )
  for (const { record } of ready) {
    const before = context.entries.get(record.id)
    if (before !== undefined) await halt(context, before)
  }
  await forgetFormer(context, moved)
  for (const entry of created) begin(context, entry, first)
  settle(context)
  await reportReadable(context)
}

/**
 * Forgets what is known of a former address: another address is another service. Runs after the new address is stored,
 * because a failure to store it would otherwise lose the history; the next start forgets what could not be forgotten
 * now.
 */
async function forgetFormer(context: ConnectionContext, moved: readonly ManagedConnection[]): Promise<void> {
  const { data, publish, ports } = context.options
  forgetKept(
    context,
    moved.map(({ record }) => record.id),
  )
  for (const {
    record: { id },
    service,
  } of moved) {
    try {
      publish(await data.forget({ connection: id, except: service }))
    } catch (error) {
      ports.log('warn', `the data of a former address could not be removed yet (${toFault(error).kind})`)
    }
  }
}

export async function pause(context: ConnectionContext, id: string, paused: boolean): Promise<void> {
  const entry = context.entries.get(id)
  if (entry === undefined || entry.record.paused === paused) return
  const record = { ...entry.record, paused }
  await context.options.shared?.save(record)
  // The demo's connection has no record: its pause lasts until the next start.
  if (context.options.demo === null)
    store(
      context,
      [...context.entries.all()].map((each) => (each === entry ? record : each.record)),
    )
  await halt(context, entry)
  begin(context, entry.withRecord(record), true)
  settle(context)
}

/**
 * Removes the rows first, then the secret, then the record: after a failure the connection is still listed, and can be
 * removed again.
 */
export async function remove(context: ConnectionContext, id: string): Promise<void> {
  rejectInDemo(context)
  const entry = context.entries.get(id)
  if (entry === undefined) return
  if (context.options.shared === undefined) await forgetBeforeRemoval(context)
  await context.options.shared?.remove(id)
  await haltAndForget(context, entry)
  try {
    await removeSecret(context, entry.record)
    store(context, recordsWithout(context, entry))
    forgetKept(context, [id])
  } catch (error) {
    begin(context, entry)
    throw error
  }
  context.entries.remove(id)
  settle(context)
}

/**
 * Removes the secret. Without a keychain in this run, a secret from an earlier run may remain there; it cannot where no
 * keychain ever took it.
 */
async function removeSecret(
  {
    options: {
      ports: { secrets },
    },
    orphanedSecrets,
  }: ConnectionContext,
  { id, inKeychain }: ConnectionRecord,
): Promise<void> {
  if (secrets.kind === 'session' && inKeychain !== false) orphanedSecrets.note(id)
  try {
    await secrets.remove(id)
  } catch (error) {
    if (toFault(error).kind !== 'keychain-locked') throw error
    if (inKeychain !== false) orphanedSecrets.note(id)
  }
}

/** Retries a connection at once. One that a change holds up is restarted by that change. */
export function retry(context: ConnectionContext, id: string): void {
  const entry = context.entries.get(id)
  if (entry?.runner) return entry.runner.sync.retry()
  void context.serially(async () => {
    const now = context.entries.get(id)
    if (now !== undefined && now.runner === null) begin(context, now, true)
  })
}
