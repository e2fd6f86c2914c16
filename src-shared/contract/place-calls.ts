import { z } from 'zod'
import { namedRef, nodeKind, placesByName, roomFacts, treeRow } from '../model/inventory.ts'
import { treeSort } from '../model/tree.ts'

/** A place outside the tree. `connections`: as in a line of the tree (`treeRow`). */
const place = { id: z.string(), kind: nodeKind, name: z.string(), connections: z.array(z.string()).optional() }

/** The name and place of a device over a time, ms. Null: none, or not known. */
const devicePlace = z.object({
  from: z.number(),
  until: z.number().nullable(),
  name: z.string(),
  account: namedRef.nullable(),
  site: namedRef.nullable(),
  room: namedRef.nullable(),
})
export type DevicePlace = z.infer<typeof devicePlace>

/** The calls about the tree and its places, a part of the contract (contract.ts). */
export const placeCalls = {
  /**
   * Returns a page of the visible lines of the tree for the expanded nodes. The core flattens the tree. `reveal` names
   * a node to show: the answer expands its ancestors (`expanded`), and `index` is its line, or null when it is gone.
   */
  'inventory.tree': {
    input: z.object({
      expanded: z.array(z.string().max(2048)).max(5000),
      offset: z.int().min(0),
      limit: z.int().min(1).max(500),
      reveal: z.string().max(2048).nullable(),
      /** Order of siblings: by name (the default), or (`offline`) those with the most offline devices first. */
      sort: treeSort.optional(),
      /**
       * Leaves out accounts, sites and rooms without devices, in tenants that were fully synced; not `keep` (a node, or
       * null) and the places above it.
       */
      withoutEmpty: z.object({ keep: z.string().max(2048).nullable() }).optional(),
    }),
    output: z.object({
      rev: z.number(),
      total: z.number(),
      offset: z.number(),
      rows: z.array(treeRow),
      expanded: z.array(z.string()),
      index: z.number().nullable(),
    }),
  },
  /**
   * Returns the intervals of a device's name and place that the journal has, the newest first, at most 100; `total` counts
   * all. Times are in ms: each interval begins with the answer or event that reported it; `until` null: it still holds.
   * Between two of them the service did not list the device. An account that was read later counts from the beginning of its
   * interval. None for an unknown device.
   */
  'inventory.deviceHistory': {
    input: z.object({ key: z.string().max(2048) }),
    output: z.object({ total: z.number(), places: z.array(devicePlace) }),
  },
  /**
   * Returns places of the tree, each with its ancestors, the nearest first. `find`: places whose names contain the
   * text, without placeless ones; names that begin with it come first, then tenants, accounts, sites and rooms by name; with `empty`
   * only those without devices.
   * `nodes`: these nodes, without those that are gone. `device`: the room of this device. A room has what its service
   * tells of it. `onlyAccount`: the node of the account of a site or room, where it is the tenant's only one and the tree
   * leaves its level out. `total` counts all results, beyond `limit` too.
   */
  'inventory.places': {
    input: z.object({
      asked: z.union([
        placesByName,
        z.object({ nodes: z.array(z.string().max(2048)).max(200) }),
        z.object({ device: z.string().max(2048) }),
      ]),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({
      total: z.number(),
      places: z.array(
        z.object({
          ...place,
          roomFacts: roomFacts.optional(),
          onlyAccount: z.string().optional(),
          above: z.array(z.object(place)),
        }),
      ),
    }),
  },
}
