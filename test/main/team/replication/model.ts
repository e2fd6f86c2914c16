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
  Inspection,
  LogPage,
  LogRow,
  PageLimits,
  Position,
  SavedState,
  SnapshotHead,
} from '../../../../src-main/team/log/log-store.ts'

interface Lead extends Taken {
  holder: string
  member: string
  until: number
}

interface Subject {
  lead: Lead | null
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

const nothing: Subject = { lead: null, log: [], archive: [], snapshot: null, parts: new Map(), state: null }

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

/** The transactions of the stores, over a content. They say the same as the SQL. */
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
    ({ subject, member, holder, holders }: Taking): Transaction<Taken | null> =>
    (content, now) => {
      const { lead } = subjectOf(content, subject)
      if (lead !== null && leftMs(lead, now) > 0 && !holders.includes(lead.holder)) return [content, null]
      const taken = { term: (lead?.term ?? 0) + 1, last: lead?.last ?? 0, revision: lead?.revision ?? 0 }
      return [changed(content, subject, { lead: { ...taken, holder, member, until: now + leaseMs } }), taken]
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
    (claim: Claim, revision: number, { id, entries, state }: Batch): Transaction<number | null> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null || lead.revision !== revision || !consumable(content, state)) return [content, null]
      const subject = subjectOf(content, claim.subject)
      const rows = entries.map((entry, index) => ({
        ...entry,
        number: lead.last + index + 1,
        term: claim.term,
        at: now,
      }))
      const last = lead.last + rows.length
      const consumed = new Map([...(subject.state?.consumed ?? []), ...(state?.consumed ?? [])])
      const change: Partial<Subject> = {
        lead: { ...lead, last, revision: revision + 1 },
        log: [...subject.log, ...rows],
        archive: [...subject.archive, ...rows],
        state: state === null ? subject.state : { id, value: state.value, consumed },
      }
      return [changed(content, claim.subject, change), last]
    },
  inspect:
    (claim: Claim, { id, entries, state }: Batch): Transaction<Inspection> =>
    (content) => {
      const { lead, log, state: saved } = subjectOf(content, claim.subject)
      const last = entries.at(-1)
      const row = last === undefined ? undefined : log.find((each) => each.id === last.id)
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
    (subject: string, ids: readonly string[]): Transaction<string[]> =>
    (content) => [content, subjectOf(content, subject).log.flatMap(({ id }) => (ids.includes(id) ? [id] : []))],
  read:
    (subject: string, from: Position | null, { rows: limit }: PageLimits): Transaction<LogPage> =>
    (content) => {
      const { log } = subjectOf(content, subject)
      const isKnown = from === null ? (log[0]?.number ?? 1) === 1 : has(content, subject, from)
      const after = isKnown ? log.filter(({ number }) => number > (from?.number ?? 0)) : []
      return [content, { isKnown, rows: after.slice(0, limit), isFull: after.length > limit }]
    },
  putPart:
    (claim: Claim, snapshot: string, part: number, body: Uint8Array): Transaction<boolean> =>
    (content) => {
      if (holds(content, claim) === null) return [content, false]
      const { parts } = subjectOf(content, claim.subject)
      const own = new Map(parts.get(snapshot)).set(part, body)
      return [changed(content, claim.subject, { parts: new Map(parts).set(snapshot, own) }), true]
    },
  publish:
    (claim: Claim, head: SnapshotHead): Transaction<boolean> =>
    (content) => {
      const own = subjectOf(content, claim.subject).parts.get(head.id)
      const isComplete = own?.size === head.parts && has(content, claim.subject, head.position)
      if (holds(content, claim) === null || own === undefined || !isComplete) return [content, false]
      return [changed(content, claim.subject, { snapshot: head, parts: new Map([[head.id, own]]) }), true]
    },
  newest:
    (subject: string): Transaction<SnapshotHead | null> =>
    (content) => [content, subjectOf(content, subject).snapshot],
  part:
    (subject: string, snapshot: string, part: number): Transaction<Uint8Array | null> =>
    (content) => [content, subjectOf(content, subject).parts.get(snapshot)?.get(part) ?? null],
  prune:
    (claim: Claim, keepMs: number): Transaction<number> =>
    (content, now) => {
      const { log, snapshot } = subjectOf(content, claim.subject)
      if (holds(content, claim) === null || snapshot === null) return [content, 0]
      const young = log.find(({ at }) => at > now - keepMs)?.number ?? Infinity
      const owed = [...content].flatMap(([name, { state }]) =>
        state === null || name === claim.subject ? [] : [state.consumed.get(claim.subject)?.number ?? 0],
      )
      const bound = Math.min(snapshot.position.number, young, ...owed)
      const kept = log.filter(({ number }) => number >= bound)
      return [changed(content, claim.subject, { log: kept }), log.length - kept.length]
    },
  state:
    (subject: string): Transaction<SavedState | null> =>
    (content) => [content, subjectOf(content, subject).state],
}
