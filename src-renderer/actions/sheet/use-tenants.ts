import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Targets } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { maxTargets, tenantOfDevice, tenantsOf } from '../offers.ts'

/** Returns the keys of the tenants of an action's devices; null while they are read. `again` reads them again. */
export function useTenants(targets: Targets): { tenants: Answer<readonly string[]> | null; again: () => void } {
  const { session } = useAppContext()
  const known = tenantsOf(targets)
  const { value, again } = useCall<Answer<readonly string[]>>(
    known === null ? JSON.stringify(targets) : null,
    async () => {
      if (!('query' in targets)) return null
      const answer = await session.pipe.call('inventory.keys', { query: targets.query, offset: 0, limit: maxTargets })
      return answer.ok ? { ok: true, value: [...new Set(answer.value.keys.map(tenantOfDevice))] } : answer
    },
  )
  return { tenants: known === null ? value : { ok: true, value: known }, again }
}
