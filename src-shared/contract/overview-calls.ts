import { z } from 'zod'
import { lastMoment } from './limits.ts'
import { counts, inventoryQuery, nodeKind } from '../model/inventory.ts'

/** What a tile of the fleet map is. */
export const tileKind = z.enum(['site', 'room'])
export type TileKind = z.infer<typeof tileKind>

/** Devices over a span (ms) in equal parts, as means over each part: how many were online, and how many offline. */
const line = { from: z.number(), until: z.number(), up: z.array(z.number()), down: z.array(z.number()) }

/** The places of a map. */
const mapPlaces = z.object({
  kind: tileKind,
  /** Regions, tenants, accounts, and the sites of rooms; each after the one that it is in (`parent`: its index). */
  groups: z.array(z.object({ id: z.string(), kind: nodeKind, name: z.string(), parent: z.number().nullable() })),
  /** Grouped; `group`: an index. A place may have no devices. */
  tiles: z.array(z.object({ id: z.string(), name: z.string(), group: z.number() })),
  /** Number of tiles beyond the first 20,000. */
  leftOut: z.number(),
})

const moment = z.number().min(0).max(lastMoment)

/** What Muster knew of a device at a time. `uncertain`: it changed at a time that nobody saw. */
export const thenStates = ['offline', 'online', 'uncertain', 'none'] as const
export const thenState = z.enum(thenStates)
export type ThenState = z.infer<typeof thenState>

/** A device with its name and place of a past time, or, where that is not recorded, those of now (`isAsThen`: false). */
const pastDevice = z.object({
  key: z.string(),
  name: z.string(),
  tenant: z.string(),
  site: z.string(),
  room: z.string(),
  isAsThen: z.boolean(),
})

