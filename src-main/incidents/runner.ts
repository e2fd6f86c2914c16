import { toFault } from '../../src-shared/model/fault.ts'
import type { Notifications } from '../../src-shared/model/inventory.ts'
import type { ExpectedReboot } from '../../src-shared/model/jobs.ts'
import type { Change } from '../inventory/thread/change.ts'
import {
  isPending,
  isPaused,
  keysToAsk,
  keysWithoutThresholds,
  nextEvaluation,
  recoversBesideIncident,
  changesAgain,
  haveIncidentsChanged,
  mayHaveMoved,
  withoutThresholds,
} from './engine/drops/due.ts'
import { createStateStore, type OperatorAction, type StateStore } from './stored/state-store.ts'
import { longestFlapPeriod, alertRulesOf, type AlertRules } from './engine/rules.ts'
import { emptyState, recentOf, type Input, type OperatorChange, type State, type Step } from './engine/state.ts'
import { clampFutureTimes } from './engine/clamp-future-times.ts'
import { runInSlices } from './cooperative.ts'
import { isErased, onWhatIsLeft } from './erased.ts'
import { evaluate } from './engine/evaluate.ts'
import { observationOf } from './observation.ts'
import { applyQueue, enqueueReboots, enqueueTransitions, type Queue } from './queue.ts'
import type { IncidentRunner, RunnerOptions } from './runner-options.ts'
import { reduce } from './engine/reduce.ts'

/**
 * Changes within this time (ms) are evaluated together. It is short, because without a hold-off a person waits for it.
 */
const groupingMs = 40
/** Evaluation delay (ms) after a change of visibility, which comes in many parts, page after page. */
const visibilityMs = 1_000
/** Interval (ms) of the search for devices that are gone from the inventory, while any device is down. */
const sweepMs = 30 * 60_000
/** Delay (ms) before the next try after a failed call. */
const retryMs = 5_000
/** The minimum delay (ms) before an evaluation of what is still due after the last one. */
const minRestMs = 10_000
/**
 * Delay (ms) before the next try after a failed write, also without changes, because a pause must outlive a restart.
 */
const retryWriteMs = 30_000

interface RunnerState {
  readonly options: RunnerOptions
  readonly store: StateStore
  state: State
  queue: Queue
  /** The reboots that are awaited; null before they are known. */
  reboots: readonly ExpectedReboot[] | null
  /** Number of devices with no data; a different number means that the visibility has changed. */
  unknownCount: number | null
  /** True when the next evaluation must include blocked drops. */
  isFullEvaluation: boolean
  sweepAt: number
  /** Keys of the tenants that were listed in this run. */
  readonly listed: Set<string>
  /** The latest time that was read (ms), because the clock may be set back. */
  latestTime: number
  timer: { at: number; cancel: () => void } | null
  /** A turn is due and waits for the one before it. */
  isTurnQueued: boolean
  /** The end of the last turn. Turns run one after the other. */
  lastTurn: Promise<void>
  stopped: boolean
}

export async function startIncidentRunner(options: RunnerOptions): Promise<IncidentRunner> {
  const running: RunnerState = {
    options,
    store: createStateStore(options.data, options.clock, options.evaluates !== undefined),
    state: emptyState,
    queue: [],
    reboots: null,
    unknownCount: null,
    isFullEvaluation: true,
    sweepAt: 0,
    listed: new Set(),
    latestTime: -Infinity,
    timer: null,
    isTurnQueued: false,
    lastTurn: Promise.resolve(),
    stopped: false,
  }
  await load(running)
  schedule(running, groupingMs)
  return {
    applyChange: (change) => enqueueChange(running, change),
    expectReboots: (all) => expectReboots(running, all),
    recheck: () => recheck(running),
    pause: (minutes) => inTurn(running, () => pause(running, minutes)),
    notifications: () => notificationsOf(running),
    state: () => running.state,
    rules: () => currentRules(running),
    async mark(changes, by = {}) {
      const action = await inTurn(running, () => mark(running, changes, by))
      recheck(running)
      return action
    },
    async confirmDelivery(id, at, delivered) {
      if (evaluates(running)) await inTurn(running, () => apply(running, { kind: 'delivery', id, at, delivered }))
    },
    reload: () =>
      inTurn(running, async () => {
        // Changes that a full disk rejected would be lost with the thread.
        if (evaluates(running)) await persist(running, running.state)
        await readAgain(running)
      }),
    readAgain: () => inTurn(running, () => readAgain(running)),
    follow: () => inTurn(running, () => follow(running)),
    whileErasing(run) {
      const mine = running.lastTurn.then(run)
      running.lastTurn = mine
        .then(() => load(running))
        .then(
          () => recheck(running),
          (thrown: unknown) => options.log('warn', `notifications could not be read again (${toFault(thrown).kind})`),
        )
      return mine
    },
    async stop() {
      running.stopped = true
      running.timer?.cancel()
      await running.lastTurn
      // Changes that a full disk rejected would be notified again.
      if (evaluates(running)) await persist(running, running.state).catch(() => {})
    },
  }
}

