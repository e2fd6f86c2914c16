import { randomUUID } from 'node:crypto'
import {
  leaseMs,
  longestMs,
  type Claim,
  type LeaseView,
  type Taken,
  type Taking,
} from '../../../../src-main/team/lead/lease-store.ts'
import type {
  Batch,
  Entry,
  Inspection,
  LogPage,
  LogRow,
  PageLimits,
  Position,
  SavedState,
  SnapshotHead,
} from '../../../../src-main/team/log/log-store.ts'

interface Lead extends Omit<Taken, 'last'> {
  holder: string
  member: string
  until: number
}

interface Subject {
  lead: Lead | null
  /** Number of the last row that was ever in the log of this name. */
  last: number
  log: readonly LogRow[]
  /** All rows that were ever in the log, removed ones as well. */
  archive: readonly LogRow[]
  snapshot: SnapshotHead | null
  parts: ReadonlyMap<string, ReadonlyMap<number, Uint8Array>>
  state: (SavedState & { id: string }) | null
}

/** What a database contains after a transaction. Never changed: each transaction makes another one. */
export type Content = ReadonlyMap<string, Subject>

/** A transaction: what it makes of the content at a time of the database's clock, and its answer. */
export type Transaction<T> = (content: Content, now: number) => [Content, T]

const nothing: Subject = { lead: null, last: 0, log: [], archive: [], snapshot: null, parts: new Map(), state: null }

export const subjectOf = (content: Content, subject: string): Subject => content.get(subject) ?? nothing

function changed(content: Content, subject: string, change: Partial<Subject>): Content {
  return new Map(content).set(subject, { ...subjectOf(content, subject), ...change })
}

function holds(content: Content, { subject, term, holder }: Claim): Lead | null {
  const { lead } = subjectOf(content, subject)
  return lead !== null && lead.term === term && lead.holder === holder ? lead : null
}

const leftMs = ({ until }: Lead, now: number) => (until - now > longestMs ? 0 : Math.max(0, until - now))

const has = (content: Content, subject: string, { number, id }: Position) =>
  subjectOf(content, subject).log.some((row) => row.number === number && row.id === id)

const consumable = (content: Content, state: SavedState | null) =>
  [...(state?.consumed ?? [])].every(([source, position]) => has(content, source, position))

/** Appends rows to a log. */
function appended(content: Content, log: string, entries: readonly Entry[], term: number, at: number): Content {
  const { last, log: rows, archive } = subjectOf(content, log)
  const added = entries.map(({ id: entry, body }, index) => ({
    number: last + index + 1,
    id: randomUUID(),
    entry,
    term,
    role: 'anna',
    at,
    body,
  }))
  const change = { last: last + added.length, log: [...rows, ...added], archive: [...archive, ...added] }
  return changed(content, log, change)
}

