import { partyLabels, type Party } from '../../lib/format/points.ts'

/** The name of a lane, or of other clients, with its colour in the bar. */
export function LaneName({ lane }: { lane: Party }) {
  return (
    <span className="lane-name">
      <span className="lane-sign" data-lane={lane} aria-hidden />
      {partyLabels[lane]}
    </span>
  )
}
