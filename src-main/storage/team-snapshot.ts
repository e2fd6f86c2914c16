import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FaultError } from '../../src-shared/model/fault.ts'
import { inTransaction, inTransactions, userVersion } from './database.ts'

/** Tables of the journal that the members of a team have alike. */
export const sharedJournal = [
  'state',
  'transition',
  'view',
  'outbox',
  'dropped',
  'notification',
  'monitoring_loss',
  'pause',
  'incident',
  'member',
  'event',
  'unseen',
  'policy',
  'action',
  'maintenance',
  'withdrawn',
  'device_place',
  'expected_transition',
  'schema_last',
  'schema_entry',
  'day_device',
  'day_state',
  'note',
  'firmware_day',
  'firmware_seen',
  'firmware_change',
  'saved_operation',
  'shared_connection',
  'shared_channel',
  'shared_setting',
  'shift_handover',
  'member_name',
  'erasure',
  'removed_connection',
  'delivery',
  'delivery_incident',
  'job',
  'job_device',
] as const
/** Tables of the journal that each member has for itself: queries, comparisons, acts that wait. */
export const ownJournal = ['sequence', 'log_position', 'pending_act', 'query_tab', 'query_run', 'comparison'] as const
/** The same of the cache; referenced tables come first. */
export const sharedCache = [
  'tenant',
  'tenant_connection',
  'place_list',
  'account',
  'site',
  'room',
  'device',
  'place_name',
  'recent_update',
  'pull',
] as const
export const ownCache = ['sequence', 'cost'] as const

/** The databases of a member. */
interface Databases {
  journal: DatabaseSync
  cache: DatabaseSync
}

/** Writes the shared tables of both databases into a new file in the folder. Returns its path. */
export function writeSnapshot({ journal, cache }: Databases, folder: string): string {
  const file = join(folder, 'team-snapshot.db')
  rmSync(file, { force: true })
  closeSync(openSync(file, 'wx', 0o600))
  chmodSync(file, 0o600)
  copyOut(journal, file, 'journal', sharedJournal)
  copyOut(cache, file, 'cache', sharedCache)
  return file
}

/** The rows of a table that are shared, where not all are: jobs without an owner are in one member's journal alone. */
const hasOwner = "WHERE iif(json_valid(text), json_extract(text, '$.owner'), NULL) IS NOT NULL"
const sharedRows: ReadonlyMap<string, string> = new Map([
  ['job', hasOwner],
  ['job_device', `WHERE job IN (SELECT number FROM main.job ${hasOwner})`],
])

function copyOut(db: DatabaseSync, file: string, prefix: string, tables: readonly string[]): void {
  attached(db, file, () =>
    inTransaction(db, () => {
      for (const table of tables)
        db.exec(`CREATE TABLE snap.${prefix}_${table} AS SELECT * FROM main."${table}" ${sharedRows.get(table) ?? ''}`)
      db.exec(`CREATE TABLE snap.${prefix}_version AS SELECT ${userVersion(db)} AS version`)
      // The next ids of tables that never use one twice.
      const names = tables.map((table) => `'${table}'`).join(', ')
      if (hasSequences(db))
        db.exec(
          `CREATE TABLE snap.${prefix}_ids AS SELECT name, seq FROM main.sqlite_sequence WHERE name IN (${names})`,
        )
    }),
  )
}

/**
 * Replaces the shared tables by those of a file, or empties them, in one transaction of both databases, of which the journal's is
 * committed first. `write` adds to it. Throws a `FaultError` of kind `team-old` for a file that is no snapshot of this version; then
 * nothing was changed. After any other error the databases are to be opened anew.
 */
export function readSnapshot({ journal, cache }: Databases, file: string | null, write: () => void): void {
  if (file !== null) {
    checkFile(file)
    checkVersion(journal, file, 'journal')
    checkVersion(cache, file, 'cache')
  }
  const replaceAll = () => {
    replace(journal, file, 'journal', sharedJournal)
    replace(cache, file, 'cache', sharedCache)
    write()
  }
  // Not IMMEDIATE: both have the file attached.
  attached(journal, file, () => attached(cache, file, () => inTransactions([journal, cache], replaceAll, 'BEGIN')))
}

function replace(db: DatabaseSync, file: string | null, prefix: string, tables: readonly string[]): void {
  for (const table of tables.toReversed()) db.exec(`DELETE FROM main."${table}"`)
  if (file !== null)
    for (const table of tables) db.exec(`INSERT INTO main."${table}" SELECT * FROM snap.${prefix}_${table}`)
  if (!hasSequences(db)) return
  const names = tables.map((table) => `'${table}'`).join(', ')
  db.exec(`DELETE FROM main.sqlite_sequence WHERE name IN (${names})`)
  if (file !== null) db.exec(`INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM snap.${prefix}_ids`)
}

const tablesOf = (prefix: string, tables: readonly string[]) => tables.map((table) => `${prefix}_${table}`)
const neededTables = [
  ...tablesOf('journal', [...sharedJournal, 'version']),
  ...tablesOf('cache', [...sharedCache, 'version']),
]
const knownTables = new Set([...neededTables, 'journal_ids', 'cache_ids'])

/** Throws `team-old` for a file that is damaged, or has more than the tables of a snapshot: another member has written it. */
function checkFile(file: string): void {
  const refused = new FaultError('team-old', 'what the team shares cannot be read')
  try {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      const parts = db.prepare('SELECT type, name FROM sqlite_schema').all()
      const isKnown = parts.every(({ type, name }) => type === 'table' && knownTables.has(String(name)))
      const names = new Set(parts.map(({ name }) => name))
      const isWhole = neededTables.every((name) => names.has(name))
      if (!isKnown || !isWhole || db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') throw refused
    } finally {
      db.close()
    }
  } catch {
    throw refused
  }
}

function checkVersion(db: DatabaseSync, file: string, prefix: string): void {
  const version = attached(db, file, () => db.prepare(`SELECT version FROM snap.${prefix}_version`).get()?.['version'])
  if (version !== userVersion(db))
    throw new FaultError('team-old', 'what the team shares was written by another version of Muster')
}

const hasSequences = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'").get() !== undefined

function attached<T>(db: DatabaseSync, file: string | null, run: () => T): T {
  if (file === null) return run()
  db.prepare('ATTACH DATABASE ? AS snap').run(file)
  try {
    return run()
  } finally {
    db.exec('DETACH DATABASE snap')
  }
}
