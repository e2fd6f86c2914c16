import type { Clock } from '../clock.ts'
import type { KnownCredentials } from '../../access/credentials.ts'
import type { Listener } from '../../net/listener.ts'
import type { Aim, LastingAim, MisfortuneKind, Misfortunes } from './misfortune.ts'
import type { Planes, RegionState } from './regions.ts'
import type { Sockets } from '../../stream/sockets.ts'
import type { Region } from '../../world/store/rows.ts'

/** Control of the service by a test. */
export type Misfortune = {
  /** Affects the next matching request, once. */
  next(kind: MisfortuneKind, aim?: Aim): void
  /**
   * Affects all matching requests, or a seeded share of them, until the returned function is called. Requests of `next`
   * take precedence.
   */
  always(kind: MisfortuneKind, aim?: LastingAim): () => void
  /** Returns the kinds of `next` that have not been used yet. */
  waiting(): MisfortuneKind[]
  /**
   * Sets the service's clock off by this many ms; 0 corrects it. It affects the header `date`, the times of tokens and
   * devices, and the resets of the balance: a jump past one is a reset.
   */
  skewClock(ms: number): void
  /**
   * Closes all sockets with this code and reason (default: the code's usual one); 1006 cuts them without a close frame.
   */
  dropSockets(code: number, reason?: string): void
  /** Makes the open sockets half open: they stay up, but nothing passes. */
  stallSockets(): void
  /**
   * Rejects every secret and token while on, as if all credential sets were deleted, and closes their sockets with
   * 4403.
   */
  rejectTokens(on: boolean): void
  /**
   * Sets the state of a region. `gone`: requests for its data fail, and its streams send nothing; `slow`: each use
   * waits `ms` (2000). Waiting requests continue or fail at once when it changes.
   */
  region(region: Region, state: RegionState, ms?: number): void
  /** Closes the port and all connections. */
  pause(): Promise<void>
  /** Opens the same port again. */
  resume(): Promise<void>
}

/** The parts of a service that misfortunes affect. */
type Targets = {
  misfortunes: Misfortunes
  planes: Pick<Planes, 'set'>
  clock: Clock
  credentials: KnownCredentials
  sockets: Sockets
  listener: Pick<Listener, 'pause' | 'resume'>
}

export function misfortuneVerbs({ misfortunes, planes, clock, credentials, sockets, listener }: Targets): Misfortune {
  return {
    next: misfortunes.add,
    always: misfortunes.always,
    waiting: misfortunes.waiting,
    skewClock: clock.skew,
    dropSockets: sockets.drop,
    stallSockets: sockets.stall,
    rejectTokens(on) {
      credentials.rejectAll(on)
      if (on) for (const { clientId } of credentials.list()) sockets.dropSet(clientId)
    },
    region: (region, state, ms = 2000) => planes.set(region, state, ms),
    pause: listener.pause,
    resume: listener.resume,
  }
}
