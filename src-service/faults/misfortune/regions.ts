import { GraphQLError } from 'graphql'
import type { Region } from '../../world/store/rows.ts'
import type { World } from '../../world/world.ts'

export type RegionState = 'up' | 'slow' | 'gone'

/** The data of a plane: places and devices of the tenants of its region. Other tenants are unknown to it. */
export type PlaneData = Pick<
  World,
  | 'device'
  | 'site'
  | 'room'
  | 'sites'
  | 'rooms'
  | 'sitesOf'
  | 'roomsOf'
  | 'sitesOfTenant'
  | 'roomsOfTenant'
  | 'search'
  | 'count'
  | 'linkedTo'
  | 'connectedAt'
  | 'changeDevice'
  | 'addSite'
  | 'renameSite'
  | 'addRoom'
  | 'changeRoom'
>

/**
 * The only access to the data of a region (spec section 4: device data is resolved only in the tenant's own region).
 */
type Plane = {
  region: Region
  state(): RegionState
  /**
   * Works on the data: at once, or after the latency of a slow region. Throws an error with the code
   * `REGION_UNAVAILABLE` when the region is gone, or becomes so while the work waits.
   */
  use<T>(work: (data: PlaneData) => T): T | Promise<T>
}

export type Planes = {
  of(region: Region): Plane
  ofTenant(tenantId: string): Plane
  /**
   * Returns the result of one of these regions; asks slow ones only where no other has one. Undefined when none has it;
   * throws when an unavailable one might.
   */
  find<T>(regions: readonly Region[], look: (data: PlaneData) => T | undefined): Promise<T | undefined>
  /** Works on all of these regions together, including slow ones; `missing` are the unavailable ones. */
  across<T>(regions: readonly Region[], work: (data: AcrossData, missing: readonly Region[]) => T): T | Promise<T>
  /**
   * Sets the state of a region. `ms`: least delay of each use of a slow one. Waiting work continues or fails with the
   * change.
   */
  set(region: Region, state: RegionState, ms: number): void
  stop(): void
}

/** The operations on several regions. */
export type AcrossData = Pick<World, 'search' | 'count'>

export const regions = ['US-1', 'EU-1'] as const satisfies readonly Region[]

type ControlledPlane = Plane & {
  settled(): Promise<void> | undefined
  set(state: RegionState, ms: number): void
  stop(): void
}

/**
 * Opens one data plane for each region. They share one store, but a region's devices are reached only through its
 * plane.
 */
export function openPlanes(world: World): Planes {
  // Tenants are created with the world and never change.
  const homes = new Map(world.tenants().map(({ id, region }) => [id, region]))
  const planes = {
    'US-1': openPlane('US-1', dataOf('US-1', world, homes)),
    'EU-1': openPlane('EU-1', dataOf('EU-1', world, homes)),
  }
  const all = Object.values(planes)
  const among = (wanted: readonly Region[]): ControlledPlane[] => all.filter(({ region }) => wanted.includes(region))
  return {
    of: (region) => planes[region],
    ofTenant: (tenantId) => planes[homeOf(homes, tenantId)],
    find: (wanted, look) => findIn(among(wanted), look),
    across(wanted, work) {
      const requested = among(wanted)
      const run = () => {
        const missing = requested.filter((plane) => plane.state() === 'gone').map(({ region }) => region)
        return work(
          acrossData(
            world,
            missing.length === 0 ? null : all.map(({ region }) => region).filter((region) => !missing.includes(region)),
          ),
          missing,
        )
      }
      const slow = requested.flatMap((plane) => plane.settled() ?? [])
      return slow.length === 0 ? run() : Promise.all(slow).then(run)
    },
    set: (region, state, ms) => planes[region].set(state, ms),
    stop: () => all.forEach((plane) => plane.stop()),
  }
}

/**
 * Returns the error of an unavailable region: null at the field that needs it, and the rest of the answer is intact.
 */
