import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { useWords } from '../ticker.ts'

/** Words that depend on the time for as long as the core can be reached: of what came after nothing is known, and they stand still. */
export function useKnownWords(words: (now: number) => string): string {
  const { session } = useSurroundings()
  const lostAt = useStore(session.state, ({ reach }) => (reach.state === 'lost' ? reach.at : null))
  return useWords((now) => words(lostAt === null ? now : Math.min(now, lostAt)))
}
