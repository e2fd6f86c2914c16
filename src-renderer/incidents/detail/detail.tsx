import { Eye, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { Button } from 'react-aria-components'
import type { Explanation } from '../../../src-shared/model/explanation.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { Assignment, Incident, IncidentEvent } from '../../../src-shared/model/incidents.ts'
import { Availability } from '../availability/strip.tsx'
import type { Subject } from '../availability/use-strip.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useStore } from '../../lib/store.ts'
import { LazyPart } from '../../lib/lazy-parts.tsx'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { IconButton } from '../../lib/ui/buttons/icon-button.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { Part } from '../../lib/ui/part.tsx'
import { numberText, many } from '../../lib/format/numbers.ts'
import { bodyText, historyText, titleText, whyText } from '../../lib/format/messages.ts'
import { DetailActions } from '../actions/detail-actions.tsx'
import type { Shown } from './detail-source.ts'
import type { Incidents } from '../incidents.ts'
import { MemberList } from './members.tsx'
import { Lookers, useLook } from '../team/looking.tsx'
import { takenText } from '../team/words.ts'
import { SeverityMark } from '../severity-mark.tsx'
import { useReachableText } from '../use-reachable-text.ts'
import {
  startText,
  countsText,
  downText,
  eventLabels,
  durationText,
  recurrenceText,
  severityLabels,
  suppressedText,
  stateText,
  notifiedText,
} from '../format.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  incidents: Incidents
  coreLost: boolean
  ref: Ref<HTMLElement>
  /** Called when the operator closes the pane; the focus returns to the list. */
  onClose: () => void
}

/** The details of one incident, and its actions. */
export function IncidentPane({ incidents, coreLost, ref, onClose }: Props) {
  const at = useStore(incidents.detail.state)
  useLook(incidents, at.state === 'shown' ? at.id : null, coreLost)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      !(event.target instanceof Node) ||
      !event.currentTarget.contains(event.target)
    )
      return
    event.preventDefault()
    onClose()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the pane from anywhere within
    <section
      className="detail incident"
      id="incident"
      ref={ref}
      tabIndex={-1}
      aria-label="Incident"
      aria-busy={at.state === 'loading'}
      data-old={coreLost}
      onKeyDown={onKeyDown}
    >
      <div className="detail-close">
        <IconButton label="Close the incident (Esc)" onPress={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
      {at.state === 'loading' && <p className="detail-note">Loading…</p>}
      {at.state === 'gone' && (
        <p className="detail-note">
          {at.seen
            ? 'This incident is no longer stored.'
            : 'This Muster does not know this incident. Each Muster has its own incidents, and stores them for a time: a link to one opens only in the Muster that it was copied in.'}
        </p>
      )}
      {at.state === 'failed' && (
        <p className="detail-note">
          {explain(at.fault).title} {explain(at.fault).advice}
        </p>
      )}
      {at.state === 'shown' && (
        <IncidentDetail key={at.id} incidents={incidents} shown={at.shown} coreLost={coreLost} />
      )}
    </section>
  )
}

function IncidentDetail({ incidents, shown, coreLost }: { incidents: Incidents; shown: Shown; coreLost: boolean }) {
  const { incident, why, history } = shown
  const subject = subjectOf(incident)
  return (
    <>
      <Head incidents={incidents} incident={incident} />
      <DetailActions incidents={incidents} incident={incident} coreLost={coreLost} />
      <Lookers incidents={incidents} id={incident.id} />
      <Part title="Why">
        <ul className="why" id="incident-why" tabIndex={-1}>
          {why.map((one) => (
            <li key={one.kind}>
              <ExplanationLine of={one} />
            </li>
          ))}
        </ul>
      </Part>
      <Part
        title={
          subject === null || 'device' in subject ? (
            'Availability'
          ) : (
            <>
              Availability of <Isolated>{incident.places[0]?.name}</Isolated>
            </>
          )
        }
      >
        {subject === null ? (
          <p className="detail-note">No common site. Each device below has its own.</p>
        ) : (
          <Availability subject={subject} seen={incident.closedAt} />
        )}
      </Part>
      <Part title="History">
        <History events={history} />
      </Part>
      <LazyPart render={({ IncidentFollowUp }) => <IncidentFollowUp key={incident.id} incident={incident} />} />
      <MemberList incidents={incidents} incident={incident} />
    </>
  )
}

/** A fact of the explanation, with its times in the operator's zone. */
function ExplanationLine({ of: one }: { of: Explanation }) {
  const { times } = useSettings()
  return <Isolated>{useTickedText((now) => whyText(one, now, times))}</Isolated>
}

/** Returns the subject of the availability: the device, or the deepest place that contains all of it. */
function subjectOf({ shape, open, places }: Incident): Subject | null {
  if (shape === 'device' && open.device !== null) return { device: open.device }
  const [place] = places
  return place === undefined ? null : { node: place.id }
}

