import type { Clock } from '../../src-shared/lib/clock.ts'
import { toFault } from '../../src-shared/model/fault.ts'
import type { Told, Tellings } from '../../src-shared/model/inventory.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { Change, InventoryData } from '../inventory/thread/protocol.ts'
import type { StoredTransition } from '../storage/journal/alerts.ts'
import type { Log } from '../ports.ts'
import { isHeld, isPaused, keysToAsk, keysWithoutThresholds, nextEvaluation } from './engine/due.ts'
import { deltaOf, stateOf } from './stored-state.ts'
import {
  longestFlap,
  noNotes,
  nothing,
  recentOf,
  thresholdsOf,
  type Input,
  type PolicyState,
  type Marks,
  type Notes,
  type Thresholds,
  type State,
} from './engine/state.ts'
import { endsBeside, goesAgain, hasNews, mayHaveMoved, unfigured } from './engine/evaluation-triggers.ts'
import { hasFutureTimes, clampFutureTimes } from './engine/clamp-future-times.ts'
import { runInSlices } from './cooperative.ts'
import { reduce, reduceInSlices } from './engine/reduce.ts'

export interface AlertsOptions {
  data: Pick<InventoryData, 'alerts' | 'keepAlerts' | 'whereabouts'>
  clock: Clock
  log: Log
  settings: () => Settings
  /** Maintenance windows and figures of nodes, as they are laid down now. */
  laid: () => PolicyState
  /** Ids of the connections that the operator has paused: what they alone see is nothing to be blind for. */
  paused: () => ReadonlySet<string>
  /** When each of these had its last word of the service, ms; of one that never had one nothing. */
  heard: (connections: readonly string[]) => number[]
  /** `keys`: the devices whose drop or return this tells for the first time. */
  onTell: (told: Told, keys: readonly string[]) => void
  onTellings: (tellings: Tellings) => void
  /** Incidents, or why they are not told, have changed. */
  onIncidents: () => void
}

/**
 * Tells the operator. Everything is committed, then remembered, then told (invariant 2): a crash between the commit and
 * the notice leaves the telling in the list of what was told, and it is not told a second time. What the disk refuses is
 * told all the same, and kept with what comes next: then a crash may tell it once more, and never leaves it untold.
 */
export interface Alerts {
  /** To be called with each change, in their order. */
  heard(change: Change): void
  /** A setting, or which connections are paused, may have changed. */
  recheck(): void
  /** 0: tell again from now on. Resolves when it is kept. */
  pause(minutes: number): Promise<void>
  tellings(): Tellings
  /** As it is now: not to be changed. */
  state(): State
  rules(): Thresholds
  /** What the operator says of incidents. Resolves when it is kept. */
  mark(marks: readonly Marks[]): Promise<void>
  /** A notification of this telling of then was shown, or was not. Resolves when it is kept. */
  shown(id: string, at: number, shown: boolean): Promise<void>
  /** What the journal holds has changed behind this one's back: a connection was forgotten, or the data thread died. */
  reload(): Promise<void>
  /**
   * Runs what makes the journal forget, between two turns, and takes the journal's word afterwards: nothing of what was
   * forgotten is written back. Rejects as `run` does.
   */
  forgetting<T>(run: () => Promise<T>): Promise<T>
  /** Ends after what has begun. */
  stop(): Promise<void>
}

/** Changes that come together are weighed together; no longer, because a person waits for it where there is no hold-off. */
const gatherMs = 40
/** A change of sight comes in many parts: page after page is read again. */
const sightMs = 1_000
/** What is gone from the inventory is looked for this often while anything is down. */
const sweepMs = 30 * 60_000
/** After a call that failed it is tried again. */
const againMs = 5_000
/** What is still due after it was looked at is not looked at over and over. */
const stuckMs = 10_000
/** Also when nothing is heard: a pause outlives a restart. */
const unkeptMs = 30_000

interface Running {
  readonly options: AlertsOptions
  state: State
  /** What the journal holds. */
  kept: State
  /** What the journal is still to hear of incidents. */
  unkept: Notes
  /** Transitions that are in the state, and in the journal as fresh. */
  untaken: { key: string; at: number }[]
  heard: StoredTransition[]
  /** How many devices Muster cannot see; another figure means that its sight has changed. */
  unknown: number | null
  /** All that waits is to be looked at, whatever it waits for. */
  all: boolean
  sweepAt: number
  /** Keys of the tenants that were listed in this run. */
  readonly listed: Set<string>
  /** The latest moment that was seen: the clock may be set back. */
  latest: number
  timer: { at: number; cancel: () => void } | null
  /** A turn is due, and waits for the one before it. */
  waits: boolean
  /** Turns go one after the other. */
  last: Promise<void>
  stopped: boolean
}

