import type { RoomSize } from './store/rows.ts'
import type { Row } from './store/store.ts'

/** Intervals in which a connected device is detected, and asks for its configuration, ms. */
export const HEARTBEAT = 5 * 60_000
export const CONFIG_INTERVAL = 24 * 60 * 60_000

/**
 * A device as the service returns it; the members are the fields of the GraphQL type (spec section 2, twin section 7).
 */
export type Device = {
  id: string
  tenantId: string
  name: string
  displayName: string
  /** Null for a staged device, which was never detected. */
  connected: boolean | null
  /**
   * ISO 8601, UTC, milliseconds. The last heartbeat of a connected device (every five minutes); otherwise when it was
   * last connected.
   */
  lastDetected: string | null
  lastConfigRequestDate: string | null
  dateRegistered: string
  hardwareModel: string
  hardwareFamily: string
  hardwareRevision: string
  manufacturer: string
  productId: string
  softwareVersion: string
  softwareBuild: string
  serialNumber: string
  macAddress: string
  internalIp: string | null
  externalIp: string | null
  callStatus: string
  activeApplicationName: string | null
  site: Place | null
  room: { id: string; name: string; floor: string | null; capacity: number | null; size: RoomSize; site: Place } | null
  user: { name: string; email: string } | null
}

/** The site of a device. */
export type Place = { id: string; name: string; tenantId: string; accountId: string }

/** The columns that every query of devices selects: the device with the names of its place. */
export const deviceFrom = 'FROM devices d LEFT JOIN sites s ON s.id = d.siteId LEFT JOIN rooms r ON r.id = d.roomId'
export const deviceColumns =
  'd.*, s.name AS siteName, s.accountId AS accountId, r.name AS roomName, r.floor AS floor, r.capacity AS capacity, r.size AS size'
export const deviceSelect = `SELECT ${deviceColumns} ${deviceFrom}`

/**
 * Returns the device of a row. `now`: milliseconds since 1970; a connected device was last detected at its latest
 * heartbeat before that.
 */
export function toDevice(row: Row, now: number): Device {
  const connected = row['connected'] === null ? null : row['connected'] === 1
  return {
    id: text(row, 'id'),
    tenantId: text(row, 'tenantId'),
    name: text(row, 'name'),
    displayName: text(row, 'name'),
    connected,
    lastDetected: moment(row['lastDetected'], connected, HEARTBEAT, now),
    lastConfigRequestDate: moment(row['lastConfigRequest'], connected, CONFIG_INTERVAL, now),
    dateRegistered: new Date(Number(row['dateRegistered'])).toISOString(),
    hardwareModel: text(row, 'hardwareModel'),
    hardwareFamily: text(row, 'hardwareFamily'),
    hardwareRevision: text(row, 'hardwareRevision'),
    manufacturer: 'Poly',
    productId: text(row, 'hardwareModel'),
    softwareVersion: text(row, 'softwareVersion'),
    softwareBuild: text(row, 'softwareBuild'),
    serialNumber: text(row, 'serialNumber'),
    macAddress: withColons(text(row, 'id')),
    internalIp: textOrNull(row, 'internalIp'),
    externalIp: textOrNull(row, 'externalIp'),
    callStatus: text(row, 'callStatus'),
    activeApplicationName: textOrNull(row, 'application'),
    ...placeOf(row),
    user: row['userName'] === null ? null : { name: text(row, 'userName'), email: text(row, 'userEmail') },
  }
}

/** Returns the place of a row. A device in a room has the room's site. */
function placeOf(row: Row): Pick<Device, 'site' | 'room'> {
  if (row['siteId'] === null) return { site: null, room: null }
  const site = {
    id: text(row, 'siteId'),
    name: text(row, 'siteName'),
    tenantId: text(row, 'tenantId'),
    accountId: text(row, 'accountId'),
  }
  if (row['roomId'] === null) return { site, room: null }
  const [capacity, size] = [row['capacity'], row['size'] as RoomSize]
  return {
    site,
    room: {
      id: text(row, 'roomId'),
      name: text(row, 'roomName'),
      floor: textOrNull(row, 'floor'),
      capacity: typeof capacity === 'number' ? capacity : null,
      size,
      site,
    },
  }
}

function moment(
  value: Row[string] | undefined,
  connected: boolean | null,
  interval: number,
  now: number,
): string | null {
  if (typeof value !== 'number') return null
  const age = Math.max(0, now - value)
  return new Date(connected === true ? now - (age % interval) : value).toISOString()
}

function text(row: Row, column: string): string {
  return String(row[column] ?? '')
}

function textOrNull(row: Row, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' ? value : null
}

function withColons(id: string): string {
  return id.replace(/(..)(?=.)/g, '$1:')
}
