import { useEffect, useRef, useState } from 'react'
import type { SavedView } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'

/** Counts are asked for at most so often, in milliseconds: they are seen from the corner of the eye. */
const every = 1000

/** How many devices each view lists, by its id; asked again when something changed, and kept when the core is gone. */
export function useViewCounts(views: readonly SavedView[]): ReadonlyMap<string, number> {
  const { session } = useAppContext()
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map())
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    if (views.length === 0) return undefined
    let wanted = true
    async function count() {
      waiting.current = null
      const answer = await session.pipe.call('inventory.totals', {
        queries: views.slice(0, 100).map(({ query }) => query),
      })
      if (wanted && answer.ok) setCounts(new Map(views.map(({ id }, index) => [id, answer.value.totals[index] ?? 0])))
    }
    const off = session.onChange(() => {
      waiting.current ??= setTimeout(() => void count(), every)
    })
    void count()
    return () => {
      wanted = false
      off()
      if (waiting.current !== null) clearTimeout(waiting.current)
      waiting.current = null
    }
  }, [session, views])
  return counts
}
