import type { Clock } from '../../src-shared/lib/clock.ts'
import type { SocketMove } from '../../src-shared/contract/diagnostics.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { LinkState } from '../../src-shared/model/connection.ts'

/** The transitions of a live connection, for diagnostics. */
export interface SocketHistory {
  moved(state: LinkState, fault: Fault | null): void
  /** Records that the socket with the next token took over while the connection stayed live. */
  renewed(): void
  /** Returns the transitions, the oldest first. */
  moves(): SocketMove[]
}

/** Number of transitions kept. A connection that fails all night has some hundred; the last ones show why. */
const maxMoves = 200

export function createSocketHistory(clock: Pick<Clock, 'now'>): SocketHistory {
  let moves: SocketMove[] = []
  const record = (to: SocketMove['to'], attempt: number | null, fault: Fault | null) => {
    moves = [...moves, { at: clock.now(), to, attempt, fault }].slice(-maxMoves)
  }
  return {
    moved: (state, fault) => record(state.state, 'attempt' in state ? state.attempt + 1 : null, fault),
    renewed: () => record('renewed', null, null),
    moves: () => [...moves],
  }
}
