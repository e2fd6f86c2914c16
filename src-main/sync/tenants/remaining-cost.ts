import { devicesOperation, statesOperation } from '../../api/operations.ts'
import { parallel } from '../../pacing/admission.ts'
import type { Unpaid } from '../../pacing/balance/forecast.ts'
import { usualPageSize } from '../../pacing/cost/shape.ts'
import { pageSizeFor } from './tenant-sync.ts'
import type { ConnectionSyncState } from '../state.ts'

/** Where no page has told how long one takes. */
const guessedMs = 300

/** What the running reading has still to pay; null when none runs, or when nobody knows how much there is. */
export function remainingCost({ reader, options: { pacer, dialect } }: ConnectionSyncState): Unpaid | null {
  const [progress, tenants] = [reader.state(), reader.tenants()]
  if (progress.state !== 'syncing' || progress.expected === null || tenants === null) return null
  const { shape } = progress.what === 'changes' ? statesOperation : devicesOperation
  const pageSize = pageSizeFor({ pacer, dialect, capabilities: tenants.capabilities }, null, shape) ?? usualPageSize
  const pages = Math.max(0, progress.expected - progress.read) / pageSize
  return {
    points: pages * pacer.costs.quote(shape, pageSize).likely,
    ms: Math.ceil(pages / parallel) * (pacer.costs.msOf(shape, pageSize) ?? guessedMs),
  }
}