export function regionUnavailable(region: Region): GraphQLError {
  return new GraphQLError(`The data of region ${region} cannot be reached`, {
    extensions: { code: 'REGION_UNAVAILABLE', resource: { id: region, type: 'region' } },
  })
}

async function findIn<T>(
  planes: readonly ControlledPlane[],
  look: (data: PlaneData) => T | undefined,
): Promise<T | undefined> {
  for (const plane of planes.filter((plane) => plane.state() === 'up')) {
    const found = await plane.use(look)
    if (found !== undefined) return found
  }
  const slow = await Promise.all(planes.filter((plane) => plane.state() === 'slow').map((plane) => plane.use(look)))
  const found = slow.find((thing) => thing !== undefined)
  const gone = planes.find((plane) => plane.state() === 'gone')
  if (found === undefined && gone) throw regionUnavailable(gone.region)
  return found
}

function openPlane(region: Region, data: PlaneData): ControlledPlane {
  let [state, latency]: [RegionState, number] = ['up', 0]
  const waiting = new Map<NodeJS.Timeout, () => void>()
  const settled = (): Promise<void> | undefined => {
    if (state !== 'slow') return undefined
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(timer), latency)
      waiting.set(timer, resolve)
    })
  }
  const end = (timer: NodeJS.Timeout): void => {
    clearTimeout(timer)
    waiting.get(timer)?.()
    waiting.delete(timer)
  }
  const run = <T>(work: (data: PlaneData) => T): T => {
    if (state === 'gone') throw regionUnavailable(region)
    return work(data)
  }
  return {
    region,
    state: () => state,
    settled,
    use: (work) => settled()?.then(() => run(work)) ?? run(work),
    set(next, ms) {
      ;[state, latency] = [next, ms]
      if (next !== 'slow') [...waiting.keys()].forEach(end)
    },
    // Waiting work is dropped with the connections, and later work fails: nothing works on a closed world.
    stop() {
      state = 'gone'
      for (const timer of waiting.keys()) clearTimeout(timer)
      waiting.clear()
    },
  }
}

function homeOf(homes: ReadonlyMap<string, Region>, tenantId: string): Region {
  const home = homes.get(tenantId)
  if (home === undefined) throw new RangeError(`The world has no tenant ${tenantId}`)
  return home
}

/** Returns the world's data of one region. */
function dataOf(region: Region, world: World, homes: ReadonlyMap<string, Region>): PlaneData {
  const here = <T extends { tenantId: string }>(thing: T | undefined): T | undefined =>
    thing && homes.get(thing.tenantId) === region ? thing : undefined
  const own = (tenantId: string | null): void => {
    if (tenantId === null || homes.get(tenantId) !== region)
      throw new RangeError(`Region ${region} has no tenant ${tenantId}`)
  }
  const site = (id: string) => here(world.site(id))
  return {
    ...world,
    device: (id) => here(world.device(id)),
    site,
    room(id) {
      const room = world.room(id)
      return room && site(room.siteId) ? room : undefined
    },
    sites: (tenantId) => (homes.get(tenantId) === region ? world.sites(tenantId) : []),
    rooms: (siteId) => (site(siteId) ? world.rooms(siteId) : []),
    sitesOf(accountId, search) {
      own(world.account(accountId)?.tenantId ?? null)
      return world.sitesOf(accountId, search)
    },
    roomsOf(siteId, search) {
      own(site(siteId)?.tenantId ?? null)
      return world.roomsOf(siteId, search)
    },
    search(search, asker) {
      own(search.tenantId)
      return world.search(search, asker)
    },
    count(search, asker) {
      own(search.tenantId)
      return world.count(search, asker)
    },
  }
}

/** Returns searches over the tenants of these regions in one query and one order; null: all regions. */
function acrossData(world: World, only: readonly Region[] | null): AcrossData {
  return {
    search: (search, asker) => world.search({ ...search, regions: only }, asker),
    count: (search, asker) => world.count({ ...search, regions: only }, asker),
  }
}
