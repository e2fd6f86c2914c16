import { join } from 'node:path'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { type Alerts, alertsIn } from './alerts.ts'
import { inTransaction, isFileError, moveDatabase, openDatabase, scrub, userVersion } from '../database.ts'
import { type DevicePlaces, devicePlacesIn, type PlaceDepartures, type PlaceReport } from './device-places.ts'
import { type DayStates, type DayStatesIn, dayStatesIn } from './day-states.ts'
import { type Deliveries, deliveriesIn } from './deliveries.ts'
import { belowPrefix, erasureIn, ownOfDevicesErasureIn } from './erasure.ts'
import { type Erasures, erasuresIn } from './erasures.ts'
import { type History, historyIn } from './history.ts'
import { type Jobs, jobsIn } from './jobs/jobs.ts'
import { type KeptQueries, keptQueriesIn } from './kept-queries.ts'
import { type MadeUpPast, madeUpPastIn } from './made-up-past.ts'
import { type StoredLogPosition, logPositionIn } from './log-position.ts'
import { type MemberNames, memberNamesIn } from './member-names.ts'
import { type Notes, notesIn } from './notes.ts'
import { type Comparisons, comparisonsIn } from './comparisons.ts'
import { type FirmwareChanges, firmwareChangesIn } from './firmware-changes.ts'
import { type FirmwareDays, firmwareDaysIn } from './firmware-days.ts'
import { type PendingActs, pendingActsIn } from './pending-acts.ts'
import { type Policies, policiesIn } from './policies.ts'
import { ageingIn, type Prune, pruningIn } from './pruning.ts'
import { type Schemas, schemasIn } from './schemas.ts'
import { type SharedRecords, sharedRecordsIn } from './shared-records.ts'
import { type SharedSettings, sharedSettingsIn } from './shared-settings.ts'
import { type ShiftHandovers, shiftHandoversIn } from './shift-handovers.ts'
import { type Statistics, statisticsIn } from './statistics.ts'
import { type TableRows, tablesIn } from '../tables.ts'
import { steps } from './steps/steps.ts'
import { type Views, viewsIn } from './views.ts'
import { type Withdrawn, withdrawnIn } from './withdrawn.ts'

/**
 * The journal contains what cannot be fetched again (design, invariant 3): the last known status of every device and
 * its transitions, incidents and notifications, jobs, the operator's actions and policies, the saved views, notes,
 * tags and comparisons, messages to channels, and what the query screen keeps. It migrates step by step and is never deleted: a damaged file is moved to `damagedCopy`.
 */
export interface Journal {
  readonly opened: 'ok' | 'new' | 'damaged'
  /** Path of the damaged file's copy; null: none. */
  readonly damagedCopy: string | null
  /** Returns the number of commits. The cache stores the last one that it includes. */
  sequence(): number
  state(key: string): JournalState | null
  /** Returns transitions, newest first. */
  transitions(key: string, limit: number): { at: number; notBefore: number | null; connected: boolean }[]
  /**
   * Writes entries, and what changed of names and places, in one transaction, on disk when this returns. Returns the
   * new sequence.
   */
  enter(entries: readonly JournalEntry[], places?: PlaceChanges): number
  /** Returns the reports of names and places that differ from what is stored. */
  changedPlaces(reports: readonly PlaceReport[]): PlaceReport[]
  /**
   * Erases states, transitions, names, places, notifications and jobs of all devices whose key has one of these prefixes,
   * and of these keys. Returns the new sequence.
   */
  forget(prefixes: string[], keys: string[]): number
  readonly erasures: Erasures
  /** Erases of what no other member of a team has all that is about devices whose key has one of these prefixes, and these; in a transaction. */
  eraseOwn(prefixes: readonly string[], devices: readonly string[]): void
  readonly views: Views
  readonly alerts: Omit<Alerts, 'enter'>
  readonly policies: Policies
  readonly history: History
  readonly days: DayStates
  readonly jobs: Jobs
  readonly keptQueries: KeptQueries
  readonly prune: Prune
  /** Returns the approximate number of rows that `prune` may remove. */
  ageing(): number
  readonly statistics: Statistics
  readonly withdrawn: Withdrawn
  readonly schemas: Schemas
  readonly madeUpPast: MadeUpPast
  readonly notes: Notes
  readonly comparisons: Comparisons
  readonly firmwareDays: FirmwareDays
  readonly firmwareChanges: FirmwareChanges
  readonly deliveries: Deliveries
  readonly logPosition: StoredLogPosition
  readonly pendingActs: PendingActs
  readonly memberNames: MemberNames
  readonly sharedConnections: SharedRecords
  readonly sharedChannels: SharedRecords
  readonly sharedSettings: SharedSettings
  readonly shiftHandovers: ShiftHandovers
  readonly db: DatabaseSync
  /** Counts up without an entry. Returns the new sequence. */
  advance(): number
  tables(): TableRows[]
  /** Removes erased data from the files. */
  scrub(): void
  close(): void
}

