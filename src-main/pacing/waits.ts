import { lanes, type Lane } from '../../src-shared/model/gauge.ts'

/** Waiting times of a lane's latest requests before they were sent, ms. */
export interface LaneWaits {
  lane: Lane
  count: number
  p50: number
  max: number
}

export interface Waits {
  /** Records the waiting time of a request, ms. */
  note(lane: Lane, ms: number): void
  /** Returns the waiting times of the lanes that sent any request, in the order of the lanes. */
  metrics(): LaneWaits[]
}

/** Number of requests remembered for each lane. */
const maxSamples = 200

export function createWaits(): Waits {
  const last = new Map<Lane, number[]>()
  return {
    note: (lane, ms) => void last.set(lane, [...(last.get(lane) ?? []), ms].slice(-maxSamples)),
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
