import type { Suppression } from '../../src-shared/model/incidents.ts'
import { isPaused } from './engine/due.ts'
import type { AlertRules } from './engine/rules.ts'
import type { Incident, State } from './engine/state.ts'

/** Returns whether an incident is acknowledged, or snoozed until it recovers. Then only its end is notified. */
export const isTakenOn = ({ acknowledged, snoozed }: Pick<Incident, 'acknowledged' | 'snoozed'>): boolean =>
  acknowledged !== null || snoozed?.until === null

/**
 * Returns why an incident does not notify now; null when it does. An acknowledged or snoozed one notifies of its end.
 */
export function suppressionOf(
  state: Pick<State, 'pause'>,
  rules: Pick<AlertRules, 'maintenanceUntil'>,
  incident: Incident,
  now: number,
): Suppression | null {
  if (incident.muted) return { why: 'setting', until: null, name: '' }
  const { maintenance, acknowledged, snoozed } = incident
  if (maintenance !== null)
    return { why: 'maintenance', until: rules.maintenanceUntil(maintenance.id, now), name: maintenance.name }
  if (acknowledged !== null) return { why: 'acknowledged', until: null, name: acknowledged.reason }
  if (snoozed !== null && (snoozed.until === null || snoozed.until > now))
    return { why: 'snoozed', until: snoozed.until, name: '' }
  if (isPaused(state, now)) return { why: 'paused', until: state.pause?.until ?? null, name: '' }
  if (incident.origin === 'absence' && incident.notifiedAt === null && incident.closedAt === null)
    return { why: 'absence', until: null, name: '' }
  return null
}
