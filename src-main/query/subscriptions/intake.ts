import type { Clock } from '../../../src-shared/lib/clock.ts'
import { keptBytes, keptRows, type NewRow } from './event-log.ts'

/** Takes events as they come and gives them on together. */
export interface Intake {
  take(row: NewRow): void
  /** Resolves when all that was taken is given on. */
  settled(): Promise<void>
}

export interface IntakeOptions {
  clock: Clock
  /** Rejects where they are lost. */
  add: (rows: readonly NewRow[]) => Promise<{ last: number; dropped: number }>
  /** Called when rows were given on. `dropped`: events that are not kept. */
  onAdded: (added: { last: number; dropped: number }) => void
  /** What may wait. */
  limits?: { rows: number; characters: number }
}

/** Events are collected for so many ms. */
const collectMs = 50

/**
 * One batch is on its way at a time, and what comes meanwhile is bounded: the oldest events are dropped, as they would
 * be by those that follow.
 */
export function createIntake({
  clock,
  add,
  onAdded,
  limits = { rows: keptRows, characters: keptBytes },
}: IntakeOptions): Intake {
  let waiting: NewRow[] = []
  let [first, size, dropped] = [0, 0, 0]
  let working: Promise<void> | null = null
  const bound = () => {
    while (waiting.length - first > limits.rows || (size > limits.characters && waiting.length - first > 1)) {
      const row = waiting[first]
      if (row?.gapSince === null) dropped += 1
      size -= row?.text.length ?? 0
      first += 1
    }
    if (first > limits.rows) {
      waiting = waiting.slice(first)
      first = 0
    }
  }
  const work = async () => {
    while (waiting.length > 0) {
      await new Promise<void>((resolve) => void clock.after(collectMs, resolve))
      const [rows, lost] = [waiting.slice(first), dropped]
      ;[waiting, first, size, dropped] = [[], 0, 0, 0]
      const events = rows.filter(({ gapSince }) => gapSince === null).length
      const added = await add(rows).catch(() => ({ last: 0, dropped: events }))
      onAdded({ last: added.last, dropped: added.dropped + lost })
    }
    working = null
  }
  return {
    take(row) {
      waiting.push(row)
      size += row.text.length
      bound()
      working ??= work()
    },
    async settled() {
      await working
    },
  }
}
