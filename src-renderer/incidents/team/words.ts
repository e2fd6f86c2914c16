import type { Assignment, IncidentMarks } from '../../../src-shared/model/incidents.ts'
import type { Message } from '../../../src-shared/model/messages.ts'
import { isolated } from '../../../src-shared/text/direction.ts'
import { titleText } from '../../lib/format/messages.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { age, shortTime, type Times } from '../../lib/format/time.ts'
import { isBlank } from '../../lib/ui/name-text.tsx'
import type { JoinedTeam } from './team-source.ts'

/** Returns a name within a sentence, or "you". */
export const nameText = (name: string, self: string | null): string =>
  name === self ? 'you' : isBlank(name) ? 'a member without a name' : isolated(name)

/** Returns a text with a capital letter. */
export const atStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns "Taken by Ann", or "Taken by you". `self`: this Muster's operator; null without a team. */
export const takenText = ({ to }: Pick<Assignment, 'to'>, self: string | null): string =>
  `Taken by ${nameText(to, self)}`

/** Returns the operators of other members that look at any of these incidents, each once. */
export function lookersOf(team: JoinedTeam | null, ids: readonly string[]): string[] {
  const looking = (team?.looking ?? []).filter(({ isSelf, incident }) => !isSelf && ids.includes(incident))
  return [...new Set(looking.map(({ operator }) => operator))].toSorted()
}

/** Returns for example "Ben and Cleo are looking at this incident."; '' for nobody. `count`: the number of incidents. */
export function lookingText(names: readonly string[], count: number): string {
  const [first, second, ...others] = names.map((name) => nameText(name, null))
  if (first === undefined) return ''
  const what = count === 1 ? 'this incident' : 'these incidents'
  if (second === undefined) return `${atStart(first)} is looking at ${count === 1 ? what : `one of ${what}`}.`
  const all = others.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${many(others.length, 'other')}`
  return `${atStart(all)} are looking at ${what}.`
}

/** An incident of an action, with what operators had done about it when its dialog was opened. */
export type MarkedSubject = IncidentMarks & { message: Message }

interface When {
  /** This Muster's operator. */
  self: string
  now: number
  times: Times
}

type MarkKind = 'acknowledged' | 'snoozed' | 'assigned'
const kinds = ['acknowledged', 'snoozed', 'assigned'] as const
/** Most lines about what was done since a dialog was opened. */
const maxChanges = 3

/**
 * Returns what other operators did about the incidents of an action, a line each: first what stood when the dialog was
 * opened, then what was done since. `marks`: as they are now, without those of closed incidents.
 */
export function marksLines(subjects: readonly MarkedSubject[], marks: readonly IncidentMarks[], when: When): string[] {
  const { self } = when
  const byId = new Map(subjects.map((subject) => [subject.id, subject]))
  const entries = marks.flatMap((now) => {
    const before = byId.get(now.id)
    return before === undefined ? [] : kinds.map((kind) => ({ kind, before, now, isNew: isChanged(before, now, kind) }))
  })
  const standing = entries.flatMap(({ kind, now, isNew }) => {
    const person = personOf(now, kind)
    return isNew || person === null || person === self ? [] : [{ kind, person, now }]
  })
  const changes = entries.flatMap(({ kind, before, now, isNew }) => {
    const by = now[kind]?.by ?? self
    return isNew && by !== self ? [changeText(now, kind, subjects.length === 1 ? null : before.message, when)] : []
  })
  const more = changes.length - maxChanges
  return [
    ...(subjects.length === 1 ? standing.map((one) => standingText(one, when)) : countedTexts(standing)),
    ...changes.slice(0, maxChanges),
    ...(more > 0 ? [`And ${many(more, 'more change')} by others.`] : []),
  ]
}

const isChanged = (before: IncidentMarks, now: IncidentMarks, kind: MarkKind): boolean =>
  JSON.stringify(before[kind]) !== JSON.stringify(now[kind])

/** Returns the operator an incident is assigned to, or the one who acknowledged or snoozed it; null for none. */
const personOf = (marks: IncidentMarks, kind: MarkKind): string | null =>
  (kind === 'assigned' ? marks.assigned?.to : marks[kind]?.by) ?? null

/** Returns whether an incident is assigned to another operator. */
export const isTakenByAnother = ({ assigned }: Pick<IncidentMarks, 'assigned'>, self: string): boolean =>
  assigned !== null && assigned.to !== self

/** Returns whether another operator acknowledged or snoozed an incident. */
export const isSilencedByAnother = (marks: Omit<IncidentMarks, 'id'>, self: string): boolean =>
  [marks.acknowledged?.by, marks.snoozed?.by].some((by) => by !== undefined && by !== self)

const doneWords = { acknowledged: 'acknowledged', snoozed: 'snoozed', assigned: 'taken' } as const

interface Standing {
  kind: MarkKind
  person: string
  now: IncidentMarks
}

/** Returns for example "Taken by Ben, 3 min ago." */
function standingText({ kind, person, now: marks }: Standing, { self, now }: When): string {
  const end = kind === 'acknowledged' ? `: ${isolated(marks.acknowledged?.reason ?? '')}` : '.'
  return `${atStart(doneWords[kind])} by ${nameText(person, self)}, ${age(marks[kind]?.at ?? now, now)}${end}`
}

/** Returns for example "2 of them are taken by Ben." */
function countedTexts(standing: readonly Standing[]): string[] {
  const groups = Map.groupBy(standing, ({ kind, person }) => `${doneWords[kind]} by ${nameText(person, null)}`)
  return [...groups].map(
    ([done, { length }]) => `${numberText(length)} of them ${length === 1 ? 'is' : 'are'} ${done}.`,
  )
}

/** Returns for example "Ben acknowledged it just now: Power cut". `message`: of the incident, where there are several. */
function changeText(marks: IncidentMarks, kind: MarkKind, message: Message | null, when: When): string {
  const { self, now, times } = when
  const it = message === null ? 'it' : `“${isolated(titleText(message, now, times))}”`
  const { acknowledged, snoozed, assigned } = marks
  const by = atStart(nameText(marks[kind]?.by ?? '', self))
  const ago = age(marks[kind]?.at ?? now, now)
  if (kind === 'acknowledged') return `${by} acknowledged ${it} ${ago}: ${isolated(acknowledged?.reason ?? '')}`
  if (kind === 'snoozed') {
    const until = snoozed?.until ?? null
    return `${by} snoozed ${it} ${ago}, until ${until === null ? 'it recovers' : shortTime(until, now, times)}.`
  }
  const to = assigned?.to ?? ''
  return to === assigned?.by ? `${by} took ${it} ${ago}.` : `${by} assigned ${it} to ${nameText(to, self)} ${ago}.`
}
