import { timeText } from '../../../src-shared/text/names.ts'
import { balanceEntry } from './balance.ts'
import { act, line, words, type Entry } from './entry.ts'
import { incidentEntries } from './incidents.ts'
import { connectionEntries } from './connections.ts'
import { countsText, faceOf, incidentsText, many, type FleetStatus } from './status.ts'

/**
 * Returns the tray's menu: the fleet's status, the worst incidents by site with their actions, connections and points.
 * `now` in ms.
 */
export function menuOf(situation: FleetStatus, now: number): Entry[] {
  return [
    act('open', 'Open Muster', { do: 'raise' }),
    line('headline'),
    ...headline(situation),
    ...incidentEntries(situation, now),
    ...undo(situation),
    line('links'),
    ...connectionEntries(situation.connections),
    ...balanceEntry(situation.gauges, now, situation.utc),
    line('notifications'),
    pause(situation, now),
    line('end'),
    act('quit', 'Quit Muster', { do: 'quit' }),
  ]
}

function headline(situation: FleetStatus): Entry[] {
  const { totals, incidents } = situation
  const blind = faceOf(situation) === 'blind'
  return [
    words('counts', blind ? `Monitoring lost: ${countsText(totals)}` : countsText(totals)),
    ...(incidents.monitoringLost > 0 && !blind
      ? [words('blind', `Monitoring lost for ${many(incidents.monitoringLost, 'tenant')}`)]
      : []),
    words('incidents', incidentsText(incidents)),
  ]
}

function undo({ done }: FleetStatus): Entry[] {
  return done === null ? [] : [line('done'), act('undo', `Undo: ${done.words}`, { do: 'undo', act: done.act })]
}

function pause({ pausedUntil, utc }: FleetStatus, now: number): Entry {
  if (pausedUntil === null) return act('pause', 'Pause notifications for an hour', { do: 'pause', minutes: 60 })
  return act('resume', `Resume notifications (paused until ${timeText(pausedUntil, now, utc)})`, {
    do: 'pause',
    minutes: 0,
  })
}