function Head({ incidents, incident }: { incidents: Incidents; incident: Incident }) {
  const { times } = useSettings()
  const title = useTickedText((now) => titleText(incident.message, now, times))
  const body = useTickedText((now) => bodyText(incident.message, now, times))
  const { severity } = incident
  return (
    <header className="detail-head">
      <p className="incident-kind">
        <span className={`severity severity-${severity}`}>
          <SeverityMark severity={severity} />
          {severityLabels[severity]}
        </span>
        <span>{stateText(incident)}</span>
        {incident.kind === 'flapping' && <span className="incident-tag">Flapping</span>}
      </p>
      <h2>
        <Isolated>{title}</Isolated>
      </h2>
      {body !== '' && (
        <p className="incident-body">
          <Isolated>{body}</Isolated>
        </p>
      )}
      <IncidentFacts incidents={incidents} incident={incident} />
    </header>
  )
}

function IncidentFacts({ incidents, incident }: { incidents: Incidents; incident: Incident }) {
  const { times } = useSettings()
  const length = useReachableText(
    (now) =>
      `${durationText(incident, now)}, ${incident.since === null || incident.closedAt !== null ? '' : 'since '}${startText(incident, now, times)}`,
  )
  const notified = useTickedText((now) => notifiedText(incident, now, times))
  // The reason of an acknowledgement has its own line.
  const suppressed = useTickedText((now) =>
    incident.suppressed?.why === 'acknowledged' ? '' : suppressedText(incident, now, times),
  )
  const { watched, recurrence } = incident
  return (
    <dl className="incident-facts">
      <div>
        <dt>Duration</dt>
        <dd>{length}</dd>
      </div>
      <div>
        <dt>Devices</dt>
        <dd>{[downText(incident), countsText(incident)].filter((part) => part !== '').join(', ')}</dd>
      </div>
      {watched > 0 && (
        <div>
          <dt>Watch list</dt>
          <dd className="incident-marked">
            <Eye size={13} aria-hidden />
            {many(watched, 'device')} of it
          </dd>
        </div>
      )}
      <div>
        <dt>Notified</dt>
        <dd>
          {notified}
          {suppressed !== '' && <Isolated className="incident-suppressed">{suppressed}</Isolated>}
        </dd>
      </div>
      <div>
        <dt>Recurrence</dt>
        <dd>{recurrenceText(recurrence)}</dd>
      </div>
      {incident.assigned !== null && <TakenFact incidents={incidents} assigned={incident.assigned} />}
      {incident.acknowledged !== null && (
        <div>
          <dt>Acknowledged</dt>
          <dd>
            <Isolated>{incident.acknowledged.reason}</Isolated>, <Moment at={incident.acknowledged.at} />
            {incident.acknowledged.by !== undefined && (
              <>
                , by <Isolated>{incident.acknowledged.by}</Isolated>
              </>
            )}
          </dd>
        </div>
      )}
    </dl>
  )
}

function TakenFact({ incidents, assigned }: { incidents: Incidents; assigned: Assignment }) {
  const self = useStore(incidents.team.state, (team) => team?.operator ?? null)
  const { at, to, by } = assigned
  return (
    <div>
      <dt>Assigned</dt>
      <dd>
        <Isolated>{takenText(assigned, self)}</Isolated>, <Moment at={at} />
        {by !== to && (
          <>
            , by <Isolated>{by}</Isolated>
          </>
        )}
      </dd>
    </div>
  )
}

/** The number of history entries that are shown at first. */
const initialEntries = 6

function Entry({ event: { detail } }: { event: IncidentEvent }) {
  const { times } = useSettings()
  return <Isolated>{useTickedText((now) => historyText(detail, now, times))}</Isolated>
}

/** The history, the newest entry first. */
function History({ events }: { events: readonly IncidentEvent[] }) {
  const [all, setAll] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const shown = events.toReversed().slice(0, all ? undefined : initialEntries)
  // The button disappears after use, so the focus moves to the list.
  const showAll = () => {
    setAll(true)
    list.current?.focus()
  }
  if (events.length === 0) return <p className="detail-note">No entries yet.</p>
  return (
    <>
      <ol className="incident-history" ref={list} tabIndex={-1} aria-label="History">
        {shown.map((event, index) => (
          <li key={`${event.at} ${event.what} ${events.length - index}`}>
            <span className="history-at">
              <Moment at={event.at} />
            </span>
            <span className="history-what">{eventLabels[event.what]}</span>
            <span className="history-detail">
              <Entry event={event} />
            </span>
          </li>
        ))}
      </ol>
      {shown.length < events.length && (
        <Button className="button subtle" onPress={showAll}>
          Show all {numberText(events.length)}
        </Button>
      )}
    </>
  )
}
