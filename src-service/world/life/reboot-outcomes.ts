import { createHash } from 'node:crypto'

/**
 * The outcome of a device's reboot: it recovers, it stays offline, or it rejects the reboot. `unseen`: it recovers before
 * anybody observes the drop; only its request for the configuration shows it. `ignored`: the request is accepted, and
 * nothing happens.
 */
export type RebootOutcome = 'returns' | 'lost' | 'refused' | 'unseen' | 'ignored'

export type RebootOptions = {
  /** Shares (0 to 1) of the devices that never come back, and that refuse. The seed decides which. Default: 0. */
  lost?: number
  refused?: number
  /** Shortest and longest absence, seconds. Default: 20 and 60. */
  seconds?: readonly [number, number]
}

/** The outcomes by device. */
export type RebootOutcomes = {
  of(deviceId: string): RebootOutcome
  /** Marks a device; null: as the shares have it. */
  mark(deviceId: string, outcome: RebootOutcome | null): void
}

/** Starts the outcomes. Without a mark the same seed gives a device the same outcome, in whatever order they reboot. */
export function startRebootOutcomes({ lost = 0, refused = 0 }: RebootOptions, seed: number): RebootOutcomes {
  const marks = new Map<string, RebootOutcome>()
  const drawn = (deviceId: string): RebootOutcome => {
    const at = fraction(`reboot ${seed} ${deviceId}`)
    return at < lost ? 'lost' : at < lost + refused ? 'refused' : 'returns'
  }
  return {
    of: (deviceId) => marks.get(deviceId) ?? drawn(deviceId),
    mark(deviceId, outcome) {
      if (outcome === null) marks.delete(deviceId)
      else marks.set(deviceId, outcome)
    },
  }
}

/** Returns a number from 0 up to, but not including, 1, that follows from the text alone. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
}
