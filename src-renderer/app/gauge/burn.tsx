import { lanes, type Gauge } from '../../../src-shared/model/gauge.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { activitiesOf, byLane } from '../../lib/format/operations.ts'
import { othersText } from '../../lib/format/pacing.ts'
import { laneLabels, partOf } from '../../lib/format/points.ts'
import { ActivityTable } from './activity-table.tsx'

/** The use of points in this rate window, as one bar and as a table. */
export function Burn({ gauge }: { gauge: Gauge }) {
  const used = lanes.reduce((sum, lane) => sum + gauge.burned[lane], 0)
  const others = othersText(gauge)
  return (
    <section className="gauge-part" aria-label="Used since the last reset">
      <div className="gauge-part-head">
        <h3>Used by Muster since the last reset</h3>
        <span className="gauge-sum">{many(used, 'point')}</span>
      </div>
      <Bar gauge={gauge} />
      {gauge.activities.length > 0 ? (
        <ActivityTable label="Used by activity" activities={activitiesOf(gauge)} />
      ) : (
        <p className="muted-text">{used === 0 ? 'Nothing since the last reset.' : lanesUsed(gauge)}</p>
      )}
      {others !== '' && (
        <p className="gauge-others">
          <span className="lane-sign" data-lane="others" aria-hidden />
          {others}
        </p>
      )}
    </section>
  )
}

const lanesUsed = ({ burned }: Gauge): string =>
  lanes
    .filter((lane) => burned[lane] > 0)
    .map((lane) => `${laneLabels[lane]}: ${numberText(burned[lane])}`)
    .join(', ')

function Bar({ gauge }: { gauge: Gauge }) {
  const { limit, others } = gauge
  const width = (points: number) => ({ inlineSize: `${partOf(points, limit) * 100}%` })
  return (
    <div className="burn-bar" aria-hidden="true">
      {byLane(activitiesOf(gauge)).map(({ what, lane, points }) => (
        <span
          key={`${lane} ${what}`}
          data-lane={lane}
          title={`${what}, ${laneLabels[lane]}: ${numberText(points)}`}
          style={width(points)}
        />
      ))}
      {others > 0 && (
        <span data-lane="others" title={`Other clients: at least ${numberText(others)}`} style={width(others)} />
      )}
    </div>
  )
}
