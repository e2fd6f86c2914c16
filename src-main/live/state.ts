import { assertNever } from '../../src-shared/model/fault.ts'
import type { LinkState } from '../../src-shared/model/connection.ts'
import type { CompletedSubscriptions } from './subscriptions/completed-subscriptions.ts'
import type { Transport } from './transport/transport.ts'

/** A transport, and what of its subscriptions the service has ended. */
export interface Socket extends Transport {
  readonly completions: CompletedSubscriptions
  source: Pick<EventSource, 'socket' | 'since'>
}

/** Where an event comes from. */
export interface EventSource {
  /** The socket of this connection, by a number; it has another one from when it takes over. */
  socket: number
  /** When it began to tell, ms since the epoch: what another one told before, it does not repeat. */
  since: number
  /** Whether another socket of this connection may tell the same. */
  isOverlapping: boolean
}

/*
 *   off ──start──▶ connecting ──ack──▶ live
 *                    ▲    │              │ closed, silent, rejected
 *              time, │    └──failed──▶ waiting ◀┘
 *              retry └───────────────────┘
 *   connecting ──no secret──▶ held ──retry──▶ connecting
 *   connecting, live ──the service knows no such stream──▶ polling ──retry──▶ connecting
 *   polling ──it knows it after all──▶ live
 *   live ──the next token's connection has taken over──▶ live
 *   any ──stop──▶ off
 */
export type State =
  | { is: 'off' }
  | { is: 'connecting'; attempt: number; socket: Socket | null }
  | { is: 'live'; attempt: number; since: number; socket: Socket; stopRenewal: () => void }
  /** `isAsked`: for as long as the service asks for at the socket; another token changes nothing. */
  | { is: 'waiting'; attempt: number; retryAt: number; isAsked: boolean; cancel: () => void }
  | { is: 'polling'; stopProbing: () => void }
  /** Nothing can be tried before somebody does something. */
  | { is: 'held'; attempt: number }

const moves: Record<State['is'], readonly State['is'][]> = {
  off: ['connecting'],
  connecting: ['live', 'waiting', 'polling', 'held', 'off'],
  live: ['live', 'waiting', 'polling', 'off'],
  waiting: ['connecting', 'off'],
  polling: ['live', 'connecting', 'off'],
  held: ['connecting', 'off'],
}

/** Throws where there is no way from one state to the other: then Muster is wrong, and not the service. */
export function assertMove(from: State['is'], to: State['is']): void {
  if (!moves[from].includes(to)) throw new Error(`live: impossible move ${from} -> ${to}`)
}

/** The state that the window shows. */
export function shown(state: State): LinkState {
  switch (state.is) {
    case 'off':
    case 'held':
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
