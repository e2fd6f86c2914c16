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
  /** The state moved; `fault` says why it is not live, null when nothing is wrong. */
  onState(state: LinkState, fault: Fault | null): void
  /** The next token's connection took over; the state is live as before. */
  onRenewed?(): void
  /** One event's data, as it came. While a second socket takes over from the first, both tell what happens. */
  onEvent(data: unknown, source: EventSource): void
  /** These devices are subscribed to from now on: time to compare them with a reading. */
  onSubscribed(devices: ReadonlySet<string>): void
  /** The service has ended the subscription to these devices by itself: nothing is heard of them until they are subscribed to again. */
  onSubscriptionLost(devices: ReadonlySet<string>): void
  /** What `lateSince` and `unheardSince` tell has changed. */
  onDoubt(): void
  /** What `parked` tells has changed. */
  onParked(): void
}

/** The live connection: it never gives up while the app runs (design, section 7). */
export interface Live {
  state(): LinkState
  /** The last moment at which the service proved to be there; null before the first. */
  aliveAt(): number | null
  /**
   * The moment up to which everything that the service told of these devices has come in; null before the first. What comes
   * in proves nothing by itself: it may have been on its way for long, and what came after it may be lost.
   */
  provenAt(): number | null
  /** Whether the service has the subscriptions of all of them. */
  covers(): boolean
  /** Set while a Pong is late, before it is too late: since when nothing was heard, ms since the epoch. */
  lateSince(): number | null
  /** Set while the live connection stands but a subscription does not, because the service has ended it: since when, ms since the epoch. */
  subscriptionLostSince(): number | null
  /** The devices to listen to, each with its tenant; shards that do not change are left alone. */
  want(devices: ReadonlyMap<string, string>): void
  /** Devices that the service takes no subscription for, and why; the others are live when the connection is. */
  parked(): ReadonlyMap<string, Fault>
  /** There is another token: where tries failed for other reasons than their token, the next one is made now, and the waiting begins anew. */
  newToken(): void
  /** Tries now instead of when its time comes. Nothing happens while it is connecting or live. */
  retry(): void
  /** Leaves the socket for a new one, at once: nobody knows when what it still says has happened. */
  restart(fault: Fault): void
  stop(): void
}

/** A live connection from inside. */
export interface Machine {
  options: LiveOptions
  state: State
  /** The devices that are wanted, with their tenants. */
  wanted: ReadonlyMap<string, string>
  rejections: Rejections
  shards: Shard[]
  aliveAt: number | null
  /** The service has rejected a token, and no connection has held since. */
  isRejected: boolean
  lateSince: number | null
  provenAt: number | null
  /** Shards that the transport in use is known to have subscribed to. */
  confirmed: Set<Shard>
  /** Shards that it is to leave when it has subscribed to those that take their place. */
  leaving: Set<Shard>
  /** How many numbers sockets have had (`Source`). */
  sockets: number
  /** The next token's transport, from its opening until it has told everything that the one before it told. */
  second: Socket | null
}
