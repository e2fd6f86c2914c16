import { expect, test } from 'vitest'
import { decide, reserveNow, type AdmissionState } from '../../../src-main/pacing/admission.ts'

/** In the middle of a window with 20,000 points left; nothing is under way. */
const standing: AdmissionState = {
  now: 20_000,
  balance: {
    limit: 100_000,
    remaining: 20_000,
    resetSpan: { from: 58_000, until: 61_000 },
    known: true,
    since: 0,
    reportedAt: 19_900,
  },
  inBackground: 0,
  inFlight: 0,
  running: 0,
  runningInBackground: 0,
  person: { used: 0, expected: 0 },
  others: 0,
  parallelLimit: null,
  holdUntil: null,
  policy: { reservePercent: 10, backgroundLimitPercent: 100, backgroundPaused: false },
}
const late = { ...standing, now: 54_000, balance: { ...standing.balance, reportedAt: 53_900 } }

test('the part of the reserve that the operator has used is no longer kept', () => {
  expect(reserveNow(standing)).toBe(10_000)
  expect(decide('background', 12_000, standing)).toEqual({ go: false, why: 'reserve', at: 53_000 })
  const used = { ...standing, person: { used: 4_000, expected: 0 } }
  expect(reserveNow(used)).toBe(6_000)
  expect(decide('background', 12_000, used)).toEqual({ go: true })
  expect(reserveNow({ ...standing, person: { used: 40_000, expected: 900 } })).toBe(0)
})

test('shortly before the reset the reserve is free, except what the operator is likely to need', () => {
  expect(decide('background', 20_000, late)).toEqual({ go: true })
  const busy = { ...late, person: { used: 1_000, expected: 3_000 } }
  expect(reserveNow(busy)).toBe(3_000)
  expect(decide('background', 17_500, busy)).toEqual({ go: false, why: 'reserve', at: 55_000 })
})

test("in a new rate window without an answer, the operator's second request waits for the first", () => {
  const reckoned = { ...standing, balance: { ...standing.balance, reportedAt: null }, running: 1 }
  expect(decide('person', 10, { ...reckoned, running: 0 })).toEqual({ go: true })
  expect(decide('person', 10, reckoned)).toEqual({ go: false, why: 'turn', at: null })
})

test('other clients are left what they are likely to use, at most half a rate window', () => {
  expect(decide('background', 5_000, { ...standing, others: 6_000 })).toEqual({ go: false, why: 'reserve', at: 53_000 })
  expect(decide('background', 5_000, { ...standing, others: 16_000 })).toEqual({ go: false, why: 'others', at: 21_000 })
  const whole = { ...standing, balance: { ...standing.balance, remaining: 100_000 }, others: 900_000 }
  expect(decide('background', 5_000, whole)).toEqual({ go: true })
  expect(decide('person', 5_000, { ...standing, others: 900_000 })).toEqual({ go: true })
})
