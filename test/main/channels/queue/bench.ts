import { openQueue, type DeliveryQueue, type QueueOptions } from '../../../../src-main/channels/queue.ts'
import type { Outcome } from '../../../../src-main/channels/outcome.ts'
import type { StoredDelivery } from '../../../../src-main/incidents/stored/delivery.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { manualClock, settle, type ManualClock } from '../../../support/clock.ts'

/** A server that a test answers for, a journal in memory that may be full, and a queue between them. */
export interface Bench {
  clock: ManualClock
  queue: DeliveryQueue
  /** What the journal has, by id. Erased ones are gone. */
  journal: Map<string, StoredDelivery>
  disk: { full: boolean }
  /** Ids in the order in which they were handed to the server. */
  sent: string[]
  changes: StoredDelivery[]
  log: string[]
  obsolete: Map<string, string>
  held: Set<string>
  /** Adds to journal and queue. */
  add(...rows: StoredDelivery[]): Promise<void>
  /** Answers the oldest attempt that waits for an answer. */
  answer(outcome: Outcome): Promise<void>
  /** The number of attempts that wait for an answer. */
  asking(): number
  states(): Record<string, string>
}

export const accepted: Outcome = { is: 'sent', to: ['host'], reason: '' }
export const later = (waitMs: number | null = null): Outcome => ({ is: 'later', to: [], reason: 'Busy.', waitMs })
export const never: Outcome = { is: 'never', to: [], reason: 'No.' }

/** `respond`: the answer to each attempt; without it, a test answers. */
export function openBench(respond?: (row: StoredDelivery) => Outcome, more: Partial<QueueOptions> = {}): Bench {
  const clock = manualClock()
  const open: ((outcome: Outcome) => void)[] = []
  const bench = {
    clock,
    journal: new Map<string, StoredDelivery>(),
    disk: { full: false },
    sent: [] as string[],
    changes: [] as StoredDelivery[],
    log: [] as string[],
    obsolete: new Map<string, string>(),
    held: new Set<string>(),
  }
  const queue = openQueue({
    data: {
      async settleDeliveries({ rows }) {
        await Promise.resolve()
        if (bench.disk.full) throw new FaultError('storage', 'the disk is full')
        for (const { value } of rows) bench.journal.set((value as StoredDelivery).id, value as StoredDelivery)
      },
    },
    clock,
    log: (_level, text) => void bench.log.push(text),
    random: () => 0.5,
    send(row, signal) {
      bench.sent.push(row.id)
      if (respond !== undefined) return Promise.resolve(respond(row))
      const { promise, resolve } = Promise.withResolvers<Outcome>()
      signal.addEventListener('abort', () => resolve(later()))
      open.push(resolve)
      return promise
    },
    sends: () => true,
    adds: true,
    isHeld: ({ id }) => bench.held.has(id),
    obsolete: ({ id }) => bench.obsolete.get(id) ?? null,
    closed: () => null,
    onAttempt: () => {},
    onChange: (row) => void bench.changes.push(row),
    ...more,
  })
  return {
    ...bench,
    queue,
    async add(...rows) {
      for (const row of rows) bench.journal.set(row.id, row)
      queue.add(rows)
      await settle()
    },
    async answer(outcome) {
      const next = open.shift()
      if (next === undefined) throw new Error('nothing is asked')
      next(outcome)
      await settle()
    },
    asking: () => open.length,
    states: () => Object.fromEntries([...bench.journal].map(([id, { state }]) => [id, state])),
  }
}

/** What the journal has waiting, the oldest first. */
export const waitingIn = (journal: ReadonlyMap<string, StoredDelivery>): StoredDelivery[] =>
  [...journal.values()].filter(({ state }) => state === 'waiting')