export async function startAlerts(options: AlertsOptions): Promise<Alerts> {
  const running: Running = {
    options,
    state: nothing,
    kept: nothing,
    unkept: noNotes,
    untaken: [],
    heard: [],
    unknown: null,
    all: true,
    sweepAt: 0,
    listed: new Set(),
    latest: -Infinity,
    timer: null,
    waits: false,
    last: Promise.resolve(),
    stopped: false,
  }
  await load(running)
  schedule(running, gatherMs)
  const recheck = () => {
    running.all = true
    schedule(running, gatherMs)
  }
  return {
    heard: (change) => hear(running, change),
    recheck,
    pause: (minutes) => inTurn(running, () => pause(running, minutes)),
    tellings: () => tellingsOf(running),
    state: () => running.state,
    rules: () => rulesNow(running),
    mark: (marks) =>
      inTurn(running, async () => {
        await take(running, { kind: 'marks', marks })
        recheck()
      }),
    shown: (id, at, shown) => inTurn(running, () => take(running, { kind: 'shown', id, at, shown })),
    reload: () =>
      inTurn(running, async () => {
        // What a full disk refused until now would be lost with it.
        await keep(running, running.state)
        await load(running)
        options.onTellings(tellingsOf(running))
        options.onIncidents()
        recheck()
      }),
    forgetting(run) {
      const mine = running.last.then(run)
      running.last = mine
        .then(() => load(running))
        .then(recheck, (thrown: unknown) => {
          options.log('warn', `what is to be told could not be read anew (${toFault(thrown).kind})`)
        })
      return mine
    },
    async stop() {
      running.stopped = true
      running.timer?.cancel()
      await running.last
      // What a full disk refused until now would be told again.
      await keep(running, running.state)
    },
  }
}

function tellingsOf({ state, options }: Running): Tellings {
  return {
    pausedUntil: isPaused(state, options.clock.now()) ? (state.pause?.until ?? null) : null,
    recent: recentOf(state),
  }
}

/** What was not weighed when Muster ended, or when the data thread died, is weighed now. */
async function load(running: Running): Promise<void> {
  const { data, clock } = running.options
  const stored = await data.alerts({ since: clock.now() - longestFlap(rulesNow(running)) })
  running.kept = stateOf(stored, clock.now())
  running.state = hasFutureTimes(running.kept, clock.now()) ? clampFutureTimes(running.kept, clock.now()) : running.kept
  running.unkept = noNotes
  running.heard = [...stored.fresh]
  running.untaken = []
}

function rulesNow({ options }: Running): Thresholds {
  return thresholdsOf(options.settings(), options.laid())
}

async function pause(running: Running, minutes: number): Promise<void> {
  const { clock, onTellings } = running.options
  await take(running, { kind: 'pause', until: minutes === 0 ? null : clock.now() + minutes * 60_000 })
  onTellings(tellingsOf(running))
  running.all = true
  schedule(running, gatherMs)
}

function hear(running: Running, change: Change): void {
  const { transitions, totals } = change
  for (const each of transitions) running.heard.push(each)
  const sight = totals.unknown !== running.unknown
  running.unknown = totals.unknown
  const moved = mayHaveMoved(running.state, change)
  if (moved) running.sweepAt = 0
  const now = sight || moved || endsBeside(running.state, transitions) || goesAgain(running.state, transitions)
  if (now) running.all = true
  if (transitions.length > 0) schedule(running, gatherMs)
  if (now) schedule(running, sightMs)
}

/** A turn after so many ms, unless one comes sooner. */
function schedule(running: Running, ms: number): void {
  const { clock } = running.options
  const at = clock.monotonic() + ms
  if (running.stopped || (running.timer !== null && running.timer.at <= at)) return
  running.timer?.cancel()
  const cancel = clock.after(ms, () => {
    running.timer = null
    // One that waits for the turn before it weighs all that is heard until it begins.
    if (running.waits) return
    running.waits = true
    // What failed is logged, and tried again.
    inTurn(running, () => {
      running.waits = false
      return turn(running)
    }).catch(() => schedule(running, againMs))
  })
  running.timer = { at, cancel }
}

function inTurn(running: Running, run: () => Promise<void>): Promise<void> {
  const mine = running.last.then(run)
  running.last = mine.catch((thrown: unknown) =>
    running.options.log('warn', `what is to be told could not be weighed (${toFault(thrown).kind})`),
  )
  return mine
}

/** Weighs what was heard and looks at what is due: one question and one write, however much it is. A setting that changes meanwhile brings another turn. */
async function turn(running: Running): Promise<void> {
  if (running.stopped) return
  const { clock } = running.options
  const rules = rulesNow(running)
  lookAtClock(running)
  const heard = running.heard.splice(0)
  for (const { key, at } of heard) running.untaken.push({ key, at })
  running.state = reduce(running.state, { kind: 'transitions', transitions: heard }, clock.now(), rules).state
  if (running.all) running.state = unfigured(running.state)
  await figure(running, rules)
  const next = nextEvaluation(running.state, rules, clock.now())
  const sweep = running.sweepAt <= clock.now() && running.state.drops.size > 0
  if (running.all || sweep || (next !== null && next <= clock.now())) await lookAround(running, rules)
  else await keep(running, running.state)
  rest(running, rules)
}

