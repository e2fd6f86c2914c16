import type { Clock } from '../clock.ts'
import type { KnownCredentials } from '../access/credentials.ts'
import type { Listener } from '../net/listener.ts'
import type { Aim, LastingAim, MisfortuneKind, Misfortunes } from './misfortune.ts'
import type { Planes, RegionState } from './regions.ts'
import type { Sockets } from '../stream/sockets.ts'
import type { Region } from '../world/store/rows.ts'

/** What a test can do to the service. */
export type Misfortune = {
  /** Hits the next request that fits, once. */
  next(kind: MisfortuneKind, aim?: Aim): void
  /** Hits all requests that fit, or a seeded share of them, until what it returns is called. What `next` asked for goes before. */
  always(kind: MisfortuneKind, aim?: LastingAim): () => void
  /** Kinds that `next` asked for and that have not hit yet. */
  waiting(): MisfortuneKind[]
  /**
   * The service's clock is off by so many milliseconds from now on; 0 puts it right. It is seen in the header `date`, the
   * times of tokens and devices, and the resets of the balance: a jump over one of them is a reset.
   */
  skewClock(ms: number): void
  /** Closes all sockets with this code and reason (the usual one of the code); 1006 cuts them without a goodbye. */
  dropSockets(code: number, reason?: string): void
  /** Makes the open sockets half open: they stay up, but nothing comes through. */
  stallSockets(): void
  /** As if all credential sets were deleted: no secret and no token is accepted while on, and their sockets close with 4403. */
  refuseTokens(on: boolean): void
  /**
   * `gone`: what needs the data of that region fails, and its streams are silent; `slow`: it waits `ms` (2000) at each use.
   * What waits when the region changes goes on, or fails, at once.
   */
  region(region: Region, state: RegionState, ms?: number): void
  /** Closes the port and all connections. */
  pause(): Promise<void>
  /** Opens the same port again. */
  resume(): Promise<void>
}

/** The parts of a service that misfortunes befall. */
type Struck = {
  misfortunes: Misfortunes
  planes: Pick<Planes, 'set'>
  clock: Clock
  credentials: KnownCredentials
  sockets: Sockets
  listener: Pick<Listener, 'pause' | 'resume'>
}

export function misfortuneVerbs({ misfortunes, planes, clock, credentials, sockets, listener }: Struck): Misfortune {
  return {
    next: misfortunes.add,
    always: misfortunes.always,
    waiting: misfortunes.waiting,
    skewClock: clock.skew,
    dropSockets: sockets.drop,
    stallSockets: sockets.stall,
    refuseTokens(on) {
      credentials.refuse(on)
      if (on) for (const { clientId } of credentials.list()) sockets.dropSet(clientId)
    },
    region: (region, state, ms = 2000) => planes.set(region, state, ms),
    pause: listener.pause,
    resume: listener.resume,
  }
}
