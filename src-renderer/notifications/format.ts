import type { IncidentSummary } from '../../src-shared/model/incidents.ts'
import { attentionCount } from '../../src-shared/notifications/desktop-notification.ts'
import type { Notification } from '../../src-shared/model/inventory.ts'
import { numberText } from '../lib/format/numbers.ts'
import { minutesLeft } from '../lib/format/time.ts'

export const kindLabels: Record<Notification['kind'], string> = {
  offline: 'Offline',
  recovered: 'Recovered',
  unlisted: 'No longer listed',
  flapping: 'Flapping',
  digest: 'Summary',
  'monitoring-lost': 'Monitoring lost',
  'monitoring-restored': 'Monitoring restored',
}

/** Durations of a pause; `short` for narrow places. */
export const pauses = [
  { minutes: 15, word: '15 minutes', short: '15 min' },
  { minutes: 60, word: 'an hour', short: 'an hour' },
  { minutes: 24 * 60, word: 'a day', short: 'a day' },
] as const

/** Returns for example "Paused, 42 min left"; '' without a pause. */
export function pausedText(pausedUntil: number | null, now: number): string {
  return pausedUntil === null || pausedUntil <= now ? '' : `Paused, ${minutesLeft(pausedUntil, now)} left`
}

/**
 * Returns the window's title: "(3) 1 critical · 12 offline · Muster". While monitoring is lost, it counts the incidents
 * that were open before.
 */
export function windowTitle(
  incidents: IncidentSummary,
  devices: string,
  { demo, monitoringLost }: { demo: boolean; monitoringLost: boolean },
): string {
  const [count, { critical }] = [attentionCount(incidents), incidents.open]
  const parts = [
    count > 0 && `(${numberText(count)})`,
    demo && 'DEMO ·',
    critical > 0 && !monitoringLost && `${numberText(critical)} critical ·`,
    devices,
  ]
  return parts.filter((part) => part !== false).join(' ')
}

/**
 * `none`: this browser has no notifications, or this page may not ask. `core`: the desktop application shows them
 * itself.
 */
export type Permission = 'default' | 'granted' | 'denied' | 'none' | 'core'

/** Says whether and how the desktop shows notifications. */
export const permissionText: Record<Permission, string> = {
  core: 'The desktop application shows them.',
  granted: 'This browser shows them on the desktop, while a window of Muster is open.',
  default: 'Desktop notifications are not yet allowed in this browser.',
  denied: 'This browser blocks desktop notifications. Allow them for this page in the browser’s settings.',
  none: 'This browser has no desktop notifications. The bell lists all notifications.',
}
