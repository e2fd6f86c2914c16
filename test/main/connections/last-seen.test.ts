import { expect, test } from 'vitest'
import { openLastSeen } from '../../../src-main/connections/stored/last-seen.ts'
import type { Settings } from '../../../src-main/ports.ts'
import { manualClock } from '../../support/clock.ts'

function open(stored: Record<string, unknown> = {}) {
  const kept = new Map(Object.entries(stored))
  let writes = 0
  let reads = 0
  let full = false
  const settings: Settings = {
    damaged: null,
    get(key) {
      reads += 1
      return kept.get(key)
    },
    set(key, value) {
      if (full) throw new Error('ENOSPC')
      writes += 1
      if (value === undefined) kept.delete(key)
      else kept.set(key, structuredClone(value))
    },
  }
  const clock = manualClock()
  const log: string[] = []
  const again = () => openLastSeen(settings, clock, (_level, text) => void log.push(text))
  return {
    lastSeen: again(),
    again,
    clock,
    kept,
    log,
    writes: () => writes,
    reads: () => reads,
    fill: (on: boolean) => {
      full = on
    },
  }
}

test("a sync's time is on disk within seconds, a message's within a minute", async () => {
  const { lastSeen, clock, kept, writes } = open()
  lastSeen.note('a', { lastReadingAt: null, heardAt: 1 })
  lastSeen.note('b', { lastReadingAt: null, heardAt: 2 })
  await clock.advance(10_000)
  expect(writes()).toBe(0)
  lastSeen.note('a', { lastReadingAt: 5, heardAt: 5 })
  await clock.advance(3_000)
  expect([writes(), kept.get('readings')]).toMatchObject([
    1,
    { a: { lastReadingAt: 5, heardAt: 5 }, b: { lastReadingAt: null, heardAt: 2 } },
  ])
  lastSeen.note('b', { lastReadingAt: null, heardAt: 3 })
  lastSeen.note('b', { lastReadingAt: null, heardAt: 4 })
  await clock.advance(60_000)
  expect(writes()).toBe(2)
})

test('stored times are there after a restart, and unchanged ones are not written', async () => {
  const { lastSeen, again, clock, writes } = open()
  lastSeen.note('a', { lastReadingAt: 5, heardAt: 6 })
  lastSeen.stop()
  const next = again()
  expect(next.of('a')).toMatchObject({ lastReadingAt: 5, heardAt: 6 })
  next.note('a', { lastReadingAt: 5, heardAt: 6 })
  next.stop()
  await clock.advance(100_000)
  expect(writes()).toBe(1)
})

test("times that are not given stay, and an extra column's sync is stored as soon as a sync", async () => {
  const { lastSeen, again, clock, kept } = open()
  lastSeen.note('a', { lastReadingAt: 5, lastEventAt: 4 })
  lastSeen.note('a', { columns: { serialNumber: 7 } })
  await clock.advance(3_000)
  expect(kept.get('readings')).toEqual({
    a: { lastReadingAt: 5, lastEventAt: 4, heardAt: null, columns: { serialNumber: 7 } },
  })
  expect(again().of('a').columns).toEqual({ serialNumber: 7 })
})

test('a removed connection leaves nothing', () => {
  const { lastSeen, kept } = open({
    readings: { a: { lastReadingAt: 1, heardAt: 1 }, b: { lastReadingAt: 2, heardAt: 2 } },
  })
  lastSeen.forget(['a'])
  expect([...kept]).toMatchObject([['readings', { b: { lastReadingAt: 2, heardAt: 2 } }]])
})

test('damaged settings cost the ages alone', () => {
  for (const readings of ['x', [1], { a: 'x' }, { a: { lastReadingAt: 'y', heardAt: null } }]) {
    expect(open({ readings }).lastSeen.of('a')).toMatchObject({ lastReadingAt: null, heardAt: null })
  }
})

test('a full disk is logged and ends nothing', async () => {
  const { lastSeen, clock, log, fill, kept } = open()
  fill(true)
  lastSeen.note('a', { lastReadingAt: 1, heardAt: 1 })
  await clock.advance(3_000)
  expect(log).toEqual(['the times of the readings could not be kept'])
  fill(false)
  lastSeen.note('a', { lastReadingAt: 2, heardAt: 1 })
  await clock.advance(3_000)
  expect(kept.get('readings')).toMatchObject({ a: { lastReadingAt: 2, heardAt: 1 } })
})

test('the settings are not read anew for each lookup', () => {
  const { lastSeen, reads } = open()
  lastSeen.of('a')
  const before = reads()
  for (let n = 0; n < 100; n += 1) lastSeen.of('a')
  expect(reads()).toBe(before)
})
