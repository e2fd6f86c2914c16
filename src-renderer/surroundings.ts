import { createContext, useContext } from 'react'
import type { Session } from './session.ts'
import type { Ticker } from './ticker.ts'

/** What every part of the window may need: the core, and the time. */
export interface Surroundings {
  session: Session
  ticker: Ticker
}

export const SurroundingsContext = createContext<Surroundings | null>(null)

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext)
  if (surroundings === null) throw new Error('a part of the window was drawn outside of it')
  return surroundings
}
