import { idOfKey } from '../../inventory/keys.ts'
import { printTerm } from '../../../src-shared/filter/filter.ts'
import type { Notification } from '../../../src-shared/model/inventory.ts'
import { openAt } from '../engine/draft.ts'
import type { Incident } from '../engine/incident.ts'
import { locationOf, namesIn, type ScopePlace } from './places.ts'

/**
 * The maximum number of device ids in a filter that a click opens, and the maximum length of that filter in characters.
 */
const maxIds = 150
const maxLength = 8_000

/**
 * Returns the scope of several devices: the places that contain all of them, and the number of their sites or the
 * deepest common place. Devices of one room share one path object, which is examined once.
 */
export function commonScope<P extends ScopePlace>(
  all: readonly (readonly P[])[],
): Pick<Incident['scope'], 'where' | 'context'> & { path: readonly P[] } {
  const paths = [...new Set(all)]
  const [first = [], ...others] = paths
  const path = others.reduce(commonPath, first)
  if (all.length === 1) return { path, where: { kind: 'none' }, context: namesIn(first) }
  const sites = paths.flatMap((one) =>
    one.filter(({ kind, placeless }) => kind === 'site' && !placeless).map(({ id }) => id),
  )
  const many = new Set(sites).size
  if (many < 2 || sites.length < paths.length) return { path, ...locationOf(path) }
  return { path, where: { kind: 'sites', count: many }, context: namesIn(path) }
}

/** Returns the common part of two paths. Paths that share a place are equal above it. */
function commonPath<P extends ScopePlace>(one: readonly P[], other: readonly P[]): readonly P[] {
  const shared = new Set(other.map(({ id }) => id))
  return one.filter(({ id }) => shared.has(id))
}

/**
 * Returns a target that opens exactly these devices, as long as a filter can name them, or else `scope` with the filter
 * `more`.
 */
export function filterOf(scope: string, keys: readonly string[], more: string): Notification['open'] {
  const [first] = keys
  if (keys.length === 1 && first !== undefined) return { ...openAt('all', ''), device: first }
  if (keys.length === 0 || keys.length > maxIds) return openAt(scope, more)
  const filter = printTerm({
    kind: 'match',
    not: false,
    field: 'id',
    how: 'is',
    values: keys.map((key) => [idOfKey(key)]),
  })
  return openAt(scope, filter.length > maxLength ? more : filter)
}
