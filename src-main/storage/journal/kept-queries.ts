import type { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../../src-shared/model/fault.ts'
import {
  maxRuns,
  maxTabs,
  type QueryTab,
  type RunOutcome,
  type SavedOperation,
} from '../../../src-shared/model/kept-queries.ts'
import { inTransaction } from '../database.ts'
import { fromJson, toJson } from './json.ts'
import { parsed } from './views.ts'

/** A run as it begins. `text`: null where it is too long to be kept. */
export interface StartedRun {
  id: string
  connection: string
  at: number
  operation: string | null
  expected: number
  excerpt: string
  text: { document: string; variables: string } | null
}

/** Tabs, saved operations and past runs of the query screen. What is read is as it was stored: readers check it (invariant 11). */
export interface KeptQueries {
  /** Returns the tabs in their order, with `active`. */
  tabs(): unknown[]
  /** Adds a tab behind all others, or changes the one with its id. Throws a fault of kind `input` beyond `maxTabs`. */
  saveTab(tab: QueryTab): void
  arrangeTabs(order: readonly string[], active: string): void
  closeTab(id: string): void
  operations(): unknown[]
  /** Adds or changes all of these, in one transaction. */
  saveOperations(operations: readonly SavedOperation[]): void
  removeOperation(id: string): void
  /** Enters a run. Of all runs the last `maxRuns` stay. */
  beginRun(run: StartedRun): void
  endRun(id: string, outcome: RunOutcome): void
  /** Returns all runs without their texts, the newest first. */
  runs(): unknown[]
  /** Returns document and variables of a run; null where they are not kept. */
  runText(id: string): unknown
  /** Removes the runs of a connection; null: all. Returns how many. */
  forgetRuns(connection: string | null): number
}

export function keptQueriesIn(db: DatabaseSync): KeptQueries {
  return { ...tabsIn(db), ...operationsIn(db), ...runsIn(db) }
}

function tabsIn(db: DatabaseSync) {
  const all = db.prepare('SELECT id, is_active, text FROM query_tab ORDER BY position, id')
  const others = db.prepare('SELECT count(*) AS n FROM query_tab WHERE id <> ?')
  const save =
    db.prepare(`INSERT INTO query_tab VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM query_tab), 0, ?)
    ON CONFLICT (id) DO UPDATE SET text = excluded.text`)
  const place = db.prepare('UPDATE query_tab SET position = ?, is_active = ? WHERE id = ?')
  const inactive = db.prepare('UPDATE query_tab SET is_active = 0 WHERE is_active = 1')
  const close = db.prepare('DELETE FROM query_tab WHERE id = ?')
  return {
    tabs: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'], active: row['is_active'] === 1 })),
    saveTab({ id, ...tab }: QueryTab) {
      if (Number(others.get(id)?.['n']) >= maxTabs)
        throw new FaultError('input', `tab: ${maxTabs} tabs are kept at most.`)
      save.run(id, toJson(tab))
    },
    arrangeTabs: (order: readonly string[], active: string) =>
      inTransaction(db, () => {
        inactive.run()
        order.forEach((id, index) => place.run(index, Number(id === active), id))
      }),
    closeTab: (id: string) => void close.run(id),
  }
}

function operationsIn(db: DatabaseSync) {
  const all = db.prepare('SELECT id, text FROM saved_operation ORDER BY id')
  const save = db.prepare(
    'INSERT INTO saved_operation VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
  )
  const remove = db.prepare('DELETE FROM saved_operation WHERE id = ?')
  return {
    operations: () => all.all().map((row) => ({ ...parsed(row['text']), id: row['id'] })),
    saveOperations: (operations: readonly SavedOperation[]) =>
      inTransaction(db, () => {
        for (const { id, ...operation } of operations) save.run(id, toJson(operation))
      }),
    removeOperation: (id: string) => void remove.run(id),
  }
}

function runsIn(db: DatabaseSync) {
  const begin = db.prepare('INSERT INTO query_run (id, connection, at, about, text) VALUES (?, ?, ?, ?, ?)')
  const trim = db.prepare(
    `DELETE FROM query_run WHERE number < (SELECT number FROM query_run ORDER BY number DESC LIMIT 1 OFFSET ${maxRuns - 1})`,
  )
  const end = db.prepare('UPDATE query_run SET outcome = ? WHERE id = ?')
  const all = db.prepare(
    'SELECT id, connection, at, about, text IS NOT NULL AS has_text, outcome FROM query_run ORDER BY number DESC',
  )
  const text = db.prepare('SELECT text FROM query_run WHERE id = ?')
  const forget = db.prepare('DELETE FROM query_run WHERE connection = ?')
  const clear = db.prepare('DELETE FROM query_run')
  return {
    beginRun: ({ id, connection, at, text: sent, ...about }: StartedRun) =>
      inTransaction(db, () => {
        begin.run(id, connection, at, toJson(about), sent === null ? null : toJson(sent))
        trim.run()
      }),
    endRun: (id: string, outcome: RunOutcome) => void end.run(toJson(outcome), id),
    runs: () =>
      all.all().map((row) => ({
        ...parsed(row['about']),
        id: row['id'],
        connection: row['connection'],
        at: row['at'],
        hasText: row['has_text'] === 1,
        outcome: fromJson(row['outcome']),
      })),
    runText: (id: string) => fromJson(text.get(id)?.['text']),
    forgetRuns: (connection: string | null) =>
      Number((connection === null ? clear.run() : forget.run(connection)).changes),
  }
}
