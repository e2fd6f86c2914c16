import { lacksSecret, toFault, type Fault } from '../../src-shared/model/fault.ts'
import { startCompleted, type CompletedSubscriptions } from './subscriptions/completed-subscriptions.ts'
import {
  adopt,
  begin,
  covers,
  endedEarly,
  releaseLeaving,
  noteRejected,
  rejectionsOptions,
  subscribed,
  setDevices,
} from './subscriptions/coverage.ts'
import { askedBy, delayAfter, type CloseReason } from './transport/close-reasons.ts'
import type { Live, LiveOptions, Machine } from './machine.ts'
import { startResubscribeProbe } from './subscriptions/resubscribe-probe.ts'
import { startRenewal, type SecondSocketListeners } from './renewal.ts'
import { createRejections } from './subscriptions/rejections.ts'
import type { Shard } from './subscriptions/shards.ts'
import { assertMove, shown, type Socket, type State } from './state.ts'
import { openTransport, type TransportOptions } from './transport/transport.ts'

/** A subscription that ended this often in succession, soon after it began, counts as rejected. */
const rejectedAfter = 5
/** After a connection that lasted this many ms, the attempts are counted from zero. */
const goodAfterMs = 60_000

export function startLive(options: LiveOptions): Live {
  const machine: Machine = {
    options,
    state: { is: 'off' },
    wanted: new Map(),
    rejections: createRejections(rejectionsOptions(() => machine)),
    shards: [],
    aliveAt: null,
    isRejected: false,
    lateSince: null,
    provenAt: null,
    confirmed: new Set(),
    leaving: new Set(),
    sockets: 0,
    second: null,
  }
  connect(machine, 0)
  return {
    state: () => shown(machine.state),
    aliveAt: () => machine.aliveAt,
    provenAt: () => machine.provenAt,
    covers: () => covers(machine),
    lateSince: () => machine.lateSince,
    subscriptionLostSince: () => (machine.state.is === 'live' ? machine.state.socket.completions.since() : null),
    setDevices: (devices) => setDevices(machine, devices),
    parked: () => machine.rejections.parked(),
    retry: () => retry(machine),
    newToken: () => newToken(machine),
    restart: (fault) => restart(machine, fault),
    stop: () => stop(machine),
  }
}

function move(machine: Machine, next: State, fault: Fault | null): void {
  const { state, options } = machine
  assertMove(state.is, next.is)
  if (state.is === 'live') state.stopRenewal()
  if (state.is === 'polling') state.stopProbing()
  machine.confirmed.clear()
  machine.leaving.clear()
  const attempt = 'attempt' in next ? `, attempt ${next.attempt + 1}` : ''
  options.log(
    'info',
    `live: ${state.is} -> ${next.is}${attempt}${fault === null ? '' : ` (${fault.kind}${fault.detail === '' ? '' : `: ${fault.detail}`})`}`,
  )
  machine.state = next
  machine.lateSince = null
  options.onState(shown(next), fault)
}

function connect(machine: Machine, attempt: number): void {
  const connecting: State = { is: 'connecting', attempt, socket: null }
  move(machine, connecting, null)
  machine.options.tokens.get().then(
    (token) => {
      if (machine.state === connecting) connecting.socket = open(machine, token, attempt)
    },
    (error: unknown) => {
      if (machine.state === connecting)
        fail(machine, { fault: toFault(error), pace: 'usual', ...askedBy(error) }, attempt)
    },
  )
}

