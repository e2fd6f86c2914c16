import { found, loggedIn, regionsOf, visibleSite, tenantOf, tenantsOf } from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import { acrossSeen, countDevices } from './device-search.ts'
import type { Site, Tenant } from '../../world/store/rows.ts'

/** Fields of the full profile whose names are public (twin sections 2, 6 and 8). */
export const twinTypes = /* GraphQL */ `
  extend type Query {
    "Tenants that the caller sees."
    tenantCount: Int
    "Devices of all of them."
    countDevices: Int
    site(id: String!): Site
    "The credential set of this request; no other is found."
    clientCredential(id: String!): ClientCredential
  }
  extend type Tenant {
    deviceCount: Int
  }
  extend type Site {
    tenant: Tenant
  }
  extend type DeviceConnection {
    "Why devices are missing; null when none is."
    error: String
  }
  type ClientCredential {
    id: String!
    name: String
    role: String
    scope: CredentialScope
    accessor: CredentialAccessor
  }
  "Ids of what the set is held to; a member is null where it is not held to any."
  type CredentialScope {
    tenants: [ID!]
    accounts: [ID!]
    sites: [ID!]
  }
  type CredentialAccessor {
    grants: [CredentialGrant!]
  }
  type CredentialGrant {
    roles: [CredentialRole!]
  }
  type CredentialRole {
    name: String
  }
`

/** Resolvers of these fields. */
export const twinFields = {
  Query: {
    tenantCount: loggedIn((_source, _args: unknown, context) => tenantsOf(context).length),
    countDevices: loggedIn((_source, _args: unknown, context, info) =>
      acrossSeen(context, info, (data) => countDevices(context, data, null)),
    ),
    site: loggedIn((_source, { id }: { id: string }, context) => siteById(context, id)),
    clientCredential: loggedIn((_source, { id }: { id: string }, context) => ownCredential(context, id)),
  },
  Tenant: {
    deviceCount: ({ id }: { id: string }, _args: unknown, context: GraphContext) =>
      context.planes.ofTenant(id).use((data) => countDevices(context, data, id)),
  },
  Site: {
    tenant: ({ tenantId }: Site, _args: unknown, context: GraphContext) => toTenant(tenantOf(context, tenantId)),
  },
}

/** Returns a tenant as the source of its type's fields. */
export function toTenant({ id, name, region }: Tenant) {
  return { id, name, region: { id: region }, inventory: { tenantId: id } }
}

async function siteById(context: GraphContext, id: string): Promise<Site> {
  return found('site', id, await context.planes.find(regionsOf(context), (data) => visibleSite(context, data, id)))
}

/** Returns the caller's own credential set; for a playground user the chosen one. */
function ownCredential({ call }: GraphContext, id: string) {
  const set = call.session?.set
  const { name, role, reach } = found('credential', id, set?.clientId === id ? set : undefined)
  return { id, name, role, scope: reach ?? {}, accessor: { grants: [{ roles: [{ name: role }] }] } }
}
