import type { Clock } from '../../src-shared/clock.ts'
import { toFault, type Fault } from '../../src-shared/fault.ts'
import type { Change, LiveEvent } from '../data/protocol.ts'

/** A full disk does not empty in a blink; waiting longer would make the screen late when it does. */
const retryMs = 2_000

export interface EventQueueOptions {
  clock: Clock
  /** Commits a batch; rejects when it could not be written, and then nothing of it was. */
  commit: (events: LiveEvent[]) => Promise<Change>
  publish: (change: Change) => void
  /** The fault that keeps this many events waiting; null when they flow again. */
  onFault: (fault: Fault | null, waiting: number) => void
}

/**
 * Live events on their way to the data thread, in order. What cannot be written waits and is tried again: an event is
 * never dropped, and never shown before it is kept (invariant 2).
 */
export interface EventQueue {
  push(event: LiveEvent): void
  stop(): void
}

export function startEventQueue(options: EventQueueOptions): EventQueue {
  let waiting: LiveEvent[] = []
  let busy = false
  let stopped = false
  let cancelRetry: (() => void) | null = null

  const flush = async (): Promise<void> => {
    // While a failed batch waits for its time, what comes meanwhile waits behind it.
    if (busy || stopped || waiting.length === 0 || cancelRetry !== null) return
    busy = true
    const batch = waiting
    waiting = []
    try {
      const change = await options.commit(batch)
      options.onFault(null, 0)
      options.publish(change)
    } catch (error) {
      waiting = [...batch, ...waiting]
      options.onFault(toFault(error), waiting.length)
      if (!stopped) cancelRetry = options.clock.after(retryMs, again)
      return
    } finally {
      busy = false
    }
    void flush()
  }

  const again = () => {
    cancelRetry = null
    void flush()
  }

  return {
    push(event) {
      waiting.push(event)
      void flush()
    },
    stop() {
      stopped = true
      cancelRetry?.()
    },
  }
}
