import type { EventData } from '../../../src-shared/contract/contract.ts'
import type { IncidentSummary } from '../../../src-shared/model/incidents.ts'
import type { Counts } from '../../../src-shared/model/inventory.ts'
import { attentionCount } from '../../../src-shared/notifications/desktop-notification.ts'

/** The input of tray and badge, which are pure functions of it. */
export interface FleetStatus {
  totals: Counts
  connections: EventData<'connections'>
  gauges: EventData<'gauges'>
  incidents: IncidentSummary
  pausedUntil: number | null
  /** True when times of day are shown in UTC. */
  utc: boolean
  /** The last action from the tray that can be undone: its number and its description. */
  done: { id: number; description: string } | null
}

/** `lost`: monitoring is lost. `alert`: an incident needs attention. */
export type TrayStatus = 'idle' | 'alert' | 'lost'

/** Returns the status of the tray. Paused connections are not monitored, so they do not count as lost. */
export function trayStatusOf({ connections, incidents }: Pick<FleetStatus, 'connections' | 'incidents'>): TrayStatus {
  const watched = connections.filter(({ paused }) => !paused)
  const seen = watched.some(({ link }) => link.state === 'live' || link.state === 'polling')
  if (watched.length > 0 && !seen) return 'lost'
  return attentionCount(incidents) > 0 ? 'alert' : 'idle'
}

/** Returns a text such as "12 offline, 2,980 online, 8 unknown". */
export function countsText({ connected, disconnected, unknown }: Counts): string {
  return `${numberText(disconnected)} offline, ${numberText(connected)} online, ${numberText(unknown)} unknown`
}

/** Returns the tooltip of the tray: "Muster: 1 critical, 2 minor; 12 offline, 2,980 online, 8 unknown". */
export function tooltipOf(status: FleetStatus): string {
  const counts = countsText(status.totals)
  if (trayStatusOf(status) === 'lost') return `Monitoring lost: ${counts}`
  return `Muster: ${[severitiesText(status.incidents), counts].filter((part) => part !== '').join('; ')}`
}

/** Returns the incidents that need attention, "1 critical, 2 minor"; "" for none. */
export function severitiesText({ open }: Pick<IncidentSummary, 'open'>): string {
  return (['critical', 'major', 'minor'] as const)
    .filter((kind) => open[kind] > 0)
    .map((kind) => `${numberText(open[kind])} ${kind}`)
    .join(', ')
}

/** Returns a text such as "3 open incidents: 1 critical, 2 minor; 4 acknowledged, 1 silent". */
export function incidentsText(incidents: IncidentSummary): string {
  const calling = attentionCount(incidents)
  const head = calling === 0 ? 'No open incidents' : `${many(calling, 'open incident')}: ${severitiesText(incidents)}`
  const others = [
    incidents.acknowledged > 0 && `${numberText(incidents.acknowledged)} acknowledged`,
    incidents.snoozed > 0 && `${numberText(incidents.snoozed)} snoozed`,
    incidents.suppressed > 0 && `${numberText(incidents.suppressed)} suppressed`,
  ].filter((part) => part !== false)
  return [head, others.join(', ')].filter((part) => part !== '').join('; ')
}

export function numberText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
}

/** Returns "1 device", "5,000 devices". */
export function many(value: number, one: string): string {
  return `${numberText(value)} ${one}${value === 1 ? '' : 's'}`
}
