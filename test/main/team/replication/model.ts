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
  SnapshotHead,
} from '../../../../src-main/team/log/log-store.ts'

interface Lead extends Omit<Taken, 'last'> {
  holder: string
  member: string
  until: number
}

/** What a database contains after a transaction. Never changed: each transaction makes another one. */
export interface Content {
  leads: ReadonlyMap<string, Lead>
  /** Number of the last row that was ever in the log. */
  last: number
  log: readonly LogRow[]
  /** All rows that were ever in the log, removed ones as well. */
  archive: readonly LogRow[]
  snapshot: SnapshotHead | null
  parts: ReadonlyMap<string, ReadonlyMap<number, Uint8Array>>
}

/** A transaction: what it makes of the content at a time of the database's clock, and its answer. */
export type Transaction<T> = (content: Content, now: number) => [Content, T]

export const nothing: Content = { leads: new Map(), last: 0, log: [], archive: [], snapshot: null, parts: new Map() }

const withLead = (content: Content, subject: string, lead: Lead): Content => ({
  ...content,
  leads: new Map(content.leads).set(subject, lead),
})

function holds({ leads }: Content, { subject, term, holder }: Claim): Lead | null {
  const lead = leads.get(subject)
  return lead !== undefined && lead.term === term && lead.holder === holder ? lead : null
}

const leftMs = ({ until }: Lead, now: number) => (until - now > longestMs ? 0 : Math.max(0, until - now))

const has = ({ log }: Content, { number, id }: Position) => log.some((row) => row.number === number && row.id === id)

const isKnown = (content: Content, known: Position | null) => known === null || has(content, known)

/** Appends rows to the log. */
function appended(content: Content, entries: readonly Entry[], term: number, at: number): Content {
  const { last, log, archive } = content
  const added = entries.map(({ id: entry, body }, index) => ({
    number: last + index + 1,
    id: randomUUID(),
    entry,
    term,
    role: 'anna',
    at,
    body,
  }))
  return { ...content, last: last + added.length, log: [...log, ...added], archive: [...archive, ...added] }
}

/** The transactions of the stores, over a content. They say the same as the SQL. */
export const transactions = {
  look:
    (subject: string, holders: readonly string[]): Transaction<LeaseView | null> =>
    (content, now) => {
      const lead = content.leads.get(subject)
      if (lead === undefined) return [content, null]
      const { term, member, holder } = lead
      return [content, { term, member, isOwn: holders.includes(holder), leftMs: leftMs(lead, now) }]
    },
  take:
    ({ subject, member, holder, holders }: Taking): Transaction<Taken | null> =>
    (content, now) => {
      const lead = content.leads.get(subject)
      if (lead !== undefined && leftMs(lead, now) > 0 && !holders.includes(lead.holder)) return [content, null]
      const taken = { term: (lead?.term ?? 0) + 1, revision: lead?.revision ?? 0 }
      const after = withLead(content, subject, { ...taken, holder, member, until: now + leaseMs })
      return [after, { ...taken, last: content.last }]
    },
  renew:
    (claim: Claim): Transaction<{ revision: number } | null> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null) return [content, null]
      return [withLead(content, claim.subject, { ...lead, until: now + leaseMs }), { revision: lead.revision }]
    },
  release:
    (claim: Claim): Transaction<void> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null) return [content, undefined]
      return [withLead(content, claim.subject, { ...lead, holder: randomUUID(), until: now }), undefined]
    },
  write:
    (claim: Claim, revision: number, { entries, known }: Batch): Transaction<number | null> =>
    (content, now) => {
      const lead = holds(content, claim)
      if (lead === null || lead.revision !== revision || !isKnown(content, known)) return [content, null]
      const written = appended(content, entries, claim.term, now)
      return [withLead(written, claim.subject, { ...lead, revision: revision + 1 }), written.last]
    },
  post:
    (entries: readonly Entry[]): Transaction<number> =>
    (content, now) => {
      const there = new Set(content.log.map(({ entry }) => entry))
      const missing = entries.filter(({ id }) => !there.has(id))
      const after = missing.length === 0 ? content : appended(content, missing, 0, now)
      const ids = new Set(entries.map(({ id }) => id))
      return [after, after.log.findLast(({ entry }) => ids.has(entry))?.number ?? 0]
    },
  inspect:
    (claim: Claim, { entries, known }: Batch): Transaction<Inspection> =>
    (content) => {
      const last = entries.at(-1)
      return [
        content,
        {
          isHeld: holds(content, claim) !== null,
          revision: content.leads.get(claim.subject)?.revision ?? 0,
          stored: content.log.find(({ entry }) => entry === last?.id)?.number ?? null,
          isKnown: isKnown(content, known),
        },
      ]
    },
  read:
    (from: Position | null, { rows: limit }: PageLimits): Transaction<LogPage> =>
    (content) => {
      const { log } = content
      const isKnown = from === null ? (log[0]?.number ?? 1) === 1 : has(content, from)
      const after = isKnown ? log.filter(({ number }) => number > (from?.number ?? 0)) : []
      return [content, { isKnown, rows: after.slice(0, limit), isFull: after.length > limit }]
    },
  putPart:
    (claim: Claim, snapshot: string, part: number, body: Uint8Array): Transaction<boolean> =>
    (content) => {
      if (holds(content, claim) === null) return [content, false]
      const own = new Map(content.parts.get(snapshot)).set(part, body)
      return [{ ...content, parts: new Map(content.parts).set(snapshot, own) }, true]
    },
  publish:
    (claim: Claim, head: SnapshotHead): Transaction<boolean> =>
    (content) => {
      const own = content.parts.get(head.id)
      const isComplete = own?.size === head.parts && has(content, head.position)
      if (holds(content, claim) === null || own === undefined || !isComplete) return [content, false]
      return [{ ...content, snapshot: head, parts: new Map([[head.id, own]]) }, true]
    },
  newest: (): Transaction<SnapshotHead | null> => (content) => [content, content.snapshot],
  part:
    (snapshot: string, part: number): Transaction<Uint8Array | null> =>
    (content) => [content, content.parts.get(snapshot)?.get(part) ?? null],
  prune:
    (claim: Claim, keepMs: number): Transaction<number> =>
    (content, now) => {
      const { log, snapshot } = content
      if (holds(content, claim) === null || snapshot === null) return [content, 0]
      const young = log.find(({ at }) => at > now - keepMs)?.number ?? Infinity
      const bound = Math.min(snapshot.position.number, young)
      const kept = log.filter(({ number }) => number >= bound)
      return [{ ...content, log: kept }, log.length - kept.length]
    },
}
