import { expect, test } from 'vitest'
import { reportInput } from '../../../../src-main/reports/availability.ts'
import { createZones } from '../../../../src-shared/maintenance/zones.ts'
import type { MaintenanceWindow } from '../../../../src-shared/maintenance/maintenance.ts'

const zones = createZones()
const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2026, 10, 3, 12, 0, 30)
const window: MaintenanceWindow = {
  id: 'w',
  name: 'Patch',
  node: 't:x/acme',
  nodeName: 'Acme',
  when: { kind: 'weekly', days: [0], from: '02:00', ends: 'at', minutes: 120 },
  zone: null,
  createdAt: 0,
  until: null,
}
const policies = {
  ownZone: 'UTC',
  windows: [{ window, zone: 'Europe/Berlin', inheritedFrom: null }],
  zones: [],
  thresholds: [],
  places: [],
}
const inputOf = (over: Partial<Parameters<typeof reportInput>[0]> = {}) =>
  reportInput(
    { place: 'all', from: Date.UTC(2026, 9, 24), until: now + day, zone: 'Europe/Berlin', hours: null, ...over },
    policies,
    zones,
    now,
  )

test('a report ends with the last whole minute, and its days are those of its zone', () => {
  const { from, until, days } = inputOf()
  expect(until).toBe(Date.UTC(2026, 10, 3, 12))
  expect([days[0], days.at(-1)]).toEqual([from, until])
  // The clocks were set back on 25 October.
  expect(days.slice(1, 4).map((at) => new Date(at).toISOString())).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
    '2026-10-26T23:00:00.000Z',
  ])
  expect(inputOf({ until: now - day }).until).toBe(now - day)
})

test('maintenance and service hours are the times of their zones', () => {
  const { maintenance, hours } = inputOf({ hours: { days: [1], from: '22:00', until: '06:00' } })
  expect(maintenance[0]?.spans.map(({ from }) => new Date(from).toISOString())).toEqual([
    '2026-10-26T01:00:00.000Z',
    '2026-11-02T01:00:00.000Z',
  ])
  expect(hours).toEqual([{ from: Date.UTC(2026, 9, 27, 21), until: Date.UTC(2026, 9, 28, 5) }])
  const always = inputOf({ hours: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', until: '00:00' } }).hours ?? []
  expect(always.reduce((sum, { from, until }) => sum + until - from, 0)).toBeGreaterThanOrEqual(10 * day)
})

test('a time that is none is rejected', () => {
  expect(() => inputOf({ until: Date.UTC(2026, 9, 24) })).toThrow(/not after the beginning/u)
  expect(() => inputOf({ from: now + hour, until: now + day })).toThrow(/not begun/u)
  expect(() => inputOf({ from: now - 402 * day })).toThrow(/400 days/u)
})
