import { memo } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { countsText, downText, durationText, placeText, severityLabels } from '../../incidents/format.ts'
import { SeverityMark } from '../../incidents/severity-mark.tsx'
import { ticksOf } from '../../incidents/availability/ticks.ts'
import { useReachableText } from '../../incidents/use-reachable-text.ts'
import { useAppContext } from '../../lib/context.ts'
import { titleText } from '../../lib/format/messages.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'
import type { Last } from '../../lib/hooks/use-last.ts'
import { barOf, byWorst, dayMs } from './timeline.ts'
import type { OpenIncidents } from './use-open-incidents.ts'

/** Incidents that are shown; the screen Incidents has all. */
const shownAtMost = 14

const screen = { scope: everything, filter: '', device: null } as const

/** The open incidents over the last 24 hours, the worst first. */
export const IncidentTimeline = memo(function IncidentTimeline({
  open: { value: open, fault },
}: {
  open: Last<OpenIncidents>
}) {
  const { session } = useAppContext()
  const shown = (open?.incidents ?? []).toSorted(byWorst).slice(0, shownAtMost)
  return (
    <Panel
      title="Open incidents"
      note={open === null ? '' : `${numberText(open.total)} · last 24 hours`}
      className="overview-incidents"
      tools={
        <Button className="button subtle" onPress={() => session.open({ ...screen, screen: 'incidents' })}>
          All incidents
        </Button>
      }
    >
      {open === null ? (
        <p className="overview-empty" role="status">
          {fault === null ? 'Loading…' : explain(fault).title}
        </p>
      ) : shown.length === 0 ? (
        <p className="overview-empty">No open incidents</p>
      ) : (
        <>
          <Scale />
          <ul className="timeline">
            {shown.map((incident) => (
              <li key={incident.id}>
                <Line incident={incident} />
              </li>
            ))}
          </ul>
          {open.total > shown.length && (
            <p className="overview-more">{numberText(open.total - shown.length)} more in Incidents</p>
          )}
        </>
      )}
    </Panel>
  )
})

/** The hours of the day above the bars. */
function Scale() {
  const { times } = useSettings()
  const { ticker } = useAppContext()
  // A text changes only with the ticks, and a list is new each time.
  const hour = Number(useTickedText((now) => String(Math.floor(now / 60_000))))
  const now = hour === 0 ? ticker.now() : hour * 60_000
  return (
    <div className="timeline-scale" aria-hidden="true">
      <span>24 h ago</span>
      {ticksOf(now - dayMs, now, times).map(({ share, word }) => (
        <span key={share} className="timeline-tick" style={{ insetInlineStart: `${share * 100}%` }}>
          {word}
        </span>
      ))}
      <span>now</span>
    </div>
  )
}

function Line({ incident }: { incident: Incident }) {
  const { session } = useAppContext()
  const { times } = useSettings()
  const { severity } = incident
  const title = useTickedText((now) => titleText(incident.message, now, times))
  const length = useReachableText((now) => durationText(incident, now))
  const minute = Number(useTickedText((now) => String(Math.floor(now / 60_000))))
  const bar = barOf(incident, (minute + 1) * 60_000)
  const place = placeText(incident)
  const counts = countsText(incident)
  return (
    <button type="button" className="timeline-line" onClick={() => session.open({ ...screen, incident: incident.id })}>
      <span className="timeline-words">
        <SeverityMark severity={severity} size={12} />
        <span className="sr-only">{severityLabels[severity]}: </span>
        <Isolated className="clip timeline-title" title={`${title} · ${place}`}>
          {title}
        </Isolated>
        <span className="timeline-counts">
          {downText(incident)}
          {counts !== '' && <span className="sr-only">, {counts}</span>}
        </span>
        <span className="timeline-length">{length}</span>
      </span>
      <span className="timeline-track" aria-hidden="true">
        <span
          className={`timeline-bar timeline-${severity}`}
          data-earlier={bar.isEarlier}
          data-found={bar.isFound}
          data-acknowledged={incident.acknowledged !== null || incident.snoozed !== null}
          style={{ insetInlineStart: `${bar.from * 100}%`, inlineSize: `${(bar.until - bar.from) * 100}%` }}
        />
      </span>
    </button>
  )
}
