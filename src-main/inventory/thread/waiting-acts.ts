import { own } from '../../../src-shared/lib/own.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { PendingAct, RowKeys } from '../../storage/journal/pending-acts.ts'
import { deviceNode } from '../keys.ts'
import { changeOf, type Store } from '../store.ts'
import { notesTouched, readNotesOf, slotsOfNotes } from '../writes/notes.ts'
import type { Calls } from './calls.ts'
import type { CarriedOut, LoggedCall, LoggedResult } from './log-protocol.ts'
import { mayWait, type WaitingName } from './logged-calls.ts'
import type { InventoryData } from './protocol.ts'
import { runLogged } from './run-logged.ts'

/** The rows that each call which may wait may change. */
const changedBy: {
  readonly [N in WaitingName]: (input: Parameters<InventoryData[N]>[0], views: () => string[]) => RowKeys
} = {
  // The former default one, too.
  saveView: ({ id }, views) => ({ table: 'view', keys: [id, ...views()] }),
  removeView: ({ id }) => ({ table: 'view', keys: [id] }),
  saveOperations: ({ operations }) => ({ table: 'saved_operation', keys: operations.map(({ id }) => id) }),
  removeOperation: ({ id }) => ({ table: 'saved_operation', keys: [id] }),
  saveNote: ({ node }) => ({ table: 'note', keys: [node] }),
  tag: ({ keys }) => ({ table: 'note', keys: keys.map(deviceNode) }),
  setTags: ({ devices }) => ({ table: 'note', keys: devices.map(({ key }) => deviceNode(key)) }),
}

/** Throws a fault of kind `input` for another call. */
function rowsOf({ journal: { views } }: Store, { call, input }: LoggedCall): RowKeys {
  const of = own(changedBy as Record<string, (typeof changedBy)[WaitingName]>, call)
  if (of === undefined) throw new FaultError('input', 'no call that may wait')
  return of(input as never, views.ids)
}

/** Carries out an act that waits, and keeps what it found. */
export function carryOutAct(store: Store, calls: Calls, { id, call, input }: PendingAct): LoggedResult {
  const keepFound = () => store.journal.pendingActs.keepFound(id, rowsOf(store, { call, input }))
  return runLogged(calls, { call, input }, keepFound)
}

/**
 * Runs a function that carries out rows on what the log says alone: what the acts that wait have changed of the same is taken back
 * before, the last one first, and these are carried out again behind it, as far as they can be. Returns what is to be shown of that;
 * it belongs in one transaction.
 */
export function beneathActs<T>(
  store: Store,
  calls: Calls,
  rows: readonly LoggedCall[],
  run: () => T,
): { value: T; again: CarriedOut[] } {
  const { pendingActs } = store.journal
  const met = actsThatMeet(store, rows)
  if (met.size === 0) return { value: run(), again: [] }
  const acts = pendingActs.all().filter(({ id }) => met.has(id))
  const notes = takeBackActs(store, met)
  const value = run()
  const left = pendingActs.all().filter(({ id }) => met.has(id))
  for (const act of left) carryOutAct(store, calls, act)
  if (left.length === 0 && !rows.some(isErasure)) return { value, again: [] }
  // The window begins anew where the acts have counted up the revision.
  const change = changeOf(store, notesTouched(store, slotsOfNotes(store.inventory, notes)))
  const kinds = acts.filter(({ call }, index) => acts.findIndex((one) => one.call === call) === index)
  const again = kinds.map(({ call, input }, index) => ({
    call: { call, input },
    result: { ok: true as const, value: index === 0 ? { change } : {} },
  }))
  return { value, again }
}

const isErasure = ({ call }: LoggedCall): boolean => call === 'forget'

/** Returns the acts that have changed what these rows may change, and those behind them that have changed the same as they. */
function actsThatMeet(store: Store, rows: readonly LoggedCall[]): ReadonlySet<string> {
  const { pendingActs, logPosition } = store.journal
  const touching = rows.filter((row) => isErasure(row) || mayWait(row.call))
  if (touching.length === 0 || pendingActs.first().next === null) return new Set()
  const keys = touching.map((row) => keysOf(store, row))
  const isAnything = keys.includes(null)
  const touched = new Set(keys.flatMap((some) => some ?? []))
  const met = new Set<string>()
  for (const { id, rows: found } of pendingActs.found()) {
    // This copy is replaced by a snapshot.
    if (found === 'unreadable') logPosition.write(null)
    else if (found !== null) {
      const own = namesOf(found)
      if (!isAnything && !own.some((name) => touched.has(name))) continue
      met.add(id)
      for (const name of own) touched.add(name)
    }
  }
  return met
}

/** Returns the rows that a call may change; null: any. */
function keysOf(store: Store, row: LoggedCall): string[] | null {
  if (isErasure(row)) return null
  try {
    return namesOf(rowsOf(store, row))
  } catch {
    return null
  }
}

/** All views are one, as at most one of them is the default. */
const namesOf = ({ table, keys }: RowKeys): string[] =>
  table === 'view' ? [table] : keys.map((key) => `${table} ${key}`)

/** Takes back what acts have changed, and returns the nodes of the notes among it. */
function takeBackActs(store: Store, ids: ReadonlySet<string>): string[] {
  const { pendingActs } = store.journal
  const found = pendingActs.found().flatMap(({ id, rows }) => (ids.has(id) && rows !== null ? [rows] : []))
  pendingActs.putBack(ids)
  const notes = found.flatMap((rows) => (rows !== 'unreadable' && rows.table === 'note' ? rows.keys : []))
  readNotesOf(store, notes)
  return notes
}

/** Takes back what all acts that wait have changed. They have to be carried out again (`carryOutActs`), also by the next start. */
export function takeBackAll(store: Store): void {
  const { pendingActs } = store.journal
  takeBackActs(store, new Set(pendingActs.all().map(({ id }) => id)))
  pendingActs.forgetFound()
}

/** Returns whether an act waits that was not carried out. */
export const hasActsToDo = ({ journal }: Store): boolean =>
  journal.pendingActs.found().some(({ rows }) => rows === null)

/** Carries out the acts of which nothing is in the files. */
export function carryOutActs(store: Store, calls: Calls): void {
  const { pendingActs } = store.journal
  const undone = new Set(pendingActs.found().flatMap(({ id, rows }) => (rows === null ? [id] : [])))
  for (const act of pendingActs.all()) if (undone.has(act.id)) carryOutAct(store, calls, act)
}
