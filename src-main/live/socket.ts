import type { Clock } from '../../src-shared/clock.ts'
import { assertNever, toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/model.ts'
import type { Tokens } from '../auth/token.ts'
import type { Link, Log } from '../ports.ts'
import { retryDelay } from './backoff.ts'
import { startRenewal, type SecondEars } from './renewal.ts'
import { reshard, type Shard } from './shards.ts'
import { openWire, type Wire } from './wire.ts'

/** Refused credentials are tried this slowly at the most, so that Muster never locks an account out. */
const refusedCapMs = 5 * 60_000
/** A connection that held this long was a good one: the next attempt starts counting anew. */
const goodAfterMs = 60_000

/*
 *   off ──start──▶ connecting ──ack──▶ live
 *                    ▲    │              │ closed, silent, refused
 *              time, │    └──failed──▶ waiting ◀┘
 *              retry └───────────────────┘
 *   connecting ──no secret──▶ held ──retry──▶ connecting
 *   live ──the service knows no such stream──▶ readings-only ──retry──▶ connecting
 *   any ──stop──▶ off
 */
type State =
  | { is: 'off' }
  | { is: 'connecting'; attempt: number; wire: Wire | null }
  | { is: 'live'; attempt: number; since: number; wire: Wire; stopRenewal: () => void }
  | { is: 'waiting'; attempt: number; retryAt: number; cancel: () => void }
  | { is: 'readings-only' }
  /** Nothing can be tried before somebody does something. */
  | { is: 'held'; attempt: number }

const moves: Record<State['is'], readonly State['is'][]> = {
  off: ['connecting'],
  connecting: ['live', 'waiting', 'readings-only', 'held', 'off'],
  live: ['waiting', 'readings-only', 'off'],
  waiting: ['connecting', 'off'],
  'readings-only': ['connecting', 'off'],
  held: ['connecting', 'off'],
}

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
}

/** The live connection: it never gives up while the app runs (design, section 7). */
export interface Live {
  state(): LinkState
  /** The last moment at which the service proved to be there; null before the first. */
  aliveAt(): number | null
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
}

export function startLive(options: LiveOptions): Live {
  const machine: Machine = { options, state: { is: 'off' }, shards: [], aliveAt: null }
  connect(machine, 0)
  return {
    state: () => shown(machine.state),
    aliveAt: () => machine.aliveAt,
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
  if (!moves[state.is].includes(next.is)) throw new Error(`live: impossible move ${state.is} -> ${next.is}`)
  if (state.is === 'live') state.stopRenewal()
  options.log('info', `live: ${state.is} -> ${next.is}${fault === null ? '' : ` (${fault.kind})`}`)
  machine.state = next
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
      if (machine.state === connecting) fail(machine, toFault(error), attempt)
    },
  )
}

/** `second`: hears of it until it takes over. */
function open(machine: Machine, token: string, attempt: number, second: SecondEars | null = null): Wire {
  const { options } = machine
  const { link, clock, url, document } = options
  const isCurrent = () => 'wire' in machine.state && machine.state.wire === wire
  const current = <A extends unknown[]>(run: (...args: A) => void, before: (...args: A) => void = () => {}) => (...args: A) => (isCurrent() ? run(...args) : before(...args))
  const completed = completions(clock)
  const wire: Wire = openWire({
    link, clock, url, token, document, hide: options.tokens.hide,
    onAlive: current(() => { machine.aliveAt = clock.now() }),
    onOpen: current(() => {
      move(machine, { is: 'live', attempt, since: clock.now(), wire, stopRenewal: renewal(machine, token, attempt) }, null)
      for (const shard of machine.shards) wire.subscribe(shard)
    }, () => second?.onOpen()),
    // While two of them listen, an event may come twice: the second time it is none.
    onEvent: options.onEvent,
    onPartial: current((fault: Fault) => options.log('warn', `live: a part of an event failed: ${fault.detail}`)),
    onSubscribed: current((shard: Shard) => options.onSubscribed(shard.devices), (shard) => second?.onSubscribed(shard)),
    onComplete: current((shard: Shard) => {
      clock.after(retryDelay(completed(shard), options.random()), current(() => { if (machine.shards.includes(shard)) wire.subscribe(shard) }))
    }),
    onEnd: current((fault: Fault) => ended(machine, fault, token), (fault) => second?.onEnd(fault)),
  })
  return wire
}

/** The next token's connection takes over from this one, which then goes. Whoever looks on sees one live connection. */
function renewal(machine: Machine, token: string, attempt: number): () => void {
  const { clock, random, log, tokens } = machine.options
  return startRenewal({
    clock, random, log, tokens, token, shards: () => machine.shards,
    open: (next, ears) => open(machine, next, attempt, ears),
    takeOver(wire, next, shards) {
      const { state } = machine
      if (state.is !== 'live') return wire.close()
      machine.state = { ...state, wire, stopRenewal: renewal(machine, next, attempt) }
      follow(wire, shards, machine.shards)
      state.wire.close()
      log('info', 'live: the next token took over')
    },
  })
}

/** How often in a row the service has ended a shard by itself, so that a service that always does is asked less and less. */
function completions(clock: Clock): (shard: Shard) => number {
  const ends = new Map<number, { count: number; at: number }>()
  return ({ id }) => {
    const at = clock.monotonic()
    const last = ends.get(id)
    const count = last === undefined || at - last.at > goodAfterMs ? 1 : last.count + 1
    ends.set(id, { count, at })
    return count
  }
}

function ended(machine: Machine, fault: Fault, token: string): void {
  const { state, options } = machine
  // Some services answer an upgrade with a dead token by 403, others mean the caller's rights: a new token settles which.
  const refused = fault.kind === 'token' || (fault.kind === 'forbidden' && state.is === 'connecting')
  if (refused) options.tokens.drop(token)
  if (fault.kind === 'no-stream') return move(machine, { is: 'readings-only' }, fault)
  const held = state.is === 'live' && options.clock.now() - state.since > goodAfterMs
  fail(machine, fault, held || !('attempt' in state) ? 0 : state.attempt)
}

function fail(machine: Machine, fault: Fault, before: number): void {
  const { clock, random } = machine.options
  if (fault.kind === 'no-secret') return move(machine, { is: 'held', attempt: before }, fault)
  const attempt = before + 1
  // A wrong path does not mend itself either.
  const refused = fault.kind === 'credentials' || fault.kind === 'not-found'
  const delay = refused ? retryDelay(attempt + 4, random(), refusedCapMs) : retryDelay(attempt, random())
  const cancel = clock.after(delay, () => connect(machine, attempt))
  move(machine, { is: 'waiting', attempt, retryAt: clock.now() + delay, cancel }, fault)
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
  fail(machine, fault, 0)
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
function follow(wire: Wire, before: readonly Shard[], after: readonly Shard[]): void {
  for (const shard of after) if (!before.includes(shard)) wire.subscribe(shard)
  for (const shard of before) if (!after.includes(shard)) wire.unsubscribe(shard)
}

function shown(state: State): LinkState {
  switch (state.is) {
    case 'off':
    case 'held':
      return { state: 'off' }
    case 'connecting':
      return { state: 'connecting', attempt: state.attempt }
    case 'live':
      return { state: 'live', since: state.since }
    case 'waiting':
      return { state: 'waiting', attempt: state.attempt, retryAt: state.retryAt }
    case 'readings-only':
      return { state: 'readings-only' }
    default:
      return assertNever(state)
  }
}
