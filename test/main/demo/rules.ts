import { alertRulesOf } from '../../../src-main/incidents/engine/rules.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'

/** The alert rules of a new demo. */
export const demoRules = alertRulesOf(defaultSettings(true), {
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
})
