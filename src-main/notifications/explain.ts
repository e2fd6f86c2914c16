import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { Explanation, ExplanationOf, ShellKind } from '../../src-shared/model/explanation.ts'
import { assertNever } from '../../src-shared/model/fault.ts'
import type { Suppression } from '../../src-shared/model/incidents.ts'
import { idsOf } from '../incidents/engine/draft.ts'
import { thresholdsAt, type AlertRules } from '../incidents/engine/rules.ts'
import type { Incident, Reason } from '../incidents/engine/incident.ts'

/** The maximum number of failed checks that are named beside the first. */
const maxMoreChecks = 2

/**
 * Returns the facts that explain an incident and its notification, with the thresholds of its last notification, or
 * else the present ones.
 */
export function explainIncident(
  incident: Incident,
  suppression: Suppression | null,
  rules: AlertRules,
  shell: ShellKind,
): Explanation[] {
  const thresholds = incident.delivery.reason?.thresholds ?? thresholdsAt(rules, idsOf(incident.scope.path))
  const larger = largerExtent(incident)
  return [
    ...larger,
    extentOf(incident, thresholds, larger.length > 0),
    ...rebootsOf(incident),
    ...splitFrom(incident),
    ...severityOf(incident),
    ...notificationOf(incident, suppression, shell),
  ]
}

function extentOf(incident: Incident, thresholds: Reason['thresholds'], wasLarger: boolean): Explanation {
  const { shape, path } = incident.scope
  const { total, peak, peakInPlace } = incident.extent
  const { holdOffMs, minDevices, minShare, flapTransitions: transitions, flapPeriodMs: periodMs } = thresholds
  if (incident.kind === 'flapping') return { kind: 'flapping', transitions, periodMs }
  switch (shape) {
    case 'device':
      return { kind: 'device', holdOffMs }
    case 'several':
      return { kind: 'several', peak, wasLarger, holdOffMs }
    case 'node': {
      const others = Math.max(0, peakInPlace - peak)
      return { kind: 'place', place: path[0]?.name ?? null, peak, total, others, minDevices, minShare, holdOffMs }
    }
    default:
      return assertNever(shape)
  }
}

const rebootsOf = ({ extent: { reboots } }: Incident): Explanation[] =>
  reboots === undefined ? [] : [{ kind: 'rebooted', reboots }]

function splitFrom({ splitFrom: former, delivery: { notifiedAt }, openedAt }: Incident): Explanation[] {
  if (former === null || notifiedAt === null || notifiedAt >= openedAt) return []
  return [{ kind: 'split', where: former.where }]
}

/** Returns its largest extent before it was split. */
function largerExtent({ largest, scope, extent }: Incident): Explanation[] {
  if (largest === null || largest.extent.peak <= extent.peak) return []
  const { shape, path, where } = largest.scope
  if (path[0]?.id === scope.path[0]?.id && shape === scope.shape) return []
  return [{ kind: 'larger', peak: largest.extent.peak, where }]
}

function severityOf({
  kind,
  severity,
  scope: { shape, path },
  extent: { watched, spares = 0, down, unseen },
  closedAt,
}: Incident): Explanation[] {
  if (watched > 0) return [{ kind: 'watched', count: watched }]
  const spare: Explanation[] = spares === 0 ? [] : [{ kind: 'spares', count: spares, all: spares === down + unseen }]
  if (severity === 'minor') return spare
  const because =
    severity === 'critical' ? 'half' : shape !== 'node' ? 'many' : kind === 'flapping' ? 'flapping' : 'less'
  return [{ kind: 'severity', because, place: path[0]?.kind ?? null, closed: closedAt !== null }, ...spare]
}

function notificationOf(incident: Incident, suppression: Suppression | null, shell: ShellKind): Explanation[] {
  const { notifiedAt, suppressedBy } = incident.delivery
  if (suppression !== null && incident.closedAt === null)
    return [...(notifiedAt === null ? [] : deliveryOf(incident, shell)), { kind: 'suppressed', suppression }]
  return [
    ...deliveryOf(incident, shell),
    ...(suppressedBy === '' ? [] : [{ kind: 'in-maintenance' as const, window: suppressedBy }]),
  ]
}

/**
 * Returns when, how and by which thresholds an incident was notified. Without a stored reason it is the time alone.
 */
function deliveryOf({ kind, scope, delivery: { notifiedAt, reason } }: Incident, shell: ShellKind): Explanation[] {
  if (notifiedAt === null) return [{ kind: 'not-notified' }]
  if (reason === null) return [{ kind: 'notified', at: notifiedAt, delivery: null }]
  const { at, as, delivered: isDelivered, thresholdsPlace, watched, overrode } = reason
  return [
    { kind: 'notified', at, delivery: { as, shell, isDelivered } },
    {
      kind: 'alerted',
      thresholds: alertedBy(reason.thresholds, kind, reason.shape ?? scope.shape),
      thresholdsPlace,
      watched: watched > 0,
      overrode,
      ...(reason.afterReboot === true && { afterReboot: true }),
    },
  ]
}

function alertedBy(
  { holdOffMs, minDevices, minShare, flapTransitions: transitions, flapPeriodMs: periodMs }: Reason['thresholds'],
  kind: Incident['kind'],
  shape: Incident['scope']['shape'],
): ExplanationOf<'alerted'>['thresholds'] {
  if (kind === 'flapping') return { transitions, periodMs }
  return { holdOffMs, place: shape === 'node' ? { minDevices, minShare } : null }
}

/**
 * Returns the result of Muster's own checks of these connections, which it makes before it calls a device down
 * (design, invariant 4).
 */
export function monitoringHealth(connections: readonly ConnectionState[]): Explanation {
  if (connections.length === 0) return { kind: 'no-connection' }
  const [first, ...more] = connections.flatMap(({ name, checks }) =>
    checks.filter(({ state }) => state === 'doubt').map(({ check, detail }) => ({ check, connection: name, detail })),
  )
  if (first === undefined) return { kind: 'monitoring-healthy' }
  return {
    kind: 'monitoring-doubt',
    first,
    more: more.slice(0, maxMoreChecks).map(({ check, connection }) => ({ check, connection })),
    count: more.length,
  }
}
