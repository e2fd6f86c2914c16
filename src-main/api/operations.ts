/**
 * Every document that Muster sends, by name. The names show in the cost gauge. Shapes follow service-spec.md,
 * sections 2 and 4; `schema` asks by introspection what the service offers beyond them.
 */

/** One document and the words under which the gauge lists it. */
export interface Operation {
  name: string
  document: string
}

/** The recommended start of every reading: it carries the regions (section 4). */
export const tenantsOperation: Operation = {
  name: 'Tenants',
  document: 'query Tenants { tenants { id name region { id } } }',
}

const baseFields = 'id name hardwareModel connected lastDetected lastConfigRequestDate site { id name } room { id name }'
const stateFields = 'id connected lastDetected'

/** The spec's eight device fields. Variables: `tenant: ID!`, `params: DeviceFindArgs`. */
export const devicesOperation: Operation = { name: 'Devices', document: deviceSearch('Devices', baseFields) }

/** The cheap reading after each (re)subscription (design, section 5). Variables as `devicesOperation`. */
export const statesOperation: Operation = { name: 'States', document: deviceSearch('States', stateFields) }

function deviceSearch(name: string, fields: string): string {
  return `query ${name}($tenant: ID!, $params: DeviceFindArgs) { tenant(id: $tenant) { inventory { deviceSearch(params: $params) {
  edges { node { ${fields} } } pageInfo { totalCount countOnPage nextToken hasNextPage } } } } }`
}

/** What the search takes beyond the specification's two members (service-twin, section 6). */
export const schemaOperation: Operation = {
  name: 'Schema',
  document: 'query Schema { params: __type(name: "DeviceFindArgs") { inputFields { name } } }',
}

/** The usual subscription document; a connection may set another (design, section 7). */
export const usualSubscription = `subscription Devices($deviceIds: [String!]!) {
  deviceStream(deviceIds: $deviceIds) { id tenantId name connected } }`
