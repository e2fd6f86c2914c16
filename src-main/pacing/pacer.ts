import { wallTime, type Clock } from '../../src-shared/lib/clock.ts'
import { FaultError, type FaultKind } from '../../src-shared/model/fault.ts'
import { traitsOf } from '../../src-shared/model/fault-traits.ts'
import type { Gauge } from '../../src-shared/model/gauge.ts'
import { openAccount, type Account, type Item, type Spending } from './balance/account.ts'
import { decide, type Policy, type AdmissionState } from './admission.ts'
import { forecast, type RemainingWork } from './balance/forecast.ts'
import type { CostReport } from './balance/ledger.ts'
import { createHold, isForPoints, type Hold } from './balance/hold.ts'
import { queueOrder } from './queue.ts'
import { createCosts, type Costs } from './cost/costs.ts'
import { budgetOf, perWindow, report } from './report.ts'
import { createWaits, type LaneWaits, type Waits } from './waits.ts'

/** Attempts of a request that is rejected for lack of points, or with a delay, before its fault is reported. */
const attempts = 5
/** Extra delay after a reset, ms, so that many consoles do not send at the same moment. */
const resetSlackMs = 150

/** One request to the pacer. */
export interface PacedRequest<T> extends Item {
  signal: AbortSignal
  /** True: sent once only, and not repeated, whatever is answered (invariant 16). */
  once?: boolean
  /** Sends the request; `ask`: with the field `calculateQueryCost`. Failed answers report points too. */
  send: (ask: boolean) => Promise<Sent<T>>
}

export interface Sent<T> {
  report: CostReport
  result: { value: T } | { error: FaultError }
}

/** The request queue of one credential set (design, section 6). */
export interface Pacer extends Pick<Account, 'hour'> {
  /** Sends the request when the balance allows it; rejects with the request's fault, or its signal's reason. */
  run<T>(request: PacedRequest<T>): Promise<T>
  costs: Costs
  /** Returns the points that one operation may cost without taking a large part of a rate window. */
  pagePoints(): number
  /** Returns the points of a rate window that Muster may use without a person's request. */
  perWindow(): number
  /** Returns the number of rate windows that the work takes, and when it ends. */
  forecast(remainingWork: RemainingWork): NonNullable<Gauge['forecast']>
  /** Returns when a person's operation of this many points fits; ms since the epoch, null: now. */
  availableAt(points: number): number | null
  /** Returns when requests that wait for points continue; ms since the epoch, null: none waits for points. */
  holdsUntil(): number | null
  /** Returns until when the service asks to wait while requests wait for it; ms since the epoch, null: it does not. */
  waitsForService(): number | null
  /** Ends the delay that the service asked for, because a person wants to try at once. */
  tryNow(): void
  gauge(): Omit<Gauge, 'name' | 'connections' | 'forecast'>
  /**
   * Returns how long the oldest waiting request has waited, ms (null: none waits), and how long sent requests had
   * waited.
   */
  waits(): { oldest: number | null; waited: LaneWaits[] }
  /** Applies changed settings. */
  check(): void
  stop(): void
}

interface Waiting extends Item {
  since: number
  tries: number
  start: () => Promise<void>
  reject: (reason: unknown) => void
}

export interface PacerOptions {
  clock: Clock
  random: () => number
  policy: () => Policy
  /** Default: no cost is known. */
  costs?: Costs
  onChange: () => void
}

interface PacerState {
  options: PacerOptions
  account: Account
  costs: Costs
  queue: Waiting[]
  sent: Set<Waiting>
  hold: Hold
  waits: Waits
  /** Set while a request waits for a moment. */
  wake: { at: number; cancel: () => void } | null
  stopped: boolean
}

export function startPacer(options: PacerOptions): Pacer {
  const costs = options.costs ?? createCosts()
  const pacer: PacerState = {
    options,
    costs,
    account: openAccount(options.clock, costs),
    queue: [],
    sent: new Set(),
    hold: createHold(options.clock),
    waits: createWaits(),
    wake: null,
    stopped: false,
  }
  const resets = watchResets(pacer)
  let isDue = false
  /** Runs once in the next microtask: thousands of requests may arrive or be cancelled together. */
  const pump = () => {
    if (isDue || pacer.stopped) return
    isDue = true
    queueMicrotask(() => {
      isDue = false
      if (pacer.stopped) return
      sendAdmitted(pacer, pump)
      resets.again()
      options.onChange()
    })
  }
  return {
    run: (request) => enqueue(pacer, request, pump),
    costs,
    pagePoints: () => pacer.account.balance().limit / pagesPerWindow,
    perWindow: () => perWindow(admissionOf(pacer), pacer.account.others.usual()),
    availableAt: (points) => personAvailableAt(pacer, points),
    holdsUntil: () => holdsUntil(pacer),
    waitsForService() {
      const until = pacer.hold.until()
      return until === null || pacer.queue.length === 0 ? null : wallTime(options.clock, until)
    },
    tryNow() {
      pacer.hold.clear()
      pump()
    },
    gauge: () => ({ ...pacer.account.gauge(), ...report(pacer, admissionOf(pacer)) }),
    hour: pacer.account.hour,
    waits: () => ({ oldest: oldest(pacer), waited: pacer.waits.metrics() }),
    forecast: (remainingWork) =>
      forecast(
        remainingWork,
        budgetOf(options.clock, admissionOf(pacer), pacer.account.others.usual()),
        options.clock.now(),
      ),
    check: pump,
    stop() {
      pacer.stopped = true
      pacer.wake?.cancel()
      resets.stop()
      for (const entry of pacer.queue.splice(0)) entry.reject(new FaultError('stopped'))
    },
  }
}

