import type { Clock } from '../../src-shared/clock.ts'
import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/model.ts'
import type { Tokens } from '../auth/token.ts'
import type { Link, Log } from '../ports.ts'
import { retryDelay } from './backoff.ts'
import { startCompletions } from './completions.ts'
import type { Ending } from './endings.ts'
import { startProbing } from './probing.ts'
import { startRenewal, type SecondEars } from './renewal.ts'
import { reshard, type Shard } from './shards.ts'
import { assertMove, shown, type Ear, type State } from './state.ts'
import { openWire } from './wire.ts'

/** What is refused is tried this slowly at the most, so that Muster never locks an account out. */
const refusedCapMs = 5 * 60_000
/** Where the service asks to be left alone, at least this long. */
const waitMs = 30_000
/** A connection that held this long was a good one: the next attempt starts counting anew. */
const goodAfterMs = 60_000

export interface LiveOptions {
  link: Link
  clock: Clock
  random: () => number
  log: Log
  url: string
  document: string
  tokens: Tokens
  /** The state moved; `fault` says why it is not live, null when nothing is wrong. */
  onState(state: LinkState, fault: Fault | null): void
  /** One event's data, as it came. */
  onEvent(data: unknown): void
  /** These devices are subscribed to from now on: time to compare them with a reading. */
  onSubscribed(devices: ReadonlySet<string>): void
  /** The service has ended the subscription to these devices by itself: nothing is heard of them until they are subscribed to again. */
  onUnheard(devices: ReadonlySet<string>): void
  /** What `lateSince` and `unheardSince` tell has changed. */
  onDoubt(): void
}

/** The live connection: it never gives up while the app runs (design, section 7). */
export interface Live {
  state(): LinkState
  /** The last moment at which the service proved to be there; null before the first. */
  aliveAt(): number | null
  /** Set while a Pong is late, before it is too late: since when nothing was heard, ms since the epoch. */
  lateSince(): number | null
  /** Set while the live connection stands but a subscription does not, because the service has ended it: since when, ms since the epoch. */
  unheardSince(): number | null
  /** The devices to listen to; shards that do not change are left alone. */
  want(devices: ReadonlySet<string>): void
  /** Tries now instead of when its time comes. Nothing happens while it is connecting or live. */
  retry(): void
  /** Leaves the socket for a new one, at once: nobody knows when what it still says has happened. */
  restart(fault: Fault): void
  stop(): void
}

interface Machine {
  options: LiveOptions
  state: State
  shards: Shard[]
  aliveAt: number | null
  lateSince: number | null
}

export function startLive(options: LiveOptions): Live {
  const machine: Machine = { options, state: { is: 'off' }, shards: [], aliveAt: null, lateSince: null }
  connect(machine, 0)
  return {
    state: () => shown(machine.state),
    aliveAt: () => machine.aliveAt,
    lateSince: () => machine.lateSince,
    unheardSince: () => (machine.state.is === 'live' ? machine.state.wire.completions.since() : null),
    want(devices) {
      const before = machine.shards
      machine.shards = reshard(before, devices)
      if (machine.state.is === 'live') follow(machine.state.wire, before, machine.shards)
    },
    retry: () => retry(machine),
    restart: (fault) => restart(machine, fault),
    stop: () => stop(machine),
  }
}

function move(machine: Machine, next: State, fault: Fault | null): void {
  const { state, options } = machine
  assertMove(state.is, next.is)
  if (state.is === 'live') state.stopRenewal()
  if (state.is === 'readings-only') state.stopProbing()
  const attempt = 'attempt' in next ? `, attempt ${next.attempt + 1}` : ''
  options.log('info', `live: ${state.is} -> ${next.is}${attempt}${fault === null ? '' : ` (${fault.kind}${fault.detail === '' ? '' : `: ${fault.detail}`})`}`)
  machine.state = next
  machine.lateSince = null
  options.onState(shown(next), fault)
}

function connect(machine: Machine, attempt: number): void {
  const connecting: State = { is: 'connecting', attempt, wire: null }
  move(machine, connecting, null)
  machine.options.tokens.get().then(
    (token) => {
      if (machine.state === connecting) connecting.wire = open(machine, token, attempt)
    },
    (error: unknown) => {
      if (machine.state === connecting) fail(machine, { fault: toFault(error), pace: 'usual' }, attempt)
    },
  )
}

