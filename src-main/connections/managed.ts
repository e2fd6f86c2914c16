import { withoutEndSlashes } from '../../src-shared/connections/address.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { ConnectionInput, ConnectionState, LinkState } from '../../src-shared/model/connection.ts'
import type { Secrets } from '../ports.ts'
import { checkOf, findings } from '../sync/health/health.ts'
import type { LastSeen } from './stored/last-seen.ts'
import { serviceOf, type ConnectionRecord } from './stored/record.ts'
import type { Runner } from './runner.ts'

/** The reference service of the demo: like a connection, but never stored; its secret lives as long as its process. */
export interface DemoService {
  tokenUrl: string
  graphqlUrl: string
  subscriptionUrl: string
  clientId: string
  clientSecret: string
  ca: string
}

/** A connection as it stands: on record, and running unless it is paused, waits for its turn, or cannot. */
export interface ManagedConnection {
  record: ConnectionRecord
  service: string
  /** Its credential set (`setOf`). */
  set: string
  secret: () => Promise<string | null>
  where: ConnectionState['secret']
  /** Null while it is paused or waits for its turn, and when `fault` says that it cannot run at all. */
  runner: Runner | null
  fault: Fault | null
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
  return {
    record,
    service: 'demo',
    set: setOf(record),
    secret: async () => clientSecret,
    where: 'session',
    runner: null,
    fault: null,
  }
}

/** Where its secret is comes out when its turn comes: a keychain may ask a person first, and the list does not wait for that. */
export function managedConnection(secrets: Secrets, record: ConnectionRecord): ManagedConnection {
  const entry: ManagedConnection = {
    record,
    service: serviceOf(record.graphqlUrl),
    set: setOf(record),
    where: placeOf(secrets),
    runner: null,
    fault: null,
    secret,
  }
  // A keychain may lose it, or be locked, behind Muster: the next read finds that.
  async function secret(): Promise<string | null> {
    const known = await secrets.get(record.id).catch((error: unknown) => {
      entry.where = 'missing'
      throw error
    })
    entry.where = known === null ? 'missing' : placeOf(secrets)
    return known
  }
  return entry
}

const placeOf = ({ kind }: Secrets): ManagedConnection['where'] => (kind === 'keychain' ? 'keychain' : 'session')

/** The credential set of a connection, by its name: one balance, however its address is written. */
export function setOf({ tokenUrl, clientId }: Pick<ConnectionRecord, 'tokenUrl' | 'clientId'>): string {
  const url = URL.parse(tokenUrl)
  const address = url === null ? tokenUrl : `${url.origin}${withoutEndSlashes(url.pathname)}${url.search}`
  return `${address} ${clientId.trim()}`
}

/** For each connection that has a former one's credential set and service: that one. None that is paused is in it. */
export function twinsOf(all: Iterable<ManagedConnection>): Map<ManagedConnection, ManagedConnection> {
  const first = new Map<string, ManagedConnection>()
  const twins = new Map<ManagedConnection, ManagedConnection>()
  for (const entry of all) {
    if (entry.record.paused) continue
    const key = `${entry.service} ${entry.set}`
    const former = first.get(key)
    if (former === undefined) first.set(key, entry)
    else twins.set(entry, former)
  }
  return twins
}

type Running = Pick<
  ConnectionState,
  'link' | 'sync' | 'lastEventAt' | 'lastReadingAt' | 'heardAt' | 'faults' | 'checks'
>

/** What the window may know of it. What was heard before a restart or a pause counts on. */
export function stateOf(
  entry: ManagedConnection,
  mark: LastSeen,
  demo: boolean,
  twin?: ManagedConnection,
): ConnectionState {
  const { record, where, fault } = entry
  const running = runningOf(entry)
  const lastReadingAt = running.lastReadingAt ?? mark.lastReadingAt
  const heardAt = running.heardAt ?? mark.heardAt
  const lastEventAt = running.lastEventAt ?? mark.lastEventAt
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

/** It comes last: it hides no other cause. */
const sameSet = (name: string): ConnectionState['faults'][number] => ({
  where: 'the credential set',
  fault: { kind: 'same-set', detail: `It is that of "${name}".` },
  at: 0,
})

/** The demo's service is a process on this computer: nothing but its end leaves its address without an answer. */
function ofDemo(told: ConnectionState['faults'][number]): ConnectionState['faults'][number] {
  return told.fault.kind === 'connect' ? { ...told, fault: { kind: 'demo-ended', detail: '' } } : told
}

function runningOf({ record, fault, runner }: ManagedConnection): Running {
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
    timeTold: false,
    comparingSince: null,
    isAskedToWait: false,
  }
  const checks = record.paused ? [] : findings(facts).map(checkOf)
  return { link, checks, sync: { state: 'idle' }, lastEventAt: null, lastReadingAt: null, heardAt: null, faults: [] }
}

/** Whether its first steps are over, well or not: it listens, or something stands in the way. */
export function hasSettled({ runner }: ManagedConnection): boolean {
  if (runner === null) return false
  const { link, sync, faults } = runner.sync.state()
  return faults.length > 0 || link.state !== 'connecting' || sync.state === 'holding'
}

/** What was typed for it, without its secret. */
export function shownInput({ record }: ManagedConnection): ConnectionInput {
  const { paused: _paused, inKeychain: _inKeychain, ...typed } = record
  return { ...typed, clientSecret: '' }
}
