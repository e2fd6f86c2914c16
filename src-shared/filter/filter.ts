import {
  type PlainField,
  plainFields,
  textFields,
  type TextField,
  timeFields,
  type TimeField,
} from '../model/base-fields.ts'
import { type Comparison, type Pattern, scan, type Scanned, type ScannedValue, writeText, writeValue } from './scan.ts'

/**
 * A term of the filter language. Terms are separated by spaces, and a device must match all of them.
 *
 *   studio                 name, model, site, room, account, tenant, id or a loaded extra column contains it
 *   "two words"            contains exactly these words
 *   00:e0:db:12:34:56      is the MAC address, in any format
 *   site:Berlin            equals it, without case and accents; `*` is a wildcard: site:"Haus *"
 *   model~studio           contains it
 *   site:Berlin,Hamburg    equals one of them
 *   room:none              has none; a quoted "none" is a name like any other
 *   down:>2h               longer than; also :< :>= :<=, with ages in s m h d w (1d12h)
 *   lastDetected:<2026-01-01   before a date in UTC
 *   tag:vip                it, or a place that it is in, has the operator's tag
 *   note~"second floor"    a note of it, or of such a place, or its contact contains it
 *   -tenant:lab            does not match
 *
 * Parsing does not depend on the time: ages stay ages.
 */
export type Term =
  | { kind: 'text'; not: boolean; text: string }
  /** `is`: equal to one of the values. `has`: contains one of them. */
  | { kind: 'match'; not: boolean; field: TermField; how: 'is' | 'has'; values: readonly Value[] }
  | { kind: 'compare'; not: boolean; field: TermField; operator: Comparison; amount: Amount }

/** A value, or null for "none". */
export type Value = Pattern | null

/** The operand of a comparison, as typed and in each form that it can be read as. */
export interface Amount {
  text: string
  /** An age in ms. */
  age: number | null
  /** A time in ms since the epoch. */
  date: number | null
  number: number | null
}

/** An invalid part of the text (`to` is exclusive), with a message that says how to fix it. */
export interface Problem {
  from: number
  to: number
  message: string
}

interface FieldDefinition {
  name: OwnField
  /** Its written name, when that is not `name`. */
  short?: string
  kind: 'text' | 'choice' | 'time' | 'duration'
  choices?: readonly string[]
  /** Hint for completion. */
  hint: string
}

export type OwnField =
  | 'name'
  | TextField
  | 'site'
  | 'room'
  | 'account'
  | 'tenant'
  | 'region'
  | 'id'
  | 'connected'
  | 'status'
  | 'spare'
  | 'down'
  | 'up'
  | 'seen'
  | 'tag'
  | 'note'
  | TimeField
/** A field of the language, or `extra:` and the name of an extra column. */
export type TermField = OwnField | `extra:${string}`

const plainField = (name: PlainField): FieldDefinition => ({ ...plainFields[name], name })

/** The fields of the language, in the order in which completion offers them. */
export const ownFields: readonly FieldDefinition[] = [
  { name: 'name', kind: 'text', hint: 'the device’s name' },
  ...textFields.map(plainField),
  { name: 'site', kind: 'text', hint: 'the site’s name' },
  { name: 'room', kind: 'text', hint: 'the room’s name' },
  { name: 'account', kind: 'text', hint: 'the account’s name' },
  { name: 'tenant', kind: 'text', hint: 'the tenant’s name' },
  { name: 'region', kind: 'text', hint: 'the region' },
  {
    name: 'connected',
    kind: 'choice',
    choices: ['yes', 'no', 'none'],
    hint: 'the last status that the service reported',
  },
  { name: 'status', kind: 'choice', choices: ['online', 'offline', 'unknown'], hint: 'the current status' },
  { name: 'spare', kind: 'choice', choices: ['yes', 'no'], hint: 'offline and a spare on the shelf, by the settings' },
  { name: 'down', kind: 'duration', hint: 'how long it has been down: down:>2h' },
  { name: 'up', kind: 'duration', hint: 'how long it has been up: up:<1h' },
  { name: 'seen', kind: 'time', hint: 'time since its last update' },
  ...timeFields.map(plainField),
  { name: 'tag', kind: 'text', hint: 'a tag of it or its place: tag:vip, tag:none' },
  { name: 'note', kind: 'text', hint: 'a note of it or its place: note~ladder, note:none' },
  { name: 'id', kind: 'text', hint: 'the device’s id' },
]

