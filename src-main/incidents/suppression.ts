import type { Suppression } from '../../src-shared/model/incidents.ts'
import { isPaused } from './engine/drops/due.ts'
import type { AlertRules } from './engine/rules.ts'
import type { Incident } from './engine/incident.ts'
import type { State } from './engine/state.ts'

/** Returns whether an incident is acknowledged, or snoozed until it recovers. Then only its end is notified. */
export const notifiesOnlyRecovery = ({ operator }: Pick<Incident, 'operator'>): boolean =>
  operator.acknowledged !== null || operator.snoozed?.until === null

/**
 * Returns why an incident does not notify now; null when it does. An acknowledged or snoozed one notifies of its end.
 */
export function suppressionOf(
  state: Pick<State, 'pause'>,
  rules: Pick<AlertRules, 'maintenanceUntil'>,
  incident: Incident,
  now: number,
): Suppression | null {
  const { muted, maintenance, notifiedAt } = incident.delivery
  const { acknowledged, snoozed } = incident.operator
  if (muted) return { why: 'setting', until: null, name: '' }
  if (maintenance !== null)
    return { why: 'maintenance', until: rules.maintenanceUntil(maintenance.id, now), name: maintenance.name }
  if (acknowledged !== null) return { why: 'acknowledged', until: null, name: acknowledged.reason }
  if (snoozed !== null && (snoozed.until === null || snoozed.until > now))
    return { why: 'snoozed', until: snoozed.until, name: '' }
  if (isPaused(state, now)) return { why: 'paused', until: state.pause?.until ?? null, name: '' }
  if (incident.origin === 'absence' && notifiedAt === null && incident.closedAt === null)
    return { why: 'absence', until: null, name: '' }
  return null
}
