import { createClient, type Client, type ClientOptions } from 'graphql-ws'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { readErrors } from '../../api/classify.ts'
import type { Dialect } from '../../api/dialect.ts'
import { readEvents } from '../../api/decode.ts'
import type { Link, WebSocketLike, WebSocketClass } from '../../ports.ts'
import {
  closeWords,
  closeReasonOf,
  dialCloseReason,
  subscriptionCloseReason,
  type CloseReason,
  type RetryPace,
} from './close-reasons.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'
import type { Shard } from '../subscriptions/shards.ts'

/** Until the socket is open, with name, connection, certificate and upgrade; and from then until the service has taken the token. */
const openWithinMs = 30_000
const ackWithinMs = 10_000

export interface TransportOptions {
  link: Link
  clock: Clock
  url: string
  token: string
  /** Frees the service's words of what it was given. */
  redact(text: string): string
  /** Subscription document with the variable `deviceIds`. */
  document: string
  /** How the service takes documents, as far as it was found out; left out: as they are. */
  dialect?: Pick<Dialect, 'adapted' | 'learn'> | undefined
  onOpen(): void
  /** The service proved to be there: at the ack, at each Pong, at each event. */
  onAlive(): void
  /** Whatever the service had to tell up to this moment, ms, has come in: at the ack, and when a Ping of then is answered. */
  onProven(at: number): void
  onEvent(data: unknown): void
  /** An event came whose device could be read, but a part of it failed. */
  onPartial(fault: Fault): void
  /** This shard is subscribed to now: a Pong came back after its subscription was sent. */
  onSubscribed(shard: Shard): void
  /** The service did not take this shard, and stays there. False: then it is the end of the transport. */
  onRejected(shard: Shard, fault: Fault): boolean
  /** The service ended a shard by itself. */
  onComplete(shard: Shard): void
  /** A Pong is late: since when, ms since the epoch; null when a word came after all. */
  onLate(since: number | null): void
  /** The other end has closed it: in plain words, for the log. Before `onEnd`. */
  onClosed?(words: string): void
  /** The end, told once; `askedMs`: for so long the service asks to be left alone. */
  onEnd(fault: Fault, pace: RetryPace, askedMs?: number): void
}

/** One attempt at a live connection: it opens once and ends once. Retries and renewal are `socket.ts`'s. */
export interface Transport {
  subscribe(shard: Shard): void
  unsubscribe(shard: Shard): void
  /** Asks whether it still lives: true at a Pong that was asked for from now on, false when it ends before. Told once. */
  askAlive(answer: (alive: boolean) => void): void
  close(): void
}

export function openTransport(options: TransportOptions): Transport {
  const { clock, redact } = options
  let made: WebSocketLike | null = null
  let opened: { socket: Sendable; heartbeat: Heartbeat } | null = null
  const alive = aliveQuestions()
  let ended = false
  let reason: CloseReason | null = null

  const end = (ending: CloseReason) => {
    if (ended) return
    ended = true
    cancelWait()
    opened?.heartbeat.stop()
    leave(opened === null ? made : opened.socket, opened !== null)
    // It waits for a dial that is under way, which may still fail: nobody is left to hear of it.
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
        if (!ended) cancelWait = clock.after(ackWithinMs, silent('the service did not take up the live connection'))
      },
      begin,
      end,
    }),
  })

  return {
    ...subscriptions({ options, client, end, heartbeat: () => (ended ? null : (opened?.heartbeat ?? null)) }),
    askAlive: (answer) => (ended || opened === null ? answer(false) : alive.ask(answer, opened.heartbeat)),
    close: () => end({ fault: { kind: 'stopped', detail: '' }, pace: 'usual' }),
  }
}

interface Listening {
  options: TransportOptions
  isEnded: () => boolean
  /** Null before the service has taken the token. */
  heartbeat: () => Heartbeat | null
  /** The socket is open. */
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
    // An event is heard where it is read (`next`), a Pong below.
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
      const words = closeWords(event, redact, heartbeat() !== null)
      if (!isEnded() && words !== null) options.onClosed?.(words)
      end(closeReasonOf(event, redact))
    },
  }
}

