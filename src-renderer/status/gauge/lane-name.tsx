import type { Lane } from '../../../src-shared/gauge.ts'
import { laneWords } from '../../words/points.ts'

/** For whom something is asked, with its colour in the bar. */
export function LaneName({ lane }: { lane: Lane }) {
  return (
    <span className="lane-name">
      <span className="lane-sign" data-lane={lane} aria-hidden />
      {laneWords[lane]}
    </span>
  )
}
