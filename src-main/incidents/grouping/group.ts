import type { PlaceNode, DeviceLocations } from '../../inventory/thread/protocol.ts'
import type { PlaceThresholds } from '../engine/rules.ts'

/** A device that is down or flaps, with the places that contain it, from its room to its region. */
export interface DownDevice {
  key: string
  name: string
  at: number
  notBefore: number | null
  path: readonly PlaceNode[]
}

/** Devices that one place explains. */
export interface DeviceGroup {
  node: PlaceNode
  members: DownDevice[]
}

/** Returns the thresholds of a place, by its path. */
export type ThresholdsOf = (path: readonly PlaceNode[]) => PlaceThresholds

export function pathOf({ nodes }: DeviceLocations, at: number): PlaceNode[] {
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
 * Groups the devices that are down (design, section 8). The highest place whose thresholds are met takes all devices
 * below it, and gives way to the deepest place with the same devices. A region is down when two of its tenants are.
 * `more`: by place id, the number of devices that are down already and count as well.
 */
export function group(
  down: readonly DownDevice[],
  more: ReadonlyMap<string, number>,
  thresholds: ThresholdsOf,
): { groups: DeviceGroup[]; left: DownDevice[] } {
  const counted = countsOf(down, more)
  const paths = new Set(down.map(({ path }) => path))
  const explaining = explainingPlaces(paths, counted, thresholds)
  // Devices of one room share one path object, so each path is examined once.
  const nodes = new Map([...paths].map((path) => [path, path.findLast(({ id }) => explaining.has(id))]))
  const groups = new Map<string, DeviceGroup>()
  const left: DownDevice[] = []
  for (const one of down) {
    const node = nodes.get(one.path)
    if (node === undefined) left.push(one)
    else groupOf(groups, node).members.push(one)
  }
  return { groups: [...groups.values()].map((group) => ({ ...group, node: deepest(group, counted) })), left }
}

function groupOf(groups: Map<string, DeviceGroup>, node: PlaceNode): DeviceGroup {
  const group = groups.get(node.id) ?? { node, members: [] }
  groups.set(node.id, group)
  return group
}

function countsOf(down: readonly DownDevice[], more: ReadonlyMap<string, number>): Map<string, number> {
  const counted = new Map(more)
  for (const { path } of down) for (const { id } of path) counted.set(id, (counted.get(id) ?? 0) + 1)
  return counted
}

/**
 * Returns the number of devices of a place that count, of which `down` are down. Devices that were offline before do
 * not count.
 */
export const countedDevices = ({ devices, offline }: PlaceNode, down: number): number =>
  devices - Math.max(0, offline - down)

/** Returns the ids of the places that are down as a whole. */
function explainingPlaces(
  paths: ReadonlySet<readonly PlaceNode[]>,
  counted: ReadonlyMap<string, number>,
  thresholds: ThresholdsOf,
): Set<string> {
  const explains = new Map<string, boolean>()
  const tenants = new Map<string, Set<string>>()
  for (const path of paths) {
    path.forEach((node, index) => {
      if (explains.has(node.id)) return
      const { minDevices, minShare } = thresholds(path.slice(index))
      const count = counted.get(node.id) ?? 0
      explains.set(node.id, count >= minDevices && count >= minShare * countedDevices(node, count))
    })
    const [tenant, region] = path.slice(-2)
    if (tenant !== undefined && region !== undefined && explains.get(tenant.id) === true)
      tenants.set(region.id, (tenants.get(region.id) ?? new Set()).add(tenant.id))
  }
  for (const path of paths) {
    const region = path.at(-1)
    if (region?.kind === 'region' && (tenants.get(region.id)?.size ?? 0) < 2) explains.set(region.id, false)
  }
  return new Set([...explains].flatMap(([id, isExplained]) => (isExplained ? [id] : [])))
}

/** Returns the deepest place that contains all devices of a group. */
function deepest({ node, members }: DeviceGroup, counted: ReadonlyMap<string, number>): PlaceNode {
  const [first] = members
  const all = counted.get(node.id)
  return (
    first?.path.find(
      ({ id }) => counted.get(id) === all && members.every(({ path }) => path.some((place) => place.id === id)),
    ) ?? node
  )
}
