import type { DatabaseSync } from 'node:sqlite'
import {
  noMessage,
  type EventDetail,
  type Message,
  type TextPart,
  type Where,
} from '../../../../src-shared/model/messages.ts'
import { nameText } from '../../../../src-shared/text/names.ts'
import { fromJson, toJson } from '../json.ts'
import { convert, isJson, type Json } from './convert.ts'

/*
 * Until November 2026 the journal had the sentences of messages, of places and of an incident's history. They become facts
 * where a sentence names its parts unambiguously; any other stays text.
 */

/** The step that converts stored sentences to facts. */
export function convertTexts(db: DatabaseSync): void {
  convert(db, 'incident', 'id', 'text', ({ text }) => changed(text, incidentOf))
  convert(db, 'notification', 'id', 'text', ({ text }) => changed(text, notificationOf))
  convert(db, 'maintenance', 'only', 'text', ({ text }) =>
    changed(text, (all) => (Array.isArray(all) ? all.map(reportOf) : all)),
  )
  convert(db, 'event', 'id', 'detail', ({ what, detail }) => toJson(detailOf(String(what), String(detail))))
}

/** Returns the changed JSON. A value that is not an object stays; its readers check it. */
function changed(text: unknown, change: (value: unknown) => unknown): string | null {
  const value = fromJson(text)
  return value === null ? null : toJson(change(value))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function incidentOf(value: unknown): unknown {
  if (!isJson(value)) return value
  const { splitFrom, largest } = value
  return {
    ...extentOf(value),
    ...(isJson(splitFrom) && { splitFrom: { ...splitFrom, where: whereOf(textOf(splitFrom['where'])) } }),
    ...(isJson(largest) && { largest: extentOf(largest) }),
  }
}

function extentOf(value: Json): Json {
  const { message, where, context, path } = value
  return {
    ...value,
    where: whereOf(textOf(where)),
    context: contextOf(textOf(context), Array.isArray(path) ? path : []),
    message: messageOf(message),
  }
}

function notificationOf(value: unknown): unknown {
  if (!isJson(value) || !isJson(value['content'])) return value
  const { content, earlier } = value
  return {
    ...value,
    content: withMessage(content),
    ...(Array.isArray(earlier) && { earlier: earlier.map((one) => (isJson(one) ? withMessage(one) : one)) }),
  }
}

function withMessage(value: Json): Json {
  const { title, body, moments, ...rest } = value
  return { ...rest, message: messageOf({ title, body, moments }) }
}

function reportOf(value: unknown): unknown {
  if (!isJson(value) || !isJson(value['report'])) return value
  const { report } = value
  return { ...value, report: { ...report, message: messageOf(report['message']) } }
}

function messageOf(value: unknown): Message {
  if (!isJson(value)) return noMessage
  const moments = Array.isArray(value['moments']) ? value['moments'].filter(isJson) : []
  const parts = (part: 'title' | 'body') =>
    partsOf(
      textOf(value[part]),
      moments.filter((moment) => moment['part'] === part),
    )
  return { kind: 'text', title: parts('title'), body: parts('body') }
}

/** Returns a text with its times as numbers; unchanged where the times do not fit. */
function partsOf(text: string, moments: readonly Json[]): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  for (const moment of moments) {
    const [from, to, at] = [Number(moment['from']), Number(moment['to']), Number(moment['at'])]
    if (!(from >= done && to >= from && to <= text.length && Number.isFinite(at))) return [text]
    parts.push(text.slice(done, from), at)
    done = to
  }
  return [...parts, text.slice(done)].filter((part) => part !== '')
}

function whereOf(text: string): Where {
  if (text === '') return { kind: 'none' }
  if (text === 'in tenants without a region') return { kind: 'placeless', lacks: 'region', name: null }
  const [, count] = /^in ([1-9]\d*) sites$/u.exec(text) ?? []
  if (count !== undefined) return { kind: 'sites', count: Number(count) }
  const [, name, lacks] = /^in (.*), without a (site|room)$/u.exec(text) ?? []
  if (name !== undefined && lacks !== undefined)
    return { kind: 'placeless', lacks, name: name === 'a tenant' ? null : name }
  return { kind: 'place', name: text.replace(/^in /u, '') }
}

/** Returns the names of the deepest places that the text contains; the text as one name where the path has others. */
function contextOf(text: string, path: readonly unknown[]): string[] {
  const names = path
    .filter(isJson)
    .filter(({ kind, placeless }) => placeless !== true && kind !== 'region')
    .map(({ name }) => textOf(name))
  const from = names.findIndex((_, index) => names.slice(index).map(nameText).join(', ') === text)
  if (from >= 0) return names.slice(from)
  return text === '' ? [] : [text]
}

/** A time in the text of an entry: between two delimiters, and in older entries ISO 8601. */
const until = /^until (?:\uE000(\d+)\uE001|(\d{4}-\d\d-\d\dT[\d:.]+Z))$/u

function detailOf(what: string, text: string): EventDetail {
  if (text === '') return { kind: 'none' }
  if (what === 'acknowledged') return { kind: 'reason', reason: text }
  if (what === 'snoozed') return snoozeOf(text)
  const [, sign, digits, end] = /^(\+?)([\d,]+) devices?( no longer listed)?$/u.exec(text) ?? []
  const count = Number(digits?.replaceAll(',', ''))
  if (digits === undefined || !Number.isSafeInteger(count)) return { kind: 'text', text: [text] }
  return { kind: end === undefined ? (sign === '+' ? 'added' : 'devices') : 'unlisted', count }
}

function snoozeOf(text: string): EventDetail {
  const [, instant, iso = ''] = until.exec(text) ?? []
  const at = instant === undefined ? Date.parse(iso) : Number(instant)
  if (!Number.isNaN(at)) return { kind: 'until', until: at }
  return text === 'until it recovers' ? { kind: 'until', until: null } : { kind: 'text', text: [text] }
}
