import { expect, test } from 'vitest'
import { openHour } from '../../../src-main/pacing/balance/hour.ts'

const minute = 60_000
const none = { person: 0, reconcile: 0, visible: 0, background: 0 }

function setup(now = 1_000 * minute + 20_000) {
  const clock = { at: now, now: () => clock.at }
  return { clock, hour: openHour(clock) }
}

test('points are counted by minute, lane and operation, the most expensive first', () => {
  const { clock, hour } = setup()
  hour.spent({ name: 'Devices', lane: 'background' }, 400)
  hour.spent({ name: 'Mine', lane: 'person' }, 50)
  clock.at += minute
  hour.spent({ name: 'Devices', lane: 'background' }, 100)
  hour.spent({ name: 'Devices', lane: 'visible' }, 7)
  expect(hour.read()).toMatchObject({
    from: 1_000 * minute + 20_000,
    until: clock.at,
    minutes: [
      { at: 1_000 * minute, burned: { ...none, background: 400, person: 50 } },
      { at: 1_001 * minute, burned: { ...none, background: 100, visible: 7 } },
    ],
    activities: [
      { name: 'Devices', lane: 'background', points: 500, count: 2 },
      { name: 'Mine', lane: 'person', points: 50, count: 1 },
      { name: 'Devices', lane: 'visible', points: 7, count: 1 },
    ],
  })
})

test('rejections, other clients and the lowest balance belong to their minute', () => {
  const { clock, hour } = setup()
  hour.reported(900)
  hour.reported(200)
  hour.reported(700)
  hour.byOthers(0)
  hour.byOthers(120)
  hour.rejected()
  clock.at += minute
  hour.rejected()
  expect(hour.read().minutes).toEqual([
    { at: 1_000 * minute, burned: none, others: 120, rejected: 1, lowest: 200 },
    { at: 1_001 * minute, burned: none, others: 0, rejected: 1, lowest: null },
  ])
})

test('what is older than the hour is gone, also without a new charge', () => {
  const { clock, hour } = setup()
  hour.spent({ name: 'Devices', lane: 'background' }, 400)
  clock.at = 1_059 * minute + 59_999
  expect(hour.read()).toMatchObject({ from: 1_000 * minute + 20_000, minutes: [{ at: 1_000 * minute }] })
  clock.at += 1
  expect(hour.read()).toEqual({ from: 1_001 * minute, until: clock.at, minutes: [], activities: [] })
})

test('a clock that is set back shows no minutes that are still to come', () => {
  const { clock, hour } = setup()
  hour.spent({ name: 'Devices', lane: 'background' }, 400)
  clock.at -= 10 * minute
  expect(hour.read()).toMatchObject({ from: clock.at, until: clock.at, minutes: [], activities: [] })
  hour.spent({ name: 'Devices', lane: 'background' }, 3)
  expect(hour.read().activities).toMatchObject([{ points: 3 }])
})

test('what was read is not changed by later charges', () => {
  const { hour } = setup()
  hour.spent({ name: 'Devices', lane: 'background' }, 1)
  const before = hour.read()
  hour.spent({ name: 'Devices', lane: 'background' }, 1)
  expect(before).toMatchObject({ minutes: [{ burned: { background: 1 } }], activities: [{ points: 1 }] })
})