/** Pages that a rate window holds at least, so that little is left unused when the next one does not fit. */
const pagesPerWindow = 32

function enqueue<T>(pacer: PacerState, request: PacedRequest<T>, pump: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = request
    if (signal.aborted) return reject(signal.reason)
    if (pacer.stopped) return reject(new FaultError('stopped'))
    const onAbort = () => {
      dequeue(pacer, entry, signal.reason)
      pump()
    }
    // The signal outlives the request: a remaining listener would keep each answer in memory.
    const forget = () => signal.removeEventListener('abort', onAbort)
    const entry = waitingOf(
      pacer,
      request,
      (value) => (forget(), resolve(value)),
      (reason) => (forget(), reject(reason)),
    )
    signal.addEventListener('abort', onAbort)
    pacer.queue.push(entry)
    pump()
  })
}

/** Sends the requests that may go, in order, and schedules the next attempt. */
function sendAdmitted(pacer: PacerState, again: () => void): void {
  const {
    account,
    queue,
    options: { clock },
  } = pacer
  let next: number | null = null
  let admission = admissionOf(pacer)
  const admitted = new Set<Waiting>()
  for (const entry of queueOrder(queue, clock.monotonic())) {
    const cost = account.maxCost(entry)
    const verdict = decide(entry.lane, cost, admission)
    if (verdict.go) {
      admitted.add(entry)
      sendRequest(pacer, entry, again)
      admission = admissionOf(pacer)
      continue
    }
    if (verdict.at !== null) next = Math.min(next ?? Infinity, verdict.at)
    // A lower lane must not take the points that a running request returns to this one. A request that must wait for
    // the next rate window anyway blocks nobody.
    const mayFitSoon = pacer.sent.size > 0 && cost <= admission.balance.remaining
    if (verdict.why === 'turn' || (verdict.why !== 'paused' && mayFitSoon)) break
  }
  if (admitted.size > 0) pacer.queue = queue.filter((entry) => !admitted.has(entry))
  plan(pacer, next, again)
}

function plan(pacer: PacerState, at: number | null, run: () => void): void {
  pacer.wake?.cancel()
  pacer.wake = null
  if (at === null) return
  const { clock, random } = pacer.options
  const slack = resetSlackMs * (1 + random())
  const cancel = clock.after(Math.max(0, at - clock.monotonic()) + slack, () => {
    pacer.wake = null
    run()
  })
  pacer.wake = { at, cancel }
}

function sendRequest(pacer: PacerState, entry: Waiting, again: () => void): void {
  pacer.sent.add(entry)
  entry.tries += 1
  if (entry.tries === 1) pacer.waits.note(entry.lane, pacer.options.clock.monotonic() - entry.since)
  void entry.start().finally(() => {
    pacer.sent.delete(entry)
    again()
  })
}

function admissionOf({ account, sent, hold, options: { clock, policy } }: PacerState): AdmissionState {
  const now = clock.monotonic()
  const balance = account.balance()
  const left = Math.max(0, (balance.resetSpan?.until ?? now) - now)
  const person = account.person(left)
  return {
    now,
    balance,
    person,
    policy: policy(),
    inFlight: account.inFlight(),
    inBackground: account.own() - person.used,
    running: sent.size,
    runningInBackground: [...sent].filter(({ lane }) => lane !== 'person').length,
    others: account.others.expected(left),
    parallelLimit: account.parallelLimit(),
    holdUntil: hold.until(),
  }
}

/** Notifies when the rate window turns over, even when nothing is sent. */
function watchResets({ account, options: { clock, onChange } }: PacerState): { again(): void; stop(): void } {
  let stop = () => {}
  const again = () => {
    stop()
    const { resetSpan } = account.balance()
    if (resetSpan === null) return
    stop = clock.after(resetSpan.until - clock.monotonic(), () => {
      onChange()
      again()
    })
  }
  return { again, stop: () => stop() }
}

