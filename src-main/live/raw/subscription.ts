import type { Clock } from '../../../src-shared/lib/clock.ts'
import { lacksSecret, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { readErrors } from '../../api/classify.ts'
import type { StartedTokens } from '../../auth/token.ts'
import type { Link, Log } from '../../ports.ts'
import { startRenewal, type SecondSocketListeners } from '../renewal.ts'
import { askedBy, delayAfter, type CloseReason } from '../transport/close-reasons.ts'
import { createOverlap, type Overlap } from './overlap.ts'
import { openRawTransport, type RawOperation, type RawTransport } from './transport.ts'

/** How a subscription ended. `failed`: the service cannot be asked; `rejected`: it said no. */
export type RawEnd =
  | { is: 'stopped' | 'completed' }
  | { is: 'rejected'; fault: Fault; words: readonly string[] }
  | { is: 'failed'; fault: Fault }

/** Times in ms since the epoch. `attempt` from 0. */
export type RawState =
  | { is: 'connecting'; attempt: number }
  | { is: 'live'; since: number }
  | { is: 'waiting'; attempt: number; retryAt: number; fault: Fault }
  | { is: 'ended'; at: number; end: RawEnd }

export interface RawSubscriptionOptions {
  link: Link
  clock: Clock
  random: () => number
  log: Log
  url: string
  tokens: StartedTokens
  operation: RawOperation
  /** Called with each event once: its payload as JSON, without registered secrets. */
  onEvent(text: string, at: number, hasErrors: boolean): void
  /** Called when events from `since` until `at` may be missing: the subscription is confirmed again since `at`. */
  onGap(since: number, at: number): void
  onState(state: RawState): void
}

/** A subscription of the operator's on a socket of its own. It reconnects as the live connection does (docs/sync.md). */
export interface RawSubscription {
  state(): RawState
  /** Connects now instead of at the planned time. */
  retry(): void
  /** Replaces the socket, because time was lost: the time of its pending events is unknown. */
  restart(): void
  /** Ends it. Nothing is called any more but `onState`, once. */
  stop(): void
}

/** Rejections of a token in succession after which the service means the operation. */
const maxTokenRejections = 3
/** After a connection that lasted this many ms, the attempts are counted from zero. */
const goodAfterMs = 60_000

interface Machine {
  options: RawSubscriptionOptions
  state: RawState
  transport: RawTransport | null
  overlap: Overlap
  /** Number of the last socket. */
  sockets: number
  /** It was confirmed once: from then on every failure is a cut. */
  wasLive: boolean
  provenAt: number | null
  /** Since when events may be missing; null: none are. */
  gapSince: number | null
  tokenRejections: number
  cancelWait: () => void
  stopRenewal: () => void
}

export function startRawSubscription(options: RawSubscriptionOptions): RawSubscription {
  const machine: Machine = {
    options,
    state: { is: 'connecting', attempt: 0 },
    transport: null,
    overlap: createOverlap(),
    sockets: 0,
    wasLive: false,
    provenAt: null,
    gapSince: null,
    tokenRejections: 0,
    cancelWait: () => {},
    stopRenewal: () => {},
  }
  connect(machine, 0)
  return {
    state: () => machine.state,
    retry() {
      if (machine.state.is !== 'waiting') return
      machine.cancelWait()
      connect(machine, machine.state.attempt)
    },
    restart() {
      if (machine.state.is === 'ended') return
      leave(machine)
      connect(machine, 0)
    },
    stop: () => finish(machine, { is: 'stopped' }),
  }
}

function move(machine: Machine, state: RawState): void {
  // Without the words of a fault: they may repeat a variable.
  const why = state.is === 'waiting' ? ` (${state.fault.kind})` : state.is === 'ended' ? ` (${state.end.is})` : ''
  if (machine.state.is !== state.is) machine.options.log('info', `subscription: ${state.is}${why}`)
  machine.state = state
  machine.options.onState(state)
}

/** Gives up the present socket. What comes until the next one is confirmed may be missing. */
function leave(machine: Machine): void {
  machine.cancelWait()
  machine.stopRenewal()
  machine.stopRenewal = () => {}
  const { transport } = machine
  machine.transport = null
  machine.overlap.end()
  if (machine.wasLive) machine.gapSince ??= machine.provenAt ?? machine.options.clock.now()
  transport?.close()
}

function finish(machine: Machine, end: RawEnd): void {
  if (machine.state.is === 'ended') return
  leave(machine)
  move(machine, { is: 'ended', at: machine.options.clock.now(), end })
}

function connect(machine: Machine, attempt: number): void {
  const connecting: RawState = { is: 'connecting', attempt }
  move(machine, connecting)
  machine.options.tokens.get().then(
    (token) => {
      if (machine.state === connecting) machine.transport = open(machine, token, attempt)
    },
    (error: unknown) => {
      if (machine.state === connecting)
        fail(machine, { fault: toFault(error), pace: 'usual', ...askedBy(error) }, attempt)
    },
  )
}

/** Opens a socket. `second` receives what becomes of it until it takes over. */
function open(
  machine: Machine,
  token: string,
  attempt: number,
  second: SecondSocketListeners<RawOperation> | null = null,
): RawTransport {
  const { options } = machine
  const { link, clock, url, tokens, operation } = options
  machine.sockets += 1
  const socket = machine.sockets
  let isOpen = false
  let isGone = false
  const isCurrent = () => machine.transport === transport
  const transport: RawTransport = openRawTransport({
    link,
    clock,
    url,
    token,
    redact: tokens.redact,
    onAlive: () => {},
    onLate: () => {},
    onProven(at) {
      if (isCurrent() && machine.state.is === 'live') machine.provenAt = at
    },
    onOpen() {
      isOpen = true
      tokens.prove(token)
      if (second === null) return transport.subscribe(operation)
      machine.overlap.begin(socket)
      second.onOpen()
    },
    onSubscribed() {
      if (isCurrent()) return confirmed(machine, token)
      machine.overlap.align()
      second?.onSubscribed(operation)
    },
    onEvent(payload) {
      // One that was given up delivers nothing, but one that is about to take over, or was just taken over from, does.
      if (machine.state.is !== 'ended' && !isGone) received(machine, socket, payload)
    },
    onRejected(errors) {
      if (isCurrent()) finish(machine, rejectionOf(machine, errors))
      // The second socket's subscription was not accepted: the first one's stays.
      else transport.close()
    },
    onCompleted() {
      if (isCurrent()) finish(machine, { is: 'completed' })
      else transport.close()
    },
    onEnd(fault, pace, askedMs) {
      isGone = true
      if (isCurrent()) {
        const isToken = fault.kind === 'token' || (fault.kind === 'forbidden' && !isOpen)
        if (isToken) tokens.drop(token)
        machine.tokenRejections = isToken ? machine.tokenRejections + 1 : machine.tokenRejections
        fail(machine, { fault, pace, ...(askedMs !== undefined && { askedMs }) }, attempt)
      } else if (second !== null) {
        machine.overlap.end(socket)
        second.onEnd(fault, askedMs)
      }
    },
  })
  return transport
}

function received({ options, overlap }: Machine, socket: number, payload: object): void {
  const text = options.tokens.redactIn(JSON.stringify(payload))
  if (!overlap.isNew(socket, text)) return
  const errors: unknown = 'errors' in payload ? payload.errors : undefined
  options.onEvent(text, options.clock.now(), Array.isArray(errors) && errors.length > 0)
}

/** The service has confirmed the subscription on the present socket. */
function confirmed(machine: Machine, token: string): void {
  const now = machine.options.clock.now()
  machine.wasLive = true
  machine.provenAt = now
  machine.tokenRejections = 0
  machine.stopRenewal = renewal(machine, token)
  if (machine.gapSince !== null) machine.options.onGap(machine.gapSince, now)
  machine.gapSince = null
  move(machine, { is: 'live', since: now })
}

/** Renews the socket before its token expires: the next one takes over when the service has confirmed it. */
function renewal(machine: Machine, token: string): () => void {
  const { clock, random, log, tokens, operation } = machine.options
  return startRenewal<RawOperation, RawTransport>({
    clock,
    random,
    log,
    tokens,
    token,
    shards: () => [operation],
    open: (next, listeners) => open(machine, next, 0, listeners),
    takeOver(transport, next) {
      const { transport: before, state } = machine
      if (state.is !== 'live' || before === null) return transport.close()
      machine.transport = transport
      machine.stopRenewal = renewal(machine, next)
      // One more answer proves that the first one delivered everything until the second one was subscribed.
      before.checkAlive((alive) => {
        before.close()
        if (!alive && machine.transport === transport)
          machine.options.onGap(machine.provenAt ?? clock.now(), clock.now())
        transport.checkAlive(() => machine.overlap.end())
      })
    },
  })
}

function rejectionOf({ options: { tokens } }: Machine, errors: readonly unknown[]): RawEnd {
  const read = readErrors(errors, tokens.redact)
  const words = read.map(({ message }) => message).filter((message) => message !== '')
  const isForbidden = read[0]?.code === 'FORBIDDEN'
  return { is: 'rejected', fault: { kind: isForbidden ? 'forbidden' : 'query', detail: words[0] ?? '' }, words }
}

/** Plans the next attempt, or ends where another one cannot help. */
function fail(machine: Machine, reason: CloseReason, before: number): void {
  const { fault, pace } = reason
  const { clock, random } = machine.options
  const { state } = machine
  const hasLasted = state.is === 'live' && clock.now() - state.since > goodAfterMs
  leave(machine)
  if (machine.tokenRejections >= maxTokenRejections)
    return finish(machine, { is: 'rejected', fault, words: fault.detail === '' ? [] : [fault.detail] })
  // The same would happen again: the address is wrong, or the service does not speak the protocol.
  const isFirst = !machine.wasLive && (fault.kind === 'not-found' || pace === 'slow')
  if (isFirst || lacksSecret(fault)) return finish(machine, { is: 'failed', fault })
  const attempt = hasLasted ? 1 : before + 1
  const delay = delayAfter(reason, attempt, random())
  machine.cancelWait = clock.after(delay, () => connect(machine, attempt))
  move(machine, { is: 'waiting', attempt, retryAt: clock.now() + delay, fault })
}
