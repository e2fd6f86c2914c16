import type { Clock } from '../../src-shared/lib/clock.ts'

/**
 * Number of connections that start (token, tenants, socket) at the same time, so that neither the network nor the core
 * is overloaded.
 */
const atOnce = 6
/** After this many ms a start lets the next one begin, so that dead hosts do not delay the others. */
const patienceMs = 2_000

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

interface Turn {
  id: string
  over: AbortController
  start: (signal: AbortSignal, done: () => void) => void
  /** Set once it has begun: passes its place to the next. */
  leave: (() => void) | null
}

export function createStartQueue(clock: Clock): StartQueue {
  const turns = new Map<string, Turn>()
  const queue: Turn[] = []
  let running = 0
  let pumping: NodeJS.Immediate | null = null

  /** Starts one in each turn of the event loop: opening a network reads all certificates that the computer trusts. */
  const pump = () => {
    pumping ??= setImmediate(() => {
      pumping = null
      const next = running < atOnce ? queue.shift() : undefined
      if (next === undefined) return
      enter(next)
      pump()
    })
  }

  const enter = (turn: Turn) => {
    running += 1
    const leave = () => {
      if (turn.leave !== leave) return
      turn.leave = null
      cancelPatience()
      running -= 1
      pump()
    }
    const cancelPatience = clock.after(patienceMs, leave)
    turn.leave = leave
    turn.start(turn.over.signal, leave)
  }

  const cancel = (id: string) => {
    const turn = turns.get(id)
    if (turn === undefined) return
    turns.delete(id)
    const at = queue.indexOf(turn)
    if (at >= 0) queue.splice(at, 1)
    turn.over.abort()
    turn.leave?.()
  }

  let stopped = false
  return {
    begin(id, first, start) {
      cancel(id)
      if (stopped) return
      const turn: Turn = { id, over: new AbortController(), start, leave: null }
      turns.set(id, turn)
      if (first) queue.unshift(turn)
      else queue.push(turn)
      pump()
    },
    cancel,
    stop() {
      stopped = true
      for (const id of turns.keys()) cancel(id)
      if (pumping !== null) clearImmediate(pumping)
    },
  }
}
