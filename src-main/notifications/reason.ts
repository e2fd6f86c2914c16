import { idsOf, type Draft } from '../incidents/engine/draft.ts'
import { thresholdsAt, type PlaceThresholds } from '../incidents/engine/rules.ts'
import type { Incident, Reason } from '../incidents/engine/incident.ts'

/** The thresholds that decide whether an incident of each kind is notified. */
const deciding = {
  outage: ['holdOffMs', 'minDevices', 'minShare'],
  flapping: ['flapTransitions', 'flapPeriodMs'],
} as const satisfies Record<Incident['kind'], readonly (keyof PlaceThresholds)[]>

/** Returns the reason of a notification, with the present thresholds and windows, which may change later. */
export function reasonOf({ rules, now }: Draft, { kind, scope, extent }: Incident, as: Reason['as']): Reason {
  const { path, shape } = scope
  const { watched } = extent
  const ids = idsOf(path)
  const { holdOffMs, minDevices, minShare, flapTransitions: flaps, flapPeriodMs } = thresholdsAt(rules, ids)
  const policies = path.find(({ id }) => deciding[kind].some((figure) => rules.nodes.get(id)?.[figure] !== undefined))
  const overrode = watched > 0 ? (rules.maintenanceAt(ids, now)?.name ?? '') : ''
  return {
    at: now,
    as,
    thresholds: { holdOffMs, minDevices, minShare, flapTransitions: flaps, flapPeriodMs },
    shape,
    thresholdsPlace: policies?.name ?? '',
    watched,
    overrode,
    ...(extent.reboots?.count === extent.down && { afterReboot: true }),
    delivered: null,
  }
}
