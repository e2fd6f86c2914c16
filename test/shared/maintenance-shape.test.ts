import {
  type MaintenanceTimes,
  maintenanceWindow,
  storedMaintenance,
} from '../../src-shared/maintenance/maintenance.ts'
import { fri, mon, monthly, sat, sun, weekly, windowOf } from './maintenance-cases.ts'
import { describe, expect, test } from 'vitest'

describe('the shape of a maintenance window', () => {
  const problems = (more: object) =>
    maintenanceWindow
      .safeParse({ ...windowOf(weekly([fri], '18:00', 240)), ...more })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

  test('accepts any valid window', () => {
    for (const when of [
      weekly([mon, sun], '00:00', 10_080),
      monthly(-1, sun, '23:59', 1),
      { kind: 'once', from: 1, until: 2 },
    ])
      expect(problems({ when, zone: 'Asia/Kathmandu', until: 5 })).toEqual([])
  })

  test.each<[object, string]>([
    [{ name: '  ' }, 'name: Give it a name.'],
    [{ zone: 'Europe/Bärlin' }, 'zone: This time zone is not known here.'],
    [{ when: weekly([], '18:00', 240) }, 'when.days: Choose a day.'],
    [{ when: weekly([fri], '24:00', 240) }, 'when.from: A time looks like 18:00.'],
    [{ when: weekly([fri], '8:00', 240) }, 'when.from: A time looks like 18:00.'],
    [{ when: weekly([fri], '18:00', 0) }, 'when.minutes: It lasts at least a minute.'],
    [{ when: weekly([fri], '18:00', 1441, 'at') }, 'when.minutes: A time of day comes within a day.'],
    [{ when: weekly([fri], '18:00', 10_081) }, 'when.minutes: It lasts a week at most.'],
    [{ when: { kind: 'once', from: 2, until: 2 } }, 'when.until: It ends before it begins.'],
  ])('rejects an invalid window (%#)', (more, problem) => expect(problems(more)).toEqual([problem]))

  test('rejects a week or a day that no month has', () => {
    for (const when of [
      { ...monthly(1, sun, '02:00', 60), week: 0 },
      { ...monthly(1, sun, '02:00', 60), week: 5 },
      monthly(1, 7, '02:00', 60),
      weekly([7], '02:00', 60),
    ])
      expect(problems({ when })).not.toEqual([])
  })
})

test('stored maintenance without an end kind ends at a time of day, or by length from a day on', () => {
  const older = (when: MaintenanceTimes) => {
    const { ends, ...rest } = { ends: 'none', ...when }
    expect(ends).not.toBe('none')
    return storedMaintenance({ ...windowOf(when), when: rest })?.when
  }
  expect(older(weekly([sat], '23:00', 360))).toEqual(weekly([sat], '23:00', 360, 'at'))
  expect(older(monthly(-1, sun, '02:00', 1439))).toEqual(monthly(-1, sun, '02:00', 1439, 'at'))
  expect(older(weekly([fri], '18:00', 60 * 60))).toEqual(weekly([fri], '18:00', 60 * 60, 'after'))
  const stored = windowOf(weekly([sat], '23:00', 360))
  expect(storedMaintenance(stored)).toEqual(stored)
  expect(storedMaintenance(windowOf({ kind: 'once', from: 1, until: 2 }))?.when).toEqual({
    kind: 'once',
    from: 1,
    until: 2,
  })
  expect([storedMaintenance({ when: { kind: 'weekly', minutes: 5 } }), storedMaintenance(null)]).toEqual([
    undefined,
    undefined,
  ])
})
