import { createClient, type Client, type ClientOptions } from 'graphql-ws'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { Link, WebSocketLike, WebSocketClass } from '../../ports.ts'
import { closeText, closeReasonOf, dialCloseReason, type CloseReason, type RetryPace } from './close-reasons.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'

/**
 * Deadline for the open socket, with name, connection, certificate and upgrade; and from there for the acknowledgement
 * of the token, ms.
 */
const openWithinMs = 30_000
const ackWithinMs = 10_000

export interface SocketOptions {
  link: Link
  clock: Clock
  url: string
  token: string
  /** Removes secrets from the service's texts. */
  redact(text: string): string
  onOpen(): void
  /** The service answered: at the ack, at each Pong, at each event. */
  onAlive(): void
  /**
   * Everything that the service sent up to this moment, ms, has arrived: at the ack, and at the Pong of a Ping sent
   * then.
   */
  onProven(at: number): void
  /** A Pong is late: since when, ms since the epoch; null when a message arrived after all. */
  onLate(since: number | null): void
  /** The other side closed it: a description for the log. Called before `onEnd`. */
  onClosed?(text: string): void
  /** The end, called once; `askedMs`: the delay that the service asks for. */
  onEnd(fault: Fault, pace: RetryPace, askedMs?: number): void
}

/** One attempt at a socket of the protocol: it opens once and ends once, and what is subscribed on it is its owner's. */
export interface ProtocolSocket {
  client: Client
  /** Returns null before the socket is open, and after it has ended: then nothing is reported any more. */
  heartbeat(): Heartbeat | null
  end(ending: CloseReason): void
  /**
   * Asks whether the connection is alive: calls `answer` once, with true at a Pong requested from now on, with false
   * when the connection ends before.
   */
  checkAlive(answer: (alive: boolean) => void): void
  close(): void
}

export function openSocket(options: SocketOptions): ProtocolSocket {
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
    client,
    heartbeat: () => (ended ? null : (opened?.heartbeat ?? null)),
    end,
    checkAlive: (answer) => (ended || opened === null ? answer(false) : alive.ask(answer, opened.heartbeat)),
    close: () => end({ fault: { kind: 'stopped', detail: '' }, pace: 'usual' }),
  }
}

interface Listening {
  options: SocketOptions
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

/** Ends a socket. graphql-ws closes an acknowledged one; a half-open one is terminated at once where possible. */
function leave(socket: Pick<WebSocketLike, 'close' | 'terminate'> | null, isOpen: boolean): void {
  if (socket?.terminate !== undefined) socket.terminate()
  else if (!isOpen) socket?.close()
}

/** Returns the options by which graphql-ws makes one attempt only. */
function oneAttempt(
  options: SocketOptions,
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
