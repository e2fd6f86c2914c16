import { assertNever } from '../../src-shared/model/fault.ts'
import type { LinkState } from '../../src-shared/model/connection.ts'
import type { CompletedSubscriptions } from './subscriptions/completed-subscriptions.ts'
import type { Transport } from './transport/transport.ts'

/** A transport, and the subscriptions that the service has ended. */
export interface Socket extends Transport {
  readonly completions: CompletedSubscriptions
  source: Pick<EventSource, 'socket' | 'since'>
}

/** The origin of an event. */
export interface EventSource {
  /** Number of the socket that delivered it; each socket of the connection has its own. */
  socket: number
  /** When the socket began to deliver, ms since the epoch: it does not repeat what another one delivered before. */
  since: number
  /** True while another socket of this connection may deliver the same event. */
  isOverlapping: boolean
}

/*
 *   off ──start──▶ connecting ──ack──▶ live
 *                    ▲    │              │ closed, silent, rejected
 *              time, │    └──failed──▶ waiting ◀┘
 *              retry └───────────────────┘
 *   connecting ──no secret──▶ blocked ──retry──▶ connecting
 *   connecting, live ──the service has no such stream──▶ polling ──retry──▶ connecting
 *   polling ──the service offers it again──▶ live
 *   live ──renewed with the next token──▶ live
 *   any ──stop──▶ off
 */
export type State =
  | { is: 'off' }
  | { is: 'connecting'; attempt: number; socket: Socket | null }
  | { is: 'live'; attempt: number; since: number; socket: Socket; stopRenewal: () => void }
  /** `isAsked`: the service asked for this delay at the socket; another token changes nothing. */
  | { is: 'waiting'; attempt: number; retryAt: number; isAsked: boolean; cancel: () => void }
  | { is: 'polling'; stopProbing: () => void }
  /** Waits for an operator's action, without which no attempt can succeed. */
  | { is: 'blocked'; attempt: number }

const moves: Record<State['is'], readonly State['is'][]> = {
  off: ['connecting'],
  connecting: ['live', 'waiting', 'polling', 'blocked', 'off'],
  live: ['live', 'waiting', 'polling', 'off'],
  waiting: ['connecting', 'off'],
  polling: ['live', 'connecting', 'off'],
  blocked: ['connecting', 'off'],
}

/** Throws where the transition is impossible: that is a defect in Muster, not in the service. */
export function assertMove(from: State['is'], to: State['is']): void {
  if (!moves[from].includes(to)) throw new Error(`live: impossible move ${from} -> ${to}`)
}

/** Returns the state that the window shows. */
export function shown(state: State): LinkState {
  switch (state.is) {
    case 'off':
    case 'blocked':
      return { state: 'off' }
    case 'connecting':
      return { state: 'connecting', attempt: state.attempt }
    case 'live':
      return { state: 'live', since: state.since }
    case 'waiting':
      return { state: 'waiting', attempt: state.attempt, retryAt: state.retryAt }
    case 'polling':
      return { state: 'polling' }
    default:
      return assertNever(state)
  }
}
