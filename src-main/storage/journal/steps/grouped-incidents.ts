import type { DatabaseSync } from 'node:sqlite'
import { fromJson, toJson } from '../json.ts'

/*
 * Until November 2026 the fields of a stored incident were one flat list. They become groups (incidents/engine/incident.ts).
 */

type Json = Record<string, unknown>

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

/** Number of rows that are in memory at the same time. */
export const portion = 500

/** The step that groups the fields of stored incidents. */
export function groupIncidents(db: DatabaseSync): void {
  const read = db.prepare('SELECT rowid, text FROM incident WHERE rowid > ? ORDER BY rowid LIMIT ?')
  const put = db.prepare('UPDATE incident SET text = ? WHERE rowid = ?')
  let last = 0
  for (let rows = read.all(last, portion); rows.length > 0; rows = read.all(last, portion)) {
    for (const { rowid, text } of rows) {
      last = Number(rowid)
      const value = fromJson(text)
      // A value that is not an object stays; its readers check it.
      if (isJson(value)) put.run(toJson(incidentOf(value)), last)
    }
  }
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

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
