import type { PolicyState } from '../../policies/policy-state.ts'
import type { NodeThresholds } from '../../../src-shared/model/incidents.ts'
import type { Settings } from '../../../src-shared/model/settings.ts'

/** The thresholds of one place (design, section 8). Times are in ms, `minShare` is a fraction. */
export interface PlaceThresholds {
  holdOffMs: number
  recoveryMs: number
  /** Hold-offs that end within this time of the first one are evaluated together. */
  groupingMs: number
  minDevices: number
  minShare: number
  flapTransitions: number
  flapPeriodMs: number
}

/** The operator's thresholds and settings, as the engine uses them. */
export interface AlertRules extends Omit<PolicyState, 'nodes'> {
  defaults: PlaceThresholds
  nodes: ReadonlyMap<string, Partial<PlaceThresholds>>
  notifyOffline: boolean
  notifyRecovered: boolean
  notifyMonitoringLost: boolean
  utc: boolean
  watched: ReadonlySet<string>
  mutedModels: ReadonlySet<string>
}

export function alertRulesOf(settings: Settings, policies: PolicyState): AlertRules {
  const own = scaledThresholds(settings)
  return {
    defaults: {
      holdOffMs: 0,
      recoveryMs: 0,
      groupingMs: 0,
      minDevices: 3,
      minShare: 0.6,
      flapTransitions: 5,
      flapPeriodMs: 0,
      ...own,
    },
    nodes: new Map([...policies.nodes].map(([id, rules]) => [id, scaledThresholds(rules)])),
    notifyOffline: settings.notifyOffline,
    notifyRecovered: settings.notifyRecovered,
    notifyMonitoringLost: settings.notifyMonitoringLost,
    utc: settings.times === 'utc',
    watched: new Set(settings.watched),
    mutedModels: new Set(settings.mutedModels),
    maintenanceAt: policies.maintenanceAt,
    maintenanceUntil: policies.maintenanceUntil,
    endedMaintenance: policies.endedMaintenance,
  }
}

function scaledThresholds(rules: NodeThresholds): Partial<PlaceThresholds> {
  const scaled = (value: number | undefined, by: number) => (value === undefined ? undefined : value * by)
  const all: Record<keyof PlaceThresholds, number | undefined> = {
    holdOffMs: scaled(rules.holdOffSeconds, 1000),
    recoveryMs: scaled(rules.recoverySeconds, 1000),
    groupingMs: scaled(rules.groupingSeconds, 1000),
    minDevices: rules.siteDownDevices,
    minShare: scaled(rules.siteDownPercent, 0.01),
    flapTransitions: rules.flapTransitions,
    flapPeriodMs: scaled(rules.flapMinutes, 60_000),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Returns the longest flap period of all places (ms). */
export const longestFlapPeriod = ({ defaults: own, nodes }: AlertRules): number =>
  [...nodes.values()].reduce((longest, { flapPeriodMs }) => Math.max(longest, flapPeriodMs ?? 0), own.flapPeriodMs)

/**
 * Returns the thresholds of a place; each is that of the nearest node that sets it. `path`: node ids, deepest first.
 */
export function thresholdsAt({ defaults: own, nodes }: AlertRules, path: readonly string[]): PlaceThresholds {
  if (nodes.size === 0) return own
  return path.toReversed().reduce<PlaceThresholds>((thresholds, id) => ({ ...thresholds, ...nodes.get(id) }), own)
}
