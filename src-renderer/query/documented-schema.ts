import { buildSchema, type GraphQLSchema } from 'graphql'

/** What the specification documents (service-spec.md, sections 2 and 4): a service offers at least this. */
export const documented = `
type Query {
  "Tenants of all regions: the recommended starting point"
  tenants: [Tenant!]
  tenant(id: ID!): Tenant
  "Costs of this operation, and what is left"
  calculateQueryCost: QueryCost
}
type Tenant { id: ID! name: String region: Region inventory: Inventory }
type Region { "US-1 or EU-1" id: String }
type Inventory { deviceSearch(params: DeviceFindArgs): DeviceConnection }
input DeviceFindArgs {
  filter: DeviceFilter
  "Null on the first request"
  nextToken: String
}
input DeviceFilter {
  "Name of a device field, such as hardwareModel"
  field: String
  "Substring to match"
  contains: String
}
type DeviceConnection { edges: [DeviceEdge!] pageInfo: PageInfo }
type DeviceEdge { node: Device }
type Device {
  id: ID! name: String hardwareModel: String connected: Boolean lastDetected: String lastConfigRequestDate: String
  site: Site room: Room
}
type Site { id: ID! name: String }
type Room { id: ID! name: String }
type PageInfo { totalCount: Int countOnPage: Int nextToken: String hasNextPage: Boolean }
type QueryCost { queryCost: Int costUsed: Int costRemaining: Int secondsToReset: Int }
`

let known: GraphQLSchema | null = null

/** Returns the schema of the documented minimum, for a service that does not tell its own. */
export const documentedSchema = (): GraphQLSchema => (known ??= buildSchema(documented))