/**
 * The last known status of a device: since when, as far as Muster knows (`since`), and the last moment that confirms it
 * (`at`).
 */
export interface JournalState {
  connected: boolean
  at: number
  notBefore: number | null
  since: { at: number; kind: 'seen' | 'at-least' } | null
}

/** Names and places to enter with a commit: reports that differ, and devices that are gone. */
export interface PlaceChanges {
  reports: readonly PlaceReport[]
  departures: PlaceDepartures | null
}

export interface JournalEntry {
  key: string
  state: JournalState
  transition: { at: number; notBefore: number | null; connected: boolean } | null
}

/** Opens `journal.db` in the profile. `now` (ms) names the copy of a damaged one. */
export function openJournal(profile: string, now: number): Journal {
  const path = join(profile, 'journal.db')
  const existed = existsSync(path)
  try {
    return journalOf(openMigrated(path), existed ? 'ok' : 'new', null)
  } catch (thrown) {
    if (!isFileError(thrown) && !(thrown instanceof UnreadableError)) throw thrown
    const damagedCopy = freeName(profile, now)
    moveDatabase(path, damagedCopy)
    return journalOf(openMigrated(path), 'damaged', damagedCopy)
  }
}

/** Thrown for a valid file of a version that this Muster cannot read. */
class UnreadableError extends Error {}

function freeName(profile: string, now: number): string {
  for (let n = now; ; n += 1) {
    const path = join(profile, `journal.damaged-${n}.db`)
    if (!existsSync(path)) return path
  }
}

function openMigrated(path: string): DatabaseSync {
  const db = openDatabase(path)
  try {
    db.exec('PRAGMA synchronous = FULL')
    check(db)
    migrate(db)
    return db
  } catch (thrown) {
    db.close()
    throw thrown
  }
}

/** Throws unless the one row of `sequence` is valid. */
function checkSequence(db: DatabaseSync): void {
  if (!Number.isSafeInteger(db.prepare('SELECT value FROM sequence').get()?.['value']))
    throw new UnreadableError('sequence')
}

/**
 * Checks the file once at each start, so that damage is found while a backup still helps: its data cannot be fetched
 * again.
 */
function check(db: DatabaseSync): void {
  const verdict = db.prepare('PRAGMA quick_check(1)').get()
  if (verdict?.['quick_check'] !== 'ok') throw new UnreadableError('quick_check')
}

function migrate(db: DatabaseSync): void {
  const from = userVersion(db)
  if (from > steps.length) throw new UnreadableError('newer')
  steps.slice(from).forEach((step, index) => {
    inTransaction(db, () => {
      if (typeof step === 'string') db.exec(step)
      else step(db)
      db.exec(`PRAGMA user_version = ${from + index + 1}`)
    })
  })
  // Preparing every statement finds missing tables.
  prepare(db)
  partsIn(db)
  checkSequence(db)
}

function partsIn(db: DatabaseSync) {
  const policies = policiesIn(db)
  const places = devicePlacesIn(db)
  const deliveries = deliveriesIn(db)
  const erasures = erasuresIn(db)
  return {
    erasures,
    eraseOwn: ownOfDevicesErasureIn(db),
    places,
    deliveries,
    views: viewsIn(db),
    alerts: alertsIn(db, { policies, deliveries, erasures }),
    policies,
    history: historyIn(db, places),
    days: dayStatesIn(db),
    jobs: jobsIn(db),
    keptQueries: keptQueriesIn(db),
    prune: pruningIn(db),
    ageing: ageingIn(db),
    statistics: statisticsIn(db),
    withdrawn: withdrawnIn(db),
    schemas: schemasIn(db),
    madeUpPast: madeUpPastIn(db),
    notes: notesIn(db),
    comparisons: comparisonsIn(db),
    firmwareDays: firmwareDaysIn(db),
    firmwareChanges: firmwareChangesIn(db),
    logPosition: logPositionIn(db),
    pendingActs: pendingActsIn(db),
    memberNames: memberNamesIn(db),
    sharedConnections: sharedRecordsIn(db, 'shared_connection'),
    sharedChannels: sharedRecordsIn(db, 'shared_channel'),
    sharedSettings: sharedSettingsIn(db),
    shiftHandovers: shiftHandoversIn(db),
    eraseRest: erasureIn(db),
  }
}