function recheck(running: RunnerState): void {
  running.options.onDrops()
  running.isFullEvaluation = true
  schedule(running, groupingMs)
}

async function readAgain(running: RunnerState): Promise<void> {
  await load(running)
  running.options.onNotifications(notificationsOf(running))
  running.options.onIncidents()
  recheck(running)
}

const evaluates = ({ options }: RunnerState): boolean => options.evaluates?.() ?? true

/** Reads what another member wrote, and notifies what is new in it. */
async function follow(running: RunnerState): Promise<void> {
  const { onNotification, onNotifications, onIncidents, onDrops } = running.options
  if (running.stopped || evaluates(running)) return
  const before = running.state
  await load(running)
  const known = new Map([...before.notifications].map(([id, { content }]) => [id, content.at]))
  for (const [id, { content }] of running.state.notifications) {
    const at = known.get(id)
    if (at === undefined || at < content.at) onNotification(content, [])
  }
  onNotifications(notificationsOf(running))
  onIncidents()
  onDrops()
}

function notificationsOf({ state, options }: RunnerState): Notifications {
  return {
    pausedUntil: isPaused(state, options.clock.now()) ? (state.pause?.until ?? null) : null,
    recent: recentOf(state),
  }
}

/** Reads the state and queues the transitions that were not evaluated before Muster ended or the data thread died. */
async function load(running: RunnerState): Promise<void> {
  const since = running.options.clock.now() - longestFlapPeriod(currentRules(running))
  const { state, outbox } = await running.store.read(since)
  running.state = state
  running.queue = []
  if (running.reboots !== null) enqueueReboots(running.queue, running.reboots)
  enqueueTransitions(running.queue, outbox)
}

function currentRules({ options }: RunnerState): AlertRules {
  return alertRulesOf(options.settings(), options.policies())
}

async function pause(running: RunnerState, minutes: number): Promise<void> {
  const { clock, onNotifications } = running.options
  await apply(running, { kind: 'pause', until: minutes === 0 ? null : clock.now() + minutes * 60_000 })
  onNotifications(notificationsOf(running))
  running.isFullEvaluation = true
  schedule(running, groupingMs)
}

function enqueueChange(running: RunnerState, change: Change): void {
  const { transitions, totals } = change
  // The journal's outbox has them for when this member evaluates.
  if (!evaluates(running)) return void (running.unknownCount = totals.unknown)
  enqueueTransitions(running.queue, transitions)
  const visibility = totals.unknown !== running.unknownCount
  running.unknownCount = totals.unknown
  const moved = mayHaveMoved(running.state, change)
  if (moved) running.sweepAt = 0
  const now =
    visibility ||
    moved ||
    recoversBesideIncident(running.state, transitions) ||
    changesAgain(running.state, transitions)
  if (now) running.isFullEvaluation = true
  if (transitions.length > 0) schedule(running, groupingMs)
  if (now) schedule(running, visibilityMs)
}

function expectReboots(running: RunnerState, all: readonly ExpectedReboot[]): void {
  running.reboots = all
  enqueueReboots(running.queue, all)
  schedule(running, groupingMs)
}

/** Schedules a turn after `ms`, unless one comes sooner. */
function schedule(running: RunnerState, ms: number): void {
  const { clock } = running.options
  const at = clock.monotonic() + ms
  if (running.stopped || !evaluates(running) || (running.timer !== null && running.timer.at <= at)) return
  running.timer?.cancel()
  const cancel = clock.after(ms, () => {
    running.timer = null
    // A queued turn will evaluate everything that arrives before it begins.
    if (running.isTurnQueued) return
    running.isTurnQueued = true
    // A failure is logged and tried again.
    inTurn(running, () => {
      running.isTurnQueued = false
      return turn(running)
    }).catch(() => schedule(running, retryMs))
  })
  running.timer = { at, cancel }
}

function inTurn<T>(running: RunnerState, run: () => Promise<T>): Promise<T> {
  const mine = running.lastTurn.then(() => onWhatIsLeft(run, () => load(running)))
  running.lastTurn = mine.then(
    () => undefined,
    (thrown: unknown) => running.options.log('warn', `notifications could not be evaluated (${toFault(thrown).kind})`),
  )
  return mine
}

/**
 * Applies the queued transitions and evaluates what is due, with one query and one write. A setting that changes
 * meanwhile triggers another turn.
 */
async function turn(running: RunnerState): Promise<void> {
  if (running.stopped || !evaluates(running)) return
  const { clock, onDrops } = running.options
  const { drops } = running.state
  const rules = currentRules(running)
  checkClock(running)
  const { state, notes, taken, hasChangedDrops } = applyQueue(
    running.state,
    running.queue.splice(0),
    clock.now(),
    rules,
  )
  running.store.take(taken)
  for (const each of notes) running.store.note(each)
  running.state = state
  if (hasChangedDrops) running.isFullEvaluation = true
  if (running.isFullEvaluation) running.state = withoutThresholds(running.state)
  await loadThresholds(running, rules)
  const next = nextEvaluation(running.state, rules, clock.now())
  const sweep = running.sweepAt <= clock.now() && running.state.drops.size > 0
  if (running.isFullEvaluation || sweep || (next !== null && next <= clock.now())) await observe(running, rules)
  else await persist(running, running.state, rules)
  if (drops !== running.state.drops) onDrops()
  scheduleNext(running, rules)
}

