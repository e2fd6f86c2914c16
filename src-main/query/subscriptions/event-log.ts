import type { AnswerSummary } from '../../../src-shared/model/query.ts'
import type { SubscriptionRow } from '../../../src-shared/model/subscription.ts'
import type { Answers } from '../answers/answers.ts'

/** A row that is added. `gapSince`: as in `SubscriptionRow`. `text`: the event's JSON; '' for a gap. */
export interface NewRow {
  at: number
  gapSince: number | null
  text: string
  hasErrors: boolean
}

/** The events that are shown: those before the row `before` (null: all) that contain `filter` in any case ('': all). */
export interface EventsWanted {
  before: number | null
  filter: string
}

/** The events of the operator's subscriptions, by their ids: for each the last ones, within two limits. */
export interface EventLogs {
  /** Adds rows. Returns the number of the last row, and how many events were dropped for the limits. */
  addEvents(id: string, rows: readonly NewRow[]): { last: number; dropped: number }
  /** Returns rows from the newest one on (`from` 0), and how many there are. */
  eventRows(
    id: string,
    wanted: EventsWanted,
    page: { from: number; count: number },
  ): { total: number; rows: SubscriptionRow[] }
  /** Makes an event the answer `answer` (`Answers`), which is shown as one. Null: it is no longer kept. */
  openEvent(id: string, number: number, answer: string): AnswerSummary | null
  /**
   * Returns events as lines of JSON, the oldest first, after the row `after`; '' when there are no more. `next`: the row to
   * continue after.
   */
  eventsText(id: string, filter: string, after: number): { text: string; next: number }
  clearEvents(id: string): void
  forgetEvents(id: string): void
}

/** What is kept of one subscription: so many rows, and so many bytes. */
export const keptRows = 10_000
export const keptBytes = 64 * 1024 * 1024
/** Longest shown beginning of an event, bytes. */
const shownBytes = 1_000
/** Bytes of one part of the text. */
const partBytes = 1_000_000

interface Row extends Omit<NewRow, 'text'> {
  number: number
  bytes: Buffer
}

interface EventLog {
  rows: Row[]
  size: number
  last: number
  /** The rows that contain a text, as last asked for; rows that are no longer kept may be among them. */
  found: { filter: string; rows: Row[]; upTo: number } | null
}

export function createEventLogs(
  answers: Pick<Answers, 'append' | 'finish'>,
  limits = { keptRows, keptBytes },
): EventLogs {
  const logs = new Map<string, EventLog>()
  const at = (id: string): EventLog => {
    const found = logs.get(id) ?? { rows: [], size: 0, last: 0, found: null }
    logs.set(id, found)
    return found
  }
  return {
    addEvents(id, rows) {
      const log = at(id)
      for (const { text, ...row } of rows) {
        const bytes = Buffer.from(text)
        log.last += 1
        log.size += bytes.length
        log.rows.push({ ...row, number: log.last, bytes })
      }
      return { last: log.last, dropped: dropOld(log, limits) }
    },
    eventRows(id, { before, filter }, { from, count }) {
      const log = logs.get(id)
      if (log === undefined) return { total: 0, rows: [] }
      const found = matching(log, filter)
      const end = before === null ? found.length : countBefore(found, before)
      const rows = found.slice(Math.max(0, end - from - count), Math.max(0, end - from)).toReversed()
      return { total: end, rows: rows.map(shownRow) }
    },
    openEvent(id, number, answer) {
      const row = logs.get(id)?.rows.find((each) => each.number === number)
      if (row === undefined) return null
      answers.append(answer, new Uint8Array(row.bytes))
      return answers.finish(answer)
    },
    eventsText(id, filter, after) {
      const log = logs.get(id)
      const found = log === undefined ? [] : matching(log, filter)
      const lines: string[] = []
      let [size, next] = [0, after]
      for (let index = countBefore(found, after + 1); index < found.length && size < partBytes; index += 1) {
        const row = found[index]
        if (row === undefined) break
        const line = lineOf(row)
        lines.push(line)
        size += line.length
        next = row.number
      }
      return { text: lines.join(''), next }
    },
    clearEvents(id) {
      const log = at(id)
      Object.assign(log, { rows: [], size: 0, found: null })
    },
    forgetEvents: (id) => void logs.delete(id),
  }
}

/** Drops the oldest rows beyond the limits; the newest one stays. Returns how many events were among them. */
function dropOld(log: EventLog, limits: { keptRows: number; keptBytes: number }): number {
  let [dropped, index] = [0, 0]
  while (index < log.rows.length - 1 && (log.rows.length - index > limits.keptRows || log.size > limits.keptBytes)) {
    const row = log.rows[index]
    if (row?.gapSince === null) dropped += 1
    log.size -= row?.bytes.length ?? 0
    index += 1
  }
  if (index > 0) log.rows = log.rows.slice(index)
  const first = log.rows[0]?.number ?? 0
  if (log.found !== null && (log.found.rows[0]?.number ?? first) < first)
    log.found.rows = log.found.rows.slice(countBefore(log.found.rows, first))
  return dropped
}

/** Returns the rows that contain a text; a gap belongs to every view. Only rows that are new since are searched. */
function matching(log: EventLog, filter: string): readonly Row[] {
  if (filter === '') return log.rows
  const needle = filter.toLowerCase()
  if (log.found?.filter !== needle) log.found = { filter: needle, rows: [], upTo: 0 }
  const { found } = log
  const fresh = log.rows.slice(countBefore(log.rows, found.upTo + 1))
  found.rows = [
    ...found.rows,
    ...fresh.filter((row) => row.gapSince !== null || row.bytes.toString().toLowerCase().includes(needle)),
  ]
  found.upTo = log.last
  return found.rows
}

/** Returns how many rows have a smaller number: they are in its order. */
function countBefore(rows: readonly Row[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

function shownRow({ bytes, ...row }: Row): SubscriptionRow {
  let end = Math.min(bytes.length, shownBytes)
  // Not within a character: its later bytes are 10xxxxxx.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { ...row, text: bytes.toString('utf8', 0, end), isCut: end < bytes.length, bytes: bytes.length }
}

function lineOf({ at, gapSince, bytes }: Row): string {
  const receivedAt = JSON.stringify(new Date(at).toISOString())
  if (gapSince === null) return `{"receivedAt":${receivedAt},"payload":${bytes.toString()}}\n`
  return `{"receivedAt":${receivedAt},"mayMissSince":${JSON.stringify(new Date(gapSince).toISOString())}}\n`
}