/** Returns the written name of a field. */
export function writtenField(field: TermField): string {
  return field.startsWith('extra:') ? field.slice(6) : (ownFields.find(({ name }) => name === field)?.short ?? field)
}

/** Maximum number of terms, which bounds the time of an answer. */
const maxTerms = 100

/**
 * Parses a filter. A text with problems must not be sent. With `columns` (the existing extra columns) any other unknown
 * name is a problem; without, every unknown name is an extra column.
 */
export function parseFilter(text: string, columns?: readonly string[]): ParsedFilter {
  if (text.length < longText) return parsed(text, columns)
  const key = columns?.join('\n') ?? null
  if (lastLong?.text !== text || lastLong.columns !== key)
    lastLong = { text, columns: key, filter: parsed(text, columns) }
  return lastLong.filter
}

interface ParsedFilter {
  terms: Term[]
  problems: Problem[]
}

/** From here on, characters, the last text is kept as parsed: a list of thousands of ids takes 10 ms, and is parsed for each part that shows it. */
const longText = 2_000
let lastLong: { text: string; columns: string | null; filter: ParsedFilter } | null = null

function parsed(text: string, columns: readonly string[] | undefined): ParsedFilter {
  const terms: Term[] = []
  const problems: Problem[] = []
  const words = scan(text)
  for (const word of words) {
    const read = termOf(word, text, columns)
    if (read !== null && 'message' in read) problems.push(read)
    else if (read !== null) terms.push(read)
  }
  const excess = words[maxTerms]
  if (excess)
    problems.push({
      from: excess.from,
      to: text.length,
      message: `These are more than ${maxTerms} words. Take some away.`,
    })
  return { terms, problems }
}

/** Returns the text that parses to these terms. */
export function printFilter(terms: readonly Term[]): string {
  return terms.map(printTerm).join(' ')
}

export function printTerm(term: Term): string {
  const not = term.not ? '-' : ''
  if (term.kind === 'text') return not + writeText(term.text)
  const field = not + writtenField(term.field)
  if (term.kind === 'compare') return `${field}:${term.operator}${writeValue([term.amount.text])}`
  const values = term.values.map((value) => (value === null ? 'none' : writeValue(value)))
  return `${field}${term.how === 'is' ? ':' : '~'}${values.join()}`
}

function termOf(word: Scanned, text: string, columns: readonly string[] | undefined): Term | Problem | null {
  const problem = shapeProblem(word, text)
  if (problem) return problem
  const { not, field: named, operator, values } = word
  if (!named || !operator) {
    const free = values[0]?.pattern.join('*') ?? ''
    return free.trim() === '' ? null : { kind: 'text', not, text: free }
  }
  const field = fieldOf(named.name, columns)
  if (field === null) return { from: named.from, to: named.to, message: unknownField(named.name, columns ?? []) }
  const own = ownFields.find(({ name }) => name === field) ?? null
  return operator === ':' || operator === '~'
    ? matchOf(word, field, own, operator)
    : compareOf(word, field, own, operator)
}

function shapeProblem({ field, values, to }: Scanned, text: string): Problem | null {
  const open = values.find(({ closed }) => !closed)
  if (open)
    return {
      from: open.from,
      to: open.to,
      message: 'The quotation mark is not closed. Put another one behind the text.',
    }
  if (to < text.length && !/\s/u.test(text.charAt(to)))
    return { from: to, to: to + 1, message: 'Put a space behind the quotation mark.' }
  const empty = field && values.find(({ pattern, quoted }) => !quoted && pattern.join('*') === '')
  if (!empty) return null
  return {
    from: field.from,
    to: Math.max(empty.to, field.to + 1),
    message: `Enter a value for ${field.name}, or none.`,
  }
}

function fieldOf(name: string, columns: readonly string[] | undefined): TermField | null {
  const lower = name.toLowerCase()
  const own = ownFields.find((field) => field.name.toLowerCase() === lower || field.short === lower)
  if (own) return own.name
  if (!columns || columns.includes(name)) return `extra:${name}`
  const alike = columns.find((column) => column.toLowerCase() === lower)
  return alike === undefined ? null : `extra:${alike}`
}

