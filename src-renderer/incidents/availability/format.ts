import { percentText } from '../../../src-shared/text/counts.ts'
import type { StripPart } from '../../../src-shared/model/incidents.ts'
import { many } from '../../lib/format/numbers.ts'

/** Returns the sum of all parts. */
export function sumOf(parts: readonly StripPart[]): StripPart {
  return parts.reduce(
    (sum, part) => ({
      up: sum.up + part.up,
      down: sum.down + part.down,
      reported: sum.reported + part.reported,
      unseen: sum.unseen + part.unseen,
    }),
    { up: 0, down: 0, reported: 0, unseen: 0 },
  )
}

/**
 * Returns a share in per cent with one decimal: "97.2 %". Small shares are not rounded to nothing and large ones not to
 * all: "under 0.1 %", "over 99.9 %".
 */
export function shareText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return percentText(0)
  if (part >= whole) return percentText(100)
  const share = (part / whole) * 100
  if (share < 0.1) return `under ${percentText('0.1')}`
  return share > 99.9
    ? `over ${percentText('99.9')}`
    : percentText((Math.round(share * 10) / 10).toFixed(1).replace(/\.0$/u, ''))
}

export const wholeOf = ({ up, down, reported, unseen }: StripPart): number => up + down + reported + unseen

/** Returns for example "up 97.2 %, down 2.3 %, no data 0.5 %", with the share that only the service reports, if any. */
export function partText(part: StripPart): string {
  const { up, down, reported, unseen } = part
  const whole = wholeOf(part)
  const phrase = reported === 0 ? '' : `, reported offline ${shareText(reported, whole)}`
  return `up ${shareText(up, whole)}, down ${shareText(down, whole)}${phrase}, no data ${shareText(unseen, whole)}`
}

/** Returns the strip as a sentence. */
export function stripText(phrase: string, devices: number, parts: readonly StripPart[], drops: number): string {
  return `${many(devices, 'device')} over ${phrase}: ${partText(sumOf(parts))}; ${many(drops, 'disconnect')}.`
}

/**
 * Returns the heights of a part in per cent. Small values are drawn at least `minHeight` high, and the largest one is
 * reduced for that.
 */
export function heightsOf(part: StripPart, minHeight: number): StripPart {
  const whole = wholeOf(part)
  if (whole <= 0) return { up: 0, down: 0, reported: 0, unseen: 100 }
  const share = (time: number) => (time === 0 ? 0 : Math.max(minHeight, (time / whole) * 100))
  const drawn = {
    up: share(part.up),
    down: share(part.down),
    reported: share(part.reported),
    unseen: share(part.unseen),
  }
  const sum = wholeOf(drawn)
  return {
    up: (drawn.up / sum) * 100,
    down: (drawn.down / sum) * 100,
    reported: (drawn.reported / sum) * 100,
    unseen: (drawn.unseen / sum) * 100,
  }
}
