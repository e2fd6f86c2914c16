import { deviceSelect, toDevice } from './device.ts'
import type { Device } from './device.ts'
import { deviceVerbs } from './verbs/device-verbs.ts'
import type { Context, DeviceChange, NewDevice } from './verbs/context.ts'
import { startPlacePools } from './generate/place-pools.ts'
import { fillStore } from './generate/fill.ts'
import { required } from './required.ts'
import { startRandom } from './random.ts'
import type { PlacePage, PlaceSearch } from './search/place-pages.ts'
import type { TenantPlaces, TenantPlacesPage } from './search/tenant-places.ts'
import { placeVerbs } from './verbs/place-verbs.ts'
import { rebootVerbs } from './verbs/reboot-verbs.ts'
import { peopleVerbs } from './verbs/room-people.ts'
import type { MeetingRoom, People } from './verbs/room-people.ts'
import type { Account, Room, Site, Tenant, TenantRow, WorldSize } from './store/rows.ts'
import { countAll, findPage } from './search/pages.ts'
import type { Found } from './search/pages.ts'
import type { Search, SearchScope } from './search/search.ts'
import { openStore } from './store/store.ts'
import type { Row, Store } from './store/store.ts'
import { startScheduler } from './search/scheduler.ts'

export type { People } from './verbs/room-people.ts'

/** Called with a changed device, after the change. */
export type Listener = (device: Device) => void

/** The fleet, and the verbs that change it. A verb without an effect calls no listener: streams are edge-triggered. */
export type World = {
  /** The parameters of its creation. */
  size: WorldSize
  tenants(): Tenant[]
  /** Returns the accounts of a tenant, the home one first. */
  accounts(tenantId: string): Account[]
  account(id: string): Account | undefined
  sites(tenantId: string): Site[]
  rooms(siteId: string): Room[]
  site(id: string): Site | undefined
  room(id: string): Room | undefined
  sitesOf(accountId: string, search: PlaceSearch): PlacePage<Site>
  roomsOf(siteId: string, search: PlaceSearch): PlacePage<Room>
  sitesOfTenant(search: TenantPlaces): TenantPlacesPage<Site>
  roomsOfTenant(search: TenantPlaces): TenantPlacesPage<Room>
  /** Adds a site, by default to the tenant's first account. */
  addSite(tenantId: string, name: string, accountId?: string): Site
  renameSite(id: string, name: string): Site
  addRoom(room: Omit<Room, 'id'>): Room
  /** Changes a room. Its devices move with it to another site, and streams report that. */
  changeRoom(id: string, room: Omit<Room, 'id'>): Room
  /** Returns all devices, ordered by id. */
  devices(tenantId?: string): Device[]
  device(id: string): Device | undefined
  /** Returns the first device, by id, for which `test` is true. Throws when there is none. */
  find(test: (device: Device) => boolean): Device
  /** Rejects with a `SearchError` for an invalid search (`checkSearch`), and with a `TooLongError` (turns.ts). */
  search(search: Search, asker?: object): Promise<Found>
  /** Resolves with the number of devices on all pages. Rejects as `search` does. */
  count(search: SearchScope, asker?: object): Promise<number>
  /** Returns the numbers of online, offline and never detected devices. */
  totals(): { online: number; offline: number; staged: number }
  /**
   * Sets a status. Throws when the device is unknown, as all verbs do. Going offline sets `lastDetected` to this
   * moment.
   */
  setConnected(id: string, connected: boolean): void
  renameDevice(id: string, name: string): void
  /** Changes name and place at once, with one event. Members left out stay; the room must be on the site. */
  changeDevice(id: string, change: DeviceChange): void
  /**
   * Moves a device to a site and room, to a site only, or (both null) to no place. Throws when the room is not on the
   * site.
   */
  moveDevice(id: string, siteId: string | null, roomId: string | null): void
  /** Removes a device. Streams do not report it: the device is no longer found. */
  removeDevice(id: string): void
  /** Adds a device; missing members are generated. Streams do not report it. */
  addDevice(given?: NewDevice): Device
  /**
   * Sets a connected device offline until `backAt` (milliseconds since 1970), and ends its call; returns false for one
   * that is not connected.
   */
  beginReboot(id: string, backAt: number): boolean
  /** Reboots a connected device so fast that no stream reports it; returns false for one that is not connected. */
  rebootUnseen(id: string): boolean
  /** Ends due reboots. A device that was changed meanwhile stays as it is. */
  endReboots(): void
  /** Returns the controllers in the room of a video system; none for any other device. */
  linkedTo(id: string): string[]
  /** Calls the listener on each change that a stream reports. Returns a function that stops it. */
  onChange(listener: Listener): () => void
  /** Returns the number of people in a room; 0 for an unknown one. */
  people(roomId: string): number
  /** Sets the number of people, a whole number of 0 or more. Throws when the room is unknown. */
  setPeople(roomId: string, count: number): void
  /** Calls the listener for people in rooms for which `wanted` is true. Returns a function that stops it. */
  onPeople(wanted: (roomId: string) => boolean, listener: (people: People) => void): () => void
  /** Returns the highest number of a room, including removed ones. */
  roomNumbers(): number
  /** Returns a random room by number; undefined when it was removed. */
  anyRoom(draw: () => number): MeetingRoom | undefined
  /** Returns a random connected device; undefined when a few tries find none. */
  anyConnected(draw: () => number): string | undefined
  /** Returns the sites with their numbers of devices. */
  siteSizes(): { siteId: string; devices: number }[]
  connectedAt(siteId: string): string[]
  /** Returns all connected devices, by id. */
  connected(): string[]
  /**
   * Returns devices that dropped at most `ms` before now, in a reopened world before its last change; without those that
   * reboot.
   */
  awayForLessThan(ms: number): string[]
  close(): void
}

