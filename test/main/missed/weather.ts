import type { Draws } from './draws.ts'

/** What the network and the service do to whoever calls them now; the story turns it. */
export interface Weather {
  draws: Draws
  /** Nobody gets through. */
  down: boolean
  /** What becomes of sockets while requests go through. */
  blocks: 'refuses' | 'is deaf' | 'cuts' | null
  /** Ms that a message takes one way. */
  least: number
  most: number
  /** Share of the requests that fail, and how the tenants' own parts fail. */
  failing: number
  brokenTenant: string | null
  /** Share of the events that are told twice. */
  twice: number
}

export const newWeather = (draws: Draws): Weather => ({
  draws,
  down: false,
  blocks: null,
  least: 5,
  most: 40,
  failing: 0,
  brokenTenant: null,
  twice: 0,
})

export const lag = ({ draws, least, most }: Weather): number => draws.between(least, most)
