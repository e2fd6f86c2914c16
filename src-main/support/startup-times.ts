import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import { startMoments, type Diagnostics } from '../../src-shared/contract/diagnostics.ts'

type Moment = (typeof startMoments)[number]

/** The times of the first events in this run. */
export interface StartupTimes {
  /** Records an event; only its first time counts. */
  mark(what: Moment): void
  /** Records that a person entered what the first rows waited for: their time counts from here. */
  entered(): void
  start(): Diagnostics['start']
}

/** `begunAt`: start of the process, ms since the epoch. Later times are measured by the monotonic clock. */
export function createStartupTimes(clock: Pick<Clock, 'now' | 'monotonic'>, begunAt: number): StartupTimes {
  const [made, before] = [clock.monotonic(), Math.max(0, clock.now() - begunAt)]
  const marks = new Map<Moment, number>()
  const passed = () => before + clock.monotonic() - made
  let enteredAt: number | null = null
  return {
    mark(what) {
      if (!marks.has(what)) marks.set(what, passed() - (what === 'rows' ? (enteredAt ?? 0) : 0))
    },
    entered() {
      if (!marks.has('rows')) enteredAt = passed()
    },
    start: () => ({
      at: begunAt,
      moments: startMoments.map((what) => ({
        what,
        ms: marks.get(what) ?? null,
        entered: what === 'rows' && enteredAt !== null,
      })),
    }),
  }
}

/** Calls with which a person enters what the first rows may wait for. */
const entries: readonly string[] = ['connections.save', 'connections.import', 'proxies.save', 'keychain.unlock']

/** Returns the same handlers, which record such calls. */
export function timeCalls<H extends Partial<Handlers>>(marks: Pick<StartupTimes, 'entered'>, handlers: H): H {
  const marking = Object.entries(handlers).map(([name, handler]) => {
    const marked = (input: never) => {
      marks.entered()
      return (handler as (input: never) => unknown)(input)
    }
    return [name, entries.includes(name) ? marked : handler]
  })
  return Object.fromEntries(marking) as H
}
