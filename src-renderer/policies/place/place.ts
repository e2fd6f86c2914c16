import { isolated } from '../../../src-shared/text/direction.ts'
import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import { everything, type NodeKind } from '../../../src-shared/model/inventory.ts'
import { type PlaceZone, zoneAt } from '../../../src-shared/maintenance/zones.ts'

/** A place on which something is laid down. */
export interface Place {
  id: string
  name: string
  kind: NodeKind | 'everything' | 'gone'
  /** "Berlin, Acme": what tells it from others of its name. */
  where: string
  /** Ids from which it inherits zone and figures: itself, what is above it, everything; the deepest first. */
  path: readonly string[]
  /** Whose time zone is asked for, once, where none is known: the site, or the tenant. Null where places of many zones lie below. */
  clockAt: { id: string; name: string } | null
}

export const wholeFleet: Place = {
  id: everything,
  name: 'All tenants',
  kind: 'everything',
  where: 'all regions and tenants',
  path: [everything],
  clockAt: null,
}

export function placeOf({ id, name, kind, above }: FoundPlace): Place {
  const over = above.filter((place) => place.kind !== 'region')
  const clockAt =
    [{ id, name, kind }, ...over].find((place) => place.kind === 'site' || place.kind === 'tenant') ?? null
  return {
    id,
    name,
    kind,
    where: over.map((place) => isolated(place.name)).join(', '),
    path: [id, ...over.map((place) => place.id), everything],
    clockAt: clockAt === null ? null : { id: clockAt.id, name: clockAt.name },
  }
}

/** A place that the estate does not have now, by the name that it had. */
export const goneOf = (id: string, name: string): Place => ({
  id,
  name,
  kind: 'gone',
  where: 'not in the fleet now',
  path: [id, everything],
  clockAt: null,
})

/** The zone that a place has. `above`: only what it inherits. */
export function zoneOf(place: Pick<Place, 'path'> | null, policies: Policies, above = false): PlaceZone {
  const path = place?.path.slice(above ? 1 : 0) ?? [everything]
  return zoneAt(path, new Map(policies.zones.map(({ node, zone }) => [node, zone])), policies.ownZone)
}
