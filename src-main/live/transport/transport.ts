import { createClient, type Client, type ClientOptions } from 'graphql-ws'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { readErrors } from '../../api/classify.ts'
import type { Dialect } from '../../api/dialect.ts'
import { readEvents } from '../../api/decode.ts'
import type { Link, WebSocketLike, WebSocketClass } from '../../ports.ts'
import {
  closeText,
  closeReasonOf,
  dialCloseReason,
  subscriptionCloseReason,
  type CloseReason,
  type RetryPace,
} from './close-reasons.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'
import type { Shard } from '../subscriptions/shards.ts'
import type { StreamDocument } from '../subscriptions/stream-document.ts'

/**
 * Deadline for the open socket, with name, connection, certificate and upgrade; and from there for the acknowledgement
 * of the token, ms.
 */
const openWithinMs = 30_000
const ackWithinMs = 10_000

export interface TransportOptions {
  link: Link
  clock: Clock
  url: string
  token: string
  /** Removes secrets from the service's texts. */
  redact(text: string): string
  /** Subscription document with the variable `deviceIds`. */
  document: StreamDocument
  /** The learned deviations of the service; left out: none. */
  dialect?: Pick<Dialect, 'adapted' | 'learn'> | undefined
  onOpen(): void
  /** The service answered: at the ack, at each Pong, at each event. */
  onAlive(): void
  /**
   * Everything that the service sent up to this moment, ms, has arrived: at the ack, and at the Pong of a Ping sent
   * then.
   */
  onProven(at: number): void
  onEvent(data: unknown): void
  /** An event arrived whose device could be read, but a part of it failed. */
  onPartial(fault: Fault): void
  /** This shard is confirmed: a Pong arrived after its subscription was sent. */
  onSubscribed(shard: Shard): void
  /** The service rejected this shard, and the connection stays open. Returns false when the transport should end. */
  onRejected(shard: Shard, fault: Fault): boolean
  /** The service ended a shard. */
  onComplete(shard: Shard): void
  /** A Pong is late: since when, ms since the epoch; null when a message arrived after all. */
  onLate(since: number | null): void
  /** The other side closed it: a description for the log. Called before `onEnd`. */
  onClosed?(text: string): void
  /** The end, called once; `askedMs`: the delay that the service asks for. */
  onEnd(fault: Fault, pace: RetryPace, askedMs?: number): void
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
  const { clock, redact } = options
  let made: WebSocketLike | null = null
  let opened: { socket: Sendable; heartbeat: Heartbeat } | null = null
  const alive = aliveChecks()
  let ended = false
  let reason: CloseReason | null = null

  const end = (ending: CloseReason) => {
    if (ended) return
    ended = true
    cancelWait()
    opened?.heartbeat.stop()
    leave(opened === null ? made : opened.socket, opened !== null)
    // Dispose waits for a dial that is under way, which may still fail without effect.
    Promise.resolve(client.dispose()).catch(() => {})
    const { fault, pace, askedMs } = reason ?? ending
    options.onEnd(fault, pace, askedMs)
    alive.end()
  }
  const silent = (detail: string) => () => end({ fault: { kind: 'timeout', detail }, pace: 'usual' })
  let cancelWait = clock.after(openWithinMs, silent('the live connection did not open'))

  const begin = (socket: Sendable) => {
    cancelWait()
    const heartbeat = startHeartbeat({
      clock,
      ping: () => socket.send('{"type":"ping"}'),
      onLate: (since) => {
        if (!ended) options.onLate(since)
      },
      onSilent: silent('the live connection stopped answering'),
    })
    opened = { socket, heartbeat }
    options.onAlive()
    options.onProven(clock.now())
    options.onOpen()
  }

  const client: Client = createClient({
    ...oneAttempt(
      options,
      (ending) => {
        reason ??= ending
      },
      (socket) => {
        made = socket
      },
    ),
    onNonLazyError: (error) => end(closeReasonOf(error, redact)),
    on: listeners({
      options,
      isEnded: () => ended,
      heartbeat: () => opened?.heartbeat ?? null,
      dialled() {
        cancelWait()
        if (!ended) cancelWait = clock.after(ackWithinMs, silent('the service did not acknowledge the live connection'))
      },
      begin,
      end,
    }),
  })

