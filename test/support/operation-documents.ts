import { serverAudits } from 'graphql-http'
import { Kind, parse, type OperationDefinitionNode } from 'graphql'
import type { Service } from '../../src-service/service.ts'

export interface AuditDocument {
  query: string
  operationName: string | null
  variables: Record<string, unknown>
}

/** Returns the documents that the audits send, of those that are a query. */
export async function auditDocuments(): Promise<AuditDocument[]> {
  const sent = new Map<string, AuditDocument>()
  const note = (body: Partial<Record<keyof AuditDocument, unknown>>) => {
    const { query, operationName, variables } = body
    if (typeof query !== 'string') return
    const isObject = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
    sent.set(query, {
      query,
      operationName: typeof operationName === 'string' && operationName !== '' ? operationName : null,
      variables: isObject ? (variables as Record<string, unknown>) : {},
    })
  }
  const fetchFn = async (url: string, init: { body?: unknown } = {}) => {
    const query = new URL(url).searchParams.get('query')
    if (query !== null) note({ query })
    try {
      if (typeof init.body === 'string') note(JSON.parse(init.body) as AuditDocument)
    } catch {
      // An audit of what is no JSON.
    }
    return new Response('{"data":{}}', { headers: { 'content-type': 'application/json' } })
  }
  for (const audit of serverAudits({ url: 'https://service.test/graphql', fetchFn })) await audit.fn()
  return [...sent.values()].filter(({ query }) => isQuery(query))
}

function isQuery(document: string): boolean {
  try {
    const all = parse(document).definitions.filter(
      (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
    )
    return all.length > 0 && all.every(({ operation }) => operation === 'query')
  } catch {
    return false
  }
}

/** Returns operations as the service's documentation has them (service-spec.md, section 4; service-twin.md), with their variables. */
export function documentedOperations(world: Service['world']): [string, Record<string, unknown>][] {
  const [tenant] = world.tenants()
  const [device] = world.devices()
  const search = `deviceSearch(params: $params) {
    edges { node { id name hardwareModel connected lastDetected lastConfigRequestDate site { id name } room { id name } } }
    pageInfo { totalCount countOnPage nextToken hasNextPage }
  }`
  return [
    ['query Tenants { tenants { id name region { id } } }', {}],
    ['query Cost { calculateQueryCost { queryCost costUsed costRemaining secondsToReset } }', {}],
    [
      `query Devices($id: ID!, $params: DeviceFindArgs) { tenant(id: $id) { inventory { ${search} } } }`,
      { id: tenant?.id ?? '', params: { pageSize: 5 } },
    ],
    [`query All($params: DeviceFindArgs) { ${search} }`, { params: { pageSize: 5 } }],
    ['query One($id: String!) { device(id: $id) { id name connected } }', { id: device?.id ?? '' }],
    ['query Counts { tenantCount countDevices }', {}],
    ['query Twice { a: tenants { id } b: tenants { name } }', {}],
  ]
}
