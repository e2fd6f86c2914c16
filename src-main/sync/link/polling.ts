import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import type { Live } from '../../live/machine.ts'

/**
 * After so many failed attempts, and so long after the first of them, whichever is later, the live connection cannot be had. A
 * service that restarts is back by then, and a slow rejection has been given more than once.
 */
const [mostTries, forMs] = [3, 60_000]
/** A live connection that holds for so long was a good one; after one that was lost sooner the next has to hold before it takes over. */
const holdsMs = 60_000

/** Polls in the place of a live connection that cannot be had. */
export interface Polling {
  state(): PollingState
  /** The live connection has another state. */
  linkMoved(state: LinkState): void
  /** Polls take the place of the live connection, unless they have it already. */
  begin(): void
  /** The service answers no query: what was read before is vouched for no longer. */
  suspend(): void
  /** The polls show the devices from this time on, ms; null: they do not. */
  show(since: number | null): void
  /**
   * The live connection has subscribed to all devices: it takes the place of the polls, at once or when it has held for a
   * minute. `then` is called at that moment, and at once where there were no polls in its place.
   */
  handOver(live: Live | null, then: () => void): void
  stop(): void
}

export interface PollingState {
  /** Since when polls are in the place of the live connection, ms; null while they are not. */
  since: number | null
  /** Since when polls alone show the devices, ms; null while they do not. Set also where the service has no live stream. */
  visibleSince: number | null
}

export interface PollingOptions {
  clock: Clock
  /** Polls have taken the place of the live connection. `isFirst`: it could not be had; else it was lost again. */
  onBegin: (isFirst: boolean) => void
  /** The live connection has taken the place of the polls. */
  onEnd: () => void
}

/** How the live connection fared of late. Times are monotonic ms. */
interface Trial {
  attempts: number
  failingSince: number | null
  /** Whether it has taken over since its first failed attempt, and whether it was lost at once when it did. */
  hasRecovered: boolean
  isUnstable: boolean
}

const untried: Trial = { attempts: 0, failingSince: null, hasRecovered: false, isUnstable: false }

interface State extends PollingState {
  trial: Trial
  /** Since when the present live connection stands, monotonic ms. */
  liveSince: number | null
  /** Calls off what is planned: to begin, or to let the live connection take over. */
  cancel: () => void
}

export function createPolling(options: PollingOptions): Polling {
  const state: State = { since: null, visibleSince: null, trial: untried, liveSince: null, cancel: () => {} }
  return {
    state: () => state,
    linkMoved: (link) => linkMoved(state, options, link),
    begin: () => begin(state, options),
    suspend() {
      state.visibleSince = null
      if (state.since !== null) state.since = options.clock.now()
    },
    show(since) {
      state.visibleSince = since
    },
    handOver: (live, then) => handOver(state, options, live, then),
    stop: () => end(state),
  }
}

function linkMoved(state: State, options: PollingOptions, link: LinkState): void {
  const { clock } = options
  if (link.state === 'connecting') return
  state.cancel()
  if (link.state === 'off' || link.state === 'polling') return end(state)
  if (link.state === 'live') {
    state.liveSince = clock.monotonic()
    return
  }
  if (state.liveSince !== null && clock.monotonic() - state.liveSince > holdsMs) state.trial = untried
  state.liveSince = null
  const failingSince = state.trial.failingSince ?? clock.monotonic()
  state.trial = { ...state.trial, attempts: state.trial.attempts + 1, failingSince }
  if (state.trial.hasRecovered) return relapse(state, options)
  const left = Math.max(0, failingSince + forMs - clock.monotonic())
  // Where the service asks to wait for longer than that, the next attempt comes too late to be waited for.
  if (state.trial.attempts >= mostTries || link.retryAt - clock.now() > left)
    state.cancel = clock.after(left, () => begin(state, options))
}

function begin(state: State, { clock, onBegin }: PollingOptions): void {
  if (state.since !== null) return
  state.since = clock.now()
  onBegin(true)
}

/** Begins to poll again. What the live connection told, or what was read when it took over, is vouched for until the next poll. */
function relapse(state: State, { clock, onBegin }: PollingOptions): void {
  state.since = clock.now()
  state.trial = { ...state.trial, isUnstable: true, hasRecovered: false }
  state.visibleSince = clock.now()
  onBegin(false)
}

function end(state: State): void {
  state.cancel()
  state.since = null
}

function handOver(state: State, { clock, onEnd }: PollingOptions, live: Live | null, then: () => void): void {
  if (state.since === null) return then()
  if (live?.covers() !== true) return
  const takeOver = () => {
    if (state.since === null || live.state().state !== 'live') return
    end(state)
    state.trial = { ...state.trial, hasRecovered: true }
    state.visibleSince = null
    onEnd()
    then()
  }
  state.cancel()
  if (state.trial.isUnstable) state.cancel = clock.after(holdsMs, takeOver)
  else takeOver()
}
