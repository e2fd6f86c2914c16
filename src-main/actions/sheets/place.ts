import { FaultError } from '../../../src-shared/model/fault.ts'
import { maxSentName, obstacles as inOrder, type ActionRequest, type Obstacle } from '../../../src-shared/model/jobs.ts'
import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { MutationOffer } from '../../api/mutations/mutations.ts'
import type { ActionPlace } from '../../inventory/thread/job-protocol.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { PlaceFields, StoredJob } from '../../storage/journal/job-records.ts'
import type { JobPlace } from '../place-guard.ts'
import type { KnownTenant } from '../tenants.ts'
import type { AssessOptions, PreparedRow } from './assess.ts'
import { knownPlaces, type KnownPlaces } from './targets/places.ts'
import { sentName } from './targets/pattern.ts'

export type PlaceRequest = Extract<ActionRequest, { kind: 'site' | 'room' }>

/** The one row of a sheet that creates or edits a place, and what its job writes. */
export interface PreparedPlace {
  row: PreparedRow
  place: JobPlace
  fields: PlaceFields
  /** When it was prepared, ms. */
  at: number
}

export interface PlaceOptions extends AssessOptions {
  data: Pick<InventoryData, 'actionPlaces'>
  clock: Pick<Clock, 'now'>
  /** Returns why no job may write a place that was prepared at this time (place-guard.ts); null: one may. */
  placeConflict: (place: JobPlace, at: number) => string | null
}

/** Prepares a site or room. Throws `input` for an unknown tenant. */
export async function preparePlace(options: PlaceOptions, request: PlaceRequest): Promise<PreparedPlace> {
  const at = options.clock.now()
  const { kind, tenant: key, id } = request
  const tenant = options.tenants.get(key)
  if (tenant === undefined) throw new FaultError('input', 'tenant: There is no such tenant.')
  const name = sentName(request.name)
  const words = [id, request.kind === 'site' ? request.account : request.site]
  const places = await knownPlaces(options.data, [key], words, false)
  const known = knownPlace(places, request)
  const found = new Set<Obstacle>(nameObstacles(name))
  for (const obstacle of placeObstacles(places, request, known)) found.add(obstacle)
  if (known !== null && isSame(request, name, known)) found.add('unchanged')
  const chosen = options.choice.chooseSender(
    tenant,
    tenant.senders.map(({ connection }) => connection),
    kind,
    (offer) => isOffered(offer, request),
  )
  if ('obstacle' in chosen) found.add(chosen.obstacle)
  if (!options.isArmed(key)) found.add('not-armed')
  const place = { tenant: key, kind, id, name }
  if (options.placeConflict(place, at) !== null) found.add('busy')
  return {
    at,
    place,
    fields: { ...fieldsOf(request), name },
    row: {
      ...emptyRow(tenant, known?.name ?? name),
      site: kind === 'room' ? (known?.site ?? null) : null,
      before: known === null ? {} : { name: known.name },
      after: { name },
      obstacle: inOrder.find((each) => found.has(each)) ?? null,
      sender: 'sender' in chosen ? chosen.sender : null,
    },
  }
}

const emptyRow = ({ key, name: tenantName }: KnownTenant, name: string): Omit<PreparedRow, 'after' | 'sender'> => ({
  key,
  id: '',
  line: null,
  name,
  tenant: { key, name: tenantName },
  site: null,
  room: null,
  status: 'unknown',
  call: 'unknown',
  before: {},
  obstacle: null,
})

/** Returns what is written beyond the name; a member that was not given stays. */
function fieldsOf(request: PlaceRequest): Omit<PlaceFields, 'name'> {
  if (request.kind === 'site') return request.account === undefined ? {} : { account: request.account }
  const { site, capacity, size, floor } = request
  return {
    ...(site !== undefined && { site }),
    ...(capacity !== undefined && { capacity }),
    ...(size !== undefined && { size }),
    ...(floor !== undefined && { floor }),
  }
}

/** Returns the present place of an edit: a room of the given site, where one of its id is there. */
function knownPlace(places: KnownPlaces, request: PlaceRequest): ActionPlace | null {
  const { tenant, id } = request
  if (id === null) return null
  if (request.kind === 'site') return places.site(tenant, id)
  const rooms = places.rooms(tenant, id)
  return rooms.find(({ site }) => site?.id === request.site) ?? rooms[0] ?? null
}

function nameObstacles(name: string): Obstacle[] {
  if (name === '') return ['empty']
  return name.length > maxSentName ? ['too-long'] : []
}

function placeObstacles(places: KnownPlaces, request: PlaceRequest, known: ActionPlace | null): Obstacle[] {
  const { id, tenant } = request
  const missing = (kind: 'site' | 'room', wanted: string): Obstacle[] => {
    const found = places.find(tenant, { [kind]: wanted })
    return 'obstacle' in found && found.obstacle !== 'ambiguous' ? [found.obstacle] : []
  }
  const own = id !== null && known === null ? missing(request.kind, id) : []
  const site = request.kind === 'room' && typeof request.site === 'string' ? missing('site', request.site) : []
  return [...own, ...site]
}

/** Returns whether an edit changes nothing that is known. A given account may differ from the present one, unknown here. */
function isSame(request: PlaceRequest, name: string, known: ActionPlace): boolean {
  if (name !== known.name) return false
  if (request.kind === 'site') return request.account === undefined || request.account === known.account
  const { site, capacity, size, floor } = request
  const isFact = <T>(value: T | undefined, now: T | undefined) => value === undefined || value === now
  return (
    isFact(site, known.site?.id ?? null) &&
    isFact(capacity, known.facts?.capacity) &&
    isFact(size, known.facts?.size) &&
    isFact(floor, known.facts?.floor)
  )
}

/** Returns whether a service can write all that is given: what its input lacks would be left out without a word. */
function isOffered({ site, room }: MutationOffer, request: PlaceRequest): boolean {
  const isGiven = (value: unknown) => value !== undefined && (value !== null || request.id !== null)
  if (request.kind === 'site') return site !== null && (!isGiven(request.account) || site.account)
  return (
    room !== null &&
    (!isGiven(request.site) || room.site) &&
    (!isGiven(request.capacity) || room.capacity) &&
    (!isGiven(request.size) || room.size) &&
    (!isGiven(request.floor) || room.floor)
  )
}

/** Returns the request of a stored job that created or edited a place; null where it has none. */
export function placeRequestOf({ place, fields }: StoredJob['record']): PlaceRequest | null {
  if (place === null || fields === null) return null
  const { tenant, kind, id } = place
  const { account, site, capacity, size, floor, name } = fields
  return kind === 'site' ? { kind, tenant, id, name, account } : { kind, tenant, id, name, site, capacity, size, floor }
}
