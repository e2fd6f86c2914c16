import type { Lane } from '../../../src-shared/model/gauge.ts'
import { laneLabels } from '../../lib/format/points.ts'

/** The name of a lane, with its colour in the bar. */
export function LaneName({ lane }: { lane: Lane }) {
  return (
    <span className="lane-name">
      <span className="lane-sign" data-lane={lane} aria-hidden />
      {laneLabels[lane]}
    </span>
  )
}
