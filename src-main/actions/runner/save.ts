import { toFault } from '../../../src-shared/model/fault.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { JobTarget, StoredJob } from '../../storage/journal/job-records.ts'

type Data = Pick<InventoryData, 'createJob' | 'saveJob' | 'locations'>

/**
 * Writes a job and its changed devices. Where the team's database lost its newest rows, and the job with them, it is created
 * again. Rejects with `input` where the job was erased, with the connection that listed its tenants.
 */
export async function saveJob(
  data: Data,
  { record, targets }: { record: StoredJob['record']; targets: readonly JobTarget[] },
  changed: { position: number; target: JobTarget }[],
): Promise<void> {
  try {
    await data.saveJob({ record, changed })
  } catch (error) {
    if (toFault(error).kind !== 'input' || record.owner === undefined) throw error
    const known = await knownTenants(data)
    const left = keptTargets(targets, known)
    if (left.length === 0) throw error
    await data.createJob({
      record: { ...record, tenants: record.tenants.filter(({ key }) => known.has(key)) },
      targets: left,
    })
  }
}

/** Returns the tenants (keys) that a connection lists: what is of others was erased. */
export async function knownTenants(data: Pick<InventoryData, 'locations'>): Promise<Set<string>> {
  const { tenants } = await data.locations({ keys: [], paused: [] })
  return new Set(tenants.map(({ key }) => key))
}

/** Returns the devices of known tenants. A line of a file that names none goes with any device that is erased. */
export function keptTargets(targets: readonly JobTarget[], known: ReadonlySet<string>): JobTarget[] {
  const isKept = ({ tenant }: JobTarget) => known.has(tenant.key)
  const isLine = ({ tenant }: JobTarget) => tenant.key === ''
  const hasAll = targets.every((target) => isLine(target) || isKept(target))
  return targets.filter((target) => isKept(target) || (hasAll && isLine(target)))
}
