import type { Clock } from '../../src-shared/lib/clock.ts'

/**
 * Number of connections that start (token, tenants, socket) at the same time, so that neither the network nor the core
 * is overloaded.
 */
const maxStarting = 6
/** After this many ms a start lets the next one begin, so that dead hosts do not delay the others. */
const slotTimeoutMs = 2_000

/** Starts connections in order, few at a time. */
export interface StartQueue {
  /**
   * Calls `start` in its turn, at the earliest in the next turn of the event loop; `done` reports that the start is
   * over. The signal aborts when it is cancelled. Another `begin` of the same id cancels the previous one. `first`: a
   * person waits for this one.
   */
  begin(id: string, first: boolean, start: (signal: AbortSignal, done: () => void) => void): void
  cancel(id: string): void
  stop(): void
}

interface QueuedStart {
  id: string
  controller: AbortController
  start: (signal: AbortSignal, done: () => void) => void
  /** Set once it has begun: passes its place to the next. */
  release: (() => void) | null
}

export function createStartQueue(clock: Clock): StartQueue {
  const starts = new Map<string, QueuedStart>()
  const queue: QueuedStart[] = []
  let running = 0
  let pending: NodeJS.Immediate | null = null

  /** Starts one in each turn of the event loop: opening a network reads all certificates that the computer trusts. */
  const pump = () => {
    pending ??= setImmediate(() => {
      pending = null
      const next = running < maxStarting ? queue.shift() : undefined
      if (next === undefined) return
      run(next)
      pump()
    })
  }

  const run = (entry: QueuedStart) => {
    running += 1
    const release = () => {
      if (entry.release !== release) return
      entry.release = null
      cancelTimeout()
      running -= 1
      pump()
    }
    const cancelTimeout = clock.after(slotTimeoutMs, release)
    entry.release = release
    entry.start(entry.controller.signal, release)
  }

  const cancel = (id: string) => {
    const entry = starts.get(id)
    if (entry === undefined) return
    starts.delete(id)
    const at = queue.indexOf(entry)
    if (at >= 0) queue.splice(at, 1)
    entry.controller.abort()
    entry.release?.()
  }

  let stopped = false
  return {
    begin(id, first, start) {
      cancel(id)
      if (stopped) return
      const entry: QueuedStart = { id, controller: new AbortController(), start, release: null }
      starts.set(id, entry)
      if (first) queue.unshift(entry)
      else queue.push(entry)
      pump()
    },
    cancel,
    stop() {
      stopped = true
      for (const id of starts.keys()) cancel(id)
      if (pending !== null) clearImmediate(pending)
    },
  }
}