export type WorldOptions = Partial<WorldSize> & {
  /** Milliseconds since 1970. */
  now: () => number
  /** The world's file; left out: in memory. */
  file?: string | undefined
  /** True: a new world has sites and rooms without devices, and accounts without sites. */
  emptyPlaces?: boolean
}

const usual: WorldSize = { seed: 1, tenants: 6, devices: 5000 }

/** Thrown when the parameters differ from those of the file. */
export class OtherWorldError extends Error {
  override readonly name = 'OtherWorldError'
}

/**
 * Returns a world of `devices` devices of `tenants` tenants. The same `seed` gives the same world, except for times,
 * which follow `now`. Opens an existing file as it was left; throws an OtherWorldError for other parameters.
 */
export function createWorld({ now, file, emptyPlaces = false, ...wanted }: WorldOptions): World {
  const store = openStore(file ?? null)
  try {
    const before = store.world()
    if (before) rejectOther(before, wanted)
    const size = before ?? { ...usual, ...wanted }
    const base = before
      ? reopened(store, before)
      : { made: size.devices, random: fillStore(store, size, now(), emptyPlaces), lastAlive: null }
    store.settle()
    return assemble(
      { seed: size.seed, tenants: size.tenants, devices: size.devices },
      { store, now, placePools: startPlacePools(store), ...base },
    )
  } catch (error) {
    store.close()
    throw error
  }
}

function rejectOther(found: WorldSize, wanted: Partial<WorldSize>): void {
  const differs = (['seed', 'tenants', 'devices'] as const).filter(
    (member) => wanted[member] !== undefined && wanted[member] !== found[member],
  )
  if (differs.length === 0) return
  const words = differs.map((member) => `${member} ${found[member]}, not ${wanted[member]}`).join('; ')
  throw new OtherWorldError(
    `There is a world already, of ${words}. Leave this out to go on with it, or choose another folder.`,
  )
}

/** Returns a state whose later random draws differ from earlier ones. */
function reopened(
  store: Store,
  { seed, made }: { seed: number; made: number },
): Pick<Context, 'made' | 'random' | 'lastAlive'> {
  const last = store.get('SELECT max(lastDetected) AS last FROM devices')?.['last']
  return { made, random: startRandom(seed ^ (made * 0x9e3779b1)), lastAlive: typeof last === 'number' ? last : null }
}

