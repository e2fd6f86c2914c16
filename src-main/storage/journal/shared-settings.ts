import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { changedList, teamLists, type TeamSettingsChange } from '../../../src-shared/model/team-settings.ts'
import { inTransaction } from '../database.ts'
import { fromJson, toJson } from './json.ts'

/** The settings of a team that differ from the defaults. What is read is as it was stored: readers check it (invariant 11). */
export interface SharedSettings {
  all(): { name: string; value: unknown }[]
  /** Changes settings, all or none. Throws a fault of kind `input` for a list that would be too long. */
  save(change: TeamSettingsChange & { isFirst?: boolean }): void
}

export function sharedSettingsIn(db: DatabaseSync): SharedSettings {
  const all = db.prepare('SELECT name, text FROM shared_setting ORDER BY name')
  const one = db.prepare('SELECT text FROM shared_setting WHERE name = ?')
  const any = db.prepare('SELECT 1 FROM shared_setting LIMIT 1')
  const put = db.prepare('INSERT OR REPLACE INTO shared_setting (name, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM shared_setting WHERE name = ?')
  const write = (name: string, value: unknown) => {
    if (value === null) remove.run(name)
    else put.run(name, toJson(value))
  }
  return {
    all: () => all.all().map(({ name, text }) => ({ name: String(name), value: fromJson(text) })),
    save({ values, lists, isFirst = false }) {
      if (isFirst && any.get() !== undefined) return
      const changed = lists.map(({ name, ...change }) => {
        const stored = fromJson(one.get(name)?.['text'])
        const list = changedList(Array.isArray(stored) ? stored : [], change)
        if (list.length > (teamLists.get(name) ?? 0))
          throw new FaultError('input', `${name}: The team’s list has no room for more.`)
        return { name, value: list.length === 0 ? null : list }
      })
      inTransaction(db, () => {
        for (const { name, value } of [...values, ...changed]) write(name, value)
      })
    },
  }
}
