import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { type Cell, csvLine } from '../../../src-shared/text/csv.ts'
import type { SetHour } from '../points/hour.ts'
import { pathOf } from '../map/layout.ts'
import { countsAt, totalOf } from '../map/looks.ts'
import type { FleetMap } from '../map/use-map.ts'

function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => `${csvLine(row)}\r\n`).join('')
}

/** Returns the last 24 hours as CSV: for each tenant and quarter of an hour the devices that were online and offline. */
export function dayCsv(
  { from, until, tenants }: CallOutput<'overview.day'>,
  nameOf: (tenant: string) => string,
): string {
  const rows = tenants.flatMap(({ id, up, down }) =>
    up.map((online, part): Cell[] => {
      const offline = down[part] ?? 0
      const at = from + (part * (until - from)) / up.length
      // Without data there is no number.
      return online + offline === 0 ? [{ at }, nameOf(id), null, null] : [{ at }, nameOf(id), online, offline]
    }),
  )
  return csvOf(['from', 'tenant', 'online', 'offline'], rows)
}

/** Returns the tiles of the fleet map as CSV. */
export function mapCsv({ places, counts }: FleetMap): string {
  const rows = places.tiles.flatMap(({ name }, tile): Cell[][] => {
    const each = countsAt(counts, tile)
    return totalOf(each) === 0
      ? []
      : [[name, pathOf(places, tile).join(' · '), each.offline, each.unknown, each.online]]
  })
  return csvOf([places.kind, 'in', 'offline', 'unknown', 'online'], rows)
}

/** Returns the devices with the most disconnects of 30 days as CSV. */
export function disconnectsCsv({ disconnects }: CallOutput<'overview.month'>): string {
  const rows = disconnects.map(({ key, name, tenant, site, count }): Cell[] => [idOf(key), name, tenant, site, count])
  return csvOf(['id', 'name', 'tenant', 'site', 'disconnects'], rows)
}

/** Returns the sites with the most offline time of 30 days as CSV: device-hours. */
export function worstSitesCsv({ sites }: CallOutput<'overview.month'>): string {
  const hours = (ms: number) => Math.round(ms / 36_000) / 100
  const rows = sites.map(({ name, tenant, up, down }): Cell[] => [name, tenant, hours(down), hours(up)])
  return csvOf(['site', 'tenant', 'offlineHours', 'onlineHours'], rows)
}

/** The id of a device is the last part of its key, percent-encoded. */
const idOf = (key: string): string => decodeURIComponent(key.slice(key.lastIndexOf('/') + 1))

/** Returns the open incidents as CSV. `titleOf`: the title of one. */
export function incidentsCsv(incidents: readonly Incident[], titleOf: (incident: Incident) => string): string {
  const rows = incidents.map((incident): Cell[] => {
    const { severity, since, openedAt, devices, places } = incident
    const at = (time: number | null): Cell => (time === null ? null : { at: time })
    const place = places.map(({ name }) => name).join(' · ')
    return [severity, titleOf(incident), place, at(since), at(openedAt), devices.down, devices.peak]
  })
  return csvOf(['severity', 'incident', 'place', 'since', 'opened', 'down', 'peak'], rows)
}

/** Returns the points of the last hour as CSV: for each credential set and minute in which something happened. */
export function hoursOfPointsCsv(sets: readonly SetHour[]): string {
  const rows = sets.flatMap(({ name, limit, minutes }) =>
    minutes.map(({ at, burned, others, rejected, lowest }): Cell[] => [
      { at },
      name,
      burned.person,
      burned.reconcile,
      burned.visible,
      burned.background,
      others,
      rejected,
      lowest,
      limit,
    ]),
  )
  const lanes = ['yourActions', 'reconciliation', 'onScreen', 'background']
  return csvOf(['from', 'connection', ...lanes, 'otherClients', 'rejected', 'lowestBalance', 'limit'], rows)
}

type PlaceHistory = NonNullable<CallOutput<'overview.place'>['history']>

/** Returns the hours of the places below a place as CSV: shares of their devices, from 0 to 1. */
export function hoursCsv({ from, lines }: PlaceHistory['hours'], kind: 'site' | 'room'): string {
  const rows = lines.flatMap(({ name, devices, up, down }) =>
    up.map((online, hour): Cell[] => {
      const offline = down[hour] ?? 0
      const at = from + hour * 3_600_000
      // Without data there is no share.
      return online + offline === 0 ? [{ at }, name, devices, null, null] : [{ at }, name, devices, online, offline]
    }),
  )
  return csvOf(['from', kind, 'devices', 'onlineShare', 'offlineShare'], rows)
}

/** Returns the devices of a place with the most disconnects of 30 days as CSV. */
export function placeDisconnectsCsv({ devices }: PlaceHistory): string {
  const rows = devices.map(({ key, name, site, room, hardwareModel, disconnects, down, last }): Cell[] => [
    idOf(key),
    name,
    site,
    room,
    hardwareModel,
    disconnects,
    Math.round(down / 1000),
    { at: last },
  ])
  return csvOf(['id', 'name', 'site', 'room', 'model', 'disconnects', 'offlineSeconds', 'last'], rows)
}
