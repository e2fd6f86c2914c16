import type { TimeSpan } from '../../thread/report-protocol.ts'

/** Returns the spans in order, without empty ones, those that overlap or touch as one. */
export function merged(spans: readonly TimeSpan[]): TimeSpan[] {
  const found: TimeSpan[] = []
  for (const span of spans.filter(({ from, until }) => from < until).toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1)
    if (last === undefined || span.from > last.until) found.push(span)
    else if (span.until > last.until) found[found.length - 1] = { from: last.from, until: span.until }
  }
  return found
}

/** Returns what both have; both merged. */
export function overlap(one: readonly TimeSpan[], other: readonly TimeSpan[]): TimeSpan[] {
  const found: TimeSpan[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [a, b] = [one[left], other[right]]
    if (a === undefined || b === undefined) return found
    const [from, until] = [Math.max(a.from, b.from), Math.min(a.until, b.until)]
    if (from < until) found.push({ from, until })
    if (a.until <= b.until) left += 1
    else right += 1
  }
}

/** Returns what `cut` leaves of the spans; both merged. */
export function without(spans: readonly TimeSpan[], cut: readonly TimeSpan[]): TimeSpan[] {
  const rest = [-Infinity, ...cut.map(({ until }) => until)].map((from, index) => ({
    from,
    until: cut[index]?.from ?? Infinity,
  }))
  return overlap(spans, rest)
}

/** Returns a function that says how much (ms) of merged spans is before a time. */
export function lengthBefore(spans: readonly TimeSpan[]): (time: number) => number {
  const before: number[] = []
  let sum = 0
  for (const { from, until } of spans) {
    before.push(sum)
    sum += until - from
  }
  return (time) => {
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((spans[middle] as TimeSpan).from < time) low = middle + 1
      else high = middle
    }
    const span = spans[low - 1]
    return span === undefined ? 0 : (before[low - 1] as number) + Math.min(time, span.until) - span.from
  }
}
