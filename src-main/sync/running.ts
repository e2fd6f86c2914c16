import type { Clock } from '../../src-shared/clock.ts'
import type { Fault } from '../../src-shared/fault.ts'
import type { SyncState } from '../../src-shared/model.ts'
import type { Api } from '../api/client.ts'
import type { Pacer } from '../api/pacer.ts'
import type { Change, Data } from '../data/protocol.ts'
import type { Live, LiveOptions } from '../live/socket.ts'
import type { Log } from '../ports.ts'
import type { EventQueue } from './events.ts'
import type { Tenants } from './reading.ts'

/** Refused credentials are tried this slowly at the most, so that Muster never locks an account out. */
export const refusedCapMs = 5 * 60_000

export interface EstateOptions {
  /** Id of the connection. */
  connection: string
  /** Identity of the service: the same for all connections that reach it (invariant 9). */
  service: string
  api: Api
  pacer: Pacer
  data: Data
  clock: Clock
  random: () => number
  log: Log
  order: () => number
  /** Opens the live connection with these ears. */
  openLive: (ears: Pick<LiveOptions, 'onState' | 'onEvent' | 'onSubscribed'>) => Live
  lastReadingAt: number | null
  publish: (change: Change) => void
  /** Something that `state` tells has changed. */
  onState: () => void
}

/** `behind`: a full reading of those tenants alone that the last one could not read. */
export type Kind = 'full' | 'states' | 'behind'

/** What is read first of what is wanted. */
const urgency: readonly Kind[] = ['full', 'states', 'behind']

/** What an estate knows of itself while it runs; `estate.ts` owns it. */
export interface Running {
  options: EstateOptions
  stopping: AbortController
  live: Live | null
  queue: EventQueue
  tenants: Tenants | null
  wanted: Set<Kind>
  /** Ends the wait for something to do. */
  wake: () => void
  cancelFull: () => void
  cancelCatchUp: () => void
  /** Set while devices that a page brought wait to be listened to. */
  listenSoon: boolean
  /** Tenants that the last reading could not read. */
  behind: Set<string>
  faults: Map<string, { where: string; fault: Fault; at: number }>
  sync: Exclude<SyncState, { state: 'holding' }>
  lastEventAt: number | null
  lastReadingAt: number | null
  /** When the next try comes, while the service cannot be read at all. */
  retryAt: number | null
  failures: number
  /** Readings of `behind` in a row that did not catch up. */
  catchUps: number
  /** Since when readings alone show the devices; null while they do not. */
  readableSince: number | null
}

/** Says what is to be read; it stands until it was read. */
export function want(estate: Running, kind: Kind): void {
  estate.wanted.add(kind)
  estate.wake()
}

/** Takes the most urgent wish; null when there is none. */
export function takeWish(estate: Running): Kind | null {
  const kind = urgency.find((each) => estate.wanted.has(each)) ?? null
  if (kind !== null) estate.wanted.delete(kind)
  return kind
}

/** Notes what stands in the way under a key of its own, or that it no longer does. */
export function note(estate: Running, key: string, where: string, fault: Fault | null): void {
  const before = estate.faults.get(key)
  if (fault === null ? before === undefined : before?.fault.kind === fault.kind && before.fault.detail === fault.detail) return
  if (fault === null) estate.faults.delete(key)
  else estate.faults.set(key, { where, fault, at: estate.options.clock.now() })
  estate.options.onState()
}
