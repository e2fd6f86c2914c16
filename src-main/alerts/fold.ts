import type { PlaceNode, Whereabouts } from '../data/protocol.ts'

/** A device that is down, and the places that it is in, from its room to its region. */
export interface Down {
  key: string
  name: string
  at: number
  notBefore: number | null
  path: readonly PlaceNode[]
}

/** Devices that one place explains. */
export interface Folded {
  node: PlaceNode
  members: Down[]
}

/** Fewer devices than this are told by their names. */
const least = 3
/** The share of a place's known devices from which on the place is what is down. */
const share = 0.6

export function pathOf({ nodes }: Whereabouts, at: number): PlaceNode[] {
  const path: PlaceNode[] = []
  for (let index: number | null = at; index !== null;) {
    const node: PlaceNode | undefined = nodes[index]
    if (node === undefined) break
    path.push(node)
    index = node.parent
  }
  return path
}

/**
 * Folds what is down (design, section 8): the highest place of which most is down takes all that is below it, and gives
 * way to the deepest one that holds the same devices. A region is down when two of its tenants are.
 * `more`: how many devices of a place, by its id, were told to be down before and count as well.
 */
export function fold(down: readonly Down[], more: ReadonlyMap<string, number>): { folded: Folded[]; left: Down[] } {
  const counted = countsOf(down, more)
  const regions = regionsDown(down, counted)
  const isDown = (node: PlaceNode) => (node.kind === 'region' ? regions.has(node.id) : explains(node, counted))
  const folded = new Map<string, Folded>()
  const left: Down[] = []
  for (const one of down) {
    const node = one.path.findLast(isDown)
    if (node === undefined) left.push(one)
    else groupOf(folded, node).members.push(one)
  }
  return { folded: [...folded.values()].map((group) => ({ ...group, node: deepest(group, counted) })), left }
}

function groupOf(folded: Map<string, Folded>, node: PlaceNode): Folded {
  const group = folded.get(node.id) ?? { node, members: [] }
  folded.set(node.id, group)
  return group
}

function countsOf(down: readonly Down[], more: ReadonlyMap<string, number>): Map<string, number> {
  const counted = new Map(more)
  for (const { path } of down) for (const { id } of path) counted.set(id, (counted.get(id) ?? 0) + 1)
  return counted
}

function explains({ id, devices }: PlaceNode, counted: ReadonlyMap<string, number>): boolean {
  const count = counted.get(id) ?? 0
  return count >= least && count >= share * devices
}

function regionsDown(down: readonly Down[], counted: ReadonlyMap<string, number>): Set<string> {
  const tenants = new Map<string, Set<string>>()
  for (const { path } of down) {
    const [tenant, region] = path.slice(-2)
    if (tenant === undefined || region === undefined || !explains(tenant, counted) || !explains(region, counted)) continue
    tenants.set(region.id, (tenants.get(region.id) ?? new Set()).add(tenant.id))
  }
  return new Set([...tenants].filter(([, of]) => of.size > 1).map(([id]) => id))
}

/** Walks down for as long as one place below holds all of it. */
function deepest({ node, members }: Folded, counted: ReadonlyMap<string, number>): PlaceNode {
  const [first] = members
  const all = counted.get(node.id)
  return first?.path.find(({ id }) => counted.get(id) === all && members.every(({ path }) => path.some((place) => place.id === id))) ?? node
}
