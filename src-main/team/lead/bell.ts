import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { createListeners } from '../../../src-shared/lib/listeners.ts'
import { toFault, type Fault } from '../../../src-shared/model/fault.ts'
import { unlessAborted } from '../../../src-shared/lib/unless-aborted.ts'
import type { TeamTarget } from '../database/connect.ts'
import { openListener } from '../database/listener.ts'
import { bellChannel } from './lease-store.ts'

/** Rings when something in the database may have changed. It may be late or missing: whoever waits for it also polls. */
export interface Bell {
  on(listener: () => void): () => void
}

/** Time before a lost connection is opened again, ms. */
const reopenMs = 5000

/**
 * Listens to the team's bell on one connection for all subjects, which is opened again after a loss. Behind a
 * transaction pooler it closes it, and stays silent. `onFault`: why it is lost or could not be opened.
 */
export function openBell(
  target: TeamTarget,
  onFault: (fault: Fault) => void = () => {},
): Bell & { stop(): Promise<void> } {
  const { clock } = target
  const listeners = createListeners()
  const stopping = new AbortController()
  const { signal } = stopping
  const ring = () => listeners.emit()
  /** Resolves with whether it is worth listening again. */
  const listen = async (): Promise<boolean> => {
    const lost = new AbortController()
    const onLost = ({ fault }: { fault: Fault }) => {
      onFault(fault)
      lost.abort()
    }
    const listener = await openListener({ target, channel: bellChannel, onBell: ring, onLost, signal })
    ring()
    if (!listener.isPooled) await unlessAborted(signal, aborted(lost.signal)).catch(() => {})
    await listener.stop()
    return !listener.isPooled
  }
  const loop = async () => {
    let isWorth = true
    while (isWorth && !signal.aborted) {
      isWorth = await listen().catch((error: unknown) => {
        if (!signal.aborted) onFault(toFault(error))
        return true
      })
      await wait(clock, reopenMs, signal).catch(() => {})
    }
  }
  const ended = loop()
  return {
    on: listeners.on,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Waits for a bell. A ring or a poke between two waits is not lost. */
export interface BellWaiter {
  /**
   * Resolves after `mostMs`; earlier after a ring, though not before `leastMs`; at once after a poke. Rejects when the
   * signal aborts.
   */
  wait(times: { leastMs: number; mostMs: number }): Promise<void>
  /** Ends the wait; between two of them the next one. */
  poke(): void
  stop(): void
}

/** Returns what waits for a bell; without one it always waits the longest time, unless it is poked. */
export function openBellWaiter(clock: Clock, bell: Bell | undefined, signal: AbortSignal): BellWaiter {
  let isRung = false
  let isPoked = false
  let wake = () => {}
  const off = bell?.on(() => {
    isRung = true
    wake()
  })
  const pause = async (ms: number, isOver: () => boolean) => {
    signal.throwIfAborted()
    if (isOver()) return
    const waking = new AbortController()
    const stop = () => waking.abort()
    wake = () => isOver() && stop()
    signal.addEventListener('abort', stop, { once: true })
    await wait(clock, ms, waking.signal).catch(() => {})
    signal.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }
  return {
    async wait({ leastMs, mostMs }) {
      await pause(Math.min(leastMs, mostMs), () => isPoked)
      if (mostMs > leastMs) await pause(mostMs - leastMs, () => isPoked || isRung)
      isRung = false
      isPoked = false
    },
    poke() {
      isPoked = true
      wake()
    },
    stop: () => off?.(),
  }
}
