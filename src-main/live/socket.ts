import type { Clock } from '../../src-shared/clock.ts'
import { lacksSecret, toFault, type Fault } from '../../src-shared/fault.ts'
import type { LinkState } from '../../src-shared/model.ts'
import type { Tokens } from '../auth/token.ts'
import type { Link, Log } from '../ports.ts'
import { retryDelay } from './backoff.ts'
import { startCompletions } from './completions.ts'
import type { Ending } from './endings.ts'
import { startProbing } from './probing.ts'
import { startRenewal, type SecondEars } from './renewal.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { nextId, reshard, reshardApart, type Shard } from './shards.ts'
import { assertMove, shown, type Ear, type Source, type State } from './state.ts'
import { openWire } from './wire.ts'

/** What is refused is tried this slowly at the most, so that Muster never locks an account out. */
const refusedCapMs = 5 * 60_000
/** Live again within half a minute of the service's being ready, with the time that it takes to connect. */
const readyCapMs = 25_000
/** Where the service asks to be left alone, at least this long. */
const waitMs = 10_000
/** Ended so often in a row as soon as it began, a subscription counts as refused. */
const refusedAfter = 5
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
  /** The next token's connection took over; the state is live as before. */
  onRenewed?(): void
  /** One event's data, as it came. While a second socket takes over from the first, both tell what happens. */
  onEvent(data: unknown, source: Source): void
  /** These devices are subscribed to from now on: time to compare them with a reading. */
  onSubscribed(devices: ReadonlySet<string>): void
  /** The service has ended the subscription to these devices by itself: nothing is heard of them until they are subscribed to again. */
  onUnheard(devices: ReadonlySet<string>): void
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
  unheardSince(): number | null
  /** The devices to listen to, each with its tenant; shards that do not change are left alone. */
  want(devices: ReadonlyMap<string, string>): void
  /** Devices that the service takes no subscription for, and why; the others are live when the connection is. */
  parked(): ReadonlyMap<string, Fault>
  /** Tries now instead of when its time comes. Nothing happens while it is connecting or live. */
  retry(): void
  /** Leaves the socket for a new one, at once: nobody knows when what it still says has happened. */
  restart(fault: Fault): void
  stop(): void
}

interface Machine {
  options: LiveOptions
  state: State
  /** The devices that are wanted, with their tenants. */
  wanted: ReadonlyMap<string, string>
  refusals: Refusals
  shards: Shard[]
  aliveAt: number | null
  lateSince: number | null
  provenAt: number | null
  /** Shards that the wire in use is known to have subscribed to. */
  confirmed: Set<Shard>
  /** Shards that it is to leave when it has subscribed to those that take their place. */
  leaving: Set<Shard>
  /** How many numbers sockets have had (`Source`). */
  sockets: number
  /** The next token's wire, from its opening until it has told everything that the one before it told. */
  second: Ear | null
}

