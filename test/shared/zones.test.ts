import { describe, expect, test } from 'vitest'
import { createZones, isZone, zoneAt, zones } from '../../src-shared/maintenance/zones.ts'

test("a place has the zone that was set nearest to it, or this computer's", () => {
  const set = new Map([
    ['region', 'America/New_York'],
    ['site', 'Asia/Kolkata'],
  ])
  expect(zoneAt(['room', 'site', 'tenant', 'region'], set, 'Europe/Berlin')).toEqual({
    zone: 'Asia/Kolkata',
    from: 'site',
  })
  expect(zoneAt(['tenant', 'region'], set, 'Europe/Berlin')).toEqual({ zone: 'America/New_York', from: 'region' })
  expect(zoneAt(['other'], set, 'Europe/Berlin')).toEqual({ zone: 'Europe/Berlin', from: null })
  expect(zoneAt([], set, 'Europe/Berlin')).toEqual({ zone: 'Europe/Berlin', from: null })
})

describe('zones', () => {
  test('are distinguished from other text', () => {
    expect(
      ['Europe/Berlin', 'europe/berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'UTC', 'Etc/GMT+5'].filter(
        (text) => !isZone(text),
      ),
    ).toEqual([])
    expect(['', ' ', 'Berlin', 'Europe/', '+02:00', 'Europe/Berlin ', 'UTC\n', '__proto__'].filter(isZone)).toEqual([])
  })

  test('can be chosen by their present names, each once, and are all known', () => {
    const all = zones()
    expect(all).toEqual(
      expect.arrayContaining(['Asia/Kathmandu', 'Asia/Kolkata', 'Europe/Berlin', 'Europe/Kyiv', 'Pacific/Apia', 'UTC']),
    )
    expect(all).not.toContain('Asia/Calcutta')
    expect(all.length).toBeGreaterThan(400)
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((zone) => !isZone(zone))).toEqual([])
  })

  test('change their offset at the exact moment', () => {
    const { offsetAt } = createZones()
    const change = Date.parse('2026-03-29T01:00Z')
    expect([change - 1, change].map((at) => offsetAt('Europe/Berlin', at) / 3_600_000)).toEqual([1, 2])
    expect([-1, 0].map((ms) => offsetAt('Pacific/Apia', Date.parse('2011-12-30T10:00Z') + ms) / 3_600_000)).toEqual([
      -10, 14,
    ])
    // Seven days apart: the shortest summer of all.
    expect(
      ['2000-10-07', '2000-10-09', '2000-10-14', '2000-10-16'].map(
        (day) => offsetAt('America/Boa_Vista', Date.parse(day)) / 3_600_000,
      ),
    ).toEqual([-4, -3, -3, -4])
    expect(offsetAt('Africa/Monrovia', 0)).toBe(-(44 * 60 + 30) * 1000)
  })

  test('that are unknown throw', () => {
    const { offsetAt, firstAt } = createZones()
    expect(() => offsetAt('Mars/Olympus', 0)).toThrow(RangeError)
    expect(() => firstAt('Mars/Olympus', 0)).toThrow(RangeError)
  })
})
