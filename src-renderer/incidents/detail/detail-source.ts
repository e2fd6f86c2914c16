import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Answer, CallOutput, Pipe } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { IncidentMember } from '../../../src-shared/model/incidents.ts'
import { createStore, type Store } from '../../lib/store.ts'

export type Shown = Exclude<CallOutput<'incidents.show'>['shown'], null>

export type DetailState =
  | { state: 'closed' }
  | { state: 'loading'; id: string }
  | { state: 'shown'; id: string; shown: Shown }
  /** `seen`: it was shown before. */
  | { state: 'gone'; id: string; seen: boolean }
  | { state: 'failed'; id: string; fault: Fault }

/** A page of the devices of the shown incident. */
export interface Members {
  id: string
  total: number
  offset: number
  rows: readonly IncidentMember[]
}

/** Number of devices on a page. */
export const memberRows = 25

/** The state of the open incident. */
export interface DetailSource {
  state: Store<DetailState>
  /** Null until the first answer. */
  members: Store<Members | null>
  open(id: string): void
  close(): void
  /** Reads the page of devices from `offset` on. */
  page(offset: number): void
  /** Must be called when incidents have changed. */
  changed(): void
  stop(): void
}

/** The minimum time between two refreshes, in ms. Changes may come many times a second. */
const refreshEvery = 250

export function createDetail(pipe: Pipe, clock: Clock): DetailSource {
  const state = createStore<DetailState>({ state: 'closed' })
  const members = createStore<Members | null>(null)
  let offset = 0
  /** Number of the present query for devices. An answer to an older one is dropped. */
  let turn = 0
  let cancel: (() => void) | null = null

  const shows = (id: string) => {
    const shown = state.get()
    return shown.state !== 'closed' && shown.id === id
  }

  async function read(id: string) {
    const answer = await pipe.call('incidents.show', { id })
    const next = answered(state.get(), id, answer)
    if (next !== null) state.set(next)
  }

  async function readMembers(id: string) {
    turn += 1
    const mine = turn
    const answer = await pipe.call('incidents.members', { id, offset, limit: memberRows })
    if (mine !== turn || !shows(id) || !answer.ok) return
    const { total, rows } = answer.value
    if (rows.length === 0 && offset > 0 && total > 0) return goTo(id, Math.floor((total - 1) / memberRows) * memberRows)
    members.set({ id, total, offset, rows })
  }

  function goTo(id: string, to: number) {
    offset = to
    void readMembers(id)
  }

  function refresh() {
    cancel = null
    const shown = state.get()
    if (shown.state === 'closed') return
    void read(shown.id)
    void readMembers(shown.id)
  }

  return {
    state,
    members,
    open(id) {
      if (shows(id)) return
      state.set({ state: 'loading', id })
      members.set(null)
      void read(id)
      goTo(id, 0)
    },
    close() {
      state.set({ state: 'closed' })
      members.set(null)
    },
    page(to) {
      const shown = state.get()
      if (shown.state !== 'closed') goTo(shown.id, Math.max(0, to))
    },
    changed() {
      cancel ??= clock.after(refreshEvery, refresh)
    },
    stop: () => cancel?.(),
  }
}

/** Returns the detail after an answer about an incident; null when it does not change. */
function answered(before: DetailState, id: string, answer: Answer<CallOutput<'incidents.show'>>): DetailState | null {
  if (before.state === 'closed' || before.id !== id) return null
  const seen = before.state === 'shown' || (before.state === 'gone' && before.seen)
  if (!answer.ok) return before.state === 'shown' ? null : { state: 'failed', id, fault: answer.fault }
  const { shown } = answer.value
  return shown === null ? { state: 'gone', id, seen } : { state: 'shown', id, shown }
}