export function startLive(options: LiveOptions): Live {
  const machine: Machine = { options, state: { is: 'off' }, wanted: new Map(), refusals: createRefusals(refusing(() => machine)), shards: [], aliveAt: null, lateSince: null, provenAt: null, confirmed: new Set(), leaving: new Set(), sockets: 0, second: null }
  connect(machine, 0)
  return {
    state: () => shown(machine.state),
    aliveAt: () => machine.aliveAt,
    provenAt: () => machine.provenAt,
    covers: () => covers(machine),
    lateSince: () => machine.lateSince,
    unheardSince: () => (machine.state.is === 'live' ? machine.state.wire.completions.since() : null),
    want(devices) {
      const before = machine.shards
      machine.wanted = devices
      machine.refusals.only(devices)
      const { refusals } = machine
      const change = refusals.hasRefused() ? reshardApart : reshard
      machine.shards = [...change(before.filter((shard) => !refusals.isTrial(shard)), heardIn(machine), refusals.size()), ...before.filter(refusals.isTrial)]
      if (machine.state.is === 'live') follow(machine, machine.state.wire, before)
    },
    parked: () => machine.refusals.parked(),
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
  machine.confirmed.clear()
  machine.leaving.clear()
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
    onProven: current((at: number) => { if (covers(machine)) machine.provenAt = at }),
    onOpen() {
      options.tokens.prove(token)
      if (!isCurrent()) return second?.onOpen()
      move(machine, { is: 'live', attempt, since: clock.now(), wire, stopRenewal: renewal(machine, token, attempt) }, null)
      begin(machine)
      for (const shard of machine.shards) wire.subscribe(shard)
    },
    onEvent: (data) => options.onEvent(data, { ...wire.source, isTwofold: machine.second !== null }),
    onPartial: current((fault: Fault) => options.log('warn', `live: a part of an event failed: ${fault.detail}`)),
    onSubscribed(shard) {
      completions.stands(shard)
      if (isCurrent()) subscribed(machine, shard)
      else second?.onSubscribed(shard)
    },
    onRefused(shard, fault) {
      if (isCurrent()) refused(machine, wire, shard, fault)
      return isCurrent()
    },
    onComplete(shard) {
      const times = completions.ended(shard)
      if (!isCurrent()) return
      if (times >= refusedAfter || machine.refusals.isTrial(shard)) return refused(machine, wire, shard, { kind: 'socket', detail: 'the service ends the subscription as soon as it begins' })
      machine.confirmed.delete(shard)
      options.log('info', `live: the service ended a subscription of ${shard.devices.size} devices`)
      options.onUnheard(shard.devices)
    },
    onLate: current((since: number | null) => {
      machine.lateSince = since
      options.onDoubt()
    }),
    onClosed: (words) => options.log('info', `live: ${isCurrent() ? 'the connection' : 'the next connection'} ${words}`),
    onEnd(fault, pace) {
      completions.stop()
      if (isCurrent()) ended(machine, { fault, pace }, token)
      else second?.onEnd(fault)
    },
  }), { completions, source: sourceNow(machine) })
  return wire
}

/** The next token's connection takes over from this one, which then goes. Whoever looks on sees one live connection. */
function renewal(machine: Machine, token: string, attempt: number): () => void {
  const { clock, random, log, tokens, onDoubt, onRenewed } = machine.options
  return startRenewal({
    clock, random, log, tokens, token, shards: () => machine.shards,
    open(next, ears) {
      const second = open(machine, next, attempt, {
        ...ears, onEnd(fault) {
          caughtUp(machine, second)
          ears.onEnd(fault)
        },
      })
      machine.second = second
      return second
    },
    takeOver(wire, next, shards) {
      const { state } = machine
      if (state.is !== 'live') return wire.close()
      assertMove(state.is, 'live')
      machine.refusals.begin()
      // From here on it is known to tell everything; before, it may have begun in the middle of what the first one told.
      wire.source = sourceNow(machine)
      machine.state = { ...state, wire, stopRenewal: renewal(machine, next, attempt) }
      machine.lateSince = null
      machine.leaving.clear()
      follow(machine, wire, shards)
      succeed(machine, wire, state.wire, shards)
      log('info', 'live: live -> live: the next token took over')
      onRenewed?.()
      onDoubt()
    },
  })
}

function sourceNow(machine: Machine): Ear['source'] {
  machine.sockets += 1
  return { socket: machine.sockets, since: machine.options.clock.now() }
}

function caughtUp(machine: Machine, wire: Ear): void {
  if (machine.second === wire) machine.second = null
}

/**
 * The first wire goes when it has answered once more: then it has told everything until the second one listened. One that was
 * dead by then without anybody knowing leaves a gap, and so do shards that it had lost, or not yet got.
 */
function succeed(machine: Machine, wire: Ear, before: Ear, shards: readonly Shard[]): void {
  const whole = machine.confirmed
  machine.confirmed = new Set()
  before.askAlive((alive) => {
    before.close()
    wire.askAlive(() => caughtUp(machine, wire))
    if (machine.state.is !== 'live' || machine.state.wire !== wire) return
    for (const shard of shards.filter((each) => machine.shards.includes(each))) {
      if (alive && whole.has(shard)) machine.confirmed.add(shard)
      else subscribed(machine, shard)
    }
    if (covers(machine)) letGo(machine)
  })
}

const covers = ({ state, shards, confirmed }: Machine): boolean => state.is === 'live' && shards.every((shard) => confirmed.has(shard))

function subscribed(machine: Machine, shard: Shard): void {
  machine.confirmed.add(shard)
  if (covers(machine)) letGo(machine)
  machine.options.onSubscribed(shard.devices)
  machine.refusals.confirmed(shard)
}

