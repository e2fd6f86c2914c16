import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'

/** Words that depend on the time for as long as the core can be reached: of what came after nothing is known, and they stand still. */
export function useReachableText(words: (now: number) => string): string {
  const { session } = useAppContext()
  const lostAt = useStore(session.state, ({ reach }) => (reach.state === 'lost' ? reach.at : null))
  return useTickedText((now) => words(lostAt === null ? now : Math.min(now, lostAt)))
}
