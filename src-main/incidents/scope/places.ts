import type { Incident, Place } from '../engine/incident.ts'

/** What a scope needs to know of a place. */
export type ScopePlace = Pick<Place, 'id' | 'kind' | 'name' | 'placeless'>

/** The maximum number of devices that an incident names. */
export const maxNamed = 3

/** Returns the place at the start of a path (deepest first), and the names of the places above it. */
export function locationOf(path: readonly ScopePlace[]): Pick<Incident['scope'], 'where' | 'context'> {
  const [node, ...above] = path
  if (node === undefined) return { where: { kind: 'none' }, context: [] }
  const context = namesIn(above)
  if (!node.placeless)
    return { where: { kind: 'place', name: node.name, ...(node.kind === 'account' && { of: node.kind }) }, context }
  const [name = null, ...rest] = node.kind === 'region' ? [] : context
  return { where: { kind: 'placeless', lacks: node.kind, name }, context: rest }
}

/** Returns the names of the room, the site, the account and the tenant that contain a device, the deepest first. */
export const namesIn = (path: readonly ScopePlace[]): string[] =>
  path.filter(({ kind, placeless }) => !placeless && kind !== 'region').map(({ name }) => name)
