import { useEffect } from 'react'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { Pipe } from '../../src-shared/contract/contract.ts'
import { useAppContext } from '../lib/context.ts'
import { createStore } from '../lib/store.ts'

/** When the operator's visit before this one ended, ms; null: not known. */
export const lastVisit = createStore<number | null>(null)

/** Uses within this time (ms) are told the core once. */
const onceIn = 60_000

async function readVisit(pipe: Pick<Pipe, 'call'>, used: boolean): Promise<void> {
  const answer = await pipe.call('changes.visit', { used })
  if (answer.ok) lastVisit.set(answer.value.lastVisit)
}

/** Returns what is called with each use of the window. */
export function createUseNote(pipe: Pick<Pipe, 'call'>, clock: Pick<Clock, 'monotonic'>): () => void {
  let told: number | null = null
  return () => {
    const now = clock.monotonic()
    if (told !== null && now - told < onceIn) return
    told = now
    void readVisit(pipe, true)
  }
}

/** Tells the core while the operator uses the window, so that "since the last visit" is known. */
export function useVisits(clock: Pick<Clock, 'monotonic'>): void {
  const { session } = useAppContext()
  useEffect(() => {
    void readVisit(session.pipe, false)
    const note = createUseNote(session.pipe, clock)
    const uses = ['pointerdown', 'keydown', 'wheel'] as const
    for (const use of uses) window.addEventListener(use, note, { capture: true, passive: true })
    return () => {
      for (const use of uses) window.removeEventListener(use, note, { capture: true })
    }
  }, [session, clock])
}
