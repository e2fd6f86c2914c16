import { FaultError, type FaultKind } from '../../../src-shared/model/fault.ts'
import { traitsOf } from '../../../src-shared/model/fault-traits.ts'
import { extrasOperation, type Operation } from '../../api/operations.ts'
import { toolsOf, type SyncContext } from '../context.ts'
import { fetchPage } from '../tenants/pages.ts'
import { isKnown, tenantsCost, type PartCost } from '../tenants/sync-cost.ts'

/**
 * Returns the cost of reading one extra column of the tenants that this connection reads. Where it is unknown, reads
 * pages of one and two devices, which cost next to nothing. Rejects with a `FaultError` when the service rejects the
 * field.
 */
export async function columnCost(sync: SyncContext, name: string): Promise<PartCost> {
  const own = sync.reader.ownTenants()
  const operation = extrasOperation([name])
  const [first] = own
  if (first !== undefined && !isKnown(sync, operation))
    return tenantsCost(sync, operation, own, await probe(sync, operation, first.id))
  return tenantsCost(sync, operation, own)
}

/** Learns the cost of a shape by requests. Returns the duration of a page, ms. */
async function probe(sync: SyncContext, operation: Operation, tenant: string): Promise<number> {
  const { clock } = sync.options
  const tenants = sync.reader.tenants()
  if (tenants === null) return 0
  const tools = { ...toolsOf(sync, 'person'), capabilities: tenants.capabilities }
  const sizes = tenants.capabilities.pageSize ? [1, 2] : [null]
  const begun = clock.monotonic()
  try {
    for (const pageSize of sizes) await fetchPage({ ...tools, operation, tenant, pageSize, from: null }, null)
  } catch (error) {
    if (error instanceof FaultError && concernsColumn(error.fault.kind)) throw error
  }
  return Math.max(1, Math.round((clock.monotonic() - begun) / sizes.length))
}

/** Returns whether a fault concerns the column. With a fault of the network its cost is a guess. */
const concernsColumn = (kind: FaultKind): boolean => kind === 'stopped' || traitsOf(kind).lasts === 'asked'
