import type { NewCredentialSet } from '../../../src-service/access/credentials.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'
import type { World } from '../../../src-service/world/world.ts'
import { dig, digAll, open, plainClient } from '../client.ts'

export const size = { devices: 1500, tenants: 2, seed: 3 }
export const moment = Date.parse('2026-04-01T12:00:00Z')

export async function ready(
  scope: (world: Pick<World, 'tenants' | 'accounts' | 'sites'>) => NewCredentialSet = () => ({}),
  options: ServiceOptions = {},
) {
  const service = await open({ ...size, credentials: (world) => [scope(world)], ...options })
  const client = plainClient(service)
  const token = await client.token()
  const [tenant] = service.world.tenants()
  if (!tenant) throw new Error('no tenant')
  return {
    service,
    tenant,
    token,
    ask: (query: string, variables: unknown = {}) => client.ask(token, query, variables),
  }
}

export const idsIn = (reply: { json: unknown }, ...path: string[]) =>
  digAll(reply.json, 'data', ...path, 'edges').map((edge) => dig(edge, 'node', 'id'))
export const codes = (reply: { json: unknown }) =>
  digAll(reply.json, 'errors').map((error) => dig(error, 'extensions', 'code'))

/** An account of the first tenant that is not where the tenant is at home. */
export function abroad(world: Pick<World, 'tenants' | 'accounts' | 'sites'>) {
  const [tenant] = world.tenants()
  const account = world.accounts(tenant?.id ?? '').at(-1)
  if (!tenant || !account) throw new Error('no account')
  return { tenant, account, sites: world.sites(tenant.id).filter(({ accountId }) => accountId === account.id) }
}
