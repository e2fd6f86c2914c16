import type { Fault } from '../../../src-shared/model/fault.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** What was done last with tabs or saved operations, or why it could not be. */
export type Notice = { text: string; undo?: () => void } | { fault: Fault }

/** The notice of the query screen; null: none. */
export const notice: Store<Notice | null> = createStore<Notice | null>(null)

/** Says what an answer of the core says of a failure. Returns whether there was none. */
export function isDone(answer: { ok: true } | { ok: false; fault: Fault }): boolean {
  if (!answer.ok) notice.set({ fault: answer.fault })
  return answer.ok
}
