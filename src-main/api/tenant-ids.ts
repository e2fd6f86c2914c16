import { FaultError } from '../../src-shared/model/fault.ts'
import type { Api } from './client.ts'
import { readTenants } from './decode.ts'
import { tenantsOperation } from './operations.ts'

/** Reads the ids of all tenants that a service lists now. Rejects where a part of the list is missing or cannot be read. */
export async function readTenantIds(api: Api): Promise<string[]> {
  const { signal } = new AbortController()
  const { data, errors, isCut } = await api.run({
    operation: tenantsOperation,
    variables: {},
    lane: 'person',
    size: 1,
    signal,
  })
  const { tenants, unreadable, over } = readTenants(data, errors)
  // A name or region that failed hides no tenant.
  const isPartial = errors.some(({ path }) => path === null || path.length <= 2)
  if (isPartial || isCut === true || unreadable > 0 || over > 0)
    throw new FaultError('partial', 'the list of tenants is not whole')
  return tenants.map(({ id }) => id)
}
