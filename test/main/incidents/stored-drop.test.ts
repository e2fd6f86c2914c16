import { expect, test } from 'vitest'
import { isBlocked, lastDropOf } from '../../../src-main/incidents/engine/drops/drop.ts'
import { dropOf, storedDrop } from '../../../src-main/incidents/stored/drop.ts'
import type { StoredDrop } from '../../../src-main/storage/journal/alerts.ts'

const suspect: StoredDrop = {
  key: 's/t/a',
  at: 2_000,
  notBefore: 1_000,
  incident: null,
  notified: false,
  recoveredAt: null,
  recoveredNotBefore: null,
  recoveryConfirmed: false,
  flapping: false,
  expected: null,
  pendingRecovery: null,
}
const expected = { job: 'j', sentAt: 1_500, until: 9_000 }
const down = { ...suspect, incident: 'i' }
const back = { recoveredAt: 4_000, recoveredNotBefore: 3_000 }

/** What the journal holds of drops: each state that was ever written. */
const written: [string, StoredDrop][] = [
  ['suspect', suspect],
  ['suspect', { ...suspect, notBefore: null }],
  ['suspect', { ...suspect, expected, pendingRecovery: 'before' }],
  ['down', down],
  ['down', { ...down, expected, pendingRecovery: 'before' }],
  ['down', { ...down, notified: true }],
  ['recovering', { ...down, ...back }],
  ['recovering', { ...down, ...back, notified: true, recoveredNotBefore: null }],
  ['recovering', { ...down, ...back, expected }],
  ['recovered', { ...down, ...back, notified: true, recoveryConfirmed: true }],
  ['flapping', { ...down, flapping: true }],
  ['flapping', { ...down, flapping: true, expected }],
  ['flapping', { ...down, ...back, flapping: true, notified: true }],
]

test.each(written)('a stored drop is read as %s and written as it was', (kind, stored) => {
  const drop = dropOf(stored)
  expect(drop.kind).toBe(kind)
  expect(storedDrop(drop)).toEqual(stored)
})

test('what is not stored of a drop is as in the beginning', () => {
  const drops = written.map(([, stored]) => dropOf(stored))
  expect(drops.some(isBlocked)).toBe(false)
  expect(drops.every(({ thresholds }) => thresholds === null)).toBe(true)
  expect(drops.map((drop) => lastDropOf(drop)?.at ?? null)).toEqual([...Array(3).fill(2_000), ...Array(10).fill(null)])
})

test('a stored drop that no state has is read as the nearest one', () => {
  const kindOf = (stored: Partial<StoredDrop>) => dropOf({ ...suspect, ...stored })
  expect(kindOf({ flapping: true, notified: true, ...back })).toEqual(dropOf(suspect))
  expect(kindOf({ incident: 'i', recoveryConfirmed: true })).toMatchObject({
    kind: 'recovered',
    back: { at: 2_000, notBefore: null },
  })
})

test.each([null, 'job', {}, { ...expected, until: 'later' }, { sentAt: 1, until: 2 }])(
  'a stored reboot that is none (%j) explains nothing',
  (value) => {
    expect(dropOf({ ...suspect, expected: value })).toMatchObject({ kind: 'suspect', expected: null })
  },
)
