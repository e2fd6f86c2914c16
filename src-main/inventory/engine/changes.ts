import { textFields, timeFields } from '../../../src-shared/model/base-fields.ts'

/**
 * Which rows changed, kept column by column for whatever is derived from the rows (sorted orders, filter results).
 * A follower remembers how far it has read; when it comes back it learns which rows to look at again, or that there
 * are so many that starting over is cheaper.
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
  'extra',
] as const
export type Topic = (typeof topics)[number]

/** More changed rows than this since the last look: the follower starts over. About where repairing stops paying. */
const maxLogged = 4096

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
  if (log.slots.length === maxLogged) {
    log.start += maxLogged
    log.slots = []
  }
  log.slots.push(slot)
}

/** How far a follower of some topics has read. */
export interface Reader {
  readonly topics: readonly Topic[]
  readonly at: number[]
}

/** A reader that has read everything up to now. */
export function readerAtEnd(changes: Changes, of: readonly Topic[]): Reader {
  return { topics: of, at: of.map((topic) => end(changes[topic])) }
}

const end = (log: Log) => log.start + log.slots.length

/** The rows that changed since the last call, each once; null when they are too many to name. Moves the reader on. */
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
