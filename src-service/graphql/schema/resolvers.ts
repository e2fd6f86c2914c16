import type { GraphQLResolveInfo } from 'graphql'
import { accountFields } from './accounts.ts'
import { loggedIn, withDevice, tenantOf, tenantsOf } from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import { tenantsEmptied } from '../../faults/contrary/fields/emptied.ts'
import { nameOf, regionOf, siteOf, withNulls } from '../../faults/contrary/fields/fields.ts'
import { countDevices, searchEverywhere, searchTenant } from './device-search.ts'
import type { FindArgs } from './device-search.ts'
import type { Charge } from '../points/ledger.ts'
import { insightFields } from './insights.ts'
import { mutations } from './mutations.ts'
import { policyFields } from './policies.ts'
import { placeDataFields } from './place-data.ts'
import type { Profile } from './type-definitions.ts'
import { deviceStream, peopleCountStream } from '../../stream/subscriptions.ts'
import { toTenant, twinFields } from './twin-fields.ts'
import type { Device } from '../../world/device.ts'

type InventorySource = { tenantId: string }

/** Returns the resolvers of fields that are not plain members of their object. */
export function resolvers(profile: Profile) {
  const common = {
    Query: {
      tenants: loggedIn((_source, _args: unknown, context, info) =>
        tenantsEmptied(context, info) ? [] : withNulls(context, tenantsOf(context).map(toTenant)),
      ),
      tenant: loggedIn((_source, { id }: { id: string }, context) => toTenant(tenantOf(context, id))),
      deviceSearch: loggedIn((_source, args: FindArgs, context, info) =>
        searchEverywhere(context, profile, args, info),
      ),
      calculateQueryCost: (_source: unknown, _args: unknown, { call, ledger }: GraphContext) =>
        queryCost(call.charge ?? { cost: 0, ...ledger.balance(null) }),
    },
    Inventory: {
      deviceSearch: ({ tenantId }: InventorySource, args: FindArgs, context: GraphContext, info: GraphQLResolveInfo) =>
        searchTenant(context, profile, tenantId, args, info),
    },
    Tenant: { region: regionOf },
    Device: {
      id: (device: Device, _args: unknown, { contrary }: GraphContext) => contrary.ids.reported(device),
      name: (device: Device, _args: unknown, { contrary }: GraphContext) => nameOf(contrary, device),
      site: siteOf,
    },
    Subscription: { deviceStream },
  }
  if (profile === 'minimal') return common
  return {
    ...common,
    ...accountFields,
    Tenant: { ...common.Tenant, ...accountFields.Tenant, ...twinFields.Tenant, ...placeDataFields.Tenant },
    Site: { ...accountFields.Site, ...twinFields.Site },
    Query: {
      ...common.Query,
      ...twinFields.Query,
      ...placeDataFields.Query,
      ...policyFields.Query,
      ...insightFields.Query,
      device: loggedIn((_source, { id }: { id: string }, context) =>
        withDevice(context, context.contrary.ids.worldIds(id)[0] ?? id, (device) => device),
      ),
    },
    Mutation: { calculateQueryCost: common.Query.calculateQueryCost, ...mutations },
    Subscription: { deviceStream, peopleCountStream },
    Inventory: {
      ...common.Inventory,
      deviceCount: ({ tenantId }: InventorySource, _args: unknown, context: GraphContext) =>
        context.planes.ofTenant(tenantId).use((data) => countDevices(context, data, tenantId)),
    },
  }
}

/**
 * Returns the cost (spec section 2). Without a valid token nothing is charged, and the balance is that of an unused
 * set.
 */
function queryCost({ cost, used, remaining, secondsToReset }: Omit<Charge, 'outcome'>) {
  return { queryCost: cost, costUsed: used, costRemaining: remaining, secondsToReset }
}
