import { FaultError } from '../../../src-shared/model/fault.ts'
import { devicesByIdsOperation, readDevicesByIds, tellsTenant } from '../../api/devices-by-ids.ts'
import { maxByIds } from '../../api/operations.ts'
import type { SyncContext } from '../context.ts'
import type { SyncTools } from '../tenants/tenant-sync.ts'

/** More new devices than this are read by a full sync of their tenant, which costs as much for each. */
const maxNew = 250

/**
 * Reads new devices by their ids and stores them. Resolves with false where some could not be read so: the service
 * offers no such query or rejected it, does not tell a device's tenant, has it in another tenant, or they are too many.
 */
export async function readNewDevices(
  sync: SyncContext,
  tools: SyncTools,
  tenant: string,
  ids: readonly string[],
): Promise<boolean> {
  const idType = sync.priorities.idType()
  if (idType === null || ids.length > maxNew || !tellsTenant(tools.capabilities)) return false
  const unambiguous = ids.filter((id) => sync.devices.tenantsOf(id).length === 0)
  let stored = 0
  try {
    for (let from = 0; from < unambiguous.length; from += maxByIds)
      stored += await readBatch(tools, tenant, unambiguous.slice(from, from + maxByIds), idType)
  } catch (error) {
    if (!(error instanceof FaultError) || tools.signal.aborted || error.fault.kind === 'storage') throw error
    tools.signal.throwIfAborted()
    return false
  }
  return stored === ids.length
}

async function readBatch(tools: SyncTools, tenant: string, ids: readonly string[], idType: string): Promise<number> {
  const { api, data, service, connection, clock, order, lane, signal } = tools
  const requestOrder = order()
  const requestedAt = clock.now()
  const answer = await api.run({
    operation: devicesByIdsOperation(ids.length, idType, tools.capabilities),
    variables: Object.fromEntries(ids.map((id, index) => [`i${index}`, id])),
    lane,
    size: ids.length,
    signal,
  })
  const devices = readDevicesByIds(answer.data, ids, answer.errors).flatMap((read) =>
    read?.tenant === tenant ? [read.device] : [],
  )
  if (devices.length === 0) return 0
  await tools.queues.writtenBefore(requestOrder)
  const generation = await data.nextGeneration({ service, tenant, connection })
  // The state of an interrupted full sync stays as it is.
  const next = await data.pull({ service, tenant, connection })
  const at = clock.now()
  tools.publish(
    await data.page({ service, tenant, connection, generation, requestOrder, requestedAt, at, devices, next }),
  )
  tools.onIds(
    tenant,
    devices.map(({ id }) => id),
  )
  return devices.length
}
