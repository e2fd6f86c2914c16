import { isolated } from '../../../src-shared/text/direction.ts'
import type { ConnectionState, LinkState, SyncState } from '../../../src-shared/model/connection.ts'
import { assertNever, explain } from '../../../src-shared/model/fault.ts'
import type { Gauge } from '../../../src-shared/model/gauge.ts'
import { numberText } from './numbers.ts'
import { isSyncPaused } from './pacing.ts'
import { countdown } from './time.ts'
import { largest, smallest } from '../../../src-shared/lib/extremes.ts'

/** Returns the state of a live socket as text. */
export function statusText(link: LinkState, now: number): string {
  switch (link.state) {
    case 'off':
      return 'Off'
    case 'connecting':
      return 'Connecting…'
    case 'live':
      return link.partly === undefined
        ? 'Live'
        : `Live for ${numberText(link.partly.live)} of ${numberText(link.partly.of)} devices`
    case 'waiting':
      return `Waiting, next try ${link.retryAt <= now ? 'now' : `in ${countdown(link.retryAt, now)}`}`
    case 'polling':
      return pollingText(link, now)
    default:
      return assertNever(link)
  }
}

/**
 * Returns for example "Polling: the live stream fails (the service answered with an error), status is up to 2 min old".
 */
function pollingText({ failing, readAt }: Extract<LinkState, { state: 'polling' }>, now: number): string {
  const why = failing && explain(failing).title.replace(/\.$/u, '').replace(/^The /u, 'the ')
  const age =
    readAt === undefined ? '' : `status is up to ${numberText(Math.max(1, Math.ceil((now - readAt) / 60_000)))} min old`
  const parts = [why === undefined ? '' : `the live stream fails (${why})`, age].filter((part) => part !== '')
  return parts.length === 0 ? 'Polling' : `Polling: ${parts.join(', ')}`
}

type Linked = Pick<ConnectionState, 'link' | 'paused' | 'secret'>

/** Returns the state of a connection as text. A paused connection, or one without its secret, has no countdown. */
export function connectionText({ link, paused, secret }: Linked, now: number): string {
  if (paused) return 'Paused'
  return secret === 'missing' ? 'Waiting for the secret' : statusText(link, now)
}

/**
 * Returns texts about connections whose service accepts only some devices as live: how the others are updated, and
 * their cost in points. Names the connections when there are several.
 */
export function reconciledText(
  connections: readonly Pick<ConnectionState, 'id' | 'name' | 'link'>[],
): { id: string; words: string }[] {
  return connections.flatMap(({ id, name, link }) => {
    if (link.state !== 'live' || link.partly === undefined) return []
    const { live, of } = link.partly
    const whose = connections.length === 1 ? 'Live' : `${isolated(name)}: live`
    return [
      {
        id,
        words: `${whose} for ${numberText(live)} of ${numberText(of)} devices. The other ${numberText(of - live)} are polled, for at most a quarter of the points.`,
      },
    ]
  })
}

/** Returns whether the connection cannot see the present state of its devices. */
export function isMonitoringLost({ link, paused }: Pick<ConnectionState, 'link' | 'paused'>): boolean {
  return paused || (link.state !== 'live' && link.state !== 'polling')
}

/**
 * Returns the state of all links: the text of the only one, or for example "38 of 40 live". Paused connections are
 * counted separately.
 */
export function connectionsText(connections: readonly ConnectionState[], now: number): string {
  const [only, second] = connections
  if (only === undefined) return 'No connection'
  if (second === undefined) return connectionText(only, now)
  const wanted = connections.filter(({ paused }) => !paused)
  const paused = connections.length - wanted.length
  if (wanted.length === 0) return `All ${numberText(paused)} paused`
  const live = wanted.filter(({ link }) => link.state === 'live').length
  return `${numberText(live)} of ${numberText(wanted.length)} live${paused === 0 ? '' : `, ${numberText(paused)} paused`}`
}

/**
 * Returns `good` when all connections are live, `partly` when some are, and `none` when Muster sees no changes. Paused
 * connections count only when all are paused.
 */
export function connectionsTone(connections: readonly Linked[]): 'good' | 'partly' | 'none' {
  const wanted = connections.filter(({ paused }) => !paused)
  const seeing = wanted.filter((connection) => !isMonitoringLost(connection)).length
  if (seeing === 0) return 'none'
  const isWhole = wanted.every(
    ({ link }) =>
      !(link.state === 'live' && link.partly !== undefined) &&
      !(link.state === 'polling' && link.failing !== undefined),
  )
  return seeing === wanted.length && isWhole ? 'good' : 'partly'
}

