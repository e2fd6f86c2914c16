import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { activeTab, change, tabs } from './query-state.ts'
import { Select } from './select.tsx'
import { withVariable } from './variables.ts'

/** Fills the variable `tenantId`. */
export function TenantChoice({ connection }: { connection: string | null }) {
  const { session } = useAppContext()
  const { value, current } = useCall(connection, async () => {
    const answer = connection === null ? null : await session.pipe.call('query.tenants', { connection })
    return answer?.ok === true ? answer.value.tenants : []
  })
  const tenants = current && value !== null ? value : []
  const fill = (id: string) => {
    const variables = withVariable(activeTab(tabs.get()).variables, 'tenantId', id)
    if (id !== '' && variables !== null) change({ variables })
  }
  const options = [
    { value: '', word: 'Fill $tenantId…' },
    ...tenants.map(({ id, name }) => ({ value: id, word: name })),
  ]
  return <Select label="Tenant" value="" options={options} onChange={fill} />
}
