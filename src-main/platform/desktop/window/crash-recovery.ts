import type { Clock } from '../../../../src-shared/lib/clock.ts'

/** Delays before each further attempt, ms; after the last one a page is loaded again only when a user wants it. */
const retryDelays = [0, 2_000, 10_000, 60_000]
/** A page that ran for this many ms was stable: the next crash counts as the first. */
const stableMs = 5 * 60_000
/** Longest time that an unresponsive page gets after Chromium's report, ms: it may only be busy. */
const unresponsiveMs = 15_000

export interface CrashRecovery {
  /** Handles a crash of the page. Returns the delay before it is loaded again, ms; null: it is not. */
  ended(): number | null
  /** Handles an unresponsive page: ends it, so that it is loaded again, unless it answers soon. */
  unresponsive(): void
  responsive(): void
  /** Loads the page at once if it is waiting or given up, because a user wants to see it. */
  retryNow(): void
  stop(): void
}

/** Loads a crashed page again after growing delays, since the cause may remain. `end` ends an unresponsive one. */
export function startCrashRecovery(clock: Clock, load: () => void, end: () => void): CrashRecovery {
  let [tries, loadedAt] = [0, clock.monotonic()]
  let state: 'loaded' | 'waiting' | 'given-up' = 'loaded'
  let cancel = () => {}
  let cancelEnd = () => {}
  const reload = () => {
    loadedAt = clock.monotonic()
    state = 'loaded'
    load()
  }
  return {
    ended() {
      cancel()
      cancelEnd()
      if (clock.monotonic() - loadedAt >= stableMs) tries = 0
      const ms = retryDelays[tries] ?? null
      tries += 1
      state = ms === null ? 'given-up' : 'waiting'
      if (ms !== null) cancel = clock.after(ms, reload)
      return ms
    },
    unresponsive() {
      cancelEnd()
      cancelEnd = clock.after(unresponsiveMs, end)
    },
    responsive: () => cancelEnd(),
    retryNow() {
      if (state === 'loaded') return
      if (state === 'given-up') tries = 0
      cancel()
      reload()
    },
    stop() {
      cancel()
      cancelEnd()
    },
  }
}

/** The used part of Electron's `dialog`. */
export interface MessageBox {
  showMessageBox(options: {
    type: 'error'
    message: string
    detail: string
    buttons: string[]
    defaultId: number
    cancelId: number
    noLink: boolean
  }): Promise<{ response: number }>
}

/** Reports that the page is not loaded again. Does not wait for an answer: the core continues meanwhile. */
export function reportGivenUp(dialog: MessageBox, open: () => void): void {
  const words = {
    message: 'Muster’s window crashed several times',
    detail: 'Muster does not load it again. Monitoring and notifications go on. Open Muster to see the window.',
  }
  dialog
    .showMessageBox({
      type: 'error',
      ...words,
      buttons: ['Open Muster', 'Later'],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    })
    .then(({ response }) => response === 0 && open())
    // Without a desktop that shows it, the log has it; raising the window loads the page too.
    .catch(() => {})
}
