import { operation, type Operation } from '../../api/operations.ts'

/*
 * The documents that read configuration and analytics of a device (service-twin.md, sections 9 and 11). Ids stand in variables of
 * names that no other document has: what is learned of a variable's type is learned by its name.
 */

const names = '{ policyId configurationAttributes { name } }'

/** The names of all settings, by level, without values. A device without a site has none of that level. */
export const settingsOperation = (hasSite: boolean): Operation => (hasSite ? settingsWithSite : settingsWithoutSite)

const settingsDocument = (variables: string, site: string): string =>
  `query DeviceSettings($policyTenant: String!, $policyDevice: String, $policyModel: String${variables}) {
  DEVICE: getPolicies(tenantId: $policyTenant, deviceId: $policyDevice, policyScope: DEVICE) ${names}${site}
  DEVICE_MODEL: getPolicies(tenantId: $policyTenant, deviceModel: $policyModel, policyScope: DEVICE_MODEL) ${names}
  GLOBAL: getPolicies(tenantId: $policyTenant, policyScope: GLOBAL) ${names} }`

const settingsWithoutSite = operation('DeviceSettings', settingsDocument('', ''))
const settingsWithSite = operation(
  'DeviceSettings',
  settingsDocument(
    ', $policySite: String',
    `
  SITE: getPolicies(tenantId: $policyTenant, siteId: $policySite, policyScope: SITE) ${names}`,
  ),
)

export const settingOperation = operation(
  'DeviceSetting',
  'query DeviceSetting($policyId: String!) { getPolicyById(policyId: $policyId) { configurationAttributes { name currentValue } } }',
)

/** Records that one press reads at most. */
export const recordsPage = 200

export const callsOperation = operation(
  'DeviceCalls',
  `query DeviceCalls($recordTenants: [String!]!, $recordDays: Int!, $recordCount: Int, $recordAfter: String) {
  meetingRecordLists(tenantId: $recordTenants, meetingRecordType: [CDR],
    timeRange: { relativeRange: { increment: DAY, value: $recordDays } }, first: $recordCount, after: $recordAfter) {
    pageInfo { hasNextPage endCursor }
    edges { node { deviceId startTime endTime callDirection protocol remoteParty disconnectInfo callRate } } } }`,
)

export const chartOperation = operation(
  'DeviceChart',
  `query DeviceChart($chartTenant: String!, $chartDevice: ID!, $chartSpan: TimeScope!, $chartStart: DateTime!, $chartTopic: ID!) {
  charts(tenantId: $chartTenant, id: $chartDevice, locationScope: DEVICE, timeScope: $chartSpan, timeStart: $chartStart,
    topic: $chartTopic) { meta series } }`,
)
