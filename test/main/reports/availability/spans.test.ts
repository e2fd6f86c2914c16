import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthBefore, merged, overlap, without } from '../../../../src-main/inventory/reads/report/spans.ts'
import type { TimeSpan } from '../../../../src-main/inventory/thread/report-protocol.ts'

const most = 40
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: most }))
    .map(([from, until]) => ({ from, until })),
  { maxLength: 8 },
)
/** The whole ms that are in any of the spans. */
const msIn = (all: readonly TimeSpan[]) =>
  Array.from({ length: most }, (_, ms) => ms).filter((ms) => all.some(({ from, until }) => from <= ms && ms < until))

test('merged spans are the same times; overlap, difference and length are those of them', () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: -2, max: most + 2 }), (one, other, time) => {
      const [a, b] = [merged(one), merged(other)]
      expect(msIn(a)).toEqual(msIn(one))
      for (const [index, span] of a.entries()) {
        expect(span.from).toBeLessThan(span.until)
        if (index > 0) expect(span.from).toBeGreaterThan(a[index - 1]?.until ?? 0)
      }
      const inOther = new Set(msIn(other))
      expect(msIn(overlap(a, b))).toEqual(msIn(one).filter((ms) => inOther.has(ms)))
      expect(msIn(without(a, b))).toEqual(msIn(one).filter((ms) => !inOther.has(ms)))
      expect(lengthBefore(a)(time)).toBe(msIn(one).filter((ms) => ms < time).length)
    }),
    { numRuns: 2000 },
  )
})
