import { rmSync } from 'node:fs'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { inTransactions, isDamage } from '../../storage/database.ts'
import { readSnapshot, writeSnapshot } from '../../storage/team-snapshot.ts'
import { beginSharing, saveReportState, type Store, writeCache } from '../store.ts'
import type { Calls } from './calls.ts'
import { eraseElsewhere, listingOf } from './erased-elsewhere.ts'
import { runLogged } from './run-logged.ts'
import { signedInput } from './signed-input.ts'
import type { LogData } from './log-protocol.ts'
import { beneathActs, carryOutAct, carryOutActs, takeBackAll } from './waiting-acts.ts'

/** Thrown after a write that may have left the memory ahead of the files: they have to be opened anew. */
export class ReopenError extends Error {}

/** Carries out calls of the log (log-protocol.ts). Throws a `ReopenError` where the files cannot be written. */
export function applyLog(store: Store, calls: Calls, input: Parameters<LogData['applyLog']>[0]) {
  const { calls: logged, after, position } = input
  // The files may have been opened anew since, without some of the rows.
  if (store.journal.logPosition.read()?.id !== after?.id)
    throw new FaultError('not-found', 'the copy is not at the row that these follow')
  const carryOut = (check: () => void) =>
    logged.map((each) => {
      const { call, input, role } = each
      const given = role === undefined ? input : signedInput(store.journal.memberNames, call, input, role)
      const result = runLogged(calls, { call, input: given })
      if (call === 'forget' && result.ok) store.journal.erasures.happened(each.number ?? position.number)
      if (each.act !== undefined) store.journal.pendingActs.drop(each.act)
      check()
      return result
    })
  const { value: results, again } = inBothFiles(store, (check) => {
    store.journal.logPosition.write(position)
    return beneathActs(store, calls, logged, () => carryOut(check))
  })
  if (logged.some(({ call }) => call === 'forget')) scrubBoth(store)
  return { results, again }
}

/** Carries out an act that waits (log-protocol.ts). Throws its fault, or a `ReopenError` as `applyLog` does. */
export function keepAct(store: Store, calls: Calls, act: Parameters<LogData['keepAct']>[0]): unknown {
  const result = inBothFiles(store, (check) => {
    const { pendingActs } = store.journal
    // An earlier one that comes after it would not find what that has found.
    carryOutActs(store, calls)
    pendingActs.add(act)
    const carriedOut = carryOutAct(store, calls, act)
    if (!carriedOut.ok) pendingActs.drop(act.id)
    check()
    return carriedOut
  })
  if (result.ok) return result.value
  throw new FaultError(result.fault.kind, result.fault.detail)
}

/** Drops acts that wait (log-protocol.ts). Throws a `ReopenError` as `applyLog` does. */
export function dropActs(store: Store, calls: Calls, { id }: Parameters<LogData['dropActs']>[0]) {
  const { pendingActs } = store.journal
  if (id === null) {
    pendingActs.drop(null)
    return { again: [] }
  }
  const act = pendingActs.all().find((one) => one.id === id)
  if (act === undefined) return { again: [] }
  const { again } = inBothFiles(store, () => beneathActs(store, calls, [act], () => pendingActs.drop(id)))
  return { again }
}

/** Removes erased data from the bytes of both files. */
function scrubBoth({ journal, cache }: Store): void {
  for (const each of [journal, cache]) each.scrub()
}

/** Runs writes of both files in one transaction. `check` throws where the disk is full. */
function inBothFiles<T>(store: Store, run: (check: () => void) => T): T {
  const { journal, cache } = store
  beginSharing(store)
  // The journal first: a cache that is behind it is found at the next start.
  const databases = [journal.db, cache.db]
  try {
    return inTransactions(databases, () => {
      const value = run(() => {
        // A full disk rolls back the whole transaction.
        if (!databases.every((db) => db.isTransaction)) throw new FaultError('storage', 'the disk is full')
      })
      store.sequence = journal.advance()
      writeCache(store, (to) => saveReportState(store, to))
      return value
    })
  } catch (thrown) {
    if (isDamage(thrown)) throw thrown
    throw new ReopenError('a write of the log failed', { cause: thrown })
  }
}

/** Writes a snapshot (log-protocol.ts) without what acts that wait have changed. Throws a `ReopenError` as `applyLog` does. */
export function snapshotOut(store: Store, calls: Calls, folder: string) {
  const { journal, cache } = store
  const write = () => ({
    file: writeSnapshot({ journal: journal.db, cache: cache.db }, folder),
    position: journal.logPosition.read(),
  })
  if (journal.pendingActs.first().next === null) return write()
  // Two transactions, as a file cannot be attached within one. After a kill between them the next start carries the acts out.
  inBothFiles(store, () => takeBackAll(store))
  try {
    return write()
  } finally {
    inBothFiles(store, () => carryOutActs(store, calls))
  }
}

/** Carries out the acts of which nothing is in the files, as after a snapshot. Throws a `ReopenError` as `applyLog` does. */
export function resumeActs(store: Store, calls: Calls): void {
  if (store.journal.pendingActs.undone().length > 0) inBothFiles(store, () => carryOutActs(store, calls))
}

/**
 * Takes a snapshot in (log-protocol.ts) and removes its file. The files have to be opened anew afterwards. Throws its fault, or a
 * `ReopenError` where the files cannot be written.
 */
export function snapshotIn(store: Store, { file, position }: Parameters<LogData['readSnapshot']>[0]): void {
  const { journal, cache } = store
  const before = listingOf(store)
  let hasErased = false
  try {
    readSnapshot({ journal: journal.db, cache: cache.db }, file, () => {
      journal.logPosition.write(position)
      journal.pendingActs.forgetFound()
      // The memory is still that of the copy before.
      hasErased = eraseElsewhere(store, before)
      cache.write(journal.advance(), () => {})
    })
  } catch (thrown) {
    throw thrown instanceof FaultError ? thrown : new ReopenError('a snapshot could not be taken in', { cause: thrown })
  }
  if (file !== null) rmSync(file, { force: true })
  if (hasErased) scrubBoth(store)
}
