import { activeTab, change, tabs } from './query-state.ts'
import { Select } from '../lib/ui/select.tsx'
import { useTenants } from './use-tenants.ts'
import { withVariable } from './variables.ts'

/** Fills the variable `tenantId`. */
export function TenantChoice({ connection }: { connection: string | null }) {
  const tenants = useTenants(connection)
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
