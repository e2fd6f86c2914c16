import {
  accountsOf,
  badInput,
  forbidden,
  found,
  withDevice,
  permitted,
  reachOf,
  regionsOf,
  visibleSite,
  tenantOf,
} from '../../access/access.ts'
import type { GraphContext } from '../context.ts'
import type { PlaneData } from '../../faults/misfortune/regions.ts'
import type { Device } from '../../world/device.ts'
import type { RoomSize } from '../../world/store/rows.ts'
import { hasControls } from '../../world/search/search.ts'
import type { Room, Site } from '../../world/store/rows.ts'

type ActionResult = { success: boolean; error: string | null }

type DeviceFields = {
  name?: string | null
  displayName?: string | null
  siteId?: string | null
  roomId?: string | null
}
type SiteFields = { tenantId: string; id?: string | null; accountId?: string | null; name?: string | null }
type RoomFields = Omit<SiteFields, 'accountId'> & {
  siteId?: string | null
  floor?: string | null
  capacity?: number | null
  size?: RoomSize | null
}

const REFUSED = 'The device refused to reboot: a software update is being installed'
const MAX_NAME = 255
const MAX_CAPACITY = 100_000

/**
 * The mutations of the full profile (twin section 10). Each field succeeds or fails separately, one after the other.
 */
export const mutations = {
  rebootDevice: permitted(
    'device:control',
    ({ deviceId }: { deviceId: string }) => ({ id: deviceId, type: 'device' }),
    rebootDevice,
  ),
  rebootDevicesBySiteId: permitted(
    'device:control',
    ({ siteId }: { siteId: string }) => ({ id: siteId, type: 'site' }),
    rebootSite,
  ),
  updateDevice: permitted('device:write', ({ id }: { id: string }) => ({ id, type: 'device' }), updateDevice),
  upsertRoom: permitted(
    'site:write',
    ({ fields: { id, tenantId } }: { fields: RoomFields }) =>
      id ? { id, type: 'room' } : { id: tenantId, type: 'tenant' },
    upsertRoom,
  ),
  upsertSite: permitted(
    'site:write',
    ({ fields: { id, tenantId } }: { fields: SiteFields }) =>
      id ? { id, type: 'site' } : { id: tenantId, type: 'tenant' },
    upsertSite,
  ),
}

function rebootDevice(
  { deviceId, includeLinkedDevices }: { deviceId: string; includeLinkedDevices?: boolean | null },
  context: GraphContext,
): Promise<ActionResult> {
  return withDevice(context, deviceId, (device, data): ActionResult => {
    if (device.connected !== true) return { success: false, error: 'The device is not connected' }
    if (context.reboots.outcomes.of(device.id) === 'refused') return { success: false, error: REFUSED }
    context.reboots.begin([device.id, ...(includeLinkedDevices ? data.linkedTo(device.id) : [])])
    return { success: true, error: null }
  })
}

async function rebootSite({ siteId }: { siteId: string }, context: GraphContext): Promise<ActionResult> {
  const done = await context.planes.find(regionsOf(context), (data): ActionResult | undefined => {
    const site = visibleSite(context, data, siteId)
    if (!site) return undefined
    const connected = data.connectedAt(site.id)
    if (context.reboots.begin(connected).length > 0) return { success: true, error: null }
    return { success: false, error: connected.length > 0 ? REFUSED : 'No device of the site is connected' }
  })
  return found('site', siteId, done)
}

/** Updates a device. Members left out stay. A room sets its site; another site without a room removes the room. */
function updateDevice({ id, fields }: { id: string; fields: DeviceFields }, context: GraphContext): Promise<Device> {
  return withDevice(context, id, (device, data) => {
    data.changeDevice(id, { ...nameOfDevice(fields), ...placeOf(context, data, device, fields) })
    return found('device', id, data.device(id))
  })
}

function nameOfDevice({ name, displayName }: DeviceFields): { name?: string } {
  if (name !== undefined && displayName !== undefined && name !== displayName)
    throw badInput('name and displayName are the same thing: give one of them')
  const wanted = name === undefined ? displayName : name
  return wanted === undefined ? {} : { name: checkedName(wanted) }
}

function placeOf(
  context: GraphContext,
  data: PlaneData,
  device: Device,
  { siteId, roomId }: DeviceFields,
): { siteId?: string | null; roomId?: string | null } {
  if (siteId === undefined && roomId === undefined) return {}
  const room = roomId ? roomOf(context, data, roomId, device.tenantId) : null
  const wanted = siteId === undefined ? (room?.siteId ?? device.site?.id ?? null) : siteId
  if (wanted === null) return room ? rejectRoom() : clearPlace(context, device)
  const site = siteOf(context, data, wanted, device.tenantId)
  if (room && room.siteId !== site.id) return rejectRoom()
  const stays = roomId === undefined && site.id === device.site?.id
  return { siteId: site.id, roomId: stays ? (device.room?.id ?? null) : (room?.id ?? null) }
}

