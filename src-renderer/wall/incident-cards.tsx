import { explain } from '../../src-shared/model/fault.ts'
import type { Incident } from '../../src-shared/model/incidents.ts'
import { countsText, downText, durationText, placeText, severityLabels, startText } from '../incidents/format.ts'
import { SeverityMark } from '../incidents/severity-mark.tsx'
import { useReachableText } from '../incidents/use-reachable-text.ts'
import { titleText } from '../lib/format/messages.ts'
import { many } from '../lib/format/numbers.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { useSettings } from '../settings/use-settings.ts'
import type { WallIncidents } from './use-wall-incidents.ts'

/** Large cards of the open incidents, the worst first, and of those that have just ended. `most`: cards that fit. */
export function IncidentCards({ incidents: { open, ended, fault }, most }: { incidents: WallIncidents; most: number }) {
  if (open === null)
    return (
      <p className="wall-empty" role={fault === null ? 'status' : 'alert'}>
        {fault === null ? 'Loading…' : explain(fault).title}
      </p>
    )
  if (open.length === 0 && ended.length === 0) return <p className="wall-empty">No open incidents</p>
  // What has just ended is seen too, and at most in half of the places.
  const recovered = ended.slice(0, Math.max(most - open.length, Math.floor(most / 2)))
  const shown = open.slice(0, most - recovered.length)
  return (
    <section className="wall-cards" aria-label="Incidents">
      <ul>
        {[...shown, ...recovered].map((incident) => (
          <li key={incident.id}>
            <Card incident={incident} />
          </li>
        ))}
      </ul>
      {open.length > shown.length && <p className="wall-more">{many(open.length - shown.length, 'more incident')}</p>}
    </section>
  )
}

function Card({ incident }: { incident: Incident }) {
  const { times } = useSettings()
  const { severity, closedAt, acknowledged, snoozed } = incident
  const title = useTickedText((now) => titleText(incident.message, now, times))
  const length = useReachableText((now) => durationText(incident, now))
  const start = useTickedText((now) => startText(incident, now, times))
  const counts = countsText(incident)
  const state = closedAt !== null ? 'recovered' : acknowledged !== null || snoozed !== null ? 'acknowledged' : 'open'
  return (
    <article className={`wall-card wall-${severity}`} data-state={state}>
      <h2>
        {state !== 'recovered' && <SeverityMark severity={severity} />}
        <span className="sr-only">{state === 'recovered' ? 'Recovered' : severityLabels[severity]}: </span>
        <Isolated className="wall-card-title">{title}</Isolated>
      </h2>
      <p className="wall-card-place">
        <Isolated>{placeText(incident)}</Isolated>
      </p>
      <p className="wall-card-facts">
        {state !== 'open' && (
          <b>{state === 'recovered' ? 'Recovered' : acknowledged === null ? 'Snoozed' : 'Acknowledged'}</b>
        )}
        <span>{downText(incident)}</span>
        {counts !== '' && <span>{counts}</span>}
        <span className="wall-card-time">
          {length} · {start}
        </span>
      </p>
    </article>
  )
}
