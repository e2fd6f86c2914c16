import { createContext, useContext } from 'react'
import type { QuietDesk } from './quiet/desk.ts'
import type { Session } from './session.ts'
import type { Notifier } from './tellings/notifier.ts'
import type { Unread } from './tellings/unread.ts'
import type { Ticker } from './ticker.ts'

/** What every part of the window may need: the core, the time, what was told, and what is laid down on places. */
export interface Surroundings {
  session: Session
  ticker: Ticker
  unread: Unread
  notifier: Notifier
  desk: QuietDesk
}

export const SurroundingsContext = createContext<Surroundings | null>(null)

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext)
  if (surroundings === null) throw new Error('a part of the window was drawn outside of it')
  return surroundings
}
