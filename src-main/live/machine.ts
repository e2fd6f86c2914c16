import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { LinkState } from '../../src-shared/model/connection.ts'
import type { StartedTokens, Tokens } from '../auth/token.ts'
import type { Link, Log } from '../ports.ts'
import type { Rejections } from './subscriptions/rejections.ts'
import type { Shard } from './subscriptions/shards.ts'
import type { Socket, EventSource, State } from './state.ts'
import type { TransportOptions } from './transport/transport.ts'

export interface LiveOptions extends Pick<TransportOptions, 'document' | 'dialect'> {
  link: Link
  clock: Clock
  random: () => number
  log: Log
  url: string
  tokens: Tokens & Pick<StartedTokens, 'renew'>
  /** Called when the state changes; `fault` says why it is not live, null when nothing is wrong. */
  onState(state: LinkState, fault: Fault | null): void
  /** Called when the connection with the next token took over; the state stays live. */
  onRenewed?(): void
  /** Called with an event's data as received. While a second socket takes over from the first, both deliver events. */
  onEvent(data: unknown, source: EventSource): void
  /** Called when these devices are subscribed: time to compare them by a query. */
  onSubscribed(devices: ReadonlySet<string>): void
  /**
   * Called when the service ended the subscription to these devices: no event arrives until they are subscribed again.
   */
  onSubscriptionLost(devices: ReadonlySet<string>): void
  /** Called when the value of `lateSince` or `subscriptionLostSince` changes. */
  onDoubt(): void
  /** Called when the value of `parked` changes. */
  onParked(): void
}

/** The live connection: it retries while the app runs (design, section 7). */
export interface Live {
  state(): LinkState
  /** Returns when the service last answered; null before the first answer. */
  aliveAt(): number | null
  /**
   * Returns the moment up to which all events of these devices have arrived; null before the first proof. An event
   * proves nothing by itself: it may be old, and later ones may be lost.
   */
  provenAt(): number | null
  /** Returns whether the service confirmed the subscriptions of all wanted devices. */
  covers(): boolean
  /** Set while a Pong is late, before its deadline: since when nothing arrived, ms since the epoch. */
  lateSince(): number | null
  /** Set while the connection is live but the service has ended a subscription: since when, ms since the epoch. */
  subscriptionLostSince(): number | null
  /** Sets the devices to subscribe to, each with its tenant; unchanged shards are kept. */
  setDevices(devices: ReadonlyMap<string, string>): void
  /**
   * Returns the devices for which the service rejects a subscription, and why; the others are live when the connection
   * is.
   */
  parked(): ReadonlyMap<string, Fault>
  /**
   * Reports another token: where attempts failed for reasons other than the token, the next one starts now, and the
   * delays begin anew.
   */
  newToken(): void
  /** Connects now instead of at the planned time. Does nothing while connecting or live. */
  retry(): void
  /** Replaces the socket by a new one at once, because the time of its pending events is unknown. */
  restart(fault: Fault): void
  stop(): void
}

/** The internal state of a live connection. */
export interface Machine {
  options: LiveOptions
  state: State
  /** The wanted devices, with their tenants. */
  wanted: ReadonlyMap<string, string>
  rejections: Rejections
  shards: Shard[]
  aliveAt: number | null
  /** The service rejected a token, and no connection has lasted since. */
  isRejected: boolean
  lateSince: number | null
  provenAt: number | null
  /** Shards that the present transport has confirmed. */
  confirmed: Set<Shard>
  /** Shards to unsubscribe when those that replace them are confirmed. */
  leaving: Set<Shard>
  /** The number of the latest socket (`EventSource.socket`). */
  sockets: number
  /**
   * The transport with the next token, from its opening until it has delivered everything that the previous one
   * delivered.
   */
  second: Socket | null
}
