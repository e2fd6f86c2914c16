import { describe, expect, test } from 'vitest'
import { onShift } from '../../../src-main/channels/rota.ts'
import { createZones } from '../../../src-shared/maintenance/zones.ts'
import type { Rota } from '../../../src-shared/model/channels.ts'

const zones = createZones()
const person = (name: string) => ({ name, address: `${name.toLowerCase()}@example.com` })
const rotaOf = (over: Partial<Rota> = {}): Rota => ({
  people: [person('Ann'), person('Ben'), person('Cem')],
  every: 'day',
  at: '09:00',
  from: '2026-11-27',
  ...over,
})
const who = (rota: Rota, at: string, zone = 'UTC') => onShift(rota, zones, zone, Date.parse(at))?.name

describe('turns of a day', () => {
  test('begin at the time of day and not before', () => {
    const at = ['2026-11-27T09:00:00Z', '2026-11-28T08:59:59.999Z', '2026-11-28T09:00:00Z', '2026-11-30T09:00:00Z']
    expect(at.map((time) => who(rotaOf(), time))).toEqual(['Ann', 'Ann', 'Ben', 'Ann'])
  })

  test('go on before the first day', () => {
    const at = ['2026-11-27T08:59:59Z', '2026-11-26T08:59:59Z', '2026-11-25T08:59:59Z', '2026-11-24T08:59:59Z']
    expect(at.map((time) => who(rotaOf(), time))).toEqual(['Cem', 'Ben', 'Ann', 'Cem'])
  })

  test('are by the clocks of the zone', () => {
    const rota = rotaOf({ at: '00:00' })
    expect(who(rota, '2026-11-26T15:00:00Z', 'Asia/Tokyo')).toBe('Ann')
    expect(who(rota, '2026-11-26T14:59:59Z', 'Asia/Tokyo')).toBe('Cem')
    expect(who(rota, '2026-11-27T04:59:59Z', 'America/New_York')).toBe('Cem')
    expect(who(rota, '2026-11-27T05:00:00Z', 'America/New_York')).toBe('Ann')
  })
})

test('turns of a week change after seven days, before the first one too', () => {
  const rota = rotaOf({ every: 'week' })
  const at = [
    '2026-11-27T09:00:00Z',
    '2026-12-04T08:59:59Z',
    '2026-12-04T09:00:00Z',
    '2026-11-27T08:59:59Z',
    '2026-11-20T09:00:00Z',
    '2026-11-20T08:59:59Z',
  ]
  expect(at.map((time) => who(rota, time))).toEqual(['Ann', 'Ann', 'Ben', 'Cem', 'Cem', 'Ben'])
})

test('one person is always on shift, and nobody when there is none', () => {
  const rota = rotaOf({ people: [person('Ann')] })
  expect(['1999-01-01T00:00:00Z', '2026-11-27T08:00:00Z', '2031-07-01T12:00:00Z'].map((at) => who(rota, at))).toEqual([
    'Ann',
    'Ann',
    'Ann',
  ])
  expect(onShift(rotaOf({ people: [] }), zones, 'UTC', 0)).toBeNull()
})

describe('when the clocks change', () => {
  const berlin = (rota: Rota, ...at: string[]) => at.map((time) => who(rota, time, 'Europe/Berlin'))

  test('in spring the shift changes at the time of day, an hour earlier', () => {
    const rota = rotaOf({ from: '2026-03-28' })
    expect(berlin(rota, '2026-03-28T08:00:00Z', '2026-03-29T06:59:59Z', '2026-03-29T07:00:00Z')).toEqual([
      'Ann',
      'Ann',
      'Ben',
    ])
  })

  test('in autumn the shift changes at the time of day, an hour later', () => {
    const rota = rotaOf({ from: '2026-10-24' })
    expect(berlin(rota, '2026-10-24T07:00:00Z', '2026-10-25T07:59:59Z', '2026-10-25T08:00:00Z')).toEqual([
      'Ann',
      'Ann',
      'Ben',
    ])
  })

  test('a time that is skipped changes the shift at the end of the gap', () => {
    const rota = rotaOf({ at: '02:30', from: '2026-03-28' })
    expect(berlin(rota, '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z')).toEqual(['Ann', 'Ben'])
  })

  test('a time that comes twice changes the shift once, and not back', () => {
    const rota = rotaOf({ at: '02:30', from: '2026-10-24' })
    const half = ['2026-10-25T00:29:59Z', '2026-10-25T00:30:00Z', '2026-10-25T01:15:00Z', '2026-10-25T01:30:00Z']
    expect(berlin(rota, ...half)).toEqual(['Ann', 'Ben', 'Ben', 'Ben'])
  })
})
