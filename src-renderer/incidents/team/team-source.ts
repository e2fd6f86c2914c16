import type { TeamHandover } from '../../../src-shared/model/handovers.ts'
import type { TeamState } from '../../../src-shared/model/team.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { createHandovers } from './handovers-source.ts'

export type JoinedTeam = NonNullable<TeamState['joined']>

/** The team, as the core last told it. */
export interface TeamSource {
  /** Null for a Muster on its own, and before the first answer. */
  state: Store<JoinedTeam | null>
  /** Its shift handovers, the newest first. */
  handovers: Store<readonly TeamHandover[]>
  stop(): void
}

export function createTeam(session: Session): TeamSource {
  const { pipe, state: sessionState, onChange } = session
  const state = createStore<JoinedTeam | null>(null)
  let events = 0

  async function read() {
    const before = events
    const answer = await pipe.call('team.read', {})
    // An event that came meanwhile is newer than the answer.
    if (answer.ok && events === before) state.set(answer.value.joined)
  }

  const handovers = createHandovers(session, state)
  const offs = [
    handovers.stop,
    pipe.on('team', ({ joined }) => {
      events += 1
      state.set(joined)
    }),
    onChange((change) => {
      if (change === null) void read()
    }),
    sessionState.subscribe(() => {
      const team = state.get()
      // Without the core nobody knows who looks at what.
      if (sessionState.get().reach.state === 'lost' && team !== null && team.looking.length > 0)
        state.set({ ...team, looking: [] })
    }),
  ]
  return {
    state,
    handovers: handovers.state,
    stop() {
      for (const off of offs) off()
    },
  }
}