/** The transactions of the stores, over a content. They say the same as the SQL. `log`: name of the claim's log. */
export const transactions = {
  look:
    (subject: string, holders: readonly string[]): Transaction<LeaseView | null> =>
    (content, now) => {
      const { lead } = subjectOf(content, subject)
      if (lead === null) return [content, null]
      const { term, member, holder } = lead
      return [content, { term, member, isOwn: holders.includes(holder), leftMs: leftMs(lead, now) }]
    },
  take:
    ({ subject, member, holder, holders }: Taking, log: string): Transaction<Taken | null> =>
    (content, now) => {
      const { lead } = subjectOf(content, subject)
      if (lead !== null && leftMs(lead, now) > 0 && !holders.includes(lead.holder)) return [content, null]
      const taken = { term: (lead?.term ?? 0) + 1, revision: lead?.revision ?? 0 }
      return [
        changed(content, subject, { lead: { ...taken, holder, member, until: now + leaseMs } }),
        { ...taken, last: subjectOf(content, log).last },
      ]
    },
  renew:
    (claim: Claim): Transaction<{ revision: number } | null> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null) return [content, null]
      const renewed = changed(content, claim.subject, { lead: { ...lead, until: now + leaseMs } })
      return [renewed, { revision: lead.revision }]
    },
  release:
    (claim: Claim): Transaction<void> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null) return [content, undefined]
      return [changed(content, claim.subject, { lead: { ...lead, holder: randomUUID(), until: now } }), undefined]
    },
  write:
    (claim: Claim, log: string, revision: number, { id, entries, state }: Batch): Transaction<number | null> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null || lead.revision !== revision || !consumable(content, state)) return [content, null]
      const saved = subjectOf(content, claim.subject).state
      const consumed = new Map([...(saved?.consumed ?? []), ...(state?.consumed ?? [])])
      const written = appended(content, log, entries, claim.term, now)
      const change: Partial<Subject> = {
        lead: { ...lead, revision: revision + 1 },
        state: state === null ? saved : { id, value: state.value, consumed },
      }
      return [changed(written, claim.subject, change), subjectOf(written, log).last]
    },
  post:
    (log: string, entries: readonly Entry[]): Transaction<number> =>
    (content, now) => {
      const there = new Set(subjectOf(content, log).log.map(({ entry }) => entry))
      const missing = entries.filter(({ id }) => !there.has(id))
      const after = missing.length === 0 ? content : appended(content, log, missing, 0, now)
      const ids = new Set(entries.map(({ id }) => id))
      return [after, subjectOf(after, log).log.findLast(({ entry }) => ids.has(entry))?.number ?? 0]
    },
  inspect:
    (claim: Claim, log: string, { id, entries, state }: Batch): Transaction<Inspection> =>
    (content) => {
      const { lead, state: saved } = subjectOf(content, claim.subject)
      const last = entries.at(-1)
      const row = last === undefined ? undefined : subjectOf(content, log).log.find((each) => each.entry === last.id)
      return [
        content,
        {
          isHeld: holds(content, claim) !== null,
          revision: lead?.revision ?? 0,
          stored: row?.number ?? (saved?.id === id ? 0 : null),
          isConsumable: consumable(content, state),
        },
      ]
    },
  find:
    (log: string, ids: readonly string[]): Transaction<string[]> =>
    (content) => [content, subjectOf(content, log).log.flatMap(({ entry }) => (ids.includes(entry) ? [entry] : []))],
  read:
    (subject: string, from: Position | null, { rows: limit }: PageLimits): Transaction<LogPage> =>
    (content) => {
      const { log } = subjectOf(content, subject)
      const isKnown = from === null ? (log[0]?.number ?? 1) === 1 : has(content, subject, from)
      const after = isKnown ? log.filter(({ number }) => number > (from?.number ?? 0)) : []
      return [content, { isKnown, rows: after.slice(0, limit), isFull: after.length > limit }]
    },
  putPart:
    (claim: Claim, log: string, snapshot: string, part: number, body: Uint8Array): Transaction<boolean> =>
    (content) => {
      if (holds(content, claim) === null) return [content, false]
      const { parts } = subjectOf(content, log)
      const own = new Map(parts.get(snapshot)).set(part, body)
      return [changed(content, log, { parts: new Map(parts).set(snapshot, own) }), true]
    },
  publish:
    (claim: Claim, log: string, head: SnapshotHead): Transaction<boolean> =>
    (content) => {
      const own = subjectOf(content, log).parts.get(head.id)
      const isComplete = own?.size === head.parts && has(content, log, head.position)
      if (holds(content, claim) === null || own === undefined || !isComplete) return [content, false]
      return [changed(content, log, { snapshot: head, parts: new Map([[head.id, own]]) }), true]
    },
  newest:
    (subject: string): Transaction<SnapshotHead | null> =>
    (content) => [content, subjectOf(content, subject).snapshot],
  part:
    (subject: string, snapshot: string, part: number): Transaction<Uint8Array | null> =>
    (content) => [content, subjectOf(content, subject).parts.get(snapshot)?.get(part) ?? null],
  prune:
    (claim: Claim, name: string, keepMs: number): Transaction<number> =>
    (content, now) => {
      const { log, snapshot } = subjectOf(content, name)
      if (holds(content, claim) === null || snapshot === null) return [content, 0]
      const young = log.find(({ at }) => at > now - keepMs)?.number ?? Infinity
      const owed = [...content].flatMap(([subject, { state }]) =>
        state === null || subject === name ? [] : [state.consumed.get(name)?.number ?? 0],
      )
      const bound = Math.min(snapshot.position.number, young, ...owed)
      const kept = log.filter(({ number }) => number >= bound)
      return [changed(content, name, { log: kept }), log.length - kept.length]
    },
  state:
    (subject: string): Transaction<SavedState | null> =>
    (content) => [content, subjectOf(content, subject).state],
}