function checkClock(running: RunnerState): void {
  const { clock, onNotifications, onIncidents } = running.options
  const now = clock.now()
  if (now < running.latestTime) {
    running.state = clampFutureTimes(running.state, now)
    running.sweepAt = 0
    running.isFullEvaluation = true
    onNotifications(notificationsOf(running))
    onIncidents()
  }
  running.latestTime = now
}

async function loadThresholds(running: RunnerState, rules: AlertRules): Promise<void> {
  const keys = keysWithoutThresholds(running.state, rules)
  if (keys.length === 0) return
  const found = await running.options.data.locations({ keys, paused: [...running.options.paused()] })
  running.state = reduce(running.state, { kind: 'thresholds', found }, running.options.clock.now(), rules).state
}

async function observe(running: RunnerState, rules: AlertRules): Promise<void> {
  const { clock, data, paused, lastMessages } = running.options
  const { isFullEvaluation: all } = running
  const sweep = running.sweepAt <= clock.now()
  running.isFullEvaluation = false
  const due = keysToAsk(running.state, rules, clock.now(), all)
  const asked = sweep ? [...new Set([...running.state.drops.keys(), ...due])] : due
  try {
    const idle = paused()
    // Devices within their hold-off do not count as down in their places, so their locations are needed too.
    const pending = [...running.state.drops.values()]
      .filter((drop) => isPending(drop, rules, clock.now()))
      .map(({ key }) => key)
    const found = await data.locations({
      keys: asked.length === 0 ? [] : [...new Set([...asked, ...pending])],
      paused: [...idle],
    })
    for (const { key } of found.tenants) running.listed.add(key)
    if (sweep) running.sweepAt = clock.now() + sweepMs
    const observation = observationOf(found, { asked, idle, listed: running.listed, lastMessages })
    checkClock(running)
    await commit(
      running,
      await runInSlices(evaluate(running.state, observation, clock.now(), rules, running.options.notify), clock),
      rules,
    )
  } catch (thrown) {
    running.isFullEvaluation = true
    throw thrown
  }
}

async function apply(running: RunnerState, input: Input): Promise<void> {
  checkClock(running)
  const rules = currentRules(running)
  await commit(running, reduce(running.state, input, running.options.clock.now(), rules), rules)
}

/** Writes a step, makes its state the present one and publishes the changes, in this order. */
async function commit(running: RunnerState, { state, outgoing, notes }: Step, rules: AlertRules): Promise<void> {
  const { onNotification, onNotifications, onIncidents, onDrops, channels } = running.options
  const before = running.state
  const deliveries = channels.plan({ before, state, outgoing, notes })
  running.store.note(notes, deliveries)
  await persist(running, state, rules)
  // Another member evaluates now, and has not read what was not written.
  if (!evaluates(running)) return
  running.state = state
  channels.accept(deliveries)
  if (before.drops !== state.drops) onDrops()
  for (const { content, keys } of outgoing) onNotification(content, keys)
  if (outgoing.length > 0 || before.pause !== state.pause) onNotifications(notificationsOf(running))
  if (haveIncidentsChanged(before, state)) onIncidents()
}

async function mark(running: RunnerState, changes: readonly OperatorChange[], by: OperatorAction): Promise<number> {
  const { clock, onIncidents, channels } = running.options
  checkClock(running)
  const before = running.state
  const rules = currentRules(running)
  const step = reduce(before, { kind: 'operator', changes }, clock.now(), rules)
  const { state, notes } = step
  const deliveries = channels.plan({ ...step, before })
  const action = await running.store.write(state, rules, notes, { ...by, deliveries })
  running.state = state
  channels.accept(deliveries)
  if (haveIncidentsChanged(before, state)) onIncidents()
  return action
}

/**
 * Writes the changes since the last write in one transaction. A failed write is repeated with the next one, so that a
 * full disk suppresses no notification. Rejects with `erased`.
 */
async function persist(running: RunnerState, state: State, rules = currentRules(running)): Promise<void> {
  try {
    await running.store.write(state, rules)
  } catch (thrown) {
    if (isErased(thrown)) throw thrown
    running.options.log('warn', `notifications could not be stored yet (${toFault(thrown).kind})`)
    schedule(running, retryWriteMs)
  }
}

/** Schedules the turn in which something is due next. */
function scheduleNext(running: RunnerState, rules: AlertRules): void {
  const { clock } = running.options
  if (running.queue.length > 0 || running.isFullEvaluation) schedule(running, groupingMs)
  const next = nextEvaluation(running.state, rules, clock.now())
  if (next !== null) schedule(running, next <= clock.now() ? minRestMs : Math.max(next - clock.now(), groupingMs))
  // No transition reports that a device is gone from the inventory.
  if (running.state.drops.size > 0) schedule(running, Math.max(running.sweepAt - clock.now(), groupingMs))
}

export type { IncidentRunner } from './runner-options.ts'
