import type { Counts } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterChanges, useCall } from '../../lib/hooks/use-call.ts'

/** The minimum time between two counts, in ms. Each patch changes the counts. */
const countEvery = 1000

/**
 * Returns the device counts of each connection, by its id. A connection that was never synced has no entry. Null before
 * the first answer.
 */
export function useCounts(): ReadonlyMap<string, Counts> | null {
  const { session } = useAppContext()
  const count = async () => {
    const answer = await session.pipe.call('connections.counts', {})
    return answer.ok ? new Map(answer.value.connections.map(({ id, counts }) => [id, counts])) : null
  }
  return useCall('', count, afterChanges(session, countEvery)).value
}