/** Who has asked whether a transport still lives. */
function aliveQuestions() {
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
  /** Null before the transport is open, and when it has ended: then nothing is told any more. */
  heartbeat: () => Heartbeat | null
}

function subscriptions({ options, client, end, heartbeat }: Subscribing): Pick<Transport, 'subscribe' | 'unsubscribe'> {
  const { redact } = options
  const running = new Map<Shard, () => void>()
  const document = () => options.dialect?.adapted(options.document) ?? options.document
  const subscribed = new Set<Shard>()
  const leave = (shard: Shard) => {
    const release = running.get(shard)
    running.delete(shard)
    // graphql-ws counts a subscription twice as gone that ends by a message of the same moment, and closes the connection with the last one.
    if (release !== undefined) queueMicrotask(release)
    return subscribed.delete(shard)
  }
  /** That it has no such stream, or takes the token no longer, is said of all of them. */
  const reject = (shard: Shard, errors: unknown, asked: string) => {
    if (
      Array.isArray(errors) &&
      running.has(shard) &&
      (options.dialect?.learn(asked, readErrors(errors, redact)) === true || document() !== asked)
    ) {
      leave(shard)
      return subscribe(shard)
    }
    const ending = subscriptionCloseReason(errors, redact)
    if (!Array.isArray(errors) || ending.fault.kind === 'token' || ending.fault.kind === 'no-stream') return end(ending)
    if (heartbeat() === null || !running.has(shard)) return
    if (leave(shard)) options.onComplete(shard)
    else if (!options.onRejected(shard, ending.fault)) end(ending)
  }
  const next = (shard: Shard, result: { data?: unknown; errors?: unknown }, asked: string) => {
    const beat = heartbeat()
    if (beat === null) return
    options.onAlive()
    beat.arrived()
    // That has ended it where it showed that time was lost: nobody knows when this happened, and it is found by comparing.
    if (heartbeat() === null) return
    const failed = readErrors(result.errors, redact).length > 0
    if (failed && readEvents(result.data).every((answer) => answer === null || answer.id === null))
      return reject(shard, result.errors, asked)
    if (failed)
      options.onPartial({ kind: 'partial', detail: subscriptionCloseReason(result.errors, redact).fault.detail })
    options.onEvent(result.data)
  }
  const subscribe = (shard: Shard) => {
    const asked = document()
    const complete = () => {
      // The one before, which was rejected, ends as well.
      if (running.get(shard) !== release) return
      subscribed.delete(shard)
      if (heartbeat() !== null && running.delete(shard)) options.onComplete(shard)
    }
    const error = (thrown: unknown) => reject(shard, thrown, asked)
    const query = { query: asked, variables: { deviceIds: [...shard.devices] } }
    const release = client.subscribe(query, { next: (result) => next(shard, result, asked), error, complete })
    running.set(shard, release)
    heartbeat()?.confirm(() => {
      // A Pong for one that was asked for before says nothing of this one.
      if (running.get(shard) !== release) return
      subscribed.add(shard)
      options.onSubscribed(shard)
    })
  }
  return {
    subscribe,
    unsubscribe(shard) {
      leave(shard)
    },
  }
}

/** A socket that was acknowledged is closed by graphql-ws as well; one that may be half open is dropped at once, where that can be. */
function leave(socket: Pick<WebSocketLike, 'close' | 'terminate'> | null, isOpen: boolean): void {
  if (socket?.terminate !== undefined) socket.terminate()
  else if (!isOpen) socket?.close()
}

/** graphql-ws makes one attempt only. */
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
 * The same class, except that what its constructor throws goes to `onThrown` and becomes a socket that closes at once
 * (1006). What was made is shown to `onMade`: one that never opens is nobody else's to end. graphql-ws constructs where nobody hears of a throw: it would end the process as an unhandled rejection.
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

/** Reports its end after its maker had time to listen. */
function closedSocket(): Closed {
  const socket: Closed = { readyState: 3, onclose: null, close: () => {} }
  queueMicrotask(() => socket.onclose?.({ code: 1006, reason: '' }))
  return socket
}
