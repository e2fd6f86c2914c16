import { numberText } from '../../lib/format/numbers.ts'
import { partyLabels, shortNumber } from '../../lib/format/points.ts'
import { clockTime, type Times } from '../../lib/format/time.ts'
import {
  firstMinute,
  hourText,
  minuteMs,
  minutesShown,
  parties,
  pointsOf,
  type SetHour,
  topOf,
  usedIn,
  stackOf,
} from './hour.ts'

/** The drawing's own units: it is stretched to its place. A minute is one unit wide. */
const height = 100
const barWidth = 0.78

/** The points of each minute as a column, by what used them. Before the record begins, the ground is hatched. */
export function HourChart({ hour, times }: { hour: SetHour; times: Times }) {
  const [top, first] = [topOf(hour), firstMinute(hour)]
  const minuteOf = (at: number) => (at - first) / minuteMs
  const unrecorded = Math.max(0, Math.min(minutesShown, Math.floor(minuteOf(hour.from))))
  return (
    <div className="hour-chart">
      <div className="hour-scale" aria-hidden="true">
        <span>{shortNumber(top)}</span>
        <span>{shortNumber(top / 2)}</span>
        <span>0</span>
      </div>
      <div className="hour-plot">
        <div className="hour-unrecorded" style={{ inlineSize: `${(unrecorded / minutesShown) * 100}%` }} />
        <svg
          viewBox={`0 0 ${minutesShown} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={hourText(hour, times)}
        >
          {hour.minutes.map((minute) => (
            <Column
              key={minute.at}
              minute={minute}
              x={minuteOf(minute.at)}
              top={top}
              when={clockTime(minute.at, hour.until, times).slice(0, -3)}
            />
          ))}
        </svg>
      </div>
      <div className="hour-times" aria-hidden="true">
        {[0, 15, 30, 45].map((minute) => (
          <span key={minute} style={{ insetInlineStart: `${(minute / minutesShown) * 100}%` }}>
            {clockTime(first + minute * minuteMs, hour.until, times).slice(0, -3)}
          </span>
        ))}
      </div>
    </div>
  )
}

interface ColumnProps {
  minute: SetHour['minutes'][number]
  x: number
  top: number
  when: string
}

function Column({ minute, x, top, when }: ColumnProps) {
  const [left, scale] = [x + (1 - barWidth) / 2, height / top]
  return (
    <g>
      <title>{columnText(minute, when)}</title>
      <rect x={x} y={0} width={1} height={height} className="hour-hit" />
      {stackOf(minute).map(({ party, from, points }) => (
        <rect
          key={party}
          data-party={party}
          x={left}
          y={height - (from + points) * scale}
          width={barWidth}
          height={points * scale}
        />
      ))}
      {minute.rejected > 0 && <rect data-party="rejected" x={left} y={0} width={barWidth} height={4} />}
    </g>
  )
}

function columnText(minute: SetHour['minutes'][number], when: string): string {
  const parts = parties.flatMap((party) => {
    const points = pointsOf(minute, party)
    return points === 0 ? [] : [`${partyLabels[party]}: ${numberText(points)}`]
  })
  return [
    `${when}: ${numberText(usedIn(minute))} points used`,
    ...parts,
    ...(minute.lowest === null ? [] : [`Lowest balance: ${numberText(minute.lowest)}`]),
    ...(minute.rejected === 0 ? [] : [`Rejected: ${numberText(minute.rejected)}`]),
  ].join('\n')
}
