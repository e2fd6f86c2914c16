import { describe, expect, test } from 'vitest'
import {
  colourings,
  countsText,
  dataText,
  legendOf,
  lookOf,
  sizesOf,
  tileNote,
} from '../../../src-renderer/overview/map/looks.ts'
import { dataSince, extremesOf, fleetDay, lineOf } from '../../../src-renderer/overview/numbers/fleet-day.ts'
import { lineText, quantityText } from '../../../src-renderer/overview/numbers/numbers.tsx'
import { barOf, byWorst, dayMs } from '../../../src-renderer/overview/incidents/timeline.ts'
import { tenantCards } from '../../../src-renderer/overview/tenants/tenant-cards.ts'
import type { MapPlaces } from '../../../src-renderer/overview/map/layout.ts'
import { incidentOf } from '../support/incident-stub.ts'

const hour = 3_600_000
const from = Date.UTC(2026, 10, 25, 12)
const tenant = (id: string, up: number[], down: number[]) => ({ id, devices: 10, up, down })

describe('the last 24 hours', () => {
  const day = fleetDay({
    from,
    until: from + 4 * hour,
    tenants: [tenant('t:a', [0, 6, 8, 9], [0, 4, 2, 1]), tenant('t:b', [0, 0, 5, 4], [0, 0, 5, 6])],
  })

  test('are the sum of the tenants, and a part without data is a gap, never zero', () => {
    expect(lineOf(day, 'online', 20).values).toEqual([null, 6, 13, 13])
    expect(lineOf(day, 'offline', 20).values).toEqual([null, 4, 7, 7])
    expect(lineOf(day, 'unknown', 20).values).toEqual([null, 10, 0, 0])
    expect(lineOf(day, 'share', 20).values).toEqual([null, 0.6, 0.65, 0.65])
  })

  test('say from when on there is data', () => {
    const line = lineOf(day, 'offline', 20)
    expect(dataSince(line)).toBe(from + hour)
    expect(lineText('Offline', 'offline', line, 'utc')).toBe(
      'Offline over the last 24 hours: lowest 4 at 13:00, highest 7 at 14:00, last 7. No data before 13:00.',
    )
    const nothing = { ...line, values: [null, null] }
    expect([dataSince(nothing), extremesOf(nothing)]).toEqual([null, null])
    expect(lineText('Offline', 'offline', nothing, 'utc')).toBe('Offline over the last 24 hours: no data.')
  })

  test('a share is not rounded up to all, and no value is a dash', () => {
    expect(quantityText('share', 0.9999)).toBe('99.9\u00A0%')
    expect([quantityText('share', 1), quantityText('online', 4812), quantityText('share', null)]).toEqual([
      '100\u00A0%',
      '4,812',
      '–',
    ])
  })
})

describe('a tile', () => {
  test('shows its share offline by height, and devices without a known status by hatching', () => {
    expect(lookOf('state', { offline: 3, unknown: 1, online: 4 }, undefined)).toEqual({
      fill: 0.375,
      tone: 'bad',
      hatched: 0.125,
    })
    expect(lookOf('state', { offline: 0, unknown: 0, online: 0 }, undefined).hatched).toBe(1)
  })

  test('is hatched where the journal has nothing, and the fuller the worse it was', () => {
    const counts = { offline: 0, unknown: 0, online: 10 }
    const at = (up: number, down: number, disconnects = 0) => ({ up, down, disconnects })
    expect(lookOf('availability', counts, undefined).hatched).toBe(1)
    expect(
      [at(1000, 0), at(995, 5), at(960, 40), at(900, 100), at(1, 9)].map(
        (past) => lookOf('availability', counts, past).fill,
      ),
    ).toEqual([0, 0.2, 0.45, 0.7, 1])
    expect([0, 5, 10, 30, 31].map((count) => lookOf('disconnects', counts, at(1, 0, count)).fill)).toEqual([
      0, 0.2, 0.45, 0.7, 1,
    ])
    for (const { value: colouring } of colourings)
      expect(new Set(legendOf(colouring).map(({ look }) => `${look.fill} ${look.hatched}`)).size).toBe(
        legendOf(colouring).length,
      )
  })

  test('is the fuller the more devices are behind their target, and the older its data', () => {
    const counts = { offline: 0, unknown: 0, online: 10 }
    const at = (known: number, behind: number, age = 0) => ({ known, behind, age })
    const none = { fill: 0, tone: 'warn', hatched: 1 }
    expect(lookOf('firmware', counts, at(0, 0))).toEqual(none)
    expect(lookOf('firmware', counts, undefined)).toEqual(none)
    expect([0, 5, 6, 21, 51].map((behind) => lookOf('firmware', counts, at(100, behind)).fill)).toEqual([
      0, 0.2, 0.45, 0.7, 1,
    ])
    expect([0.25, 1, 24, 7 * 24, 169].map((hours) => lookOf('age', counts, at(0, 0, hours * hour)).fill)).toEqual([
      0, 0.2, 0.45, 0.7, 1,
    ])
    const of = (known: number, behind: number) => [
      dataText('firmware', at(known, behind)),
      tileNote('firmware', counts, at(known, behind)),
    ]
    expect(of(24, 3)).toEqual(['3 of 24 behind target', '3 of 24'])
    expect(of(0, 0)).toEqual(['no target, or version not known', 'no data'])
    expect([dataText('age', at(0, 0, 2 * hour)), tileNote('age', counts, at(0, 0, 2 * hour))]).toEqual([
      'oldest data 2 h old',
      '2 h',
    ])
    expect([dataText('age', undefined), tileNote('age', counts, undefined)]).toEqual(['no data', 'no data'])
  })

  test('has the area of its devices, of those offline, or of any other; none without devices', () => {
    const counts = [2, 0, 3, 0, 1, 0, 0, 0, 0]
    const sizes = (['devices', 'offline', 'equal'] as const).map((each) => sizesOf(each, [5, 1, 0], counts))
    expect(sizes).toEqual([
      [5, 1, 0],
      [2, 0, 0],
      [1, 1, 0],
    ])
  })

  test('is told in words', () => {
    expect(countsText({ offline: 3, unknown: 2, online: 19 })).toBe('3 of 24 offline, 2 unknown')
    expect(countsText({ offline: 0, unknown: 2, online: 0 })).toBe('2 of 2 unknown')
    expect(countsText({ offline: 0, unknown: 0, online: 24 })).toBe('24 online')
    expect(dataText('availability', { up: 972, down: 28, disconnects: 1 })).toBe(
      '97.2\u00A0% online in 7 days, 1 disconnect',
    )
    expect(dataText('availability', undefined)).toBe('no data in 7 days')
    const [counts, past] = [
      { offline: 3, unknown: 0, online: 21 },
      { up: 972, down: 28, disconnects: 12 },
    ]
    expect((['state', 'availability', 'disconnects'] as const).map((each) => tileNote(each, counts, past))).toEqual([
      '3 of 24',
      '97.2\u00A0%',
      '12×',
    ])
    expect(tileNote('availability', counts, undefined)).toBe('no data')
  })
})

