import { retentionMs } from '../../storage/journal/pruning.ts'
import type { StripPart } from '../../../src-shared/model/incidents.ts'

/**
 * A time span, ms, in equal parts. The time after `now` and the time before the retention of the journal have no
 * data.
 */
export interface Span {
  from: number
  until: number
  parts: number
  now: number
}

/**
 * The time in which the devices of one tenant were online and offline in each part, without the times when it was not
 * visible.
 */
export interface Tally {
  devices: number
  /** Adds a state of a device; only the time within the span counts. */
  add(connected: boolean, from: number, until: number): void
  /** Adds an outage that only the service reports: it counts whether the tenant was visible or not. */
  report(from: number, until: number): void
  /** The sums of all devices by part, ms. */
  read(): { up: Float64Array; down: Float64Array; reported: Float64Array }
}

/** `unseen`: the times when the tenant was not visible, in the order of their starts; they may overlap. */
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

/** Adds up the tallies of all tenants. */
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
 * The starts (1) and ends (-1) of states: `rest` is their share of the part in which they are, `whole` the change of
 * the device count from a part on. So a transition costs the same however many parts follow.
 */
interface Sums {
  readonly rest: Float64Array
  readonly whole: Float64Array
}

const newSums = (parts: number): Sums => ({ rest: new Float64Array(parts), whole: new Float64Array(parts + 1) })

/** The visible time of the span up to a time within it, ms. */
export type VisibleTime = (time: number) => number

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

/** `unseen`: as in `newTally`. */
export function visibleTimeOver(span: Span, unseen: { from: number; until: number | null }[]): VisibleTime {
  const gaps = gapsOf(span, unseen)
  if (gaps.length === 0) return (time) => time - span.from
  return (time) => {
    const gap = gaps[lastBefore(gaps, time)]
    return gap === undefined ? time - span.from : time - span.from - gap.before - (Math.min(time, gap.until) - gap.from)
  }
}

/** A time without visibility, and `before`: the sum of those before it, ms. */
interface Gap {
  from: number
  until: number
  before: number
}

/**
 * The gaps of the span, separate and in order. The time before the retention of the journal and the time after now are
 * gaps too.
 */
function gapsOf({ from, until, now }: Span, unseen: { from: number; until: number | null }[]): Gap[] {
  const gaps: Gap[] = []
  for (const one of [{ from: -Infinity, until: now - retentionMs }, ...unseen, { from: now, until: null }]) {
    const last = gaps.at(-1)
    const start = Math.max(from, one.from, last?.until ?? from)
    const end = Math.min(until, one.until ?? until)
    if (end > start) gaps.push({ from: start, until: end, before: last ? last.before + last.until - last.from : 0 })
  }
  return gaps
}

/** Index of the last gap that starts before a time; -1 when none does. */
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
