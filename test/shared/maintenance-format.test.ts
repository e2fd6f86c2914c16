import { expect, test } from 'vitest'
import type { MaintenanceTimes, MaintenanceWindow } from '../../src-shared/maintenance/maintenance.ts'
import { describeWhen } from '../../src-shared/maintenance/format.ts'
import { createZones } from '../../src-shared/maintenance/zones.ts'

const at = (text: string) => Date.parse(text)
const windowOf = (when: MaintenanceTimes, until: number | null = null): MaintenanceWindow => ({
  id: 'w',
  name: 'Works',
  node: 'all',
  nodeName: 'Everything',
  when,
  zone: null,
  createdAt: at('2026-11-16T00:00Z'),
  until,
})
const once = (from: string, until: string): MaintenanceTimes => ({ kind: 'once', from: at(from), until: at(until) })
type Ends = 'at' | 'after'
const weekly = (days: number[], from: string, minutes: number, ends: Ends = 'at'): MaintenanceTimes => ({
  kind: 'weekly',
  days,
  from,
  ends,
  minutes,
})
const monthly = (
  week: 1 | 2 | 3 | 4 | -1,
  day: number,
  from: string,
  minutes: number,
  ends: Ends = 'at',
): MaintenanceTimes => ({ kind: 'monthly', week, day, from, ends, minutes })

test.each<[string, string, MaintenanceTimes]>([
  ['Every Fri 18:00 to 22:00, Europe/Berlin', 'Europe/Berlin', weekly([4], '18:00', 240)],
  ['20 Nov 18:00 to 21 Nov 02:00, Asia/Kolkata', 'Asia/Calcutta', once('2026-11-20T12:30Z', '2026-11-20T20:30Z')],
  ['20 Nov 18:00 to 22:15, Asia/Kathmandu', 'Asia/Kathmandu', once('2026-11-20T12:15Z', '2026-11-20T16:30Z')],
  ['31 Dec 2026 18:00 to 1 Jan 2027 02:00, UTC', 'UTC', once('2026-12-31T18:00Z', '2027-01-01T02:00Z')],
  ['20 Nov 2027 18:00 to 20:00, UTC', 'UTC', once('2027-11-20T18:00Z', '2027-11-20T20:00Z')],
  ['Last Sun of the month 02:00 to 06:00, America/New_York', 'America/New_York', monthly(-1, 6, '02:00', 240)],
  ['First Mon of the month 23:30 to 00:15, UTC', 'UTC', monthly(1, 0, '23:30', 45)],
  ['Fourth Sat of the month from 18:00 for 1 day 12 h, UTC', 'UTC', monthly(4, 5, '18:00', 36 * 60, 'after')],
  ['Every day 23:00 to 01:00, Europe/Kyiv', 'Europe/Kiev', weekly([0, 1, 2, 3, 4, 5, 6], '23:00', 120)],
  ['Every Mon–Fri 00:00 to 05:00, UTC', 'UTC', weekly([4, 3, 2, 1, 0, 0], '00:00', 300)],
  ['Every Sat and Sun 08:00 to 09:00, UTC', 'UTC', weekly([6, 5], '08:00', 60)],
  ['Every Mon–Wed, Fri and Sun 08:00 to 09:00, UTC', 'UTC', weekly([0, 1, 2, 4, 6], '08:00', 60)],
  ['Every Fri from 18:00 for 4 h, UTC', 'UTC', weekly([4], '18:00', 240, 'after')],
  ['Every Sun 00:00 to 00:00 the next day, UTC', 'UTC', weekly([6], '00:00', 24 * 60)],
  ['Every Mon and Thu from 18:00 for 1 day 12 h 5 min, UTC', 'UTC', weekly([0, 3], '18:00', 36 * 60 + 5, 'after')],
  ['Every Mon from 00:00 for 7 days, UTC', 'UTC', weekly([0], '00:00', 10_080, 'after')],
])('%s', (words, zone, when) => {
  expect(describeWhen(windowOf(when), zone, createZones())).toBe(words)
})

test('the last day of a maintenance window is the one in its zone', () => {
  const ending = windowOf(weekly([4], '18:00', 240), at('2027-02-28T20:00Z'))
  expect(describeWhen(ending, 'UTC', createZones())).toBe('Every Fri 18:00 to 22:00, until 28 Feb 2027, UTC')
  expect(describeWhen(ending, 'Asia/Kolkata', createZones())).toBe(
    'Every Fri 18:00 to 22:00, until 1 Mar 2027, Asia/Kolkata',
  )
})

test('the current year can be omitted', () => {
  const party = windowOf(once('2027-11-20T18:00Z', '2027-11-20T20:00Z'))
  expect(describeWhen(party, 'UTC', createZones(), at('2027-01-01T00:00Z'))).toBe('20 Nov 18:00 to 20:00, UTC')
  expect(describeWhen(party, 'America/New_York', createZones(), at('2027-01-01T00:00Z'))).toBe(
    '20 Nov 2027 13:00 to 15:00, America/New_York',
  )
})
