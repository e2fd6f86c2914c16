import { GraphQLError } from 'graphql'
import type { Region } from '../world/store/rows.ts'
import type { World } from '../world/world.ts'

export type RegionState = 'up' | 'slow' | 'gone'

/** What a data plane has: places and devices of the tenants of its region. Of any other tenant it knows nothing. */
export type PlaneData = Pick<
  World,
  | 'device'
  | 'site'
  | 'room'
  | 'sites'
  | 'rooms'
  | 'sitesOf'
  | 'roomsOf'
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

/** The only way to the data of a region (spec section 4: device data is resolved only in the tenant's own region). */
type Plane = {
  region: Region
  state(): RegionState
  /**
   * Works on the data: at once, or after the latency of a slow region. Throws an error with the code `REGION_UNAVAILABLE`
   * when the region is gone, or goes while the work waits.
   */
  use<T>(work: (data: PlaneData) => T): T | Promise<T>
}

export type Planes = {
  of(region: Region): Plane
  ofTenant(tenantId: string): Plane
  /** What one of these regions has; asks slow ones only for what no other has. Undefined when none has it; throws when one that might have it is gone. */
  find<T>(regions: readonly Region[], look: (data: PlaneData) => T | undefined): Promise<T | undefined>
  /** Works on all of these regions together, slow ones included; `missing` are those that are gone. */
  across<T>(regions: readonly Region[], work: (data: AcrossData, missing: readonly Region[]) => T): T | Promise<T>
  /** `ms`: how long each use of a slow region takes at the least. What waits goes on, or fails, with the change. */
  set(region: Region, state: RegionState, ms: number): void
  stop(): void
}

/** What a search over several regions works on. */
export type AcrossData = Pick<World, 'search' | 'count'>

export const regions = ['US-1', 'EU-1'] as const satisfies readonly Region[]

type HeldPlane = Plane & {
  settled(): Promise<void> | undefined
  set(state: RegionState, ms: number): void
  stop(): void
}

/** One data plane for each region. They share one store, but nothing reaches the devices of a region except through its plane. */
export function openPlanes(world: World): Planes {
  // Tenants are made with the world: none comes or goes.
  const homes = new Map(world.tenants().map(({ id, region }) => [id, region]))
  const planes = {
    'US-1': openPlane('US-1', dataOf('US-1', world, homes)),
    'EU-1': openPlane('EU-1', dataOf('EU-1', world, homes)),
  }
  const all = Object.values(planes)
  const among = (wanted: readonly Region[]): HeldPlane[] => all.filter(({ region }) => wanted.includes(region))
  return {
    of: (region) => planes[region],
    ofTenant: (tenantId) => planes[homeOf(homes, tenantId)],
    find: (wanted, look) => findIn(among(wanted), look),
    across(wanted, work) {
      const asked = among(wanted)
      const run = () => {
        const missing = asked.filter((plane) => plane.state() === 'gone').map(({ region }) => region)
        return work(
          acrossData(
            world,
            missing.length === 0 ? null : all.map(({ region }) => region).filter((region) => !missing.includes(region)),
          ),
          missing,
        )
      }
      const slow = asked.flatMap((plane) => plane.settled() ?? [])
      return slow.length === 0 ? run() : Promise.all(slow).then(run)
    },
    set: (region, state, ms) => planes[region].set(state, ms),
    stop: () => all.forEach((plane) => plane.stop()),
  }
}

/** Null at the field that needs the region; the rest of the answer is intact. */
export function regionGone(region: Region): GraphQLError {
  return new GraphQLError(`The data of region ${region} cannot be reached`, {
    extensions: { code: 'REGION_UNAVAILABLE', resource: { id: region, type: 'region' } },
  })
}

async function findIn<T>(
  planes: readonly HeldPlane[],
  look: (data: PlaneData) => T | undefined,
): Promise<T | undefined> {
  for (const plane of planes.filter((plane) => plane.state() === 'up')) {
    const found = await plane.use(look)
    if (found !== undefined) return found
  }
  const slow = await Promise.all(planes.filter((plane) => plane.state() === 'slow').map((plane) => plane.use(look)))
  const found = slow.find((thing) => thing !== undefined)
  const gone = planes.find((plane) => plane.state() === 'gone')
  if (found === undefined && gone) throw regionGone(gone.region)
  return found
}

function openPlane(region: Region, data: PlaneData): HeldPlane {
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
    if (state === 'gone') throw regionGone(region)
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
    // Whoever still waits is cut off with the connections, and whoever comes now finds nothing: nobody works on a world that is closed.
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

/** The world as one region has it. */
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

/** One query over the store, in one order, of the tenants of these regions; null: of all. */
function acrossData(world: World, only: readonly Region[] | null): AcrossData {
  return {
    search: (search, asker) => world.search({ ...search, regions: only }, asker),
    count: (search, asker) => world.count({ ...search, regions: only }, asker),
  }
}
