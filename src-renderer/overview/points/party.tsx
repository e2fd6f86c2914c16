import { laneLabels } from '../../lib/format/points.ts'
import type { Party } from './hour.ts'

export const partyLabels: Record<Party, string> = { ...laneLabels, others: 'Other clients' }

/** Who used points, with its colour in the chart. */
export function PartyName({ party }: { party: Party }) {
  return (
    <span className="lane-name">
      <span className="lane-sign" data-lane={party} aria-hidden />
      {partyLabels[party]}
    </span>
  )
}
