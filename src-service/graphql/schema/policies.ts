import { badInput, found, permitted, tenantOf, visibleSite, withDevice, regionsOf } from '../../access/access.ts'
import { spoiled } from '../../faults/contrary/fields/insights.ts'
import { policyKey, policyScopes, settingsOf, type PolicyScope, type Setting } from '../../world/configuration.ts'
import type { Device } from '../../world/device.ts'
import type { GraphContext } from '../context.ts'

/** Settings of a device and the policies that set them, in the form of the twin (section 9). */
export const policyTypes = /* GraphQL */ `
  extend type Query {
    "The settings of a device and what sets each."
    getDeviceParametersExtended(
      tenantId: String!
      deviceId: String!
      scope: PolicyDeploymentScope
      sendOnlyChanged: Boolean
    ): [DeviceParameter]
    "The policies of a level. DEVICE needs deviceId, SITE siteId, DEVICE_MODEL deviceModel."
    getPolicies(
      tenantId: String!
      deviceId: String
      deviceModel: String
      siteId: String
      groupId: String
      policyFamilyId: String
      policyScope: PolicyDeploymentScope!
    ): [Policy]
    "With the values in clear, secrets too."
    getPolicyById(policyId: String!): Policy
  }
  enum PolicyDeploymentScope {
    DEVICE
    DEVICE_MODEL
    SITE
    FAMILY_SITE
    GROUP
    FAMILY_GROUP
    FAMILY_MODEL
    GLOBAL
  }
  type DeviceParameter {
    name: String
    policyDeploymentScope: PolicyDeploymentScope
    "The policy that sets it."
    collectionId: String
    collectionName: String
  }
  type Policy {
    policyId: String
    configurationAttributes: [ConfigurationAttribute]
  }
  type ConfigurationAttribute {
    name: String
    currentValue: String
  }
`

type PoliciesArgs = {
  tenantId: string
  deviceId?: string | null
  deviceModel?: string | null
  siteId?: string | null
  policyScope: string
}
type Policy = { policyId: string; configurationAttributes: { name: string; currentValue: string }[] }

export const policyFields = {
  Query: {
    getDeviceParametersExtended: permitted(
      'policy:read',
      ({ deviceId }: { tenantId: string; deviceId: string; scope?: string | null }) => ({
        id: deviceId,
        type: 'device',
      }),
      (args, context) =>
        spoiled(context, 'getDeviceParametersExtended', () =>
          withDevice(context, worldId(context, args.deviceId), (device) =>
            parametersOf(inTenant(device, args.tenantId), args.scope),
          ),
        ),
    ),
    getPolicies: permitted(
      'policy:read',
      ({ tenantId }: PoliciesArgs) => ({ id: tenantId, type: 'tenant' }),
      (args, context) => spoiled(context, 'getPolicies', () => policiesFor(context, args)),
    ),
    getPolicyById: permitted(
      'policy:read',
      ({ policyId }: { policyId: string }) => ({ id: policyId, type: 'policy' }),
      ({ policyId }, context) => spoiled(context, 'getPolicyById', () => policyById(context, policyId)),
    ),
  },
}

const worldId = ({ contrary }: GraphContext, id: string): string => contrary.ids.worldIds(id)[0] ?? id

function inTenant(device: Device, tenantId: string): Device {
  return found('device', device.id, device.tenantId === tenantId ? device : undefined)
}

const parametersOf = (device: Device, scope: string | null | undefined) =>
  settingsOf(device)
    .filter((setting) => scope === null || scope === undefined || scope === 'DEVICE' || setting.scope === scope)
    .map(({ name, scope: of }) => ({
      name,
      policyDeploymentScope: of,
      collectionId: policyId(device, of),
      collectionName: `${of.toLowerCase().replace('_', ' ')} policy`,
    }))

/** A policy is found by a device that it is valid for: its id names both. */
const policyId = ({ id, tenantId }: Device, scope: PolicyScope): string => [scope, tenantId, id].join('.')

const isScope = (text: string): text is PolicyScope => policyScopes.some((scope) => scope === text)

async function policiesFor(context: GraphContext, args: PoliciesArgs): Promise<Policy[]> {
  const { policyScope } = args
  const { id: tenantId, region } = tenantOf(context, args.tenantId)
  if (!isScope(policyScope)) return []
  const named = { DEVICE: args.deviceId, SITE: args.siteId, DEVICE_MODEL: args.deviceModel, GLOBAL: tenantId }[
    policyScope
  ]
  if (named === null || named === undefined) throw badInput(`${policyScope} needs what it is for`)
  if (policyScope === 'DEVICE')
    return withDevice(context, worldId(context, named), (device) => [policyOf(inTenant(device, tenantId), policyScope)])
  const filter = policyScope === 'DEVICE_MODEL' ? { field: 'hardwareModel', eq: named } : null
  return context.planes.of(region).use(async (data) => {
    if (policyScope === 'SITE') found('site', named, visibleSite(context, data, named, tenantId))
    const search = { tenantId, filter, sort: [], pageSize: 5000, after: null }
    const { devices } = await data.search(search, context.call)
    const device = devices.find((each) => policyKey(each, policyScope) === named)
    return device === undefined ? [] : [policyOf(device, policyScope)]
  })
}

const policyOf = (device: Device, scope: PolicyScope): Policy => ({
  policyId: policyId(device, scope),
  configurationAttributes: settingsOf(device)
    .filter((setting: Setting) => setting.scope === scope)
    .map(({ name, value }) => ({ name, currentValue: value })),
})

async function policyById(context: GraphContext, id: string): Promise<Policy> {
  const [scope = '', tenantId = '', deviceId = ''] = id.split('.')
  if (!isScope(scope) || regionsOf(context).length === 0) return found<Policy>('policy', id, undefined)
  return withDevice(context, deviceId, (device) => policyOf(inTenant(device, tenantId), scope))
}
