import { keptMs } from '../../storage/journal/pruning.ts'
import type { StripPart } from '../../../src-shared/model/incidents.ts'

/** The time that is asked about, ms, in equal parts; what lies after `now` nobody has seen, and what the journal keeps no longer nobody knows. */
export interface Span {
  from: number
  until: number
  parts: number
  now: number
}

/** How long the devices of one tenant were connected and disconnected in each part, without the times in which it was not seen. */
export interface Tally {
  devices: number
  /** A device was so over a time, of which only what lies in the span counts. */
  add(connected: boolean, from: number, until: number): void
  /** A device was offline over a time that nobody watched, as the service reports: whether the tenant was seen then is no matter. */
  report(from: number, until: number): void
  /** Ms of all its devices by part. */
  read(): { up: Float64Array; down: Float64Array; reported: Float64Array }
}

/** `unseen` in the order of its beginnings; they may overlap. */
export function newTally(span: Span, unseen: { from: number; until: number | null }[]): Tally {
  const visibleTime = visibleTimeOver(span, unseen)
  const up = newSums(span.parts)
  const down = newSums(span.parts)
  const reported = newSums(span.parts)
  const always: VisibleTime = (time) => time - span.from
  return {
    devices: 0,
    add(connected, from, until) {
      if (until <= from) return
      const sums = connected ? up : down
      addEdge(span, visibleTime, sums, from, 1)
      addEdge(span, visibleTime, sums, until, -1)
    },
    report(from, until) {
      if (until <= Math.max(from, span.from)) return
      addEdge(span, always, reported, from, 1)
      addEdge(span, always, reported, until, -1)
    },
    read: () => ({
      up: total(span, visibleTime, up),
      down: total(span, visibleTime, down),
      reported: total(span, always, reported),
    }),
  }
}

/** The tallies of all tenants as the parts of a strip. */
export function stripParts(span: Span, tallies: Tally[]): StripPart[] {
  const length = (span.until - span.from) / span.parts
  const devices = tallies.reduce((sum, tally) => sum + tally.devices, 0)
  const parts = Array.from({ length: span.parts }, () => ({ up: 0, down: 0, reported: 0, unseen: 0 }))
  for (const { up, down, reported } of tallies.map((tally) => tally.read())) {
    parts.forEach((part, n) => {
      part.up += up[n] as number
      part.down += down[n] as number
      part.reported += reported[n] as number
    })
  }
  for (const part of parts) part.unseen = Math.max(0, devices * length - part.up - part.down - part.reported)
  return parts
}

/**
 * What begins (1) and ends (-1): `rest` is what it makes of the part in which it lies, `whole` how many more or fewer
 * devices there are from a part on. So a transition costs the same however many parts follow it.
 */
interface Sums {
  readonly rest: Float64Array
  readonly whole: Float64Array
}

const newSums = (parts: number): Sums => ({ rest: new Float64Array(parts), whole: new Float64Array(parts + 1) })

/** Ms of the span that were seen up to a moment of it. */
type VisibleTime = (time: number) => number

function addEdge(span: Span, visibleUpTo: VisibleTime, sums: Sums, time: number, by: 1 | -1): void {
  if (time >= span.until) return
  const from = Math.max(time, span.from)
  const part = Math.min(span.parts - 1, Math.floor(((from - span.from) / (span.until - span.from)) * span.parts))
  sums.rest[part] = (sums.rest[part] as number) + by * (visibleUpTo(boundary(span, part + 1)) - visibleUpTo(from))
  sums.whole[part + 1] = (sums.whole[part + 1] as number) + by
}

function total(span: Span, visibleUpTo: VisibleTime, { rest, whole }: Sums): Float64Array {
  let devices = 0
  return rest.map((rest, part) => {
    devices += whole[part] as number
    return Math.max(0, rest + devices * (visibleUpTo(boundary(span, part + 1)) - visibleUpTo(boundary(span, part))))
  })
}

const boundary = ({ from, until, parts }: Span, part: number) => from + ((until - from) * part) / parts

function visibleTimeOver(span: Span, unseen: { from: number; until: number | null }[]): VisibleTime {
  const gaps = gapsOf(span, unseen)
  if (gaps.length === 0) return (time) => time - span.from
  return (time) => {
    const gap = gaps[lastBefore(gaps, time)]
    return gap === undefined ? time - span.from : time - span.from - gap.before - (Math.min(time, gap.until) - gap.from)
  }
}

/** A time that was not seen, and how much of the span before it was not either. */
interface Gap {
  from: number
  until: number
  before: number
}

/** Within the span, apart and in order; what the journal does not keep and what lies after now are two of them. */
function gapsOf({ from, until, now }: Span, unseen: { from: number; until: number | null }[]): Gap[] {
  const gaps: Gap[] = []
  for (const one of [{ from: -Infinity, until: now - keptMs }, ...unseen, { from: now, until: null }]) {
    const last = gaps.at(-1)
    const start = Math.max(from, one.from, last?.until ?? from)
    const end = Math.min(until, one.until ?? until)
    if (end > start) gaps.push({ from: start, until: end, before: last ? last.before + last.until - last.from : 0 })
  }
  return gaps
}

/** Index of the last one that begins before a moment; -1 when none does. */
function lastBefore(gaps: readonly Gap[], time: number): number {
  let low = 0
  let high = gaps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((gaps[middle] as Gap).from < time) low = middle + 1
    else high = middle
  }
  return low - 1
}