const syncLabels: Record<Reading['what'], string> = { inventory: 'Syncing', changes: 'Reconciling' }
const unavailable = 'The service is unavailable, it asks to wait'
const waitLabels: Record<Reading['what'], string> = {
  inventory: 'Waiting for points',
  changes: 'Reconciliation waits for points',
}

/**
 * Returns the progress of one sync; '' when it is idle. `pausedByOperator`: it waits for background work to resume
 * (`isPausedByOperator`).
 */
export function syncText(sync: SyncState, now: number, pausedByOperator = false): string {
  if (pausedByOperator && sync.state !== 'idle') return `Sync paused: ${progressText(sync)}`
  switch (sync.state) {
    case 'idle':
      return ''
    case 'syncing':
      return `${syncLabels[sync.what]} ${progressText(sync)}${sync.expected === null ? ' so far' : ''}`
    case 'holding':
      return holdText(sync, now)
    default:
      return assertNever(sync)
  }
}

/** Returns for example "1,200 of 5,000", or only the first number while the total is unknown. */
function progressText({ read, expected }: Pick<Reading, 'read' | 'expected'>): string {
  return expected === null ? numberText(read) : `${numberText(read)} of ${numberText(expected)}`
}

/**
 * Returns whether a sync is on hold because the operator paused background work. The gauge changes before the sync
 * does.
 */
export function isPausedByOperator(
  { id, sync }: Pick<ConnectionState, 'id' | 'sync'>,
  gauges: readonly Gauge[],
): boolean {
  return (
    sync.state !== 'idle' &&
    sync.what === 'inventory' &&
    gauges.some((gauge) => gauge.connections.includes(id) && isSyncPaused(gauge))
  )
}

function holdText(sync: Extract<SyncState, { state: 'holding' }>, now: number): string {
  const until = sync.until <= now ? '' : `, ${countdown(sync.until, now)}`
  const part =
    sync.what === 'changes' || sync.expected === null || sync.read >= sync.expected
      ? ''
      : `: ${numberText(sync.read)} of ${numberText(sync.expected)} read`
  return `${sync.why === 'service' ? unavailable : waitLabels[sync.what]}${until}${part}`
}

/**
 * Returns the progress of all syncs together. It says that they wait for the operator only when all of them do, and
 * that they are on hold only when none runs.
 */
export function syncsText(connections: readonly ConnectionState[], now: number, gauges: readonly Gauge[]): string {
  const reading = connections.map(({ sync }) => sync).filter((sync) => sync.state === 'syncing')
  const [first] = reading
  const paused = connections.every(
    (connection) => connection.sync.state !== 'syncing' || isPausedByOperator(connection, gauges),
  )
  if (first !== undefined) return syncText(reading.reduce(added), now, paused)
  const holding = connections.flatMap(({ id, sync }) =>
    sync.state === 'holding' ? [{ sync, paused: isPausedByOperator({ id, sync }, gauges) }] : [],
  )
  // A sync that resumes by itself comes first.
  const [waitLabels] = holding.toSorted(
    (one, other) => Number(one.paused) - Number(other.paused) || one.sync.until - other.sync.until,
  )
  return waitLabels === undefined ? '' : syncText(waitLabels.sync, now, waitLabels.paused)
}

type Reading = Extract<SyncState, { state: 'syncing' }>

function added(one: Reading, other: Reading): Reading {
  const expected = one.expected === null || other.expected === null ? null : one.expected + other.expected
  return {
    state: 'syncing',
    what: one.what === 'inventory' ? 'inventory' : other.what,
    read: one.read + other.read,
    expected,
    tenantsDone: one.tenantsDone + other.tenantsDone,
    tenants: one.tenants + other.tenants,
  }
}

/** Returns the time of the newest stream event of all connections; null when none came. */
export function lastEvent(connections: readonly ConnectionState[]): number | null {
  const times = connections.map(({ lastEventAt }) => lastEventAt).filter((at) => at !== null)
  return times.length === 0 ? null : largest(times)
}

/**
 * Returns the time of the oldest full sync, which bounds the age of all data. `unread`: the number of connections
 * without one, which do not count otherwise. Paused connections count only when all are paused.
 */
export function lastSync(connections: readonly ConnectionState[]): { at: number | null; unread: number } {
  const running = connections.filter(({ paused }) => !paused)
  const wanted = running.length === 0 ? connections : running
  const times = wanted.map(({ lastReadingAt }) => lastReadingAt).filter((at) => at !== null)
  return { at: times.length === 0 ? null : smallest(times), unread: wanted.length - times.length }
}
