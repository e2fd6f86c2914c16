import type { LogPosition } from '../../storage/journal/log-position.ts'
import type { PendingAct } from '../../storage/journal/pending-acts.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { CallOrder } from './call-order.ts'
import type { Change } from './change.ts'
import type { OpenResult } from './open-result.ts'

/** A call of a member of the team that all members carry out, in the order of the team's log. */
export interface LoggedCall {
  /** A name of the protocol; what it may be is in logged-calls.ts. */
  call: string
  input: unknown
  /** With which its writer signed in to the database. */
  role?: string
  /** The number of its row. */
  number?: number
  /** The id of an act of this member that waited (`keepAct`): it waits no longer. */
  act?: string
}

/** What became of a logged call: its value, or the fault that it has at every member. */
export type LoggedResult = { ok: true; value: unknown } | { ok: false; fault: Fault }

export interface CarriedOut {
  call: LoggedCall
  result: LoggedResult
}

/** The data thread's calls about the team's log (protocol.ts). */
export interface LogData {
  /** Returns the last row of the log that the files contain; null: none, or they do not hold all before it. */
  logPosition(): Promise<LogPosition | null>
  /**
   * Carries out calls in order and writes `position`, of the last row of the log among them, in the same transactions.
   * `after`: the position that was written last; null for none. `again`: the acts that wait, which were taken back before and
   * carried out again behind them. Rejects with `storage`: the files were opened anew, so that
   * all devices are unknown, and nothing is there, or the position no longer counts. Rejects with `not-found` where the files
   * have another position than `after`: they lack rows, and a snapshot is needed.
   */
  applyLog(input: {
    calls: readonly LoggedCall[]
    after: LogPosition | null
    position: LogPosition
  }): Promise<{ results: LoggedResult[]; again: CarriedOut[] }>
  /** A name that an operator of the team goes by belongs to its login, unless it is another one's already. */
  claimName(input: { name: string }): Promise<void>
  /** Returns how many acts of this member wait for the team's log, and the first one. */
  pendingActs(): Promise<{ waiting: number; next: PendingAct | null }>
  /**
   * Carries out a call here, before the team's log has it, and keeps it until then, in one transaction. Rejects with the
   * call's fault; then nothing was changed. Rejects with `storage`: the same, or it waits all the same.
   */
  keepAct(input: PendingAct): Promise<unknown>
  /**
   * Drops an act that cannot be sent, and takes back what it has changed; null: drops all of them, and changes nothing. `again`: as
   * in `applyLog`. Rejects with `storage`: then nothing was changed.
   */
  dropActs(input: { id: string | null }): Promise<{ again: CarriedOut[] }>
  /**
   * Devices that none of these connections sees are unknown here from now on, whatever the team's copies say; null: what they
   * say is shown. A copy of the team's begins with none.
   */
  show(input: { connections: readonly string[] | null }): Promise<Change>
  /** Writes what the team shares into a new file, and returns its path and the last row of the log in it. */
  writeSnapshot(): Promise<{ file: string; position: LogPosition | null }>
  /**
   * Replaces what the team shares by that of a snapshot's file, or by nothing (null), and opens the files anew. Rejects
   * with `team-old` for a file of another version of Muster, or that is none; then nothing was changed. Rejects with
   * `storage`: nothing was changed, or the position no longer counts. What this member alone has about
   * connections that the team has removed is erased.
   */
  readSnapshot(input: { file: string | null; position: LogPosition | null }): Promise<OpenResult>
}

/** How the request queue orders each of these calls. */
export const logCallOrder: { readonly [N in keyof LogData]: CallOrder } = {
  logPosition: 'ordered',
  applyLog: 'feed',
  claimName: 'ordered',
  pendingActs: 'ordered',
  keepAct: 'ordered',
  dropActs: 'ordered',
  show: 'ordered',
  writeSnapshot: 'ordered',
  readSnapshot: 'ordered',
}
