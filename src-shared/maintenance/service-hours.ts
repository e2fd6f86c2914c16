import type { ServiceHours } from '../model/report-settings.ts'
import { type Maintenance, type MaintenanceWindow, timeOf } from './maintenance.ts'

/** Returns service hours in the form of a window, whose rules for clock changes hold for them too. */
export function windowOfHours({ days, from, until }: ServiceHours): MaintenanceWindow {
  const minutes = (timeOf({ from: until }) - timeOf({ from }) + 24 * 60) % (24 * 60) || 24 * 60
  const when: MaintenanceWindow['when'] = { kind: 'weekly', days, from, ends: 'at', minutes }
  return { id: '', name: '', node: '', nodeName: '', when, zone: null, createdAt: 0, until: null }
}

/** Returns the first moment (ms) from `at` on that is in the hours of a zone. */
export function nextWithin(maintenance: Maintenance, hours: ServiceHours, zone: string, at: number): number {
  const window = windowOfHours(hours)
  if (maintenance.occurrenceAt(window, zone, at) !== null) return at
  return maintenance.nextOccurrence(window, zone, at)?.from ?? at
}