const heardIn = ({ wanted, refusals }: Machine): ReadonlySet<string> => new Set([...wanted.keys()].filter((id) => !refusals.holds(id)))

/** On another socket what fits is known from the start, and what was being found out begins anew. */
function begin(machine: Machine): void {
  const { refusals, shards } = machine
  refusals.begin()
  machine.shards = reshard(shards.filter(({ devices }) => devices.size <= refusals.size()), heardIn(machine), refusals.size())
}

/** The service has not taken it, and takes others: what is heard of is not touched. */
function refused(machine: Machine, wire: Ear, shard: Shard, why: Fault): void {
  const { options, leaving, shards } = machine
  machine.confirmed.delete(shard)
  leaving.delete(shard)
  if (!shards.includes(shard)) return
  options.log('info', `live: the service did not take a subscription of ${shard.devices.size} devices (${why.kind}: ${why.detail})`)
  machine.shards = shards.filter((each) => each !== shard)
  wire.completions.only(machine.shards)
  const heard = new Set([...leaving].flatMap(({ devices }) => [...devices]))
  const lost = [...shard.devices].filter((id) => !heard.has(id))
  if (lost.length > 0) options.onUnheard(new Set(lost))
  machine.refusals.refused(shard, why)
}

const refusing = (of: () => Machine): Parameters<typeof createRefusals>[0] => ({
  clock: { after: (ms, run) => of().options.clock.after(ms, run) },
  random: () => of().options.random(),
  tenantOf: (id) => of().wanted.get(id),
  add(groups) {
    const machine = of()
    const before = machine.shards
    const first = nextId(before)
    const added = groups.map((ids, at) => ({ id: first + at, devices: new Set(ids) }))
    machine.shards = [...before, ...added]
    if (machine.state.is === 'live') follow(machine, machine.state.wire, before)
    return added
  },
  settled(then) {
    const { state } = of()
    if (state.is === 'live') state.wire.askAlive((alive) => { if (alive) then() })
  },
  onParked: () => of().options.onParked(),
})

/** The stream may only not have been there for a while. */
function probing(machine: Machine): () => void {
  const { clock, random, tokens, log } = machine.options
  return startProbing({
    clock, random, tokens, shards: () => machine.shards,
    open: (token, ears) => open(machine, token, 0, ears),
    takeUp(wire, token, shards) {
      log('info', 'live: the service has the stream after all')
      move(machine, { is: 'live', attempt: 0, since: clock.now(), wire, stopRenewal: renewal(machine, token, 0) }, null)
      machine.refusals.begin()
      follow(machine, wire, shards)
      for (const shard of shards) subscribed(machine, shard)
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
  if (lacksSecret(fault)) return move(machine, { is: 'held', attempt: before }, fault)
  const attempt = before + 1
  const delay = delayOf({ fault, pace }, attempt, random())
  const cancel = clock.after(delay, () => connect(machine, attempt))
  move(machine, { is: 'waiting', attempt, retryAt: clock.now() + delay, cancel }, fault)
}

function delayOf({ fault, pace }: Ending, attempt: number, random: number): number {
  if (fault.kind === 'credentials' || fault.kind === 'not-found') return retryDelay(attempt + 4, random, refusedCapMs)
  if (pace === 'wait') return waitMs + retryDelay(attempt + 4, random, readyCapMs - waitMs)
  // A fresh token is asked for each time.
  return retryDelay(pace === 'slow' ? attempt + 2 : attempt, random, readyCapMs)
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
  machine.refusals.stop()
  if (state.is === 'waiting') state.cancel()
  move(machine, { is: 'off' }, null)
  if ('wire' in state) state.wire?.close()
}

/** The old subscriptions go when the service has the new ones: a changed shard has no gap, and what is on its way by the old one still comes in. */
function follow(machine: Machine, wire: Ear, before: readonly Shard[]): void {
  const { shards, leaving } = machine
  const [known, now] = [new Set(before), new Set(shards)]
  for (const shard of before) if (!now.has(shard)) leaving.add(shard)
  for (const shard of shards) if (!known.has(shard)) wire.subscribe(shard)
  wire.completions.only(shards)
  if (covers(machine)) letGo(machine)
}

function letGo({ state, leaving }: Machine): void {
  for (const shard of leaving) if (state.is === 'live') state.wire.unsubscribe(shard)
  leaving.clear()
}