function lookAtClock(running: Running): void {
  const { clock, onTellings, onIncidents } = running.options
  const now = clock.now()
  if (now < running.latest) {
    running.state = clampFutureTimes(running.state, now)
    running.sweepAt = 0
    running.all = true
    onTellings(tellingsOf(running))
    onIncidents()
  }
  running.latest = now
}

async function figure(running: Running, rules: Thresholds): Promise<void> {
  const keys = keysWithoutThresholds(running.state, rules)
  if (keys.length === 0) return
  const found = await running.options.data.whereabouts({ keys, idle: [...running.options.paused()] })
  running.state = reduce(running.state, { kind: 'figures', found }, running.options.clock.now(), rules).state
}

async function lookAround(running: Running, rules: Thresholds): Promise<void> {
  const { clock, data, paused, heard } = running.options
  const { all } = running
  const sweep = running.sweepAt <= clock.now()
  running.all = false
  const due = keysToAsk(running.state, rules, clock.now(), all)
  const asked = sweep ? [...new Set([...running.state.drops.keys(), ...due])] : due
  try {
    const idle = paused()
    // Where those are that are within their hold-off: they are not down in their places yet.
    const held = [...running.state.drops.values()]
      .filter((drop) => isHeld(drop, rules, clock.now()))
      .map(({ key }) => key)
    const found = await data.whereabouts({
      keys: asked.length === 0 ? [] : [...new Set([...asked, ...held])],
      idle: [...idle],
    })
    const tenants = found.tenants.filter(({ connections }) => connections.some((id) => !idle.has(id)))
    const listed = new Set(found.tenants.map(({ key }) => key))
    for (const key of listed) running.listed.add(key)
    if (sweep) running.sweepAt = clock.now() + sweepMs
    await take(
      running,
      {
        kind: 'look',
        asked,
        found: {
          ...found,
          gone: new Set([...running.listed, ...found.withdrawn].filter((key) => !listed.has(key))),
          tenants: tenants.map((tenant) => ({
            ...tenant,
            heard: heard(tenant.connections.filter((id) => !idle.has(id))),
          })),
        },
      },
      rules,
    )
  } catch (thrown) {
    running.all = true
    throw thrown
  }
}

async function take(running: Running, input: Input, rules = rulesNow(running)): Promise<void> {
  const { clock, onTell, onTellings, onIncidents } = running.options
  lookAtClock(running)
  const before = running.state
  const { state, tells, notes } = await runInSlices(reduceInSlices(before, input, clock.now(), rules), clock)
  running.unkept = both(running.unkept, notes)
  await keep(running, state)
  running.state = state
  for (const { told, keys } of tells) onTell(told, keys)
  if (tells.length > 0 || before.pause !== state.pause) onTellings(tellingsOf(running))
  if (hasNews(before, state)) onIncidents()
}

function both(one: Notes, other: Notes): Notes {
  return {
    members: [...one.members, ...other.members],
    events: [...one.events, ...other.events],
    closed: [...one.closed, ...other.closed],
  }
}

/** What cannot be written now goes with the next write: nobody is left untold because a disk is full. */
async function keep(running: Running, state: State): Promise<void> {
  const { data, log, clock } = running.options
  const delta = deltaOf(running.kept, state, running.unkept, clock.now())
  const taken = running.untaken
  if (delta === null && taken.length === 0) return
  try {
    await data.keepAlerts({ ...(delta ?? nothingChanged), taken })
    running.kept = state
    running.untaken = []
    running.unkept = noNotes
  } catch (thrown) {
    log('warn', `what was told could not be kept yet (${toFault(thrown).kind})`)
    schedule(running, unkeptMs)
  }
}

const none = { put: [], gone: [] }
const nothingChanged = { drops: none, tellings: none, blind: none, incidents: [], members: [], events: [], unseen: [] }

/** Until something is due, or heard. */
function rest(running: Running, rules: Thresholds): void {
  const { clock } = running.options
  if (running.heard.length > 0 || running.all) schedule(running, gatherMs)
  const next = nextEvaluation(running.state, rules, clock.now())
  if (next !== null) schedule(running, next <= clock.now() ? stuckMs : Math.max(next - clock.now(), gatherMs))
  // What is gone from the inventory is nowhere heard of.
  if (running.state.drops.size > 0) schedule(running, Math.max(running.sweepAt - clock.now(), gatherMs))
}