/** Opens a transport. `second` receives its events until it takes over. */
function open(machine: Machine, token: string, attempt: number, second: SecondSocketListeners | null = null): Socket {
  const { options } = machine
  const { link, clock, url, document, dialect } = options
  const isCurrent = () => 'socket' in machine.state && machine.state.socket === transport
  const current =
    <A extends unknown[]>(run: (...args: A) => void) =>
    (...args: A) => {
      if (isCurrent()) run(...args)
    }
  const completions = startCompleted({
    clock,
    random: options.random,
    onChange: current(options.onDoubt),
    subscribeAgain: (shard) => {
      if (!isCurrent() || machine.shards.includes(shard)) transport.subscribe(shard)
    },
  })
  const transport: Socket = Object.assign(
    openTransport({
      link,
      clock,
      url,
      token,
      document,
      dialect,
      redact: options.tokens.redact,
      onAlive: current(() => {
        machine.aliveAt = clock.now()
      }),
      onProven: current((at: number) => {
        if (covers(machine)) machine.provenAt = at
      }),
      onOpen() {
        options.tokens.prove(token)
        if (isCurrent()) opened(machine, transport, token, attempt)
        else second?.onOpen()
      },
      onEvent: (data) => options.onEvent(data, { ...transport.source, isOverlapping: machine.second !== null }),
      onPartial: current((fault: Fault) => options.log('warn', `live: a part of an event failed: ${fault.detail}`)),
      ...ofSubscriptions(machine, { completions, second, isCurrent, transport: () => transport }),
      onLate: current((since: number | null) => {
        machine.lateSince = since
        options.onDoubt()
      }),
      onClosed: (words) =>
        options.log('info', `live: ${isCurrent() ? 'the connection' : 'the next connection'} ${words}`),
      onEnd(fault, pace, askedMs) {
        completions.stop()
        if (isCurrent()) ended(machine, { fault, pace, ...(askedMs !== undefined && { askedMs }) }, token)
        else second?.onEnd(fault, askedMs)
      },
    }),
    { completions, source: sourceNow(machine) },
  )
  return transport
}

function opened(machine: Machine, transport: Socket, token: string, attempt: number): void {
  const since = machine.options.clock.now()
  move(machine, { is: 'live', attempt, since, socket: transport, stopRenewal: renewal(machine, token, attempt) }, null)
  begin(machine)
  for (const shard of machine.shards) transport.subscribe(shard)
}

interface Subscribing {
  completions: CompletedSubscriptions
  second: SecondSocketListeners | null
  /** Returns whether this transport is the one in use. */
  isCurrent: () => boolean
  transport: () => Socket
}

/** Returns the listeners for the subscriptions of a transport. */
function ofSubscriptions(
  machine: Machine,
  { completions, second, isCurrent, transport }: Subscribing,
): Pick<TransportOptions, 'onSubscribed' | 'onRejected' | 'onComplete'> {
  const { options } = machine
  return {
    onSubscribed(shard) {
      completions.resubscribed(shard)
      if (isCurrent()) subscribed(machine, shard)
      else second?.onSubscribed(shard)
    },
    onRejected(shard, fault) {
      if (!isCurrent()) second?.onRejected?.()
      if (isCurrent()) noteRejected(machine, transport(), shard, fault)
      return isCurrent()
    },
    onComplete(shard) {
      if (isCurrent() && !machine.shards.includes(shard)) return endedEarly(machine, shard)
      const times = completions.ended(shard)
      if (!isCurrent()) return
      if (times >= rejectedAfter || machine.rejections.isTrial(shard)) {
        const detail = 'the service ends the subscription as soon as it begins'
        return noteRejected(machine, transport(), shard, { kind: 'socket', detail })
      }
      machine.confirmed.delete(shard)
      options.log('info', `live: the service ended a subscription of ${shard.devices.size} devices`)
      options.onSubscriptionLost(shard.devices)
    },
  }
}

/**
 * Starts the renewal: the connection with the next token takes over from this one, which then closes. The window shows
 * one live connection.
 */
function renewal(machine: Machine, token: string, attempt: number): () => void {
  const { clock, random, log, tokens, onDoubt, onRenewed } = machine.options
  return startRenewal({
    clock,
    random,
    log,
    tokens,
    token,
    shards: () => machine.shards,
    open(next, listeners) {
      const second = open(machine, next, attempt, {
        ...listeners,
        onEnd(fault, askedMs) {
          caughtUp(machine, second)
          listeners.onEnd(fault, askedMs)
        },
      })
      machine.second = second
      return second
    },
    takeOver(transport, next, shards) {
      const { state } = machine
      if (state.is !== 'live') return transport.close()
      assertMove(state.is, 'live')
      // From here on it delivers all events; its first ones may have overlapped with those of the first transport.
      transport.source = sourceNow(machine)
      machine.state = { ...state, socket: transport, stopRenewal: renewal(machine, next, attempt) }
      machine.lateSince = null
      machine.leaving.clear()
      adopt(machine, transport, shards)
      handOver(machine, transport, state.socket, shards)
      log('info', 'live: live -> live: the next token took over')
      onRenewed?.()
      onDoubt()
    },
  })
}

