import type { TeamHandover } from '../../../src-shared/model/handovers.ts'
import type { TeamState } from '../../../src-shared/model/team.ts'
import type { Session } from '../../lib/session.ts'
import { createStore, type Store } from '../../lib/store.ts'

/** Follows the team's shift handovers. */
export function createHandovers({ pipe, onChange }: Session, team: Store<TeamState['joined']>) {
  const state = createStore<readonly TeamHandover[]>([])
  let events = 0
  let isJoined = false

  async function read() {
    const before = events
    const answer = await pipe.call('handover.list', {})
    // An event that came meanwhile is newer than the answer.
    if (answer.ok && events === before) state.set(answer.value.handovers)
  }

  const offs = [
    pipe.on('handovers', (all) => {
      events += 1
      state.set(all)
    }),
    team.subscribe(() => {
      const wasJoined = isJoined
      isJoined = team.get() !== null
      if (isJoined && !wasJoined) void read()
    }),
    onChange((change) => {
      if (change === null && isJoined) void read()
    }),
  ]
  return {
    state,
    stop() {
      for (const off of offs) off()
    },
  }
}
