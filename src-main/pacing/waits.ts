import { lanes, type Lane } from '../../src-shared/model/gauge.ts'

/** How long the last requests of a lane waited before they were sent, ms. */
export interface LaneWaits {
  lane: Lane
  count: number
  p50: number
  max: number
}

export interface Waits {
  /** A request of this lane was sent after so long. */
  note(lane: Lane, ms: number): void
  /** The lanes of which any was sent, in their order. */
  metrics(): LaneWaits[]
}

/** Of each lane, the last so many are remembered. */
const most = 200

export function createWaits(): Waits {
  const last = new Map<Lane, number[]>()
  return {
    note: (lane, ms) => void last.set(lane, [...(last.get(lane) ?? []), ms].slice(-most)),
    metrics: () =>
      lanes.flatMap((lane) => {
        const sorted = (last.get(lane) ?? []).toSorted((one, other) => one - other)
        return sorted.length === 0
          ? []
          : [
              {
                lane,
                count: sorted.length,
                p50: sorted[Math.ceil(sorted.length / 2) - 1] ?? 0,
                max: sorted.at(-1) ?? 0,
              },
            ]
      }),
  }
}