function prepare(db: DatabaseSync) {
  return {
    sequence: db.prepare('SELECT value FROM sequence'),
    next: db.prepare('UPDATE sequence SET value = value + 1'),
    state: db.prepare('SELECT connected, at, not_before, since_at, since_seen FROM state WHERE key = ?'),
    remember:
      db.prepare(`INSERT INTO state (key, connected, at, not_before, since_at, since_seen, known_since) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      connected = excluded.connected, at = excluded.at, not_before = excluded.not_before,
      since_at = excluded.since_at, since_seen = excluded.since_seen`),
    enter: db.prepare('INSERT INTO transition (key, at, not_before, connected) VALUES (?, ?, ?, ?)'),
    transitions: db.prepare('SELECT at, not_before, connected FROM transition WHERE key = ? ORDER BY id DESC LIMIT ?'),
    forgetStates: db.prepare('DELETE FROM state WHERE key >= ? AND key < ?'),
    forgetTransitions: db.prepare('DELETE FROM transition WHERE key >= ? AND key < ?'),
  }
}

type Statements = ReturnType<typeof prepare>

function journalOf(db: DatabaseSync, opened: Journal['opened'], damagedCopy: string | null): Journal {
  const sql = prepare(db)
  const { eraseRest, places, ...parts } = partsIn(db)
  const sequence = () => Number(sql.sequence.get()?.['value'] ?? 0)
  const committed = (run: () => void) => {
    const next = inTransaction(db, () => {
      run()
      sql.next.run()
      return sequence()
    })
    return next
  }
  return {
    opened,
    damagedCopy,
    sequence,
    state: (key) => stateOf(sql.state.get(key)),
    transitions: (key, limit) => sql.transitions.all(key, limit).map(transitionOf),
    enter: (entries, changes) =>
      committed(() => {
        entries.forEach((entry) => enter(sql, parts, entry))
        places.enter(changes?.reports ?? [])
        if (changes?.departures) places.close(changes.departures)
      }),
    changedPlaces: (reports) => places.changed(reports),
    forget: (prefixes, keys) =>
      committed(() => {
        for (const prefix of prefixes) forget(sql, places, parts.days, prefix, belowPrefix(prefix))
        for (const key of keys) forget(sql, places, parts.days, key, `${key}\0`)
        eraseRest(prefixes, keys)
      }),
    ...parts,
    db,
    advance: () => committed(() => {}),
    tables: () => tablesIn(db),
    scrub: () => scrub(db),
    close: () => db.close(),
  }
}

function enter(
  sql: Statements,
  { alerts, days }: { alerts: Alerts; days: DayStatesIn },
  { key, state, transition }: JournalEntry,
): void {
  const { since } = state
  const knownSince = transition ? (transition.notBefore ?? transition.at) : state.at
  sql.remember.run(
    key,
    Number(state.connected),
    state.at,
    state.notBefore,
    since?.at ?? null,
    Number(since?.kind === 'seen'),
    knownSince,
  )
  if (!transition) return
  sql.enter.run(key, transition.at, transition.notBefore, Number(transition.connected))
  alerts.enter({ key, ...transition })
  days.entered(transition.notBefore ?? transition.at)
}

function forget(sql: Statements, places: DevicePlaces, days: DayStatesIn, from: string, before: string): void {
  sql.forgetStates.run(from, before)
  sql.forgetTransitions.run(from, before)
  places.erase(from, before)
  days.erase(from, before)
}

type Row = Record<string, unknown>

function stateOf(row: Row | undefined): JournalState | null {
  if (!row) return null
  const kind = row['since_seen'] === 1 ? 'seen' : 'at-least'
  return {
    connected: row['connected'] === 1,
    at: Number(row['at']),
    notBefore: time(row['not_before']),
    since: row['since_at'] === null ? null : { at: Number(row['since_at']), kind },
  }
}

function transitionOf(row: Row) {
  return { at: Number(row['at']), notBefore: time(row['not_before']), connected: row['connected'] === 1 }
}

const time = (value: unknown) => (typeof value === 'number' ? value : null)