function assemble(size: WorldSize, base: Omit<Context, 'notify'>): World {
  const listeners = new Set<Listener>()
  const context: Context = { ...base, notify: (id) => notify(context, listeners, id) }
  return {
    size,
    ...queries(context),
    ...deviceVerbs(context),
    ...placeVerbs(context),
    ...rebootVerbs(context),
    ...peopleVerbs(context),
    onChange: (listener) => listen(listeners, listener),
    close: () => context.store.close(),
  }
}

/** Longest total time of one asker's searches, ms: enough to scan a million devices more than once. */
const SEARCHES = 15_000

function queries({
  store,
  now,
  lastAlive,
}: Context): Omit<
  World,
  | 'size'
  | keyof ReturnType<typeof deviceVerbs>
  | keyof ReturnType<typeof placeVerbs>
  | keyof ReturnType<typeof rebootVerbs>
  | keyof ReturnType<typeof peopleVerbs>
  | 'onChange'
  | 'close'
> {
  const scheduler = startScheduler({ limit: SEARCHES, clock: () => performance.now() })
  const list = (where: string, ...values: string[]): Device[] =>
    store.all(`${deviceSelect} ${where} ORDER BY d.id`, ...values).map((row) => toDevice(row, now()))
  return {
    tenants: () => store.all('SELECT * FROM tenants ORDER BY rowid').map(toTenant),
    devices: (tenantId) => (tenantId === undefined ? list('') : list('WHERE d.tenantId = ?', tenantId)),
    device: (id) => list('WHERE d.id = ?', id)[0],
    find: (test) => required(list('').find(test), 'that fits'),
    search: (search, asker = search) => scheduler.run(asker, findPage(store, search, now)),
    count: (search, asker = search) => scheduler.run(asker, countAll(store, search, now)),
    totals: () => totalsOf(store),
    anyConnected: (draw) => anyConnected(store, draw),
    siteSizes: () =>
      store
        .all('SELECT siteId, count(*) AS devices FROM devices WHERE siteId IS NOT NULL GROUP BY siteId ORDER BY siteId')
        .map((row) => ({ siteId: String(row['siteId']), devices: Number(row['devices']) })),
    connected: () => ids(store.all('SELECT id FROM devices WHERE connected = 1 ORDER BY id')),
    connectedAt: (siteId) =>
      ids(store.all('SELECT id FROM devices WHERE siteId = ? AND connected = 1 ORDER BY id', siteId)),
    awayForLessThan: (ms) =>
      ids(
        store.all(
          'SELECT id FROM devices WHERE connected = 0 AND lastDetected > ? AND id NOT IN (SELECT deviceId FROM reboots) ORDER BY id',
          (lastAlive ?? now()) - ms,
        ),
      ),
  }
}

function notify({ store, now }: Context, listeners: Set<Listener>, id: string): void {
  if (listeners.size === 0) return
  const device = toDevice(required(store.get(`${deviceSelect} WHERE d.id = ?`, id), id), now())
  for (const listener of listeners) listener(device)
}

function listen(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function totalsOf(store: Store): { online: number; offline: number; staged: number } {
  const row = store.get(
    'SELECT total(connected = 1) AS online, total(connected = 0) AS offline, total(connected IS NULL) AS staged FROM devices',
  )
  return { online: Number(row?.['online']), offline: Number(row?.['offline']), staged: Number(row?.['staged']) }
}

function anyConnected(store: Store, draw: () => number): string | undefined {
  const last = Number(store.get('SELECT max(n) AS last FROM devices')?.['last'] ?? 0)
  for (let tries = 0; tries < 20; tries += 1) {
    const row = store.get('SELECT id FROM devices WHERE n = ? AND connected = 1', 1 + Math.floor(draw() * last))
    if (row) return String(row['id'])
  }
  return undefined
}

const ids = (rows: Row[]): string[] => rows.map((row) => String(row['id']))
const toTenant = (row: Row): Tenant => ({
  id: String(row['id']),
  name: String(row['name']),
  region: (row as TenantRow).region,
})
