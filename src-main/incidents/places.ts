import type { PlaceNode } from '../inventory/thread/protocol.ts'
import { nameText } from '../../src-shared/text/names.ts'

/** The most devices that an incident names. */
export const maxNamed = 3

/** A place in the words: "in Berlin", and what is above it, from its path with the deepest first. */
export function placeText(path: readonly PlaceNode[]): { where: string; context: string } {
  const [node, ...above] = path
  if (node === undefined) return { where: '', context: '' }
  const named = above.filter(({ kind, placeless }) => !placeless && kind !== 'region').map(({ name }) => nameText(name))
  if (!node.placeless) return { where: `in ${nameText(node.name)}`, context: named.join(', ') }
  if (node.kind === 'region') return { where: 'in tenants without a region', context: '' }
  const [first, ...rest] = named
  return { where: `in ${first ?? 'a tenant'}, without a ${node.kind}`, context: rest.join(', ') }
}

/** "Room 1, Berlin, Acme". */
export function deviceContext(path: readonly PlaceNode[]): string {
  return path
    .filter(({ kind, placeless }) => !placeless && kind !== 'region')
    .map(({ name }) => nameText(name))
    .join(', ')
}
