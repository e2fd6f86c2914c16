import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'

/**
 * Returns a text that depends on the time. It stops changing while the core cannot be reached, because nothing newer is
 * known.
 */
export function useReachableText(words: (now: number) => string): string {
  const { session } = useAppContext()
  const lostAt = useStore(session.state, ({ reach }) => (reach.state === 'lost' ? reach.at : null))
  return useTickedText((now) => words(lostAt === null ? now : Math.min(now, lostAt)))
}
