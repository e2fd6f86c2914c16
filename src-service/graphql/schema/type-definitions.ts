/** `minimal` serves exactly what the specification shows; `full` adds what is public about the twin. */
export type Profile = 'full' | 'minimal'

/** Types of both profiles. */
export const shared = /* GraphQL */ `
  "ISO 8601, UTC, with milliseconds."
  scalar DateTime

  type QueryCost {
    "Cost of this operation in points."
    queryCost: Int
    "Points used from the rolling balance, this operation included."
    costUsed: Int
    costRemaining: Int
    secondsToReset: Int
  }
  type Tenant {
    id: ID!
    name: String
    region: Region
    inventory: Inventory
  }
  "The data center region of a tenant and its devices: US-1 or EU-1."
  type Region {
    id: String
  }
  type DeviceConnection {
    edges: [DeviceEdge]
    pageInfo: PageInfo
  }
  type DeviceEdge {
    node: Device
  }
  type PageInfo {
    totalCount: Int
    countOnPage: Int
    nextToken: String
    hasNextPage: Boolean
  }
  type Site {
    id: ID!
    name: String
  }
  type Subscription {
    "One event each time one of these devices changes; nothing at the start."
    deviceStream(deviceIds: [String!]!): DeviceStreamEvent
  }
  type DeviceStreamEvent {
    connected: Boolean
    externalIp: String
    hardwareRevision: String
    id: String!
    macAddress: String
    modelId: String
    name: String
    productId: String
    roomId: String
    siteId: String
    softwareBuild: String
    softwareVersion: String
    tenantId: String
  }
`

const specDevice = /* GraphQL */ `
    id: String!
    name: String
    hardwareModel: String
    "Null for a staged device, which was never detected."
    connected: Boolean
    lastDetected: DateTime
    lastConfigRequestDate: DateTime
    site: Site
    room: Room
`

export const minimal = /* GraphQL */ `
  type Query {
    tenants: [Tenant!]
    tenant(id: ID!): Tenant
    calculateQueryCost: QueryCost
    deviceSearch(params: DeviceFindArgs): DeviceConnection
  }
  type Inventory {
    deviceSearch(params: DeviceFindArgs): DeviceConnection
  }
  input DeviceFindArgs {
    filter: DeviceFilter
    nextToken: String
  }
  input DeviceFilter {
    field: String
    contains: String
  }
  type Device {
    ${specDevice}
  }
  type Room {
    id: ID!
    name: String
  }
`

export const full = /* GraphQL */ `
  extend type Subscription {
    "One event each time somebody comes into one of these rooms, or leaves; nothing at the start."
    peopleCountStream(tenantId: ID!, roomIds: [ID!]!): PeopleCount
  }
  type PeopleCount {
    count: Int!
    roomId: ID!
    tenantId: ID!
    updatedAt: DateTime!
  }
  type Query {
    tenants: [Tenant!]
    tenant(id: ID!): Tenant
    calculateQueryCost: QueryCost
    deviceSearch(params: DeviceFindArgs): DeviceConnection
    device(id: String!): Device
  }
  type Inventory {
    deviceSearch(params: DeviceFindArgs): DeviceConnection
    deviceCount: Int
  }
  input DeviceFindArgs {
    filter: DeviceFilter
    nextToken: String
    "1 to 5000."
    pageSize: Int = 10
    sort: DeviceSort
  }
  input DeviceFilter {
    field: String
    contains: String
    eq: String
    exists: Boolean
    AND: [DeviceFilter!]
    OR: [DeviceFilter!]
    NOT: [DeviceFilter!]
  }
  input DeviceSort {
    fields: [DeviceSortField!]
  }
  input DeviceSortField {
    name: String!
    direction: SortDirection
  }
  enum SortDirection {
    ASC
    DESC
  }
  type Device {
    ${specDevice}
    displayName: String
    dateRegistered: DateTime
    hardwareFamily: String
    hardwareRevision: String
    manufacturer: String
    productId: String
    softwareVersion: String
    softwareBuild: String
    serialNumber: String
    "With colons; the id is the same address without them."
    macAddress: String
    internalIp: String
    externalIp: String
    tenantId: String
    callStatus: CallStatus
    activeApplicationName: String
    user: DeviceUser
  }
  enum CallStatus {
    IN_CALL
    NOT_IN_CALL
    UNSUPPORTED
    UNKNOWN
  }
  type DeviceUser {
    name: String
    email: String
  }
  type Room {
    id: ID!
    name: String
    floor: String
    capacity: Int
    size: RoomSize
    site: Site
  }
  enum RoomSize {
    NONE
    FOCUS
    HUDDLE
    SMALL
    MEDIUM
    LARGE
  }
  type Mutation {
    calculateQueryCost: QueryCost
    "The device goes offline, its call ends, and it comes back after 20 to 60 s. A device may refuse. Linked to a room's video system are the controllers of that room."
    rebootDevice(deviceId: String!, includeLinkedDevices: Boolean = false): ActionResult
    "Every connected device of the site."
    rebootDevicesBySiteId(siteId: String!): ActionResult
    updateDevice(id: String!, fields: UpdateDeviceRequest!): Device
    "Without an id a new room, else a change of that one: a member that is left out stays as it is."
    upsertRoom(fields: UpsertRoomRequest!): Room
    "Without an id a new site, of the first account where none is named; else a change of that one."
    upsertSite(fields: UpsertSiteRequest!): Site
  }
  type ActionResult {
    success: Boolean
    "Why not; null on success."
    error: String
  }
  "A member that is left out stays as it is. A null site or room: the device stands nowhere, or in no room."
  input UpdateDeviceRequest {
    name: String
    "The same as the name."
    displayName: String
    siteId: ID
    roomId: ID
  }
  input UpsertRoomRequest {
    tenantId: ID!
    id: ID
    name: String
    capacity: Int
    size: RoomSize
    floor: String
    siteId: ID
  }
  input UpsertSiteRequest {
    tenantId: ID!
    id: ID
    "A site stays in its account."
    accountId: ID
    name: String
  }
`
