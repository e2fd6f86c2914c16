import { FaultError } from '../../../src-shared/model/fault.ts'
import type { PendingAct, RowKeys } from '../../storage/journal/pending-acts.ts'
import { own } from '../../../src-shared/lib/own.ts'
import { deviceNode } from '../keys.ts'
import { changeOf, type Store } from '../store.ts'
import { notesTouched, readNotesOf, slotsOfNotes } from '../writes/notes.ts'
import type { Calls } from './calls.ts'
import type { CarriedOut, LoggedResult } from './log-protocol.ts'
import type { WaitingName } from './logged-calls.ts'
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

/** Carries out an act that waits, and keeps what it found. */
export function carryOutAct(store: Store, calls: Calls, { id, call, input }: PendingAct): LoggedResult {
  const { pendingActs, views } = store.journal
  return runLogged(calls, { call, input }, () => {
    const rowsOf = own(changedBy as Record<string, (typeof changedBy)[WaitingName]>, call)
    if (rowsOf === undefined) throw new FaultError('input', 'no call that may wait')
    pendingActs.keepFound(id, rowsOf(input as never, views.ids))
  })
}

/**
 * Runs a function on what the log says alone: what the acts that wait have changed is taken back before, the last one first, and
 * they are carried out again behind it, as far as they can be. Returns what is to be shown of that; it belongs in one transaction.
 */
export function beneathActs<T>(store: Store, calls: Calls, run: () => T): { value: T; again: CarriedOut[] } {
  const { pendingActs } = store.journal
  const waiting = pendingActs.all()
  if (waiting.length === 0) return { value: run(), again: [] }
  const notes = takeBackActs(store)
  const value = run()
  carryOutActs(store, calls)
  // The window begins anew, as the acts have counted up the revision.
  const change = changeOf(store, notesTouched(store, slotsOfNotes(store.inventory, notes)))
  const again = waiting.map(({ call, input }, index) => ({
    call: { call, input },
    result: { ok: true as const, value: index === 0 ? { change } : {} },
  }))
  return { value, again }
}

/** Takes back what the acts that wait have changed, and returns the nodes of the notes among it. */
export function takeBackActs(store: Store): string[] {
  const { pendingActs } = store.journal
  const rows = pendingActs.putBack()
  const notes = rows.flatMap(({ table, keys }) => (table === 'note' ? keys : []))
  readNotesOf(store, notes)
  return notes
}

/** Carries out all acts that wait, of which nothing is in the files. */
export function carryOutActs(store: Store, calls: Calls): void {
  for (const act of store.journal.pendingActs.all()) carryOutAct(store, calls, act)
}
