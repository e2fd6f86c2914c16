/** The parameters of a world. */
export type WorldSize = { seed: number; tenants: number; devices: number }

export type Region = 'US-1' | 'EU-1'

export type TenantRow = { id: string; name: string; region: Region; domain: string }
/** A part of a tenant, with its own sites. */
export type AccountRow = { id: string; tenantId: string; name: string }
export type SiteRow = {
  id: string
  tenantId: string
  accountId: string
  name: string
  language: 'en' | 'de' | 'fr' | 'ja' | 'zh'
  code: string
}
export type RoomRow = {
  id: string
  siteId: string
  name: string
  floor: string | null
  capacity: number | null
  size: RoomSize
}
export type RoomSize = 'NONE' | 'FOCUS' | 'HUDDLE' | 'SMALL' | 'MEDIUM' | 'LARGE'

/**
 * A stored device. Times are milliseconds since 1970. `connected` is null for a staged device, which the service has
 * never detected; it has neither `lastDetected` nor `lastConfigRequest`.
 */
export type DeviceRow = {
  id: string
  tenantId: string
  siteId: string | null
  roomId: string | null
  name: string
  hardwareModel: string
  hardwareFamily: string
  hardwareRevision: string
  connected: boolean | null
  lastDetected: number | null
  lastConfigRequest: number | null
  dateRegistered: number
  serialNumber: string
  softwareVersion: string
  softwareBuild: string
  internalIp: string | null
  externalIp: string | null
  userName: string | null
  userEmail: string | null
  callStatus: 'IN_CALL' | 'NOT_IN_CALL' | 'UNSUPPORTED' | 'UNKNOWN'
  application: string | null
}

/** The fields of these rows for the resolvers. */
export type Tenant = { id: string; name: string; region: Region }
export type Account = { id: string; name: string; tenantId: string }
export type Site = { id: string; name: string; tenantId: string; accountId: string }
export type Room = {
  id: string
  name: string
  siteId: string
  floor: string | null
  capacity: number | null
  size: RoomSize
}