function unknownField(name: string, columns: readonly string[]): string {
  const lower = name.toLowerCase()
  const known = [...ownFields.map(({ name: own, short }) => short ?? own), ...columns]
  const near =
    known.find((one) => one.toLowerCase().startsWith(lower)) ??
    known.find((one) => isOneSlipFrom(one.toLowerCase(), lower))
  const advice = near === undefined ? 'Put it in quotation marks to look for it as text.' : `Did you mean “${near}”?`
  return `There is no field “${name}”. ${advice}`
}

/** Returns whether two words differ by one letter too many, too few, wrong, or swapped with its neighbour. */
function isOneSlipFrom(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a.charAt(same) === b.charAt(same)) same += 1
  const [restA, restB] = [a.slice(same), b.slice(same)]
  const swapped = restB.charAt(1) + restB.charAt(0) + restB.slice(2)
  return restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1) || restA === swapped
}

const isNone = ({ pattern, quoted }: ScannedValue) => !quoted && pattern.join('*').toLowerCase() === 'none'

function matchOf(word: Scanned, field: TermField, own: FieldDefinition | null, operator: ':' | '~'): Term | Problem {
  const { not, values, from, to } = word
  if (own && (own.kind === 'time' || own.kind === 'duration') && !(operator === ':' && values.every(isNone))) {
    return { from, to, message: `Enter a comparison: ${own.name}:>2h, ${own.name}:<2h, or ${own.name}:none.` }
  }
  if (own?.choices) return choiceOf(word, own, own.choices, operator)
  const is = operator === ':'
  return {
    kind: 'match',
    not,
    field,
    how: is ? 'is' : 'has',
    values: values.map((value) => (is && isNone(value) ? null : value.pattern)),
  }
}

function choiceOf(
  { not, values, from, to }: Scanned,
  { name }: FieldDefinition,
  choices: readonly string[],
  operator: ':' | '~',
): Term | Problem {
  const listed = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  if (operator === '~') return { from, to, message: `Write ${name}: and ${listed}.` }
  const wrong = values.find(({ pattern }) => !choices.includes(pattern.join('*').toLowerCase()))
  if (wrong) return { from: wrong.from, to: wrong.to, message: `“${name}” is ${listed}.` }
  return {
    kind: 'match',
    not,
    field: name,
    how: 'is',
    values: values.map(({ pattern }) => {
      const chosen = pattern.join('*').toLowerCase()
      return chosen === 'none' ? null : [chosen]
    }),
  }
}

function compareOf(
  { not, values, from, to }: Scanned,
  field: TermField,
  own: FieldDefinition | null,
  operator: Comparison,
): Term | Problem {
  const [value, second] = values
  if (!value || second) return { from, to, message: 'A comparison takes one value.' }
  if (own?.kind === 'text' || own?.kind === 'choice') {
    return { from, to, message: `“${own.name}” cannot be compared. Write ${own.short ?? own.name}: and what it is.` }
  }
  const amount = amountOf(value.pattern.join('*'))
  const problem = own && amountProblem(amount, own)
  return problem
    ? { from: value.from, to: value.to, message: problem }
    : { kind: 'compare', not, field, operator, amount }
}

function amountProblem({ text, age, date }: Amount, { kind }: FieldDefinition): string | null {
  if (age !== null || (kind === 'time' && date !== null)) return null
  const dates = kind === 'time' ? ', or a date such as 2026-01-31' : ''
  return `“${text}” is no length of time. Write 30m, 2h or 7d${dates}.`
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const ageText = /^(?:\d{1,9}(?:\.\d{1,9})?[smhdw])+$/iu
const dateText = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:\d\d)?$/u

export function amountOf(text: string): Amount {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return { text, age: ageOf(text), date: dateOf(text), number: Number.isFinite(number) ? number : null }
}

function ageOf(text: string): number | null {
  if (!ageText.test(text)) return null
  const parts = text.toLowerCase().match(/\d{1,9}(?:\.\d{1,9})?[smhdw]/gu) ?? []
  return parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (units[part.slice(-1)] ?? 0), 0)
}

/**
 * Returns a date as ms since the epoch. A day begins at midnight UTC, and a time without a zone is in UTC, so that the
 * result is the same on every machine.
 */
function dateOf(text: string): number | null {
  const [, day = '', time = '', zone] = dateText.exec(text) ?? []
  const midnight = Date.parse(day)
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return null
  const at = Date.parse(time === '' ? day : `${day}${time}${zone ?? 'Z'}`)
  return Number.isNaN(at) || (time === '' && zone !== undefined) ? null : at
}
