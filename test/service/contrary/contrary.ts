import type { Answers } from '../../../src-service/faults/contrary/answers.ts'
import type { ServiceOptions } from '../../../src-service/service.ts'
import { dig, digAll, eightFields, open, plainClient } from '../client.ts'

/** A small service of the contrary profile that answers so, and a client that reads the first tenant. */
export async function contrary(answers: Partial<Answers>, options: ServiceOptions = {}) {
  const service = await open({ devices: 40, tenants: 2, profile: 'contrary', contrary: answers, ...options })
  const client = plainClient(service)
  const token = await client.token()
  const id = service.world.tenants()[0]?.id ?? ''
  const ask = (query: string, variables: unknown = {}) => client.ask(token, query, variables)
  const page = (pageSize: number | null, fields = eightFields, pageInfo = 'nextToken') =>
    ask(searchQuery(fields, pageInfo), { id, params: { nextToken: null, ...(pageSize === null ? {} : { pageSize }) } })
  return { ...client, service, token, id, ask, page }
}

export const searchQuery = (fields: string, pageInfo: string): string =>
  `query Page($id: ID!, $params: DeviceFindArgs) { tenant(id: $id) { inventory { deviceSearch(params: $params) { edges { node { ${fields} } } pageInfo { ${pageInfo} } } } } }`

const place = ['data', 'tenant', 'inventory', 'deviceSearch']

/** The devices of a page. */
export const nodesOf = (json: unknown): unknown[] => digAll(json, ...place, 'edges').map((edge) => dig(edge, 'node'))

export const pageInfoOf = (json: unknown): unknown => dig(json, ...place, 'pageInfo')
