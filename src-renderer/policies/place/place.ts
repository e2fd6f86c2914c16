import { isolated } from '../../../src-shared/text/direction.ts'
import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import { everything, type NodeKind } from '../../../src-shared/model/inventory.ts'
import { above } from '../../../src-shared/model/tree.ts'
import { configuredZone, type PlaceZone } from '../../../src-shared/maintenance/zones.ts'

/** A place with policies. */
export interface Place {
  id: string
  name: string
  kind: NodeKind | 'everything' | 'gone'
  /** For example "Berlin, Acme", to distinguish it from others with its name. */
  where: string
  /**
   * The ids from which it inherits zone and thresholds: its own, its ancestors' and `everything`; the deepest first.
   */
  path: readonly string[]
  /**
   * The site, account or tenant whose zone is asked for once when none is known; null when places with different zones are below
   * it.
   */
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

/** The kinds of places that zones are set for. */
const hasZone: ReadonlySet<NodeKind> = new Set(['tenant', 'account', 'site'])

/** Returns the ids of a place and its ancestors, the deepest first, with an account whose level the tree leaves out. */
export const idsOf = ({ id, onlyAccount, above }: Pick<FoundPlace, 'id' | 'onlyAccount' | 'above'>): string[] =>
  [id, ...above.map((place) => place.id)].flatMap((each) =>
    onlyAccount !== undefined && each.startsWith('t:') ? [onlyAccount, each] : [each],
  )

export function placeOf(found: FoundPlace): Place {
  const { id, name, kind, above } = found
  const ancestors = above.filter((place) => place.kind !== 'region')
  const clockAt = [{ id, name, kind }, ...ancestors].find((place) => hasZone.has(place.kind)) ?? null
  return {
    id,
    name,
    kind,
    where: ancestors.map((place) => isolated(place.name)).join(', '),
    path: [...idsOf({ ...found, above: ancestors }), everything],
    clockAt: clockAt === null ? null : { id: clockAt.id, name: clockAt.name },
  }
}

/** Returns the only account of a tenant, whose level the tree leaves out. */
export const onlyAccountOf = (id: string, name: string): Place => ({
  id,
  name,
  kind: 'account',
  where: 'the only account of its tenant',
  path: above(id),
  clockAt: { id, name },
})

/** Returns a place that the fleet no longer has, by its former name. */
export const goneOf = (id: string, name: string): Place => ({
  id,
  name,
  kind: 'gone',
  where: 'not in the fleet now',
  path: [id, everything],
  clockAt: null,
})

/** Returns the zone of a place. `inherited`: only the inherited one. */
export function zoneOf(place: Pick<Place, 'path'> | null, policies: Policies, inherited = false): PlaceZone {
  const path = place?.path.slice(inherited ? 1 : 0) ?? [everything]
  return configuredZone(path, policies)
}
