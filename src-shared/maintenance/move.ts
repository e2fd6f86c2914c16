import type { Policies } from '../model/incidents.ts'
import { above } from '../model/tree.ts'
import type { MaintenanceWindow } from './maintenance.ts'
import { zoneAt, type Zones } from './zones.ts'

/**
 * A maintenance window whose times change with the zone of its place. `after` is `before` when only the zone differs.
 */
export interface Moved {
  before: MaintenanceWindow
  after: MaintenanceWindow
  from: string
  to: string
}

/**
 * Returns the maintenance windows whose zone changes when `node` gets `zone` (null: inherits it again). Each keeps its
 * times of day and its last day; a single occurrence that has begun keeps its moments.
 */
export function movedTo(
  { windows, zones: configured, ownZone, places }: Policies,
  node: string,
  zone: string | null,
  zones: Zones,
  now: number,
): Moved[] {
  const others = configured.filter((one) => one.node !== node).map((one): [string, string] => [one.node, one.zone])
  const accounts = new Map(places.map((each) => [each.node, each.account]))
  const next = new Map(zone === null ? others : [...others, [node, zone]])
  return windows.flatMap(({ window: before, zone: from }) => {
    const to = before.zone ?? zoneAt(above(before.node, accounts.get(before.node) ?? null), next, ownZone).zone
    return to === from
      ? []
      : [
          {
            before,
            after: moved(
              before,
              (local) => zones.firstAt(to, local),
              (at) => at + zones.offsetAt(from, at),
              now,
            ),
            from,
            to,
          },
        ]
  })
}

/**
 * Returns a window with its moments converted. `read`: returns the local time of the former zone at a moment; `momentOf`:
 * returns the moment of a local time in the new zone.
 */
function moved(
  window: MaintenanceWindow,
  momentOf: (local: number) => number,
  read: (at: number) => number,
  now: number,
): MaintenanceWindow {
  const { when, until } = window
  if (when.kind !== 'once') return until === null ? window : { ...window, until: momentOf(read(until) + 1) - 1 }
  if (when.from <= now) return window
  const from = momentOf(read(when.from))
  const ends = momentOf(read(when.until))
  // The new zone's clock change may skip both times.
  return { ...window, when: { kind: 'once', from, until: ends > from ? ends : from + (when.until - when.from) } }
}
