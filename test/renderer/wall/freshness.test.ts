import { expect, test } from 'vitest'
import { oldLines } from '../../../src-renderer/wall/freshness.ts'

const now = Date.UTC(2026, 10, 24, 3, 12)
const minute = 60_000
const connection = (name: string, over: Partial<Parameters<typeof oldLines>[0]['connections'][number]> = {}) => ({
  name,
  link: { state: 'live', since: 0 } as const,
  paused: false,
  heardAt: now - 1000,
  lastReadingAt: now - minute,
  ...over,
})
const lines = (over: Partial<Parameters<typeof oldLines>[0]> = {}) =>
  oldLines(
    { reach: { state: 'reached' }, answeredAt: now - 4000, connections: [connection('Acme')], ...over },
    now,
    'utc',
  )

test('a live picture says nothing', () => {
  expect(lines()).toEqual([])
  expect(lines({ answeredAt: null })).toEqual([])
})

test('a core that does not answer comes first, whatever the connections say', () => {
  expect(lines({ reach: { state: 'lost', at: now - 12 * minute } })).toEqual([
    'Muster’s core is not running: no answer for 12 min',
  ])
  expect(lines({ answeredAt: now - 15_001 })).toEqual(['Muster has not answered since 03:11:44, 15 s ago'])
  expect(lines({ answeredAt: now - 15_000 })).toEqual([])
})

test('connections without monitoring are named with their last word, the oldest first', () => {
  const waiting = { state: 'waiting', attempt: 2, retryAt: now } as const
  expect(
    lines({
      connections: [
        connection('Beta', { link: waiting, heardAt: now - 14 * minute }),
        connection('Acme'),
        connection('Ceres', { paused: true, heardAt: now - 3 * 60 * minute }),
        connection('Delta', { link: { state: 'connecting', attempt: 1 }, heardAt: null }),
      ],
    }),
  ).toEqual([
    'Delta: never heard',
    'Ceres: paused, last heard 00:12:00, 3 h ago',
    'Beta: last heard 02:58:00, 14 min ago',
  ])
  expect(lines({ connections: [] })).toEqual(['There is no connection'])
})
