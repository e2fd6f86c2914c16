import type { StripPart } from '../../src-shared/incidents.ts'
import { many } from '../words/numbers.ts'

/** All parts as one. */
export function sumOf(parts: readonly StripPart[]): StripPart {
  return parts.reduce((sum, part) => ({ up: sum.up + part.up, down: sum.down + part.down, unseen: sum.unseen + part.unseen }), { up: 0, down: 0, unseen: 0 })
}

/**
 * A share in per cent with one digit behind the point: "97.2 %". What is little is never said to be nothing, and what is
 * nearly all never to be all: "under 0.1 %", "over 99.9 %".
 */
export function shareWords(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %'
  if (part >= whole) return '100 %'
  const share = (part / whole) * 100
  if (share < 0.1) return 'under 0.1 %'
  return share > 99.9 ? 'over 99.9 %' : `${(Math.round(share * 10) / 10).toFixed(1).replace(/\.0$/u, '')} %`
}

/** "up 97.2 %, down 2.3 %, not seen 0.5 %". */
export function partWords({ up, down, unseen }: StripPart): string {
  const whole = up + down + unseen
  return `up ${shareWords(up, whole)}, down ${shareWords(down, whole)}, not seen ${shareWords(unseen, whole)}`
}

/** The strip as a sentence. */
export function stripWords(said: string, devices: number, parts: readonly StripPart[], drops: number): string {
  return `${many(devices, 'device')} over ${said}: ${partWords(sumOf(parts))}; ${many(drops, 'drop')}.`
}

/** Heights of a part in per cent; what is little is drawn high enough to be seen, at the cost of what is most. */
export function heightsOf({ up, down, unseen }: StripPart, least: number): StripPart {
  const whole = up + down + unseen
  if (whole <= 0) return { up: 0, down: 0, unseen: 100 }
  const share = (part: number) => (part === 0 ? 0 : Math.max(least, (part / whole) * 100))
  const [high, low, blind] = [share(up), share(down), share(unseen)]
  const sum = high + low + blind
  return { up: (high / sum) * 100, down: (low / sum) * 100, unseen: (blind / sum) * 100 }
}
