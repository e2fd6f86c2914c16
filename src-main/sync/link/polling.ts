import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { LinkState } from '../../../src-shared/model/connection.ts'
import type { Live } from '../../live/machine.ts'

/**
 * After this many failed attempts, and this many ms after the first of them, whichever is later, the live connection
 * counts as unavailable. A restarting service is back by then, and a slow rejection was repeated.
 */
const [maxTries, minFailingMs] = [3, 60_000]
/**
 * A live connection that lasted this many ms is stable; after an unstable one, the next has to last as long before it
 * takes over.
 */
const stableMs = 60_000

/** Polls that replace an unavailable live connection. */
export interface Polling {
  state(): PollingState
  /** Handles a changed state of the live connection. */
  linkMoved(state: LinkState): void
  /** Lets polls replace the live connection, unless they do already. */
  begin(): void
  /** Records that the service answers no query: earlier polls no longer cover the devices. */
  suspend(): void
  /** Records that polls cover the devices from this time on, ms; null: they do not. */
  show(since: number | null): void
  /**
   * Handles that the live connection has subscribed to all devices: it replaces the polls, at once or when it has
   * lasted a minute. Calls `onTakeOver` at that moment, or at once without polls.
   */
  handOver(live: Live | null, onTakeOver: () => void): void
  stop(): void
}

export interface PollingState {
  /** Since when polls replace the live connection, ms; null while they do not. */
  since: number | null
  /**
   * Since when only polls show the devices, ms; null while they do not. Set also where the service has no live stream.
   */
  visibleSince: number | null
}

export interface PollingOptions {
  clock: Clock
  /** Called when polls replace the live connection. `isFirst`: it was unavailable; otherwise it was lost again. */
  onBegin: (isFirst: boolean) => void
  /** Called when the live connection has replaced the polls. */
  onEnd: () => void
}

/** The recent history of the live connection. Times are monotonic ms. */
interface Trial {
  attempts: number
  failingSince: number | null
  /**
   * `hasRecovered`: it has taken over since its first failed attempt. `isUnstable`: it was lost at once when it did.
   */
  hasRecovered: boolean
  isUnstable: boolean
}

const untried: Trial = { attempts: 0, failingSince: null, hasRecovered: false, isUnstable: false }

interface State extends PollingState {
  trial: Trial
  /** Since when the present connection is live, monotonic ms. */
  liveSince: number | null
  /** Cancels what is planned: the start of polls, or the takeover by the live connection. */
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
    handOver: (live, onTakeOver) => handOver(state, options, live, onTakeOver),
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
  if (state.liveSince !== null && clock.monotonic() - state.liveSince > stableMs) state.trial = untried
  state.liveSince = null
  const failingSince = state.trial.failingSince ?? clock.monotonic()
  state.trial = { ...state.trial, attempts: state.trial.attempts + 1, failingSince }
  if (state.trial.hasRecovered) return restartPolling(state, options)
  const left = Math.max(0, failingSince + minFailingMs - clock.monotonic())
  // Where the service asks for a longer delay, the next attempt comes too late.
  if (state.trial.attempts >= maxTries || link.retryAt - clock.now() > left)
    state.cancel = clock.after(left, () => begin(state, options))
}

function begin(state: State, { clock, onBegin }: PollingOptions): void {
  if (state.since !== null) return
  state.since = clock.now()
  onBegin(true)
}

/** Begins to poll again. Data of the live connection, or of its takeover, covers the devices until the next poll. */
function restartPolling(state: State, { clock, onBegin }: PollingOptions): void {
  state.since = clock.now()
  state.trial = { ...state.trial, isUnstable: true, hasRecovered: false }
  state.visibleSince = clock.now()
  onBegin(false)
}

function end(state: State): void {
  state.cancel()
  state.since = null
}

function handOver(state: State, { clock, onEnd }: PollingOptions, live: Live | null, onTakeOver: () => void): void {
  if (state.since === null) return onTakeOver()
  if (live?.covers() !== true) return
  const takeOver = () => {
    if (state.since === null || live.state().state !== 'live') return
    end(state)
    state.trial = { ...state.trial, hasRecovered: true }
    state.visibleSince = null
    onEnd()
    onTakeOver()
  }
  state.cancel()
  if (state.trial.isUnstable) state.cancel = clock.after(stableMs, takeOver)
  else takeOver()
}
