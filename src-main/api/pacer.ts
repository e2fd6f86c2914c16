import type { Clock } from '../../src-shared/clock.ts'
import { FaultError } from '../../src-shared/fault.ts'
import { lanes, type Gauge, type Lane } from '../../src-shared/model.ts'
import { openAccount, type Account } from './account.ts'
import type { Figures } from './ledger.ts'
import type { Prices } from './prices.ts'

/** Requests of one credential set at the same time: enough to hide the way there and back, few enough to be polite. */
const parallel = 4
/** A refused request is sent again after the reset this often before the fault is told. */
const attempts = 5
/** After a reset, wait a little longer, so that a service whose clock is behind has turned over too. */
const resetSlackMs = 150
/** The reserve is for everybody in the last moments of a window: what is not used by then is lost. */
const releaseMs = 5_000

/** One request as the pacer sees it. */
export interface Paced<T> {
  name: string
  lane: Lane
  /** Requested page size; 1 for what has no pages. Its price is learned by name and size. */
  size: number
  signal: AbortSignal
  /** Sends it. Figures are read from good and bad answers alike. */
  send: () => Promise<Sent<T>>
}

export interface Sent<T> {
  figures: Figures
  result: { value: T } | { error: FaultError }
}

/** The one queue of a credential set (design, section 6). */
export interface Pacer {
  /** Sends when the balance will do; rejects with the request's fault, or its signal's reason. */
  run<T>(request: Paced<T>): Promise<T>
  prices: Prices
  /** When waiting requests will go on, while there are no points; null when nothing holds. */
  holdsUntil(): number | null
  gauge(name: string): Gauge
  stop(): void
}

interface Waiting {
  name: string
  lane: Lane
  size: number
  tries: number
  start: () => Promise<void>
  refuse: (reason: unknown) => void
}

export interface PacerOptions {
  clock: Clock
  random: () => number
  /** Share of a window's points, in per cent, that only the lane `person` may use before the window's last 5 s. */
  reservePercent: () => number
  onChange: () => void
}

export function startPacer(options: PacerOptions): Pacer {
  const { clock, random, onChange } = options
  const account = openAccount(clock)
  const queue: Waiting[] = []
  let reserved = 0
  let running = 0
  const holding = createHold(clock)
  const turning = followWindows(clock, account, onChange)

  const pump = () => {
    for (let entry = nextOf(queue); entry !== undefined; entry = nextOf(queue)) {
      const parallelNow = account.balance().known ? parallel : 1
      if (running >= parallelNow || affordableIn(options, account, entry, reserved) > 0) return hold(entry)
      queue.splice(queue.indexOf(entry), 1)
      launch(entry)
    }
  }

  const hold = (entry: Waiting) => {
    if (running > 0) return
    const wait = affordableIn(options, account, entry, reserved)
    holding.begin(wait, resetSlackMs * (1 + random()), pump)
    onChange()
  }

  const launch = (entry: Waiting) => {
    const price = account.prices.expect(entry.name, entry.size)
    reserved += price
    running += 1
    entry.tries += 1
    void entry.start().finally(() => {
      reserved -= price
      running -= 1
      onChange()
      turning.again()
      pump()
    })
  }

  return {
    run: (request) =>
      new Promise((resolve, reject) => {
        const { signal } = request
        if (signal.aborted) return reject(signal.reason)
        const onAbort = () => leave(queue, entry, signal.reason)
        // The signal outlives the request by far: a listener left on it would keep every answer in memory.
        const forget = () => signal.removeEventListener('abort', onAbort)
        const entry = waitingOf(request, {
          account,
          resolve: (value) => (forget(), resolve(value)),
          reject: (reason) => (forget(), reject(reason)),
          again: (refused) => queue.unshift(refused),
        })
        signal.addEventListener('abort', onAbort)
        queue.push(entry)
        pump()
      }),
    prices: account.prices,
    holdsUntil: holding.until,
    gauge: (name) => ({ name, ...account.gauge(), waiting: queue.length }),
    stop() {
      holding.cancel()
      turning.stop()
      for (const entry of queue.splice(0)) entry.refuse(new FaultError('stopped'))
    },
  }
}

/** The wait for points: one at a time, each in the place of the one before. */
function createHold(clock: Clock) {
  let now: { until: number; cancel: () => void } | null = null
  return {
    /** `ms`: until the points are there; `slack` more until it goes on. */
    begin(ms: number, slack: number, goOn: () => void) {
      now?.cancel()
      const cancel = clock.after(ms + slack, () => {
        now = null
        goOn()
      })
      now = { until: Math.round(clock.now() + ms), cancel }
    },
    until: () => now?.until ?? null,
    cancel: () => now?.cancel(),
  }
}

/** The gauge turns over with the window, also when nothing is asked. */
function followWindows(clock: Clock, account: Account, onTurn: () => void): { again(): void; stop(): void } {
  let stop = () => {}
  const again = () => {
    stop()
    const { resetAt } = account.balance()
    if (resetAt === null) return
    stop = clock.after(resetAt - clock.monotonic(), () => {
      onTurn()
      again()
    })
  }
  return { again, stop: () => stop() }
}

/** In how many ms the balance will do: 0 when it does now. The first answer says what the window holds. */
function affordableIn({ clock, reservePercent }: PacerOptions, account: Account, entry: Waiting, reserved: number): number {
  const balance = account.balance()
  if (balance.resetAt === null) return 0
  const toReset = Math.max(0, balance.resetAt - clock.monotonic())
  const kept = entry.lane === 'person' ? 0 : (balance.limit * reservePercent()) / 100
  const price = account.prices.expect(entry.name, entry.size)
  const left = balance.remaining - reserved
  if (left >= Math.min(price, balance.limit) && toReset <= releaseMs) return 0
  if (left - kept >= Math.min(price, balance.limit - kept)) return 0
  return left >= price && toReset > releaseMs ? toReset - releaseMs : toReset
}

interface Settling<T> {
  account: Account
  resolve: (value: T) => void
  reject: (reason: unknown) => void
  again: (entry: Waiting) => void
}

function waitingOf<T>(request: Paced<T>, { account, resolve, reject, again }: Settling<T>): Waiting {
  const entry: Waiting = { name: request.name, lane: request.lane, size: request.size, tries: 0, refuse: reject, start }
  async function start(): Promise<void> {
    try {
      const { figures, result } = await request.send()
      account.enter(entry, figures)
      if ('value' in result) return resolve(result.value)
      if (result.error.fault.kind === 'exhausted') account.empty(result.error.retryAfter)
      const retry = result.error.fault.kind === 'exhausted' && entry.tries < attempts && !request.signal.aborted
      if (retry) again(entry)
      else reject(result.error)
    } catch (error) {
      reject(error)
    }
  }
  return entry
}

function leave(queue: Waiting[], entry: Waiting, reason: unknown): void {
  const at = queue.indexOf(entry)
  if (at >= 0) queue.splice(at, 1)
  entry.refuse(reason)
}

/** The first of the most urgent lane; within a lane, the one that came first. */
function nextOf(queue: readonly Waiting[]): Waiting | undefined {
  for (const lane of lanes) {
    const found = queue.find((entry) => entry.lane === lane)
    if (found !== undefined) return found
  }
  return undefined
}
