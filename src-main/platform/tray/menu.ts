import { timeText } from '../../../src-shared/text/names.ts'
import { balanceEntry } from './balance.ts'
import { item, separator, textItem, type Entry } from './entry.ts'
import { incidentEntries } from './incidents.ts'
import { connectionEntries } from './connections.ts'
import { countsText, trayStatusOf, incidentsText, many, type FleetStatus } from './status.ts'

/**
 * Returns the tray's menu: the fleet's status, the worst incidents by site with their actions, connections and points.
 * `now` in ms.
 */
export function menuOf(status: FleetStatus, now: number): Entry[] {
  return [
    item('open', 'Open Muster', { do: 'raise' }),
    separator('headline'),
    ...headline(status),
    ...incidentEntries(status, now),
    ...undo(status),
    separator('links'),
    ...connectionEntries(status.connections),
    ...balanceEntry(status.gauges, now, status.utc),
    separator('notifications'),
    pause(status, now),
    separator('end'),
    item('quit', 'Quit Muster', { do: 'quit' }),
  ]
}

function headline(status: FleetStatus): Entry[] {
  const { totals, incidents } = status
  const lost = trayStatusOf(status) === 'lost'
  return [
    textItem('counts', lost ? `Monitoring lost: ${countsText(totals)}` : countsText(totals)),
    ...(incidents.monitoringLost > 0 && !lost
      ? [textItem('lost', `Monitoring lost for ${many(incidents.monitoringLost, 'tenant')}`)]
      : []),
    textItem('incidents', incidentsText(incidents)),
  ]
}

function undo({ done }: FleetStatus): Entry[] {
  return done === null
    ? []
    : [separator('done'), item('undo', `Undo: ${done.description}`, { do: 'undo', id: done.id })]
}

function pause({ pausedUntil, utc }: FleetStatus, now: number): Entry {
  if (pausedUntil === null) return item('pause', 'Pause notifications for an hour', { do: 'pause', minutes: 60 })
  return item('resume', `Resume notifications (paused until ${timeText(pausedUntil, now, utc)})`, {
    do: 'pause',
    minutes: 0,
  })
}
