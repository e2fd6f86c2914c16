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
}
const down = { ...suspect, incident: 'i' }
const back = { recoveredAt: 4_000, recoveredNotBefore: 3_000 }

/** What the journal holds of drops: each state that was ever written. */
const written: [string, StoredDrop][] = [
  ['suspect', suspect],
  ['suspect', { ...suspect, notBefore: null }],
  ['down', down],
  ['down', { ...down, notified: true }],
  ['recovering', { ...down, ...back }],
  ['recovering', { ...down, ...back, notified: true, recoveredNotBefore: null }],
  ['recovered', { ...down, ...back, notified: true, recoveryConfirmed: true }],
  ['flapping', { ...down, flapping: true }],
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
  expect(drops.map((drop) => lastDropOf(drop)?.at ?? null)).toEqual([2_000, 2_000, ...Array(7).fill(null)])
})

test('a stored drop that no state has is read as the nearest one', () => {
  const kindOf = (stored: Partial<StoredDrop>) => dropOf({ ...suspect, ...stored })
  expect(kindOf({ flapping: true, notified: true, ...back })).toEqual(dropOf(suspect))
  expect(kindOf({ incident: 'i', recoveryConfirmed: true })).toMatchObject({
    kind: 'recovered',
    back: { at: 2_000, notBefore: null },
  })
})
