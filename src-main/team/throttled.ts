import type { Clock } from '../../src-shared/lib/clock.ts'

/** Calls soon, once for any number of calls, and never twice at the same time. */
export function throttled(clock: Clock, ms: number, run: () => Promise<void>) {
  let cancel: (() => void) | null = null
  let isRunning = false
  let isAsked = false
  const soon = () => {
    isAsked = true
    if (cancel !== null || isRunning) return
    cancel = clock.after(ms, () => {
      cancel = null
      isAsked = false
      isRunning = true
      run()
        .catch(() => {})
        .finally(() => {
          isRunning = false
          if (isAsked) soon()
        })
    })
  }
  return { soon, stop: () => cancel?.() }
}
