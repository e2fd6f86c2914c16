import type { Paged } from '../../lib/list/paged.ts'

/** Keys that wait for lines. */
export interface KeyQueue {
  /** Runs what a key does: at once, or when the lines that are being read are there. Keys run in their order. */
  press(run: () => void): void
  stop(): void
}

/** Keys that wait at most: more than anybody presses while lines are read. */
const maxKeys = 50

/** Creates the queue of keys that wait for lines. Where these cannot be read, the keys mean those that are shown. */
export function createKeyQueue(lines: Pick<Paged<unknown>, 'state'>): KeyQueue {
  const waiting: (() => void)[] = []
  const isRead = () => {
    const { pending, fault } = lines.state.get()
    return !pending || fault !== null
  }
  const next = () => {
    while (isRead() && waiting.length > 0) waiting.shift()?.()
  }
  return {
    press(run) {
      if (waiting.length < maxKeys) waiting.push(run)
      next()
    },
    stop: lines.state.subscribe(next),
  }
}
