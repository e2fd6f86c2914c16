import { readStatesByIds } from '../api/decode.ts'
import { mostByIds, statesByIdsOperation } from '../api/operations.ts'
import { FaultError } from '../../src-shared/fault.ts'
import type { TenantReading } from './pull.ts'
import type { Running } from './running.ts'

/**
 * What is compared first when points are few: the devices that somebody looks at, by their ids where the service offers
 * that, then the tenants that have such devices, then those with the most devices that were online by the last word. Answers the tenants
 * in that order. Rejects only with what ends the reading.
 */
export async function readUrgent(estate: Running, tenants: readonly TenantReading[]): Promise<TenantReading[]> {
  const { data, service, urgentKeys } = estate.options
  const found = await data.urgent({ service, keys: [...urgentKeys()] })
  const known = new Map(found.tenants.map((tenant) => [tenant.id, tenant]))
  for (const { id } of tenants) await readFirst(estate, id, known.get(id)?.first ?? [])
  const rankOf = ({ id }: TenantReading): [boolean, number] => [(known.get(id)?.first.length ?? 0) > 0, known.get(id)?.online ?? 0]
  return tenants.toSorted((one, other) => Number(rankOf(other)[0]) - Number(rankOf(one)[0]) || rankOf(other)[1] - rankOf(one)[1])
}

/** The pages that follow bring whatever fails here. */
async function readFirst(estate: Running, tenant: string, ids: readonly string[]): Promise<void> {
  const { options: { api, data, service, clock, order, publish, log }, tenants, stopping: { signal } } = estate
  const idType = tenants?.capabilities.deviceById ?? null
  if (idType === null) return
  for (let from = 0; from < ids.length; from += mostByIds) {
    const some = ids.slice(from, from + mostByIds)
    const variables = Object.fromEntries(some.map((id, index) => [`i${index}`, id]))
    const asked = order()
    try {
      const { data: answer } = await api.run({ operation: statesByIdsOperation(some.length, idType), variables, lane: 'reconcile', size: some.length, signal })
      const devices = readStatesByIds(answer).filter(({ id }) => some.includes(id))
      if (devices.length > 0) publish(await data.reading({ service, tenant, asked, at: clock.now(), devices, part: true }))
    } catch (error) {
      if (!(error instanceof FaultError) || signal.aborted || error.fault.kind === 'storage') throw error
      return log('info', `what is on the screen is compared with the rest (${error.fault.kind})`)
    }
  }
}
