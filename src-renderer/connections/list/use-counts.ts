import { useEffect, useState } from 'react'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'

/** Each patch changes them, and nobody reads faster. */
const everyMs = 1000

/** Devices of each connection, by its id; what no connection has read is missing. Null before the first answer. */
export function useCounts(): ReadonlyMap<string, Counts> | null {
  const { session } = useAppContext()
  const [counts, setCounts] = useState<ReadonlyMap<string, Counts> | null>(null)
  useEffect(() => {
    let cancel: (() => void) | null = null
    let stopped = false
    const ask = async () => {
      cancel = null
      const answer = await session.pipe.call('connections.counts', {})
      if (!stopped && answer.ok) setCounts(new Map(answer.value.connections.map(({ id, counts }) => [id, counts])))
    }
    const off = session.onChange(() => {
      cancel ??= systemClock.after(everyMs, () => void ask())
    })
    void ask()
    return () => {
      stopped = true
      off()
      cancel?.()
    }
  }, [session])
  return counts
}