function rejectRoom(): never {
  throw badInput('The room is not on that site')
}

/**
 * Removes the place of a device. A caller limited to accounts or sites may not, because it would lose sight of the
 * device.
 */
function clearPlace(context: GraphContext, device: Device): { siteId: null; roomId: null } {
  const { accounts = null, sites = null } = reachOf(context) ?? {}
  if (accounts ?? sites)
    throw forbidden(
      'device:write',
      { id: device.id, type: 'device' },
      'The device would leave what these credentials see',
    )
  return { siteId: null, roomId: null }
}

function upsertSite({ fields }: { fields: SiteFields }, context: GraphContext): Site | Promise<Site> {
  const tenant = tenantOf(context, fields.tenantId)
  return context.planes.of(tenant.region).use((data) => writeSite(context, data, tenant.id, fields))
}

function writeSite(context: GraphContext, data: PlaneData, tenant: string, { id, accountId, name }: SiteFields): Site {
  const site = id ? siteOf(context, data, id, tenant) : null
  if (!site && reachOf(context)?.sites)
    throw forbidden(
      'site:write',
      { id: tenant, type: 'tenant' },
      'These credentials are held to the sites that there are',
    )
  const wanted = checkedName(name === undefined && site ? site.name : name)
  if (data.sites(tenant).some((other) => other.name === wanted && other.id !== site?.id))
    throw badInput('The tenant has a site of that name already')
  if (site && accountId && accountId !== site.accountId) throw badInput('A site stays in its account')
  return site ? data.renameSite(site.id, wanted) : data.addSite(tenant, wanted, accountFor(context, tenant, accountId))
}

/** Returns the named account, or the first that the caller sees. */
function accountFor(context: GraphContext, tenant: string, accountId: string | null | undefined): string {
  const seen = accountsOf(context, tenant)
  const account = accountId ? seen.find(({ id }) => id === accountId) : seen[0]
  return found('account', accountId ?? tenant, account).id
}

function upsertRoom({ fields }: { fields: RoomFields }, context: GraphContext): Room | Promise<Room> {
  const tenant = tenantOf(context, fields.tenantId)
  return context.planes.of(tenant.region).use((data) => writeRoom(context, data, tenant.id, fields))
}

/** Writes a room. A room that moves to another site takes its devices along. */
function writeRoom(context: GraphContext, data: PlaneData, tenant: string, fields: RoomFields): Room & { site: Site } {
  const room = fields.id ? roomOf(context, data, fields.id, tenant) : null
  const siteId = fields.siteId ?? room?.siteId
  if (!siteId) throw badInput('A new room needs a siteId')
  const site = siteOf(context, data, siteId, tenant)
  const name = checkedName(fields.name === undefined && room ? room.name : fields.name)
  if (data.rooms(site.id).some((other) => other.name === name && other.id !== room?.id))
    throw badInput('The site has a room of that name already')
  const change = { siteId: site.id, name, ...roomDetails(fields, room) }
  return { ...(room ? data.changeRoom(room.id, change) : data.addRoom(change)), site }
}

function roomDetails(
  { floor, capacity, size }: RoomFields,
  room: Room | null,
): Pick<Room, 'floor' | 'capacity' | 'size'> {
  if (typeof capacity === 'number' && (capacity < 0 || capacity > MAX_CAPACITY))
    throw badInput(`capacity must be between 0 and ${MAX_CAPACITY}`)
  if (typeof floor === 'string' && floor.length > MAX_NAME) throw badInput(`floor has at most ${MAX_NAME} characters`)
  if (typeof floor === 'string' && hasControls(floor)) throw badInput('floor must have no control characters')
  return {
    floor: floor === undefined ? (room?.floor ?? null) : floor,
    capacity: capacity === undefined ? (room?.capacity ?? null) : capacity,
    size: size ?? room?.size ?? 'NONE',
  }
}

function checkedName(name: string | null | undefined): string {
  if (!name || name.trim() === '' || name.length > MAX_NAME)
    throw badInput(`name must have 1 to ${MAX_NAME} characters`)
  if (hasControls(name)) throw badInput('name must have no control characters')
  return name
}

/** Returns a site in reach, of that tenant where one is named. */
function siteOf(context: GraphContext, data: PlaneData, id: string, tenantId?: string): Site {
  return found('site', id, visibleSite(context, data, id, tenantId))
}

function roomOf(context: GraphContext, data: PlaneData, id: string, tenantId?: string): Room {
  const room = data.room(id)
  return found('room', id, room && visibleSite(context, data, room.siteId, tenantId) ? room : undefined)
}
