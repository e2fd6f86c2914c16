import type { Activity } from '../../lib/format/operations.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { LaneName } from './lane-name.tsx'

interface Props {
  label: string
  activities: readonly Activity[]
  /** Rows that are shown; the others are one row. */
  atMost?: number
  /** Points of other clients, at least; 0 for no row. */
  others?: number
}

/** The points by activity, with the number of queries. */
export function ActivityTable({ label, activities, atMost = Infinity, others = 0 }: Props) {
  const rest = activities.slice(atMost)
  const restOf = (what: 'count' | 'points') => numberText(rest.reduce((sum, each) => sum + each[what], 0))
  return (
    <table className="gauge-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col">Priority</th>
          <th scope="col" className="number">
            Queries
          </th>
          <th scope="col" className="number">
            Points
          </th>
        </tr>
      </thead>
      <tbody>
        {activities.slice(0, atMost).map(({ what, lane, points, count }) => (
          <tr key={`${lane} ${what}`}>
            <td>
              <Isolated className="clip" title={what}>
                {what}
              </Isolated>
            </td>
            <td>
              <LaneName lane={lane} />
            </td>
            <td className="number">{numberText(count)}</td>
            <td className="number">{numberText(points)}</td>
          </tr>
        ))}
        {rest.length > 0 && (
          <tr>
            <td colSpan={2}>{numberText(rest.length)} more</td>
            <td className="number">{restOf('count')}</td>
            <td className="number">{restOf('points')}</td>
          </tr>
        )}
        {others > 0 && (
          <tr>
            <td>Not by Muster</td>
            <td>
              <LaneName lane="others" />
            </td>
            <td className="number">–</td>
            <td className="number">≥ {numberText(others)}</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
