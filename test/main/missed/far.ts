import type { Link } from '../../../src-main/ports.ts'
import type { Offer, Viewer } from './answers.ts'
import { wordNow, type Device, type Fleet } from './fleet.ts'
import type { Guest } from './guest.ts'
import type { Oracle } from './oracle.ts'
import { fetchFor } from './requests.ts'
import { dialFor, type FarSocket } from './sockets.ts'
import type { TurnedClock } from './turned.ts'
import type { Weather } from './weather.ts'

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

export function networkOf(far: Far, guest: Guest, viewer: Viewer): Link {
  return {
    fetch: fetchFor(far, guest, viewer),
    dial: (_headers, onFault) => dialFor(far, guest, viewer, onFault),
    close: async () => {},
  }
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
