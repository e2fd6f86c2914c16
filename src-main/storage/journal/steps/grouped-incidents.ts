import type { DatabaseSync } from 'node:sqlite'
import { fromJson, toJson } from '../json.ts'
import { convert, isJson, type Json } from './convert.ts'

/*
 * Until November 2026 the fields of a stored incident were one flat list. They become groups (incidents/engine/incident.ts).
 */

const groups = {
  scope: ['shape', 'path', 'where', 'context'],
  extent: ['named', 'since', 'foundAt', 'down', 'unseen', 'othersDown', 'total', 'watched', 'peak', 'peakInPlace'],
  recovery: ['lastRecovery', 'recovered', 'unreportedRecoveries', 'unlisted'],
  operator: ['acknowledged', 'snoozed'],
  delivery: [
    'notifiedAt',
    'recoveryNotifiedAt',
    'reason',
    'renotify',
    'muted',
    'maintenance',
    'suppressedBy',
    'overrode',
  ],
}
const groupOf = new Map(Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])))
const renamed = new Map([
  ['lastRecovery', 'last'],
  ['unreportedRecoveries', 'unreported'],
])

/** The step that groups the fields of stored incidents. */
export function groupIncidents(db: DatabaseSync): void {
  convert(db, 'incident', 'id', 'text', ({ text }) => {
    const value = fromJson(text)
    // A value that is not an object stays; its readers check it.
    return isJson(value) ? toJson(incidentOf(value)) : null
  })
}

function incidentOf(value: Json): Json {
  const { largest } = value
  return { ...grouped(value), ...(isJson(largest) && { largest: grouped(largest) }) }
}

/** Returns a value with its fields in their groups. A field that is missing stays missing; readers have its default. */
function grouped(value: Json): Json {
  const fields = Object.entries(value)
  const inGroups = Map.groupBy(
    fields.filter(([name]) => groupOf.has(name)),
    ([name]) => groupOf.get(name) ?? '',
  )
  return {
    ...Object.fromEntries(fields.filter(([name]) => !groupOf.has(name))),
    ...Object.fromEntries(
      [...inGroups].map(([group, all]) => [
        group,
        Object.fromEntries(all.map(([name, field]) => [renamed.get(name) ?? name, field])),
      ]),
    ),
  }
}
