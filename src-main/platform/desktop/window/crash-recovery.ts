import type { Clock } from '../../../../src-shared/lib/clock.ts'

/** Milliseconds before each further try; a page that ends after the last one is left alone until somebody wants it. */
const waits = [0, 2_000, 10_000, 60_000]
/** A page that lived so long, in ms, was well: when it ends, that is a first time again. */
const well = 5 * 60_000
/** Chromium says that a page stalls when it has been waited for already; one that answers after as long again was only busy. */
const stallsMs = 15_000

export interface CrashRecovery {
  /** The page ended by itself. Answers in how many ms it is loaded again, null for not at all. */
  ended(): number | null
  /** The page answers nobody any more: it is ended, and so loaded again, unless it answers soon. */
  stalls(): void
  answers(): void
  /** Somebody wants to see it: loaded at once where it was left alone, or waits to be loaded. */
  wanted(): void
  stop(): void
}

/** Loads a page again that has ended: after waits that grow, since whatever ended it may end it at once again. `end` ends one that stalls. */
export function startCrashRecovery(clock: Clock, load: () => void, end: () => void): CrashRecovery {
  let [tries, loadedAt] = [0, clock.monotonic()]
  let state: 'loaded' | 'waits' | 'left' = 'loaded'
  let cancel = () => {}
  let spare = () => {}
  const again = () => {
    loadedAt = clock.monotonic()
    state = 'loaded'
    load()
  }
  return {
    ended() {
      cancel()
      spare()
      if (clock.monotonic() - loadedAt >= well) tries = 0
      const ms = waits[tries] ?? null
      tries += 1
      state = ms === null ? 'left' : 'waits'
      if (ms !== null) cancel = clock.after(ms, again)
      return ms
    },
    stalls() {
      spare()
      spare = clock.after(stallsMs, end)
    },
    answers: () => spare(),
    wanted() {
      if (state === 'loaded') return
      if (state === 'left') tries = 0
      cancel()
      again()
    },
    stop() {
      cancel()
      spare()
    },
  }
}

/** What of Electron's `dialog` is needed. */
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

/** Says that the page is not loaded again by itself, and does not wait for an answer: the core goes on meanwhile. */
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
    // Without a desktop that shows it, the log has it, and raising the window is the way back as well.
    .catch(() => {})
}
