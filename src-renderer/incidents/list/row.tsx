import { Eye } from 'lucide-react'
import { memo, type MouseEvent } from 'react'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { fullTime } from '../../lib/format/time.ts'
import { SeverityMark } from '../severity-mark.tsx'
import { useReachableText } from '../use-reachable-text.ts'
import {
  countsText,
  downText,
  durationText,
  recurrenceText,
  placeText,
  severityLabels,
  suppressedText,
  notifiedText,
  boundaryText,
} from '../format.ts'
import { titleText } from '../../lib/format/messages.ts'
import { takenText } from '../team/words.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props {
  /** Undefined while the row is loading. */
  incident: Incident | undefined
  index: number
  /** Distance from the top of the rows, in CSS pixels. */
  top: number
  active: boolean
  selected: boolean
  /** True when its detail is open. */
  open: boolean
  /** This Muster's operator in its team; null for a Muster on its own. */
  self: string | null
  /** Must be the same function for the life of the row, because it is not compared. */
  onPress: (event: MouseEvent, index: number) => void
}

export const IncidentRow = memo(
  Row,
  (before, after) =>
    before.incident === after.incident &&
    before.index === after.index &&
    before.top === after.top &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.open === after.open &&
    before.self === after.self,
)

function Row({ incident, index, top, active, selected, open, self, onPress }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the grid has the focus and the keys; this row is its active descendant
    <div
      role="row"
      id={`incident-${index}`}
      className="incident-row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-active={active}
      data-open={open}
      data-incident={incident?.id}
      style={{ insetBlockStart: top }}
      onClick={(event) => onPress(event, index)}
    >
      {incident === undefined ? (
        <div role="gridcell" className="incident-cell">
          <span className="skeleton" />
          <span className="sr-only">Loading…</span>
        </div>
      ) : (
        <Cells incident={incident} self={self} />
      )}
    </div>
  )
}

function Cells({ incident, self }: { incident: Incident; self: string | null }) {
  const { severity, watched, recurrence, assigned } = incident
  const { times } = useSettings()
  const title = useTickedText((now) => titleText(incident.message, now, times))
  const suppressed = useTickedText((now) => suppressedText(incident, now, times))
  const notified = useTickedText((now) => notifiedText(incident, now, times))
  const length = useReachableText((now) => durationText(incident, now))
  const place = placeText(incident)
  const beside = countsText(incident)
  return (
    <>
      <div role="gridcell" className="incident-cell cell-severity">
        <span className={`severity severity-${severity}`}>
          <SeverityMark severity={severity} />
          {severityLabels[severity]}
        </span>
      </div>
      <div role="gridcell" className="incident-cell cell-title">
        <span className="incident-title">
          {watched > 0 && (
            <span className="watched-mark" title={`${many(watched, 'device')} of the watch list`}>
              <Eye size={13} aria-hidden />
              <span className="sr-only">{many(watched, 'device')} of the watch list: </span>
            </span>
          )}
          <Isolated className="clip" title={title}>
            {title}
          </Isolated>
        </span>
        <span className="incident-under">
          <span className="incident-length">{length}</span>
          <Isolated className="clip" title={place}>
            {place}
          </Isolated>
          {assigned !== null && (
            <Isolated
              className="clip incident-taken"
              title={`${takenText(assigned, self)}, ${fullTime(assigned.at, times)}`}
            >
              {takenText(assigned, self)}
            </Isolated>
          )}
          {suppressed !== '' && (
            <Isolated className="clip incident-suppressed-under" title={suppressed}>
              {suppressed}
            </Isolated>
          )}
        </span>
      </div>
      <div role="gridcell" className="incident-cell cell-since">
        <Since incident={incident} />
      </div>
      <div role="gridcell" className="incident-cell cell-devices">
        <span className="clip">{downText(incident)}</span>
        <span className="incident-under clip">{beside}</span>
      </div>
      <div role="gridcell" className="incident-cell cell-notified">
        <span className={incident.notifiedAt === null ? 'clip muted-text' : 'clip'}>{notified}</span>
        <Isolated className="incident-under clip" title={suppressed}>
          {suppressed}
        </Isolated>
      </div>
      <div role="gridcell" className="incident-cell cell-often" title={recurrenceText(recurrence)}>
        <span aria-hidden>{recurrence === null ? '–' : `${numberText(recurrence)}×`}</span>
        <span className="sr-only">{recurrenceText(recurrence)}</span>
      </div>
    </>
  )
}

/** The duration above the time of the beginning or end, with both zones as tooltip. */
function Since({ incident }: { incident: Incident }) {
  const { times } = useSettings()
  const length = useReachableText((now) => durationText(incident, now))
  const turn = useTickedText((now) => boundaryText(incident, now, times))
  const { closedAt, closedNotBefore, since, foundAt } = incident
  const at = closedAt ?? since ?? foundAt
  const whole =
    closedNotBefore === null
      ? fullTime(at, times)
      : `The end was not seen: between ${fullTime(closedNotBefore, times)} and ${fullTime(at, times)}`
  return (
    <>
      <span className="clip" title={length}>
        {length}
      </span>
      <time className="incident-under clip" dateTime={new Date(at).toISOString()} title={whole}>
        {turn}
      </time>
    </>
  )
}
