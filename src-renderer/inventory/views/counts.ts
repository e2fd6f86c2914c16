import type { SavedView } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterChanges, useCall } from '../../lib/hooks/use-call.ts'

/** The minimum time between two counts, in ms. */
const countEvery = 1000

/**
 * Returns the number of devices that each view lists, by its id. Counts are read again after changes, and stay while
 * the core cannot be reached.
 */
export function useViewCounts(views: readonly SavedView[]): ReadonlyMap<string, number> {
  const { session } = useAppContext()
  const counted = views.slice(0, 100).map(({ id, query }) => ({ id, query }))
  const count = async () => {
    const answer = await session.pipe.call('inventory.totals', { queries: counted.map(({ query }) => query) })
    return answer.ok ? new Map(counted.map(({ id }, index) => [id, answer.value.totals[index] ?? 0])) : null
  }
  const key = counted.length === 0 ? null : JSON.stringify(counted)
  return useCall(key, count, afterChanges(session, countEvery)).value ?? none
}

const none: ReadonlyMap<string, number> = new Map()