  return {
    ...subscriptions({ options, client, end, heartbeat: () => (ended ? null : (opened?.heartbeat ?? null)) }),
    checkAlive: (answer) => (ended || opened === null ? answer(false) : alive.ask(answer, opened.heartbeat)),
    close: () => end({ fault: { kind: 'stopped', detail: '' }, pace: 'usual' }),
  }
}

interface Listening {
  options: TransportOptions
  isEnded: () => boolean
  /** Returns null before the service has accepted the token. */
  heartbeat: () => Heartbeat | null
  /** Records that the socket is open. */
  dialled: () => void
  begin: (socket: Sendable) => void
  end: (ending: CloseReason) => void
}

function listeners({ options, isEnded, heartbeat, dialled, begin, end }: Listening): NonNullable<ClientOptions['on']> {
  const { redact } = options
  return {
    opened: dialled,
    connected: (socket) => {
      if (!isEnded()) begin(socket as Sendable)
    },
    // Events are recorded where they are read (`next`), Pongs below.
    message({ type }) {
      if (!isEnded() && type !== 'next' && type !== 'pong') heartbeat()?.arrived()
    },
    pong: (received) => {
      if (!received || isEnded()) return
      options.onAlive()
      const pinged = heartbeat()?.pong() ?? null
      if (pinged !== null) options.onProven(pinged)
    },
    closed(event) {
      const text = closeText(event, redact, heartbeat() !== null)
      if (!isEnded() && text !== null) options.onClosed?.(text)
      end(closeReasonOf(event, redact))
    },
  }
}

/** Keeps the callers that asked whether a transport is alive. */
function aliveChecks() {
  const asking = new Set<(alive: boolean) => void>()
  return {
    ask(answer: (alive: boolean) => void, heartbeat: Heartbeat) {
      asking.add(answer)
      heartbeat.confirm(() => {
        if (asking.delete(answer)) answer(true)
      })
    },
    end() {
      for (const answer of asking) answer(false)
      asking.clear()
    },
  }
}

interface Subscribing {
  options: TransportOptions
  client: Client
  end: (ending: CloseReason) => void
  /** Returns null before the transport is open, and after it has ended: then nothing is reported any more. */
  heartbeat: () => Heartbeat | null
}

function subscriptions({ options, client, end, heartbeat }: Subscribing): Pick<Transport, 'subscribe' | 'unsubscribe'> {
  const { redact } = options
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

/** Ends a socket. graphql-ws closes an acknowledged one; a half-open one is terminated at once where possible. */
function leave(socket: Pick<WebSocketLike, 'close' | 'terminate'> | null, isOpen: boolean): void {
  if (socket?.terminate !== undefined) socket.terminate()
  else if (!isOpen) socket?.close()
}

/** Returns the options by which graphql-ws makes one attempt only. */
function oneAttempt(
  options: TransportOptions,
  onEnding: (ending: CloseReason) => void,
  onMade: (socket: WebSocketLike) => void,
) {
  const authorization = `Bearer ${options.token}`
  const answer = (thrown: unknown) => onEnding(dialCloseReason(thrown))
  return {
    url: options.url,
    webSocketImpl: guardedDial(
      options.link.dial(() => ({ authorization }), answer),
      answer,
      onMade,
    ),
    // The token goes both in the upgrade header and here (service-twin.md, section 12).
    connectionParams: { authorization },
    retryAttempts: 0,
    lazy: false,
  }
}

interface Sendable extends WebSocketLike {
  send(text: string): void
}

/**
 * Returns the same class, except that an error of its constructor goes to `onThrown` and becomes a socket that closes
 * at once (1006). Each new socket is passed to `onMade`, which alone can end one that never opens. An error thrown
 * within graphql-ws would end the process as an unhandled rejection.
 */
function guardedDial(
  dial: WebSocketClass,
  onThrown: (thrown: unknown) => void,
  onMade: (socket: WebSocketLike) => void,
): WebSocketClass {
  return new Proxy(dial, {
    construct(target, args) {
      try {
        const made = Reflect.construct(target, args) as WebSocketLike
        onMade(made)
        return made
      } catch (thrown) {
        onThrown(thrown)
        return closedSocket()
      }
    },
  })
}

interface Closed extends WebSocketLike {
  readyState: number
  onclose: ((event: { code: number; reason: string }) => void) | null
}

/** Returns a socket that reports its end after its owner could add a listener. */
function closedSocket(): Closed {
  const socket: Closed = { readyState: 3, onclose: null, close: () => {} }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}
