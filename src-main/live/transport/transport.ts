import type { Fault } from '../../../src-shared/model/fault.ts'
import { readErrors } from '../../api/classify.ts'
import type { Dialect } from '../../api/dialect.ts'
import { readEvents } from '../../api/decode.ts'
import { subscriptionCloseReason } from './close-reasons.ts'
import type { Shard } from '../subscriptions/shards.ts'
import type { StreamDocument } from '../subscriptions/stream-document.ts'
import { openSocket, type ProtocolSocket, type SocketOptions } from './socket.ts'

export interface TransportOptions extends SocketOptions {
  /** Subscription document with the variable `deviceIds`. */
  document: StreamDocument
  /** The learned deviations of the service; left out: none. */
  dialect?: Pick<Dialect, 'adapted' | 'learn'> | undefined
  onEvent(data: unknown): void
  /** An event arrived whose device could be read, but a part of it failed. */
  onPartial(fault: Fault): void
  /** This shard is confirmed: a Pong arrived after its subscription was sent. */
  onSubscribed(shard: Shard): void
  /** The service rejected this shard, and the connection stays open. Returns false when the transport should end. */
  onRejected(shard: Shard, fault: Fault): boolean
  /** The service ended a shard. */
  onComplete(shard: Shard): void
}

/** One attempt at a live connection: it opens once and ends once. `socket.ts` handles retries and renewal. */
export interface Transport {
  subscribe(shard: Shard): void
  unsubscribe(shard: Shard): void
  /**
   * Asks whether the connection is alive: calls `answer` once, with true at a Pong requested from now on, with false
   * when the connection ends before.
   */
  checkAlive(answer: (alive: boolean) => void): void
  close(): void
}

export function openTransport(options: TransportOptions): Transport {
  const socket = openSocket(options)
  return {
    ...subscriptions({ options, socket }),
    checkAlive: socket.checkAlive,
    close: socket.close,
  }
}

interface Subscribing {
  options: TransportOptions
  socket: ProtocolSocket
}

function subscriptions({ options, socket }: Subscribing): Pick<Transport, 'subscribe' | 'unsubscribe'> {
  const [{ client, end, heartbeat }, { redact }] = [socket, options]
  const running = new Map<Shard, () => void>()
  const adapted = (text: string) => options.dialect?.adapted(text) ?? text
  const subscribed = new Set<Shard>()
  const leave = (shard: Shard) => {
    const release = running.get(shard)
    running.delete(shard)
    // graphql-ws counts a subscription as gone twice when it ends by a message of the same moment, and closes the
    // connection with the last one.
    if (release !== undefined) queueMicrotask(release)
    return subscribed.delete(shard)
  }
  const again = (shard: Shard, text: string) => {
    leave(shard)
    subscribe(shard, text)
  }
  /** Handles a rejected shard. A missing stream or a rejected token concerns all shards and ends the transport. */
  const reject = (shard: Shard, errors: unknown, text: string, asked: string) => {
    const isOpen = Array.isArray(errors) && running.has(shard)
    if (isOpen && (options.dialect?.learn(asked, readErrors(errors, redact)) === true || adapted(text) !== asked))
      return again(shard, text)
    const ending = subscriptionCloseReason(errors, redact)
    if (!Array.isArray(errors) || ending.fault.kind === 'token' || ending.fault.kind === 'no-stream') return end(ending)
    if (heartbeat() === null || !running.has(shard)) return
    const other = subscribed.has(shard) ? null : options.document.insteadOf(text)
    if (other !== null) return again(shard, other)
    if (leave(shard)) options.onComplete(shard)
    else if (!options.onRejected(shard, ending.fault)) end(ending)
  }
  const next = (shard: Shard, result: { data?: unknown; errors?: unknown }, text: string, asked: string) => {
    const beat = heartbeat()
    if (beat === null) return
    options.onAlive()
    beat.arrived()
    // `onAlive` ended the transport where it detected lost time: the event's time is unknown, and the next comparison
    // finds the change.
    if (heartbeat() === null) return
    const failed = readErrors(result.errors, redact).length > 0
    if (failed && readEvents(result.data).every((answer) => answer === null || answer.id === null))
      return reject(shard, result.errors, text, asked)
    if (failed)
      options.onPartial({ kind: 'partial', detail: subscriptionCloseReason(result.errors, redact).fault.detail })
    options.onEvent(result.data)
  }
  const subscribe = (shard: Shard, text = options.document.text()) => {
    const asked = adapted(text)
    const complete = () => {
      // The previous subscription, which was rejected, completes too.
      if (running.get(shard) !== release) return
      subscribed.delete(shard)
      if (heartbeat() !== null && running.delete(shard)) options.onComplete(shard)
    }
    const error = (thrown: unknown) => reject(shard, thrown, text, asked)
    const query = { query: asked, variables: { deviceIds: [...shard.devices] } }
    const release = client.subscribe(query, { next: (result) => next(shard, result, text, asked), error, complete })
    running.set(shard, release)
    heartbeat()?.confirm(() => {
      // A Pong for an earlier subscription does not confirm this one.
      if (running.get(shard) !== release) return
      subscribed.add(shard)
      options.document.confirmed(text)
      options.onSubscribed(shard)
    })
  }
  return {
    subscribe: (shard) => subscribe(shard),
    unsubscribe: (shard) => void leave(shard),
  }
}
