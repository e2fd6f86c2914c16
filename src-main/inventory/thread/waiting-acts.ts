import { own } from '../../../src-shared/lib/own.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Found, PendingAct, RowKeys } from '../../storage/journal/pending-acts.ts'
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
  const notes = takeBack(store, [...met.values()])
  const value = run()
  const left = pendingActs.all().filter(({ id }) => met.has(id))
  for (const act of left) carryOutAct(store, calls, act)
  const slots = slotsOfNotes(store.inventory, notes)
  const touched = notesTouched(store, slots)
  // A place without devices shows its note all the same.
  if (slots.length === 0 && notes.length > 0) touched.structure = true
  // The window begins anew where the acts have counted up the revision.
  const change = changeOf(store, touched)
  const kinds = acts.filter(({ call }, index) => acts.findIndex((one) => one.call === call) === index)
  const again = kinds.map(({ call, input }, index) => ({
    call: { call, input },
    result: { ok: true as const, value: index === 0 ? { change } : {} },
  }))
  return { value, again }
}

/**
 * Returns the acts (ids) that have changed what these rows may change, and those behind them that have changed the same as they, with
 * what each has found, in their order.
 */
function actsThatMeet(store: Store, rows: readonly LoggedCall[]): ReadonlyMap<string, Found> {
  const { pendingActs, logPosition } = store.journal
  const met = new Map<string, Found>()
  const touching = rows.filter(({ call }) => call === 'forget' || mayWait(call))
  if (touching.length === 0 || pendingActs.first().next === null) return met
  const keys = touching.map((row) => keysOf(store, row))
  const isAnything = keys.includes(null)
  const touched = new Set(keys.flatMap((some) => some ?? []))
  for (const { id, found } of pendingActs.found()) {
    // This copy is replaced by a snapshot.
    if (found === 'unreadable') logPosition.write(null)
    else {
      const own = namesOf(found)
      if (!isAnything && !own.some((name) => touched.has(name))) continue
      met.set(id, found)
      for (const name of own) touched.add(name)
    }
  }
  return met
}

/** Returns the rows that a call may change; null: any. */
function keysOf(store: Store, row: LoggedCall): string[] | null {
  try {
    return namesOf(rowsOf(store, row))
  } catch {
    // An erasure, or nonsense.
    return null
  }
}

/** All views are one, as at most one of them is the default. */
const namesOf = ({ table, keys }: RowKeys): string[] =>
  table === 'view' ? [table] : keys.map((key) => `${table} ${key}`)

/** Makes rows what acts have found, and returns the nodes of the notes among them. */
function takeBack(store: Store, found: readonly Found[]): string[] {
  store.journal.pendingActs.putBack(found)
  const notes = found.flatMap(({ table, keys }) => (table === 'note' ? keys : []))
  readNotesOf(store, notes)
  return notes
}

/** Takes back what all acts that wait have changed. They have to be carried out again (`carryOutActs`), also by the next start. */
export function takeBackAll(store: Store): void {
  const { pendingActs, logPosition } = store.journal
  const all = pendingActs.found()
  takeBack(
    store,
    all.flatMap(({ found }) => (found === 'unreadable' ? [] : [found])),
  )
  // This copy is replaced by a snapshot.
  if (all.some(({ found }) => found === 'unreadable')) logPosition.write(null)
  pendingActs.forgetFound()
}

/** Carries out the acts of which nothing is in the files. */
export function carryOutActs(store: Store, calls: Calls): void {
  for (const act of store.journal.pendingActs.undone()) carryOutAct(store, calls, act)
}
