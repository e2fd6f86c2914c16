import { textFields, timeFields } from '../../../src-shared/model/base-fields.ts'

/**
 * Logs of changed rows by column, for sorted orders and filter results. A reader remembers its position and gets the
 * rows that changed since, or null when they are so many that starting over is cheaper.
 */
export const topics = [
  'rows',
  'place',
  'name',
  'status',
  'since',
  ...textFields,
  ...timeFields,
  'seenAt',
  'placedAt',
  'extra',
  'notes',
] as const
export type Topic = (typeof topics)[number]

/** The last entries that are kept at least. A reader that is further behind starts over. */
const minLogged = 4096

interface Log {
  slots: number[]
  /** Position of the first entry, counted from the beginning of time. */
  start: number
}

export type Changes = Record<Topic, Log>

export function newChanges(): Changes {
  return Object.fromEntries(topics.map((topic): [Topic, Log] => [topic, { slots: [], start: 0 }])) as Changes
}

export function recordChange(changes: Changes, topic: Topic, slot: number): void {
  const log = changes[topic]
  if (log.slots.length === 2 * minLogged) {
    log.start += minLogged
    log.slots = log.slots.slice(minLogged)
  }
  log.slots.push(slot)
}

/** Records that any row may have changed: every reader starts over. */
export function recordAll(changes: Changes, topic: Topic): void {
  const log = changes[topic]
  log.start = end(log) + 1
  log.slots = []
}

/** The position of a reader in the logs of its topics. */
export interface Reader {
  readonly topics: readonly Topic[]
  readonly at: number[]
}

/** A reader at the end of its logs. */
export function readerAtEnd(changes: Changes, of: readonly Topic[]): Reader {
  return { topics: of, at: of.map((topic) => end(changes[topic])) }
}

const end = (log: Log) => log.start + log.slots.length

/** The rows that changed since the last call, each once; null when they are too many. Moves the reader on. */
export function readChanges(changes: Changes, reader: Reader): Set<number> | null {
  const found = new Set<number>()
  let isTooMany = false
  reader.topics.forEach((topic, index) => {
    const log = changes[topic]
    const from = reader.at[index] ?? 0
    reader.at[index] = end(log)
    if (from < log.start) isTooMany = true
    else for (const slot of log.slots.slice(from - log.start)) found.add(slot)
  })
  return isTooMany ? null : found
}