/** The calls of the overview: a part of the contract (contract.ts). All of them are answered from this computer's disk. */
export const overviewCalls = {
  /**
   * Returns the fleet map: its places, and the devices of each tile by status. `layout`: the one that the window has;
   * `places` is null where that is the present one. Where there are more than 20,000 rooms, tiles are sites. `query`: only the
   * devices that match it count. Fails with a fault of kind `input` for an invalid filter.
   */
  'overview.map': {
    input: z.object({
      tiles: tileKind,
      layout: z.string().max(64).nullable(),
      query: inventoryQuery.pick({ scope: true, filter: true }).optional(),
    }),
    output: z.object({
      rev: z.number(),
      layout: z.string(),
      places: mapPlaces.nullable(),
      /** Three for each tile: offline, no data, online. */
      counts: z.array(z.number()),
      /** Of all devices, also of those on none of the tiles. */
      totals: counts,
      /** Indexes of the tiles with something on the watch list. */
      watched: z.array(z.number()),
    }),
  },
  /**
   * Returns the last 24 hours of each tenant in quarters of an hour, of the devices that are known now. Devices without data at a
   * time are in neither number.
   */
  'overview.day': {
    input: z.object({}),
    output: z.object({
      from: z.number(),
      until: z.number(),
      tenants: z.array(z.object({ id: z.string(), devices: z.number(), up: line.up, down: line.down })),
    }),
  },
  /**
   * Returns what the journal has of 30 days: the same 24 hours a week ago, the devices with the most disconnects, and the
   * sites with the most offline time (`down`, `up`: device-ms; without spares). At most ten minutes old (`until`).
   */
  'overview.month': {
    input: z.object({}),
    output: z.object({
      from: z.number(),
      until: z.number(),
      lastWeek: z.object(line),
      disconnects: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          tenant: z.string(),
          site: z.string().nullable(),
          count: z.number(),
        }),
      ),
      sites: z.array(
        z.object({ id: z.string(), name: z.string(), tenant: z.string(), up: z.number(), down: z.number() }),
      ),
    }),
  },
  /** Returns the last 7 days of sites or rooms with devices: device-ms online and offline, and disconnects. */
  'overview.places': {
    input: z.object({ tiles: tileKind }),
    output: z.object({
      from: z.number(),
      until: z.number(),
      places: z.array(z.object({ id: z.string(), up: z.number(), down: z.number(), disconnects: z.number() })),
    }),
  },
  /**
   * Returns of each site or room with devices: how many of them have a target of firmware and a known version (`known`), how many of those a lower
   * one (`behind`), and how long ago the oldest last report of a device was (`age`, ms).
   */
  'overview.facts': {
    input: z.object({ tiles: tileKind }),
    output: z.object({
      places: z.array(z.object({ id: z.string(), known: z.number(), behind: z.number(), age: z.number() })),
    }),
  },
  /**
   * Returns what the journal has of a tenant, account or site; null for a place that is not known. `hours`: of the last 24 hours, the
   * share (0 to 1) of the devices that was online, and offline, of up to 20 places next below it, those with the most offline time
   * first. `devices`: up to 10 with the most disconnects of 30 days, `down` in ms, `last` the time of the last one; `disconnecting`:
   * how many have any. `inCommon`: values that most of these have (`devices`), and far fewer of all in the place (`all`).
   */
  'overview.place': {
    input: z.object({ place: z.string().max(2048) }),
    output: z.object({
      history: z
        .object({
          from: z.number(),
          until: z.number(),
          hours: z.object({
            from: z.number(),
            lines: z.array(
              z.object({
                id: z.string(),
                name: z.string(),
                devices: z.number(),
                up: z.array(z.number()),
                down: z.array(z.number()),
              }),
            ),
            leftOut: z.number(),
          }),
          disconnecting: z.number(),
          devices: z.array(
            z.object({
              key: z.string(),
              name: z.string(),
              site: z.string().nullable(),
              room: z.string().nullable(),
              hardwareModel: z.string(),
              disconnects: z.number(),
              last: z.number(),
              down: z.number(),
            }),
          ),
          inCommon: z.array(z.object({ field: z.string(), value: z.string(), devices: z.number(), all: z.number() })),
        })
        .nullable(),
    }),
  },
  /**
   * Returns the fleet as Muster knew it at a past time (`at`, ms), by the places of now. `tiles`, `layout`, `places`: as in
   * `overview.map`. `counts`: three for each tile: offline, no data, online; of those without data, `uncertain` changed at a time that
   * nobody saw, and `at` lies in that span. `knownSince`: the first moment of that day (UTC) with any data; null: none. `offline`: how many
   * devices of `place` (null: of the fleet) were offline, and the first 100 of them with names and places as they were then, or, where
   * that is not recorded, as they are now (`isAsThen`). Devices that are gone now are left out.
   */
  'overview.then': {
    input: z.object({
      at: moment,
      tiles: tileKind,
      layout: z.string().max(64).nullable(),
      place: z.string().max(2048).nullable(),
    }),
    output: z.object({
      rev: z.number(),
      at: z.number(),
      knownSince: z.number().nullable(),
      layout: z.string(),
      places: mapPlaces.nullable(),
      counts: z.array(z.number()),
      uncertain: z.number(),
      offline: z.number(),
      devices: z.array(pastDevice),
    }),
  },
  /**
   * Returns a page of the devices as Muster knew them at a past time (`at`, ms), by name: of `place` as it is now (null: of the fleet), with one of
   * these states (empty: any), and with `text` in name or place of then, in any case. `counts`: of each state, with that text. Names and places are those of
   * then, or, where that is not recorded, those of now (`isAsThen`). Devices that are gone now are left out.
   */
  'overview.thenDevices': {
    input: z.object({
      at: moment,
      place: z.string().max(2048).nullable(),
      states: z.array(thenState).max(thenStates.length),
      text: z.string().max(200),
      offset: z.int().min(0).max(10_000_000),
      limit: z.int().min(1).max(500),
    }),
    output: z.object({
      at: z.number(),
      counts: z.record(thenState, z.number()),
      total: z.number(),
      devices: z.array(pastDevice.extend({ state: thenState })),
    }),
  },
} as const
