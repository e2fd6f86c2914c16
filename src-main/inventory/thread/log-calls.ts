import { rmSync } from 'node:fs'
import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import { inTransactions, isDamage, isDiskError, storageFault } from '../../storage/database.ts'
import { readSnapshot, writeSnapshot } from '../../storage/team-snapshot.ts'
import { beginSharing, saveReportState, type Store, writeCache } from '../store.ts'
import type { Calls } from './calls.ts'
import { isLogged } from './logged-calls.ts'
import { signedInput } from './signed-input.ts'
import type { LogData, LoggedCall, LoggedResult } from './log-protocol.ts'

/** Thrown after a write that may have left the memory ahead of the files: they have to be opened anew. */
export class ReopenError extends Error {}

/** Carries out calls of the log (log-protocol.ts). Throws a `ReopenError` where the files cannot be written. */
export function applyLog(store: Store, calls: Calls, input: Parameters<LogData['applyLog']>[0]) {
  const { calls: logged, after, position } = input
  // The files may have been opened anew since, without some of the rows.
  if (store.journal.logPosition.read()?.id !== after?.id)
    throw new FaultError('not-found', 'the copy is not at the row that these follow')
  const results = inBothFiles(store, (check) => {
    const all = logged.map((each) => {
      const { call, input, role } = each
      const given = role === undefined ? input : signedInput(store.journal.memberNames, call, input, role)
      const result = runLogged(calls, { call, input: given })
      if (each.act !== undefined) store.journal.pendingActs.drop(each.act)
      check()
      return result
    })
    store.journal.logPosition.write(position)
    return all
  })
  if (logged.some(({ call }) => call === 'forget')) for (const each of [store.journal, store.cache]) each.scrub()
  return { results }
}

/** Carries out an act that waits (log-protocol.ts). Throws its fault, or a `ReopenError` as `applyLog` does. */
export function keepAct(store: Store, calls: Calls, act: Parameters<LogData['keepAct']>[0]): unknown {
  const result = inBothFiles(store, (check) => {
    const carriedOut = runLogged(calls, act)
    if (carriedOut.ok) store.journal.pendingActs.add(act)
    check()
    return carriedOut
  })
  if (result.ok) return result.value
  throw new FaultError(result.fault.kind, result.fault.detail)
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

/** An error of the disk is thrown: it is this member's alone, and the call is to be carried out later. */
function runLogged(calls: Calls, { call, input }: LoggedCall): LoggedResult {
  try {
    if (!isLogged(call)) throw new FaultError('input', 'no call of the log')
    const run = calls[call] as (input: unknown) => unknown
    return { ok: true, value: run(input) }
  } catch (thrown) {
    if (isDamage(thrown) || isDiskError(thrown)) throw thrown
    return { ok: false, fault: toFault(storageFault(thrown)) }
  }
}

export const snapshotOut = ({ journal, cache }: Store, folder: string) => ({
  file: writeSnapshot({ journal: journal.db, cache: cache.db }, folder),
  position: journal.logPosition.read(),
})

/**
 * Takes a snapshot in (log-protocol.ts) and removes its file. The files have to be opened anew afterwards. Throws its fault, or a
 * `ReopenError` where the files cannot be written.
 */
export function snapshotIn(
  { journal, cache }: Store,
  { file, position }: Parameters<LogData['readSnapshot']>[0],
): void {
  try {
    readSnapshot({ journal: journal.db, cache: cache.db }, file, () => {
      journal.logPosition.write(position)
      cache.write(journal.advance(), () => {})
    })
  } catch (thrown) {
    throw thrown instanceof FaultError ? thrown : new ReopenError('a snapshot could not be taken in', { cause: thrown })
  }
  if (file !== null) rmSync(file, { force: true })
}
