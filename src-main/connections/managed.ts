import { withoutEndSlashes } from '../../src-shared/connections/address.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { ConnectionInput, ConnectionState, LinkState } from '../../src-shared/model/connection.ts'
import type { Secrets } from '../ports.ts'
import { checkOf, findings } from '../sync/health/health.ts'
import type { LastSeen } from './stored/last-seen.ts'
import { serviceOf, type ConnectionRecord } from './stored/record.ts'
import type { Client } from './client.ts'
import type { Runner } from './runner.ts'

/**
 * The reference service of the demo: used like a connection, but never stored; its secret lasts as long as its process.
 */
export interface DemoService {
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  clientId: string
  clientSecret: string
  ca: string
}

/**
 * `stopped`: it is paused, waits for its turn, or has no secret in a team. `running`: this Muster sends to its service, and
 * reads it unless another member of the team does (`runner` is null). `failed`: it cannot run.
 */
export type RunState =
  | { is: 'stopped' }
  | { is: 'running'; client: Client; runner: Runner | null }
  | { is: 'failed'; fault: Fault }

/**
 * A stored connection. It runs unless it is paused, waits for its turn, or cannot run. It owns its run state and where
 * its secret is.
 */
export interface ManagedConnection {
  readonly record: ConnectionRecord
  readonly service: string
  /** Its credential set (`setOf`). */
  readonly set: string
  /** Where the secret was when it was last read. */
  readonly where: ConnectionState['secret']
  readonly state: RunState
  /** The client and the runner of `state`; null where there is none. */
  readonly client: Client | null
  readonly runner: Runner | null
  /** Reads the secret; null where there is none. Rejects when the keychain does. */
  secret(): Promise<string | null>
  /** Clears an earlier failure before a start. */
  begin(): void
  /** Takes its client, until it is stopped; and what reads with it, until that is stopped. */
  opened(client: Client): void
  started(runner: Runner): void
  failed(fault: Fault): void
  /** Ends the reading alone. Resolves when it has stopped. */
  stopReading(): Promise<void>
  /** Resolves when all its parts have stopped. */
  stop(): Promise<void>
  /** Returns the same connection, with its secret, under another record. It does not run. */
  withRecord(record: ConnectionRecord): ManagedConnection
}

/** Reads a secret and records where it was. */
interface SecretSource {
  where(): ConnectionState['secret']
  read(): Promise<string | null>
}

export function demoConnection(demo: DemoService): ManagedConnection {
  const { clientSecret, ...addresses } = demo
  const record: ConnectionRecord = {
    id: 'demo',
    name: 'Demo fleet',
    subscription: '',
    portal: '',
    paused: false,
    ...addresses,
  }
  return manage(record, 'demo', { where: () => 'session', read: async () => clientSecret })
}

/**
 * Returns a connection whose secret is located when its turn comes: a keychain may ask the user first, and the list
 * does not wait for that. `isTrusted`: whether its secret may be sent to its addresses.
 */
export function managedConnection(
  secrets: Secrets,
  record: ConnectionRecord,
  isTrusted: () => boolean = () => true,
): ManagedConnection {
  return manage(record, serviceOf(record.graphqlUrl), secretSource(secrets, record.id, isTrusted))
}

function manage(record: ConnectionRecord, service: string, source: SecretSource): ManagedConnection {
  let state: RunState = { is: 'stopped' }
  const running = () => (state.is === 'running' ? state : null)
  return {
    record,
    service,
    set: setOf(record),
    get where() {
      return source.where()
    },
    get state() {
      return state
    },
    get client() {
      return running()?.client ?? null
    },
    get runner() {
      return running()?.runner ?? null
    },
    secret: source.read,
    begin() {
      if (state.is === 'failed') state = { is: 'stopped' }
    },
    opened(client) {
      state = { is: 'running', client, runner: null }
    },
    started(runner) {
      if (state.is === 'running') state = { ...state, runner }
    },
    failed(fault) {
      state = { is: 'failed', fault }
    },
    async stopReading() {
      const before = running()
      if (before === null) return
      state = { ...before, runner: null }
      await before.runner?.stop()
    },
    async stop() {
      const before = running()
      if (before === null) return
      state = { is: 'stopped' }
      before.client.end()
      await before.runner?.stop()
      await before.client.close()
    },
    withRecord: (changed) => manage(changed, service, source),
  }
}

/**
 * Returns the source of a secret. A keychain may lose a secret or become locked at any time; the next read finds out.
 */
function secretSource(secrets: Secrets, id: string, isTrusted: () => boolean): SecretSource {
  let where = placeOf(secrets)
  return {
    where: () => where,
    async read() {
      const read = isTrusted() ? secrets.get(id) : Promise.resolve(null)
      const known = await read.catch((error: unknown) => {
        where = 'missing'
        throw error
      })
      where = known === null ? 'missing' : placeOf(secrets)
      return known
    },
  }
}

