import { createClient, type Client } from 'graphql-ws'
import type { Clock } from '../../src-shared/clock.ts'
import { FaultError, type Fault } from '../../src-shared/fault.ts'
import { readErrors, redacted } from '../api/classify.ts'
import { readEvent } from '../api/decode.ts'
import type { Link } from '../ports.ts'
import { guardedDial } from './guarded-dial.ts'
import { startHeartbeat, type Heartbeat } from './heartbeat.ts'
import type { Shard } from './shards.ts'

const ackWithinMs = 10_000

export interface WireOptions {
  link: Link
  clock: Clock
  url: string
  token: string
  /** Frees the service's words of what it was given. */
  hide(text: string): string
  /** Subscription document with the variable `deviceIds`. */
  document: string
  onOpen(): void
  /** The service proved to be there: at the ack, at each Pong, at each event. */
  onAlive(): void
  onEvent(data: unknown): void
  /** An event came whose device could be read, but a part of it failed. */
  onPartial(fault: Fault): void
  /** This shard is subscribed to now: a Pong came back after its subscription was sent. */
  onSubscribed(shard: Shard): void
  /** The service ended a shard by itself. */
  onComplete(shard: Shard): void
  /** The end, told once. */
  onEnd(fault: Fault): void
}

/** One attempt at a live connection: it opens once and ends once. Retries and renewal are `socket.ts`'s. */
export interface Wire {
  subscribe(shard: Shard): void
  unsubscribe(shard: Shard): void
  close(): void
}

export function openWire(options: WireOptions): Wire {
  const running = new Map<Shard, () => void>()
  let opened: { socket: Sendable; heartbeat: Heartbeat } | null = null
  let ended = false
  let reason: Fault | null = null

  const end = (fault: Fault) => {
    if (ended) return
    ended = true
    opened?.heartbeat.stop()
    opened?.socket.terminate?.()
    // It waits for a dial that is under way, which may still fail: nobody is left to hear of it.
    Promise.resolve(client.dispose()).catch(() => {})
    options.onEnd(reason ?? fault)
  }

  const begin = (socket: Sendable) => {
    const heartbeat = startHeartbeat({
      clock: options.clock,
      ping: () => socket.send('{"type":"ping"}'),
      onSilent: () => end({ kind: 'timeout', detail: 'the live connection stopped answering' }),
    })
    opened = { socket, heartbeat }
    options.onAlive()
    options.onOpen()
  }

  const client: Client = createClient({
    ...oneAttempt(options, (fault) => { reason ??= fault }),
    onNonLazyError: (error) => end(faultOfEnd(error)),
    on: {
      connected: (socket) => { if (!ended) begin(socket as Sendable) },
      pong: (received) => {
        if (!received || ended) return
        options.onAlive()
        opened?.heartbeat.pong()
      },
      closed: (event) => end(faultOfEnd(event)),
    },
  })

  const next = (result: { data?: unknown; errors?: unknown }) => {
    if (ended) return
    options.onAlive()
    const failed = readErrors(result.errors, options.hide).length > 0
    if (failed && readEvent(result.data) === null) return end(faultOfSubscription(result.errors, options.hide))
    if (failed) options.onPartial({ kind: 'partial', detail: faultOfSubscription(result.errors, options.hide).detail })
    options.onEvent(result.data)
  }

  return {
    subscribe(shard) {
      const complete = () => {
        if (!ended && running.delete(shard)) options.onComplete(shard)
      }
      const error = (thrown: unknown) => end(faultOfSubscription(thrown, options.hide))
      const query = { query: options.document, variables: { deviceIds: [...shard.devices] } }
      running.set(shard, client.subscribe(query, { next, error, complete }))
      opened?.heartbeat.confirm(() => { if (running.has(shard)) options.onSubscribed(shard) })
    },
    unsubscribe(shard) {
      const release = running.get(shard)
      running.delete(shard)
      release?.()
    },
    close: () => end({ kind: 'stopped', detail: '' }),
  }
}

/** graphql-ws makes one attempt only. */
function oneAttempt(options: WireOptions, onFault: (fault: Fault) => void) {
  const authorization = `Bearer ${options.token}`
  const told = (thrown: unknown) => onFault(faultOfDial(thrown))
  return {
    url: options.url,
    webSocketImpl: guardedDial(options.link.dial(() => ({ authorization }), told), told),
    // The token goes both in the upgrade header and here (service-twin.md, section 12).
    connectionParams: { authorization },
    connectionAckWaitTimeout: ackWithinMs,
    retryAttempts: 0,
    lazy: false,
  }
}

interface Sendable {
  send(text: string): void
  terminate?(): void
}

function faultOfDial(thrown: unknown): Fault {
  return thrown instanceof FaultError ? thrown.fault : { kind: 'connect', detail: 'that is not an address that can be called' }
}

/** A close event, or the bare error event before one. */
function faultOfEnd(thrown: unknown): Fault {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? Number(thrown.code) : 0
  if (code === 4401 || code === 4403) return { kind: 'token', detail: `live connection closed with ${code}` }
  if (code === 1006 || !Number.isFinite(code) || code === 0) return { kind: 'reset', detail: 'live connection' }
  return { kind: 'socket', detail: `closed with ${code}` }
}

function faultOfSubscription(thrown: unknown, hide: WireOptions['hide']): Fault {
  if (!Array.isArray(thrown)) return faultOfEnd(thrown)
  const [first] = readErrors(thrown, hide)
  const detail = redacted(first?.message ?? '')
  if (first?.code === 'UNAUTHENTICATED') return { kind: 'token', detail }
  if (first?.code === 'FORBIDDEN') return { kind: 'forbidden', detail }
  const unknown = first?.code === 'GRAPHQL_VALIDATION_FAILED' || /cannot query field|unknown argument|not configured/i.test(detail)
  return unknown ? { kind: 'no-stream', detail } : { kind: 'socket', detail }
}
