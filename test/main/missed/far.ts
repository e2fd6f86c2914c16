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
  /** Drops everything from now on, without an error. */
  stall(): void
  /** Ends one subscription by itself. */
  complete(): void
}

/** The service at the far end of fetch and dial, with the network between; the oracle gets everything that passes. */
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

/** Changes a device and sends the event to its subscribers. */
export function turn(far: Far, device: Device): void {
  far.fleet.turn(device, far.clock.now())
  for (const socket of far.sockets) socket.tell(device, wordNow(device))
}

/** The dead leave no socket behind. */
export function buryAll(far: Far): void {
  for (const socket of far.sockets) socket.cut(1006)
}
