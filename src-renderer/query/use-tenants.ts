import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'

type Tenants = CallOutput<'query.tenants'>['tenants']

const none: Tenants = []

/** Returns the tenants that a connection lists; none before they are read. */
export function useTenants(connection: string | null): Tenants {
  const { session } = useAppContext()
  const { value, current } = useCall(connection, async () => {
    const answer = connection === null ? null : await session.pipe.call('query.tenants', { connection })
    return answer?.ok === true ? answer.value.tenants : none
  })
  return current && value !== null ? value : none
}