const placeOf = ({ kind }: Secrets): ManagedConnection['where'] => (kind === 'keychain' ? 'keychain' : 'session')

/**
 * Returns the id of a connection's credential set, independent of the spelling of its address: one set has one balance.
 */
export function setOf({ tokenUrl, clientId }: Pick<ConnectionRecord, 'tokenUrl' | 'clientId'>): string {
  const url = URL.parse(tokenUrl)
  const address = url === null ? tokenUrl : `${url.origin}${withoutEndSlashes(url.pathname)}${url.search}`
  return `${address} ${clientId.trim()}`
}

/**
 * Returns the earlier connection for each one that repeats its credential set and service. Leaves out paused
 * connections.
 */
export function duplicatesOf(all: Iterable<ManagedConnection>): Map<ManagedConnection, ManagedConnection> {
  const first = new Map<string, ManagedConnection>()
  const duplicates = new Map<ManagedConnection, ManagedConnection>()
  for (const entry of all) {
    if (entry.record.paused) continue
    const key = `${entry.service} ${entry.set}`
    const former = first.get(key)
    if (former === undefined) first.set(key, entry)
    else duplicates.set(entry, former)
  }
  return duplicates
}

/** Returns the reason why it cannot run; null where it can. */
const faultOf = ({ state }: ManagedConnection): Fault | null => (state.is === 'failed' ? state.fault : null)

type Running = Pick<
  ConnectionState,
  'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults' | 'checks'
>

/** Returns the connection's state for the window. Times from before a restart or a pause continue. */
export function stateOf(
  entry: ManagedConnection,
  lastSeen: LastSeen,
  demo: boolean,
  twin?: ManagedConnection,
): ConnectionState {
  const { record, where } = entry
  const fault = faultOf(entry)
  const running = runningOf(entry)
  const lastReadingAt = running.lastReadingAt ?? lastSeen.lastReadingAt
  const heardAt = running.heardAt ?? lastSeen.heardAt
  const lastEventAt = running.lastEventAt ?? lastSeen.lastEventAt
  const faults = [
    ...(fault === null ? [] : [{ where: 'the CA certificate', fault, at: 0 }]),
    ...running.faults,
    ...(twin === undefined ? [] : [sameSet(twin.record.name)]),
  ]
  const { ca, subscription, inKeychain: _inKeychain, ...shown } = record
  return {
    ...shown,
    hasCa: ca.trim() !== '',
    hasSubscription: subscription.trim() !== '',
    demo,
    secret: where,
    ...running,
    lastReadingAt,
    lastEventAt,
    heardAt,
    faults: demo ? faults.map(ofDemo) : faults,
  }
}

/** Listed last, so that it hides no other cause. */
const sameSet = (name: string): ConnectionState['faults'][number] => ({
  where: 'the credential set',
  fault: { kind: 'same-set', detail: `It is that of "${name}".` },
  at: 0,
})

/**
 * Returns a fault of the demo's service. It runs on this computer, so it is unreachable only when its process has
 * ended.
 */
function ofDemo(entry: ConnectionState['faults'][number]): ConnectionState['faults'][number] {
  return entry.fault.kind === 'connect' ? { ...entry, fault: { kind: 'demo-ended', detail: '' } } : entry
}

function runningOf(entry: ManagedConnection): Running {
  const { record, runner } = entry
  const fault = faultOf(entry)
  if (runner !== null) return { ...runner.sync.state(), checks: runner.sync.checks() }
  const link: LinkState = !record.paused && fault === null ? { state: 'connecting', attempt: 0 } : { state: 'off' }
  const facts = {
    link,
    fault,
    downSince: null,
    unwritten: null,
    subscriptionLostSince: null,
    readable: false,
    lateSince: null,
    token: null,
    lostAt: null,
    skew: null,
    hasServiceTime: false,
    comparingSince: null,
    isAskedToWait: false,
  }
  const checks = record.paused ? [] : findings(facts).map(checkOf)
  return { link, checks, sync: { state: 'idle' }, lastEventAt: null, lastReadingAt: null, heardAt: null, faults: [] }
}

/** Returns whether its start is over: it is live, or a fault stands in the way. */
export function hasSettled({ runner }: ManagedConnection): boolean {
  if (runner === null) return false
  const { link, sync, faults } = runner.sync.state()
  return faults.length > 0 || link.state !== 'connecting' || sync.state === 'holding'
}

/** Returns the input of a connection, without its secret. */
export function shownInput({ record }: ManagedConnection): ConnectionInput {
  const { paused: _paused, inKeychain: _inKeychain, ...typed } = record
  return { ...typed, clientSecret: '' }
}
