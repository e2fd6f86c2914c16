import type { StripPart } from '../../../src-shared/model/incidents.ts'
import { span } from '../../lib/format/time.ts'
import { partText, shareText, sumOf, wholeOf } from './format.ts'

/** Consecutive parts of a strip with the same text, the unit of keyboard navigation. Times are in ms. */
export interface Stretch {
  from: number
  until: number
  parts: readonly StripPart[]
}

interface Strip {
  devices: number
  parts: readonly StripPart[]
  from: number
  until: number
}

/**
 * Returns the stretches of a strip. For one device a drop is one stretch, regardless of the parts; for several devices
 * each different share is one.
 */
export function stretchesOf({ devices, parts, from, until }: Strip): Stretch[] {
  const length = (until - from) / parts.length
  const labelOf = devices === 1 ? worst : partText
  const stretches: { from: number; until: number; parts: StripPart[] }[] = []
  for (const [index, part] of parts.entries()) {
    const last = stretches.at(-1)
    const before = last?.parts.at(-1)
    const ends = from + (index + 1) * length
    if (last !== undefined && before !== undefined && labelOf(before) === labelOf(part)) {
      last.parts.push(part)
      last.until = ends
    } else stretches.push({ from: from + index * length, until: ends, parts: [part] })
  }
  return stretches
}

const worst = ({ down, reported, unseen }: StripPart): string =>
  down > 0 ? 'down' : reported > 0 ? 'reported' : unseen > 0 ? 'unseen' : 'up'

/**
 * Returns for example "Down for 8 min, up for 7 min" for one device, and "Down 8.3 %, up 91.7 % for 2 h" or "Up for 2
 * h" for several.
 */
export function stretchText({ from, until, parts }: Stretch, devices: number): string {
  const sum = sumOf(parts)
  const all = [
    ['Down', sum.down],
    ['Reported offline', sum.reported],
    ['No data', sum.unseen],
    ['Up', sum.up],
  ] as const
  const there = all.filter(([, time]) => time > 0)
  const whole = wholeOf(sum)
  const [only] = there
  if (there.length < 2) return `${only?.[0] ?? 'No data'} for ${span(until - from)}`
  const listed = there
    .map(
      ([word, time], index) =>
        `${index === 0 ? word : word.toLowerCase()} ${devices === 1 ? `for ${span(time)}` : shareText(time, whole)}`,
    )
    .join(', ')
  return devices === 1 ? listed : `${listed} for ${span(until - from)}`
}

/**
 * Returns the index of the stretch at a time (ms): the last one for null or a later time, the first one for an earlier
 * time.
 */
export function stretchAt(stretches: readonly Stretch[], at: number | null): number {
  if (at === null) return stretches.length - 1
  const index = stretches.findIndex(({ until }) => at < until)
  return index === -1 ? stretches.length - 1 : index
}

/** Returns the index that a key leads to; null for other keys. `page`: the step of a page key (ms). */
export function stretchMove(key: string, stretches: readonly Stretch[], index: number, page: number): number | null {
  const within = (to: number) => Math.max(0, Math.min(stretches.length - 1, to))
  const present = stretches[index]
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowUp':
      return within(index - 1)
    case 'ArrowRight':
    case 'ArrowDown':
      return within(index + 1)
    case 'Home':
      return 0
    case 'End':
      return stretches.length - 1
    // A stretch that is longer than a page is one step.
    case 'PageUp':
      return present === undefined ? null : within(Math.min(index - 1, stretchAt(stretches, present.from - page)))
    case 'PageDown':
      return present === undefined ? null : within(Math.max(index + 1, stretchAt(stretches, present.from + page)))
    default:
      return null
  }
}
