import { explain } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { downText, durationText, severityLabels } from '../../incidents/format.ts'
import { SeverityMark } from '../../incidents/severity-mark.tsx'
import { useAppContext } from '../../lib/context.ts'
import { titleText } from '../../lib/format/messages.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'
import { useLast } from '../../lib/hooks/use-last.ts'

/** Closed incidents that are read, of which those of other places with such a name are left out; and that are shown. */
const [maxRead, maxShown] = [200, 8]

/** The last closed incidents of a place. */
export function PastIncidents({ place, name }: { place: string; name: string }) {
  const { session } = useAppContext()
  const rev = useStore(session.state, ({ app }) => app?.incidents.rev ?? 0)
  const { value, fault } = useLast(`closed ${place} ${rev}`, () =>
    session.pipe.call('incidents.list', { state: 'closed', text: name.slice(0, 200), offset: 0, limit: maxRead }),
  )
  const shown = value?.rows.filter(({ places }) => places.some(({ id }) => id === place)).slice(0, maxShown) ?? []
  return (
    <Panel title="Last incidents" note="closed" className="past-incidents">
      {value === null ? (
        <p className="overview-empty" role="status">
          {fault === null ? 'Loading…' : explain(fault).title}
        </p>
      ) : shown.length === 0 ? (
        <p className="overview-empty">No closed incidents in the journal</p>
      ) : (
        <ul className="past-incidents-list">
          {shown.map((incident) => (
            <li key={incident.id}>
              <Line incident={incident} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Line({ incident }: { incident: Incident }) {
  const { session, ticker } = useAppContext()
  const { times } = useSettings()
  const title = useTickedText((now) => titleText(incident.message, now, times))
  return (
    <button
      type="button"
      className="timeline-line"
      onClick={() => session.open({ scope: everything, filter: '', device: null, incident: incident.id })}
    >
      <span className="timeline-words">
        <SeverityMark severity={incident.severity} size={12} />
        <span className="sr-only">{severityLabels[incident.severity]}: </span>
        <Isolated className="clip timeline-title" title={title}>
          {title}
        </Isolated>
        <span className="timeline-counts">{downText(incident)}</span>
        <span className="timeline-counts">{durationText(incident, ticker.now())}</span>
        {incident.closedAt !== null && <Moment at={incident.closedAt} />}
      </span>
    </button>
  )
}
