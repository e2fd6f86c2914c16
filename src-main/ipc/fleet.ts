import type { Counts } from '../../src-shared/model/inventory.ts'
import type { Change } from '../inventory/thread/change.ts'
import type { Publisher } from './publish.ts'

/** The fleet's totals and the revision that they belong to. */
export interface Fleet {
  totals: Counts
  rev: number
}

/**
 * Keeps the fleet's totals up to date. Each change goes to `readers`, in their order, with its transitions, and then to the
 * window without them.
 */
export function followFleet(
  { opened: { totals, rev } }: { opened: Fleet },
  readers: readonly { applyChange(change: Change): void }[],
  publisher: Publisher,
): { fleet: Fleet; publish: (committed: Change) => void } {
  const fleet = { totals, rev }
  const publish = (committed: Change) => {
    const { transitions: _kept, ...change } = committed
    for (const reader of readers) reader.applyChange(committed)
    if (change.rev === change.base) return
    fleet.totals = change.totals
    fleet.rev = change.rev
    publisher.send('patch', change)
  }
  return { fleet, publish }
}