/** `second`: hears of it until it takes over. */
function open(machine: Machine, token: string, attempt: number, second: SecondEars | null = null): Ear {
  const { options } = machine
  const { link, clock, url, document } = options
  const isCurrent = () => 'wire' in machine.state && machine.state.wire === wire
  const current = <A extends unknown[]>(run: (...args: A) => void, before: (...args: A) => void = () => {}) => (...args: A) => (isCurrent() ? run(...args) : before(...args))
  const completions = startCompletions({
    clock, random: options.random, onChange: current(options.onDoubt),
    again: (shard) => { if (!isCurrent() || machine.shards.includes(shard)) wire.subscribe(shard) },
  })
  const wire: Ear = Object.assign(openWire({
    link, clock, url, token, document, hide: options.tokens.hide,
    onAlive: current(() => { machine.aliveAt = clock.now() }),
    onOpen() {
      options.tokens.prove(token)
      if (!isCurrent()) return second?.onOpen()
      move(machine, { is: 'live', attempt, since: clock.now(), wire, stopRenewal: renewal(machine, token, attempt) }, null)
      for (const shard of machine.shards) wire.subscribe(shard)
    },
    // While two of them listen, an event may come twice: the second time it is none.
    onEvent: options.onEvent,
    onPartial: current((fault: Fault) => options.log('warn', `live: a part of an event failed: ${fault.detail}`)),
    onSubscribed(shard) {
      completions.stands(shard)
      if (isCurrent()) options.onSubscribed(shard.devices)
      else second?.onSubscribed(shard)
    },
    onComplete(shard) {
      completions.ended(shard)
      if (!isCurrent()) return
      options.log('info', `live: the service ended a subscription of ${shard.devices.size} devices`)
      options.onUnheard(shard.devices)
    },
    onLate: current((since: number | null) => {
      machine.lateSince = since
      options.onDoubt()
    }),
    onClosed: (words) => options.log('info', `live: the service closed ${isCurrent() ? 'the connection' : 'the next connection'} ${words}`),
    onEnd(fault, pace) {
      completions.stop()
      if (isCurrent()) ended(machine, { fault, pace }, token)
      else second?.onEnd(fault)
    },
  }), { completions })
  return wire
}

/** The next token's connection takes over from this one, which then goes. Whoever looks on sees one live connection. */
function renewal(machine: Machine, token: string, attempt: number): () => void {
  const { clock, random, log, tokens, onDoubt } = machine.options
  return startRenewal({
    clock, random, log, tokens, token, shards: () => machine.shards,
    open: (next, ears) => open(machine, next, attempt, ears),
    takeOver(wire, next, shards) {
      const { state } = machine
      if (state.is !== 'live') return wire.close()
      assertMove(state.is, 'live')
      machine.state = { ...state, wire, stopRenewal: renewal(machine, next, attempt) }
      machine.lateSince = null
      follow(wire, shards, machine.shards)
      state.wire.close()
      log('info', 'live: live -> live: the next token took over')
      onDoubt()
    },
  })
}

/** The stream may only not have been there for a while. */
function probing(machine: Machine): () => void {
  const { clock, random, tokens, log, onSubscribed } = machine.options
  return startProbing({
    clock, random, tokens, shards: () => machine.shards,
    open: (token, ears) => open(machine, token, 0, ears),
    takeUp(wire, token, shards) {
      log('info', 'live: the service has the stream after all')
      move(machine, { is: 'live', attempt: 0, since: clock.now(), wire, stopRenewal: renewal(machine, token, 0) }, null)
      follow(wire, shards, machine.shards)
      for (const shard of shards) onSubscribed(shard.devices)
    },
  })
}

function ended(machine: Machine, { fault, pace }: Ending, token: string): void {
  const { state, options } = machine
  // Some services answer an upgrade with a dead token by 403, others mean the caller's rights: a new token settles which.
  const refused = fault.kind === 'token' || (fault.kind === 'forbidden' && state.is === 'connecting')
  if (refused) options.tokens.drop(token)
  if (fault.kind === 'no-stream') return move(machine, { is: 'readings-only', stopProbing: probing(machine) }, fault)
  const held = state.is === 'live' && options.clock.now() - state.since > goodAfterMs
  fail(machine, { fault, pace }, held || !('attempt' in state) ? 0 : state.attempt)
}

function fail(machine: Machine, { fault, pace }: Ending, before: number): void {
  const { clock, random } = machine.options
  if (fault.kind === 'no-secret') return move(machine, { is: 'held', attempt: before }, fault)
  const attempt = before + 1
  const delay = delayOf({ fault, pace }, attempt, random())
  const cancel = clock.after(delay, () => connect(machine, attempt))
  move(machine, { is: 'waiting', attempt, retryAt: clock.now() + delay, cancel }, fault)
}

function delayOf({ fault, pace }: Ending, attempt: number, random: number): number {
  if (fault.kind === 'credentials' || fault.kind === 'not-found') return retryDelay(attempt + 4, random, refusedCapMs)
  if (pace === 'wait') return waitMs + retryDelay(attempt + 4, random, refusedCapMs)
  if (pace === 'slow') return retryDelay(attempt + 2, random, refusedCapMs)
  // A fresh token is asked for each time.
  return fault.kind === 'token' ? retryDelay(attempt, random, refusedCapMs) : retryDelay(attempt, random)
}

function retry(machine: Machine): void {
  const { state } = machine
  if (state.is === 'readings-only' || state.is === 'held') return connect(machine, 0)
  if (state.is !== 'waiting') return
  state.cancel()
  connect(machine, state.attempt)
}

function restart(machine: Machine, fault: Fault): void {
  const { state } = machine
  if (state.is !== 'live' && state.is !== 'connecting') return retry(machine)
  fail(machine, { fault, pace: 'usual' }, 0)
  state.wire?.close()
  retry(machine)
}

function stop(machine: Machine): void {
  const { state } = machine
  if (state.is === 'off') return
  if (state.is === 'waiting') state.cancel()
  move(machine, { is: 'off' }, null)
  if ('wire' in state) state.wire?.close()
}

/** New subscriptions first, then the old ones go: a changed shard has no gap. */
function follow(wire: Ear, before: readonly Shard[], after: readonly Shard[]): void {
  for (const shard of after) if (!before.includes(shard)) wire.subscribe(shard)
  for (const shard of before) if (!after.includes(shard)) wire.unsubscribe(shard)
  wire.completions.only(after)
}
