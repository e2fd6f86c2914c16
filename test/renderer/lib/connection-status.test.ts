import {
  connectionText,
  lastSync,
  connectionsTone,
  connectionsText,
  syncsText,
} from '../../../src-renderer/lib/format/connection-status.ts'
import {
  lastKnownText,
  pointsText,
  resetText,
  scarcest,
  staleShort,
  staleText,
} from '../../../src-renderer/lib/format/points.ts'
import { canRetry, isFaulty } from '../../../src-renderer/lib/format/faults.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { connection, gauge, hour, minute, now } from '../support/samples.ts'
import { describe, expect, test } from 'vitest'

describe('connections, syncs and points', () => {
  const waiting: ConnectionState = {
    ...connection,
    link: { state: 'waiting', attempt: 3, retryAt: now + 12_000 },
    lastReadingAt: null,
  }

  test('a single connection is named, several are counted', () => {
    expect(connectionsText([], now)).toBe('No connection')
    expect(connectionsText([waiting], now)).toBe('Waiting, next try in 12 s')
    expect(connectionsText([connection, connection, waiting], now)).toBe('2 of 3 live')
    expect(connectionsText([connection, connection, { ...waiting, paused: true }], now)).toBe('2 of 2 live, 1 paused')
    expect([
      connectionsTone([connection, waiting]),
      connectionsTone([connection, { ...waiting, paused: true }]),
      connectionsTone([waiting]),
    ]).toEqual(['partly', 'good', 'none'])
  })

  test('polling says why there is no live connection, and how old the data may be', () => {
    const failing = { kind: 'http', detail: 'HTTP 503' } as const
    const readings = (link: object): ConnectionState => ({ ...connection, link: { state: 'polling', ...link } })
    expect(connectionsText([readings({})], now)).toBe('Polling')
    expect(connectionsText([readings({ readAt: now - 61_000 })], now)).toBe('Polling: status is up to 2 min old')
    expect(connectionsText([readings({ readAt: now - 5_000, failing })], now)).toBe(
      'Polling: the live stream fails (the service answered with an error), status is up to 1 min old',
    )
    expect([connectionsTone([readings({})]), connectionsTone([readings({ failing })])]).toEqual(['good', 'partly'])
  })

  test('a wait for the operator or a missing secret has no countdown', () => {
    expect(connectionText({ ...waiting, paused: true }, now)).toBe('Paused')
    expect(connectionText({ ...waiting, secret: 'missing' }, now)).toBe('Waiting for the secret')
    expect(connectionText(waiting, now)).toBe('Waiting, next try in 12 s')
    expect([
      canRetry(waiting),
      canRetry({ ...waiting, paused: true }),
      canRetry({ ...waiting, secret: 'missing' }),
      canRetry(connection),
    ]).toEqual([true, false, false, false])
    expect([
      isFaulty(waiting),
      isFaulty({ ...waiting, paused: true }),
      isFaulty({ ...waiting, secret: 'missing' }),
      isFaulty(connection),
    ]).toEqual([true, false, true, false])
  })

  test('syncs add up, and waiting for points is shown when none runs', () => {
    const reading = (read: number, expected: number | null): ConnectionState => ({
      ...connection,
      sync: { state: 'syncing', what: 'inventory', read, expected, tenantsDone: 0, tenants: 1 },
    })
    const holding: ConnectionState = {
      ...connection,
      sync: { state: 'holding', what: 'inventory', read: 1, expected: 2, until: now + 41_000 },
    }
    expect(syncsText([reading(1200, 2000), reading(2000, 3000), holding], now, [])).toBe('Syncing 3,200 of 5,000')
    expect(syncsText([reading(1200, 2000), reading(5, null)], now, [])).toBe('Syncing 1,205 so far')
    expect(syncsText([holding, connection], now, [])).toBe('Waiting for points, 41 s: 1 of 2 read')
    const away: ConnectionState = { ...holding, sync: { ...holding.sync, why: 'service' } as ConnectionState['sync'] }
    expect(syncsText([away], now, [])).toBe('The service is unavailable, it asks to wait, 41 s: 1 of 2 read')
    expect(syncsText([connection], now, [])).toBe('')
  })

  test('the last sync is the oldest one, and none while one is missing', () => {
    expect(lastSync([connection, { ...connection, lastReadingAt: now }])).toEqual({ at: now - hour, unread: 0 })
    expect(lastSync([connection, waiting])).toEqual({ at: now - hour, unread: 1 })
    expect(lastSync([connection, { ...waiting, paused: true }])).toEqual({ at: now - hour, unread: 0 })
    expect(lastSync([waiting])).toEqual({ at: null, unread: 1 })
  })

  test('a balance that no service reports any more is the last one, with its time', () => {
    const reckoned = {
      ...gauge,
      remaining: 100_000,
      reported: { remaining: 22_639, at: now - minute, resetAt: now - 20_000 },
    }
    expect([
      pointsText(lastKnownText(reckoned)),
      staleText(reckoned, now, 'local'),
      staleShort(reckoned, now, 'local'),
    ]).toEqual([
      '22,639 of 100,000 points left',
      'last known at 11:59:00; reset since, so probably 100,000',
      'at 11:59, reset since',
    ])
    expect(staleText({ ...reckoned, reported: { ...reckoned.reported, resetAt: now + 1 } }, now, 'local')).toBe(
      'last known at 11:59:00',
    )
    expect(lastKnownText(gauge)).toBe(gauge)
  })

  test('points say when they are an estimate, and that they are unknown after the reset', () => {
    expect(pointsText(gauge)).toBe('84,200 of 100,000 points left')
    expect(pointsText({ ...gauge, known: false })).toContain('a guess')
    expect([
      resetText(gauge, now),
      resetText({ ...gauge, resetAt: now - 9000 }, now),
      resetText({ ...gauge, resetAt: null }, now),
    ]).toEqual(['resets in 23 s', 'reset 9 s ago', ''])
    expect([staleText(gauge, now, 'local'), staleText({ ...gauge, known: false }, now, 'local')]).toEqual([
      'last known',
      '',
    ])
    expect(scarcest([gauge, { ...gauge, name: 'b', remaining: 10 }])?.name).toBe('b')
  })
})