function waitingOf<T>(
  pacer: PacerState,
  request: PacedRequest<T>,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): Waiting {
  const { name, lane, shape, size } = request
  const entry: Waiting = {
    name,
    lane,
    shape,
    size,
    since: pacer.options.clock.monotonic(),
    tries: 0,
    reject,
    start,
  }
  async function start(): Promise<void> {
    const ask = request.once !== true && pacer.account.shouldAskCost()
    const spending = pacer.account.begin(entry)
    try {
      const { report: costReport, result } = await request.send(ask).catch(withoutToken)
      if ('value' in result) {
        settle(spending, costReport, null, ask)
        return resolve(result.value)
      }
      const retryReason = retryReasonOf(pacer, entry, costReport, result.error)
      if (retryReason === 'points') spending.rejected(costReport, result.error.retryAfter)
      else settle(spending, costReport, result.error, ask)
      if (retryReason === 'service') pacer.hold.extend(delayOf(pacer, result.error), entry.tries)
      if (retryReason !== null && pacer.stopped) return reject(new FaultError('stopped'))
      const isLast = entry.tries >= (request.once === true ? 1 : attempts)
      if (retryReason !== null && !isLast && !request.signal.aborted) pacer.queue.push(entry)
      else reject(retryReason === 'points' ? toExhausted(result.error) : result.error)
    } catch (error) {
      spending.lost(false)
      reject(error)
    }
  }
  return entry
}

const emptyReport: CostReport = { source: null, cost: null, limit: null, remaining: null, resetIn: null }

/** Returns the result of a request that was not sent, because the token endpoint asks to wait. Throws anything else. */
function withoutToken(thrown: unknown): Sent<never> {
  if (thrown instanceof FaultError && thrown.fault.kind === 'unavailable')
    return { report: emptyReport, result: { error: thrown } }
  throw thrown
}

/** Returns the reason for which a rejected request waits to be sent again; null: it is not sent again. */
function retryReasonOf(
  pacer: PacerState,
  entry: Waiting,
  costReport: CostReport,
  error: FaultError,
): 'points' | 'service' | null {
  const { kind } = error.fault
  if (kind === 'unavailable') return isForPoints(pacer.account, entry, costReport, error) ? 'points' : 'service'
  return kind === 'exhausted' || lacksPoints(pacer, entry, costReport, error) ? 'points' : null
}

/** Returns the delay, ms; null: unknown. Status 429 without a delay waits for the reset, when points return. */
function delayOf({ account, options: { clock } }: PacerState, { status, retryAfter }: FaultError): number | null {
  const { resetSpan } = account.balance()
  return retryAfter ?? (status === 429 && resetSpan !== null ? resetSpan.until - clock.monotonic() : null)
}

function toExhausted(error: FaultError): FaultError {
  const { fault, status, answerText, retryAfter } = error
  if (fault.kind !== 'unavailable') return error
  return new FaultError('exhausted', fault.detail, {
    answerText,
    ...(status !== null && { status }),
    ...(retryAfter !== null && { retryAfter }),
  })
}

/** Kinds of fault with a generic message: a message that names another subject does not mean a lack of points. */
const genericKinds: ReadonlySet<FaultKind> = new Set(['query', 'http', 'forbidden'])
const otherSubject =
  /page|size|token|cursor|field|argument|variable|type|syntax|query|role|permission|scope|access|tenant|device|resource|internal/i

/**
 * Returns whether a generic rejection means a lack of points. Some services reject with a bare "Request failed" and an
 * ambiguous status. It counts as one where the answer's balance, or else the known one, is lower than the cost: the
 * request then waits for the reset. Rejected again with a full balance, it had another reason.
 */
function lacksPoints(
  { account }: PacerState,
  entry: Waiting,
  costReport: CostReport,
  { fault, status, answerText }: FaultError,
): boolean {
  if (!genericKinds.has(fault.kind) || status === null || status >= 500 || otherSubject.test(answerText)) return false
  const { remaining, known } = account.balance()
  const left = costReport.remaining ?? (known ? remaining : null)
  return left !== null && left < (costReport.cost || account.maxCost(entry))
}

function settle(spending: Spending, costReport: CostReport, error: FaultError | null, ask: boolean): void {
  const kind = error?.fault.kind ?? null
  if (kind === 'cost-limit') return spending.tooExpensive(costReport)
  // The service asks to wait and charged nothing: the points it reports belong to no operation.
  if (kind === 'unavailable') return spending.lost(false)
  if (kind === null || costReport.cost !== null || costReport.remaining !== null)
    return spending.answered(costReport, ask)
  spending.lost(!traitsOf(kind).uncharged)
}

function oldest({ queue, options: { clock } }: PacerState): number | null {
  const now = clock.monotonic()
  return queue.length === 0 ? null : queue.reduce((longest, { since }) => Math.max(longest, now - since), 0)
}

function dequeue(pacer: PacerState, entry: Waiting, reason: unknown): void {
  const at = pacer.queue.indexOf(entry)
  if (at >= 0) pacer.queue.splice(at, 1)
  entry.reject(reason)
}

function personAvailableAt(pacer: PacerState, points: number): number | null {
  const { clock } = pacer.options
  const verdict = decide('person', points, admissionOf(pacer))
  return verdict.go || verdict.at === null ? null : wallTime(clock, verdict.at)
}

function holdsUntil(pacer: PacerState): number | null {
  const { queue, sent, wake, options } = pacer
  if (wake === null || queue.length === 0 || sent.size > 0) return null
  return wallTime(options.clock, wake.at)
}
