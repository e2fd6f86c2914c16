import { expect, test } from 'vitest'
import { firstDraft, requestOf, type ReportDraft } from '../../../src-renderer/overview/report/draft.ts'
import { createZones } from '../../../src-shared/maintenance/zones.ts'

const zones = createZones()
/** Tuesday, 24 November 2026, 23:30 UTC: Wednesday in Berlin. */
const now = Date.UTC(2026, 10, 24, 23, 30)
const asked = (over: Partial<ReportDraft>, zone = 'Europe/Berlin') =>
  requestOf({ ...firstDraft, ...over }, 'all', { zone, zones, now })
const times = (over: Partial<ReportDraft>, zone?: string) => {
  const found = asked(over, zone)
  return 'problem' in found
    ? found.problem
    : [found.request.from, found.request.until].map((at) => new Date(at).toISOString().slice(0, 16))
}

test('weeks begin on Monday and months on their first day, in the zone of the place', () => {
  expect(times({ span: 'last-week' })).toEqual(['2026-11-15T23:00', '2026-11-22T23:00'])
  expect(times({ span: 'last-month' })).toEqual(['2026-09-30T22:00', '2026-10-31T23:00'])
  expect(times({ span: '7d' })).toEqual(['2026-11-17T23:00', '2026-11-24T23:00'])
  expect(times({ span: '7d' }, 'UTC')).toEqual(['2026-11-17T00:00', '2026-11-24T00:00'])
})

test('dates have their last day, and what is no time says why', () => {
  expect(times({ span: 'custom', first: '2026-10-24', last: '2026-10-25' })).toEqual([
    '2026-10-23T22:00',
    '2026-10-25T23:00',
  ])
  expect(times({ span: 'custom', first: '', last: '2026-10-25' })).toBe('Enter the first and the last day.')
  expect(times({ span: 'custom', first: '2026-10-26', last: '2026-10-25' })).toBe('The last day is before the first.')
  expect(times({ span: 'custom', first: '2026-12-01', last: '2026-12-02' })).toBe('The first day has not begun yet.')
  expect(times({ span: 'custom', first: '2025-01-01', last: '2026-10-25' })).toBe('The journal has 400 days.')
})

test('service hours need a day and both times', () => {
  expect(asked({ isService: true })).toMatchObject({
    request: { hours: { days: [0, 1, 2, 3, 4], from: '08:00', until: '18:00' } },
  })
  expect(asked({})).toMatchObject({ request: { hours: null } })
  expect(times({ isService: true, days: [] })).toBe('Choose a day of the service hours.')
  expect(times({ isService: true, ends: '' })).toBe('Enter when the service hours begin and end.')
})
