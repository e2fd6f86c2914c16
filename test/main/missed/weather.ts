import type { Draws } from './draws.ts'

/** The state of the network and the service for their callers; the story changes it. */
export interface Weather {
  draws: Draws
  /** No request and no socket passes. */
  down: boolean
  /** The fate of sockets while requests pass. */
  blocks: 'refuses' | 'is deaf' | 'cuts' | null
  /** Ms that a message takes one way. */
  least: number
  most: number
  /** Share of the requests that fail, and how the tenants' own parts fail. */
  failing: number
  brokenTenant: string | null
  /** The share of events that are sent twice. */
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