describe('the tenants', () => {
  const places: MapPlaces = {
    kind: 'site',
    groups: [
      { id: 'r:eu', kind: 'region', name: 'EU-1', parent: null },
      { id: 't:a', kind: 'tenant', name: 'Acme', parent: 0 },
      { id: 'a:a', kind: 'account', name: 'North', parent: 1 },
      { id: 't:b', kind: 'tenant', name: 'Beta', parent: 0 },
      { id: 't:c', kind: 'tenant', name: 'Cobalt', parent: 0 },
    ],
    tiles: [
      { id: 's:1', name: 'One', group: 2 },
      { id: 's:2', name: 'Two', group: 1 },
      { id: 's:3', name: 'Three', group: 3 },
      { id: 's:4', name: 'Four', group: 4 },
    ],
    leftOut: 0,
  }
  const open = (tenantId: string, severity: 'critical' | 'minor') =>
    incidentOf('i', { severity, places: [{ id: tenantId, kind: 'tenant', name: '' }] })

  test('have the sums of their places, and the one with the most offline devices is first', () => {
    const cards = tenantCards({
      places,
      counts: [1, 0, 9, 2, 1, 0, 7, 0, 3, 0, 5, 0],
      day: { from, until: from + hour, tenants: [tenant('t:a', [9], [1])] },
      incidents: [open('t:a', 'minor'), open('t:a', 'critical'), open('t:c', 'minor')],
    })
    expect(cards.map(({ name, counts, incidents, worst }) => [name, counts, incidents, worst])).toEqual([
      ['Beta', { offline: 7, unknown: 0, online: 3 }, 0, null],
      ['Acme', { offline: 3, unknown: 1, online: 9 }, 2, 'critical'],
      ['Cobalt', { offline: 0, unknown: 5, online: 0 }, 1, 'minor'],
    ])
    expect(cards.map(({ region, day }) => [region, day?.up])).toEqual([
      ['EU-1', []],
      ['EU-1', [9]],
      ['EU-1', []],
    ])
  })
})

describe('the timeline of open incidents', () => {
  const now = from + dayMs

  test('a bar begins when the incident did, or at the edge, and is seen however young', () => {
    expect(barOf({ since: from + 12 * hour, foundAt: 0 }, now)).toEqual({
      from: 0.5,
      until: 1,
      isEarlier: false,
      isFound: false,
    })
    expect(barOf({ since: null, foundAt: from - hour }, now)).toMatchObject({ from: 0, isEarlier: true, isFound: true })
    expect(barOf({ since: now + hour, foundAt: now }, now).from).toBeLessThan(1)
  })

  test('the worst come first, and of those the latest', () => {
    const [minor, old, young] = [
      incidentOf('i', { severity: 'minor', since: 9 }),
      incidentOf('i', { severity: 'critical', since: 1 }),
      incidentOf('i', { severity: 'critical', since: 5 }),
    ]
    expect([minor, old, young].toSorted(byWorst)).toEqual([young, old, minor])
  })
})
