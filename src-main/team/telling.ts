import type { Clock } from '../../src-shared/lib/clock.ts'

/** Shortest time between two messages, and time before the next try after a failed one, ms. */
const tellMs = 300
const againMs = 3000

/** Tells the team what a member knows, whenever that has changed. */
export interface Telling<T> {
  set(value: T): void
  /** Tells it again, because a member has opened its copy and does not know. */
  again(): void
  start(onFault: (error: unknown) => void): void
  stop(): void
}

/** `first`: what members are taken to know before they were told. `send` resolves with false where nothing can be told yet. */
export function createTelling<T>(clock: Clock, first: T, send: (value: T) => Promise<boolean>): Telling<T> {
  let value = first
  let told = first
  let onFault: ((error: unknown) => void) | null = null
  let cancel: (() => void) | null = null
  let isTelling = false
  const soon = (ms = tellMs) => {
    if (onFault === null || cancel !== null || isTelling || value === told) return
    cancel = clock.after(ms, () => {
      cancel = null
      void tell()
    })
  }
  const tell = async () => {
    const now = value
    let next = tellMs
    isTelling = true
    try {
      if (await send(now)) told = now
    } catch (error) {
      onFault?.(error)
      next = againMs
    }
    isTelling = false
    soon(next)
  }
  return {
    set(next) {
      value = next
      soon(0)
    },
    again() {
      if (value === first) return
      told = first
      soon()
    },
    start(report) {
      onFault = report
      soon()
    },
    stop() {
      cancel?.()
      onFault = null
    },
  }
}
