import type { Offer } from './answers.ts'
import { wordNow, type Device, type Fleet } from './fleet.ts'
import type { Oracle } from './oracle.ts'
import type { TurnedClock } from './turned.ts'
import type { Weather } from './weather.ts'

/** The service's end of one socket. */
export interface FarSocket {
  tell(device: Device, word: number): void
  /** Closes it; what is on its way is lost. */
  cut(code: number): void
  /** From now on nothing goes through, and nobody is told. */
  stall(): void
  /** Ends one subscription by itself. */
  complete(): void
}

/** The service at the far end of fetch and dial, with the network between; the oracle hears what gets through. */
export interface Far {
  clock: TurnedClock
  weather: Weather
  fleet: Fleet
  offer: Offer
  oracle: Oracle
  sockets: Set<FarSocket>
  tokens: number
  tokenSeconds: number
}

/** A device changes, and whoever is subscribed is told. */
export function turn(far: Far, device: Device): void {
  far.fleet.turn(device, far.clock.now())
  for (const socket of far.sockets) socket.tell(device, wordNow(device))
}

/** The dead leave no socket behind. */
export function buryAll(far: Far): void {
  for (const socket of far.sockets) socket.cut(1006)
}