function sourceNow(machine: Machine): Socket['source'] {
  machine.sockets += 1
  return { socket: machine.sockets, since: machine.options.clock.now() }
}

function caughtUp(machine: Machine, transport: Socket): void {
  if (machine.second === transport) machine.second = null
}

/**
 * Closes the first transport after one more answer, which proves that it delivered everything until the second one was
 * subscribed. A first transport that was already dead leaves a gap, as do shards that it had lost or not yet confirmed.
 */
function handOver(machine: Machine, transport: Socket, before: Socket, shards: readonly Shard[]): void {
  const confirmedBefore = machine.confirmed
  machine.confirmed = new Set()
  before.checkAlive((alive) => {
    before.close()
    transport.checkAlive(() => caughtUp(machine, transport))
    if (machine.state.is !== 'live' || machine.state.socket !== transport) return
    for (const shard of shards.filter((each) => machine.shards.includes(each))) {
      if (alive && confirmedBefore.has(shard)) machine.confirmed.add(shard)
      else subscribed(machine, shard)
    }
    if (covers(machine)) releaseLeaving(machine)
  })
}

/** Starts to probe for the stream, which may be missing only temporarily. */
function startProbing(machine: Machine): () => void {
  const { clock, random, tokens, log } = machine.options
  return startResubscribeProbe({
    clock,
    random,
    tokens,
    shards: () => machine.shards,
    open: (token, listeners) => open(machine, token, 0, listeners),
    onAvailable(transport, token, shards, confirmed) {
      log('info', 'live: the service has the stream after all')
      move(
        machine,
        { is: 'live', attempt: 0, since: clock.now(), socket: transport, stopRenewal: renewal(machine, token, 0) },
        null,
      )
      adopt(machine, transport, shards)
      for (const shard of confirmed) subscribed(machine, shard)
    },
  })
}

function ended(machine: Machine, reason: CloseReason, token: string): void {
  const { fault } = reason
  const { state, options } = machine
  // Some services reject an expired token with 403, others mean the caller's rights: a new token shows which.
  const rejected = fault.kind === 'token' || (fault.kind === 'forbidden' && state.is === 'connecting')
  if (rejected) options.tokens.drop(token)
  if (fault.kind === 'no-stream') return move(machine, { is: 'polling', stopProbing: startProbing(machine) }, fault)
  const hasLasted = state.is === 'live' && options.clock.now() - state.since > goodAfterMs
  // A token that the service has forgotten is unrelated to the delays of earlier attempts, and the next one is new.
  const isForgotten = rejected && !machine.isRejected
  machine.isRejected = rejected || (machine.isRejected && !hasLasted)
  fail(
    machine,
    reason,
    hasLasted || isForgotten || !('attempt' in state) ? 0 : state.attempt,
    reason.askedMs !== undefined,
  )
}

function fail(machine: Machine, reason: CloseReason, before: number, isAsked = false): void {
  const { fault } = reason
  const { clock, random } = machine.options
  if (lacksSecret(fault)) return move(machine, { is: 'blocked', attempt: before }, fault)
  const attempt = before + 1
  const delay = delayAfter(reason, attempt, random())
  const cancel = clock.after(delay, () => connect(machine, attempt))
  move(machine, { is: 'waiting', attempt, retryAt: clock.now() + delay, isAsked, cancel }, fault)
}

function retry(machine: Machine): void {
  const { state } = machine
  if (state.is === 'polling' || state.is === 'blocked') return connect(machine, 0)
  if (state.is !== 'waiting') return
  state.cancel()
  connect(machine, state.attempt)
}

function newToken(machine: Machine): void {
  const { state, isRejected } = machine
  if (state.is !== 'waiting' || state.isAsked || isRejected) return
  state.cancel()
  connect(machine, 0)
}

function restart(machine: Machine, fault: Fault): void {
  const { state } = machine
  if (state.is !== 'live' && state.is !== 'connecting') return retry(machine)
  fail(machine, { fault, pace: 'usual' }, 0)
  state.socket?.close()
  retry(machine)
}

function stop(machine: Machine): void {
  const { state } = machine
  if (state.is === 'off') return
  machine.rejections.stop()
  if (state.is === 'waiting') state.cancel()
  move(machine, { is: 'off' }, null)
  if ('socket' in state) state.socket?.close()
}
