import { timeIn } from '../alerts/names.ts'
import { balanceEntry } from './balance.ts'
import { act, line, words, type Entry } from './entry.ts'
import { incidentEntries } from './incidents.ts'
import { linkEntries } from './links.ts'
import { countsWords, faceOf, incidentsWords, many, type Situation } from './situation.ts'

/** The tray's menu: how the estate stands, the worst incidents by site with what can be done, links and points. `now` in ms. */
export function menuOf(situation: Situation, now: number): Entry[] {
  return [
    act('open', 'Open Muster', { do: 'raise' }),
    line('headline'),
    ...headline(situation),
    ...incidentEntries(situation, now),
    ...undo(situation),
    line('links'),
    ...linkEntries(situation.connections),
    ...balanceEntry(situation.gauges, now, situation.utc),
    line('notifications'),
    pause(situation, now),
    line('end'),
    act('quit', 'Quit Muster', { do: 'quit' }),
  ]
}

function headline(situation: Situation): Entry[] {
  const { totals, incidents } = situation
  const blind = faceOf(situation) === 'blind'
  return [
    words('counts', blind ? `Muster cannot see the devices now: ${countsWords(totals)}` : countsWords(totals)),
    ...(incidents.blind > 0 && !blind ? [words('blind', `${many(incidents.blind, 'tenant')} out of sight`)] : []),
    words('incidents', incidentsWords(incidents)),
  ]
}

function undo({ done }: Situation): Entry[] {
  return done === null ? [] : [line('done'), act('undo', `Undo: ${done.words}`, { do: 'undo', act: done.act })]
}

function pause({ pausedUntil, utc }: Situation, now: number): Entry {
  if (pausedUntil === null) return act('pause', 'Pause notifications for an hour', { do: 'pause', minutes: 60 })
  return act('resume', `Resume notifications (paused until ${timeIn(pausedUntil, now, utc)})`, {
    do: 'pause',
    minutes: 0,
  })
}
