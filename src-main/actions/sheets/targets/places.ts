import type { NamedRef } from '../../../../src-shared/model/inventory.ts'
import type { DeviceValues, Obstacle } from '../../../../src-shared/model/jobs.ts'
import type { ActionDevice, ActionPlace } from '../../../inventory/thread/job-protocol.ts'
import type { InventoryData } from '../../../inventory/thread/protocol.ts'

/** What is wanted of a place: an id, or a name where names are taken; null: none; undefined: it stays. */
export interface WantedPlace {
  site?: string | null | undefined
  room?: string | null | undefined
}

type Found = { site?: NamedRef | null; room?: NamedRef | null } | { obstacle: Obstacle }

/** The places that a sheet names, as the data thread knows them. */
export interface KnownPlaces {
  /** Returns the places of a tenant (its key), or why they cannot be used. A room brings its site. */
  find(tenant: string, wanted: WantedPlace): Found
  /** By id; null where there is none. */
  site(tenant: string, id: string): ActionPlace | null
  /** By id: two sites may each have a room of the same id. */
  rooms(tenant: string, id: string): readonly ActionPlace[]
}

/** `byName`: a word may also be the name of a place, where it is no id. */
export async function knownPlaces(
  data: Pick<InventoryData, 'actionPlaces'>,
  tenants: Iterable<string>,
  words: Iterable<string | null | undefined>,
  byName: boolean,
): Promise<KnownPlaces> {
  const wanted = [...new Set(words)].filter((word) => typeof word === 'string' && word !== '') as string[]
  const { places, elsewhere } =
    wanted.length === 0
      ? { places: [], elsewhere: [] }
      : await data.actionPlaces({ tenants: [...new Set(tenants)], words: wanted })
  const index = indexOf(places)
  const others = new Set(elsewhere.map(({ kind, word }) => `${kind} ${word}`))
  const fitting = (kind: 'site' | 'room', tenant: string, word: string): ActionPlace[] => {
    const byId = index.get(entryOf(tenant, kind, 'id', word)) ?? []
    return byId.length > 0 || !byName ? byId : (index.get(entryOf(tenant, kind, 'name', word)) ?? [])
  }
  const isElsewhere = (kind: 'site' | 'room', tenant: string, word: string): boolean =>
    others.has(`${kind} ${word}`) ||
    places.some((each) => each.tenant !== tenant && each.kind === kind && (each.id === word || each.name === word))
  const only = (found: readonly ActionPlace[], ...asked: Parameters<typeof fitting>): Only => {
    const [first, ...more] = found
    if (first === undefined) return { obstacle: isElsewhere(...asked) ? 'other-tenant' : 'no-place' }
    return more.length === 0 ? { place: first } : { obstacle: 'ambiguous' }
  }
  const roomOf = (tenant: string, site: NamedRef | null | undefined, word: string): Found => {
    const rooms = fitting('room', tenant, word)
    const inside = roomsIn(rooms, site)
    if (inside.length === 0 && rooms.length > 0) return { obstacle: 'no-place' }
    const found = only(inside, 'room', tenant, word)
    if ('obstacle' in found) return found
    // A room without a known site says nothing about the site.
    return given(site === undefined ? (found.place.site ?? undefined) : site, refOf(found.place))
  }
  return {
    site: (tenant, id) => index.get(entryOf(tenant, 'site', 'id', id))?.[0] ?? null,
    rooms: (tenant, id) => index.get(entryOf(tenant, 'room', 'id', id)) ?? [],
    find(tenant, { site, room }) {
      let inSite: NamedRef | null | undefined
      if (typeof site === 'string') {
        const found = only(fitting('site', tenant, site), 'site', tenant, site)
        if ('obstacle' in found) return found
        inSite = refOf(found.place)
      } else inSite = site
      return typeof room === 'string' ? roomOf(tenant, inSite, room) : given(inSite, room)
    },
  }
}

type Only = { place: ActionPlace } | { obstacle: Obstacle }

const refOf = ({ id, name }: ActionPlace): NamedRef => ({ id, name })

const given = (site: NamedRef | null | undefined, room: NamedRef | null | undefined): Found => ({
  ...(site !== undefined && { site }),
  ...(room !== undefined && { room }),
})

/** Returns the rooms that may be in a site: a service may list rooms without telling their site. */
const roomsIn = (rooms: readonly ActionPlace[], site: NamedRef | null | undefined): readonly ActionPlace[] => {
  if (site === undefined) return rooms
  const inside = rooms.filter((room) => room.site?.id === site?.id)
  return inside.length > 0 || site === null ? inside : rooms.filter((room) => room.site === null)
}

function indexOf(places: readonly ActionPlace[]): ReadonlyMap<string, ActionPlace[]> {
  const index = new Map<string, ActionPlace[]>()
  const add = (entry: string, place: ActionPlace) => {
    const known = index.get(entry)
    if (known === undefined) index.set(entry, [place])
    else known.push(place)
  }
  for (const place of places) {
    add(entryOf(place.tenant, place.kind, 'id', place.id), place)
    add(entryOf(place.tenant, place.kind, 'name', place.name), place)
  }
  return index
}

const entryOf = (tenant: string, kind: ActionPlace['kind'], by: 'id' | 'name', word: string) =>
  `${tenant} ${kind} ${by} ${word}`

/**
 * Returns what is changed of a device that goes to this place. Another site without a room takes the device out of its
 * room, which is in the former site.
 */
export function placeChange(
  device: Pick<ActionDevice, 'site' | 'room'>,
  { site, room }: { site?: NamedRef | null; room?: NamedRef | null },
): DeviceValues {
  const moves = site !== undefined && site?.id !== device.site?.id
  if (!moves) return { ...(room === undefined ? site !== undefined && { site } : { room }) }
  const to = room ?? null
  return to === null && device.room === null ? { site } : { site, room: to }
}
