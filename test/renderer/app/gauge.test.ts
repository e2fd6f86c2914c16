import { describe, expect, test } from 'vitest'
import * as operations from '../../../src-main/api/operations.ts'
import type { Gauge, WaitWhy } from '../../../src-shared/model/gauge.ts'
import type { ConnectionState } from '../../../src-shared/model/connection.ts'
import { across, angleOf, arc, labelAt, pointAt } from '../../../src-renderer/app/gauge/dial-shape.ts'
import { matchingSets, inOrderOf, named } from '../../../src-renderer/app/gauge/sets.ts'
import {
  reconciledText,
  syncsText,
  syncText,
  isPausedByOperator,
} from '../../../src-renderer/lib/format/connection-status.ts'
import { activitiesOf, byLane, operationText } from '../../../src-renderer/lib/format/operations.ts'
import {
  basisText,
  ceilingText,
  forecastText,
  othersText,
  rejectionText,
  reserveText,
  waitReasonText,
} from '../../../src-renderer/lib/format/pacing.ts'
import { staleGaugeTest } from '../../../src-renderer/lib/format/faults.ts'
import {
  costText,
  isLow,
  partOf,
  pointsText,
  shortNumber,
  staleText,
  stopsAt,
  usedByItself,
} from '../../../src-renderer/lib/format/points.ts'
import { numberText } from '../../../src-renderer/lib/format/numbers.ts'
import { balanceEntry } from '../../../src-main/platform/tray/balance.ts'

const now = new Date(2026, 2, 4, 14, 30, 0).getTime()

const gauge: Gauge = {
  name: 'Acme',
  connections: ['acme'],
  limit: 100_000,
  remaining: 84_200,
  resetAt: now + 22_400,
  known: true,
  basis: 'headers',
  burned: { person: 800, reconcile: 0, visible: 0, background: 15_000 },
  activities: [],
  others: 0,
  reserve: 10_000,
  forOthers: 0,
  ceiling: null,
  paused: false,
  recent: [{ name: 'Devices', lane: 'background', cost: 800, at: now }],
  waiting: 0,
  waits: [],
  forecast: null,
  rejections: { count: 0, at: null },
}
const silent: Gauge = { ...gauge, known: false, basis: 'guess' }
const paused: Gauge = {
  ...gauge,
  paused: true,
  waiting: 2,
  waits: [{ name: 'Devices', lane: 'background', count: 2, why: 'paused', until: null }],
}

test('a gauge shows its last known balance when none of its connections answers', () => {
  const of = (id: string, more: Partial<ConnectionState>) =>
    ({
      id,
      paused: false,
      secret: 'keychain',
      faults: [],
      link: { state: 'live', since: now },
      sync: { state: 'idle' },
      ...more,
    }) as ConnectionState
  const isStale = staleGaugeTest([
    of('live', {}),
    of('paused', { paused: true, link: { state: 'off' } }),
    of('cut', { link: { state: 'waiting', attempt: 1, retryAt: now } }),
  ])
  expect(
    [['live'], ['paused'], ['cut'], ['paused', 'cut'], ['paused', 'live']].map((connections) =>
      isStale({ connections }),
    ),
  ).toEqual([false, true, true, true, false])
})

test('devices that are not live are counted, by connection where there are several', () => {
  const of = (name: string, live: number | null) => ({
    id: name,
    name,
    link: { state: 'live' as const, since: now, ...(live !== null && { partly: { live, of: 1_300 } }) },
  })
  expect(reconciledText([of('Acme', null)])).toEqual([])
  expect(reconciledText([of('Acme', 1_238)]).map(({ words }) => words)).toEqual([
    'Live for 1,238 of 1,300 devices. The other 62 are polled, for at most a quarter of the points.',
  ])
  expect(reconciledText([of('Acme', null), of('Berg', 0)]).map(({ words }) => words)).toEqual([
    'Berg: live for 0 of 1,300 devices. The other 1,300 are polled, for at most a quarter of the points.',
  ])
  expect(reconciledText([{ ...of('Acme', 1), link: { state: 'off' } }])).toEqual([])
})

describe('activities', () => {
  test.each([
    ['Tenants', 'Tenant list'],
    ['Devices', 'Inventory'],
    ['States', 'Reconciliation after a gap'],
    ['Fingerprint', 'Count of devices'],
    ['Schema', 'Schema introspection'],
    ['Columns_serialNumber_user_email', 'Columns: serialNumber user email'],
    ['MyOwnQuery', 'MyOwnQuery'],
    ['constructor', 'constructor'],
    ['', ''],
  ])('%s is matchingSets "%s"', (name, words) => expect(operationText(name)).toBe(words))

  test("every operation of the core has a name that is not its document's", () => {
    const names = Object.values(operations).flatMap((each) =>
      typeof each === 'object' && 'name' in each ? [each.name] : [],
    )
    expect(names.length).toBeGreaterThan(4)
    for (const name of [
      ...names,
      operations.statesByIdsOperation(2, 'ID!').name,
      operations.extrasOperation(['user.email']).name,
    ])
      expect(operationText(name)).not.toBe(name)
  })

  test('documents with the same label and lane are one activity', () => {
    expect(
      activitiesOf({
        activities: [
          { name: 'Schema', lane: 'visible', points: 40, count: 1 },
          { name: 'Mutations', lane: 'visible', points: 30, count: 2 },
          { name: 'Type', lane: 'background', points: 5, count: 1 },
        ],
      }),
    ).toEqual([
      { what: 'Schema introspection', lane: 'visible', points: 70, count: 3 },
      { what: 'Schema introspection', lane: 'background', points: 5, count: 1 },
    ])
  })

  test('activities are sorted by cost in the table, and by lane in the bar', () => {
    const activities: Gauge['activities'] = [
      { name: 'Fingerprint', lane: 'visible', points: 20, count: 2 },
      { name: 'Devices', lane: 'background', points: 9_000, count: 9 },
      { name: 'Devices', lane: 'person', points: 700, count: 1 },
      { name: 'Schema', lane: 'visible', points: 40, count: 1 },
    ]
    const table = activitiesOf({ activities })
    expect(table.map(({ what, lane }) => `${what} ${lane}`)).toEqual([
      'Inventory background',
      'Inventory person',
      'Schema introspection visible',
      'Count of devices visible',
    ])
    expect(byLane(table).map(({ what, points }) => `${what} ${points}`)).toEqual([
      'Inventory 700',
      'Schema introspection 40',
      'Count of devices 20',
      'Inventory 9000',
    ])
  })
})

describe('waiting requests', () => {
  test.each<[WaitWhy, string]>([
    ['service', 'The service asks to wait, in 23 s'],
    ['points', 'Waiting for the reset, in 23 s'],
    ['reserve', 'Reserved for you until the last seconds, in 23 s'],
    ['others', 'Left to other clients'],
    ['ceiling', 'Background limit reached; after the reset, in 23 s'],
    ['paused', 'You paused background work'],
    ['turn', 'Waiting for its turn'],
  ])('because of %s: "%s"', (why, words) => {
    expect(waitReasonText({ why, until: now + 22_400 }, now)).toBe(words)
    expect(waitReasonText({ why, until: null }, now)).toBe(words.replace(', in 23 s', ''))
    expect(waitReasonText({ why, until: now - 1 }, now)).toBe(words.replace(', in 23 s', ''))
  })

  test('a sync that the operator paused says so; a running one beside it is shown instead', () => {
    const sync: ConnectionState['sync'] = {
      state: 'syncing',
      what: 'inventory',
      read: 1_200,
      expected: 5_000,
      tenantsDone: 0,
      tenants: 1,
    }
    const connection = { id: 'acme', name: 'Acme', sync } as ConnectionState
    const columns: Gauge = {
      ...paused,
      waits: [{ name: 'Columns_user', lane: 'background', count: 1, why: 'paused', until: null }],
    }
    expect(syncText(sync, now, true)).toBe('Sync paused: 1,200 of 5,000')
    expect(syncText({ ...sync, expected: null }, now, true)).toBe('Sync paused: 1,200')
    expect(isPausedByOperator(connection, [paused])).toBe(true)
    expect(
      [{ ...paused, waits: [] }, { ...paused, connections: ['other'] }, { ...paused, paused: false }, columns].map(
        (each) => isPausedByOperator(connection, [each]),
      ),
    ).toEqual([false, false, false, false])
    expect(isPausedByOperator({ ...connection, sync: { ...sync, what: 'changes' } }, [paused])).toBe(false)
    expect(isPausedByOperator({ ...connection, sync: { state: 'idle' } }, [paused])).toBe(false)
    expect(syncsText([connection], now, [paused])).toBe('Sync paused: 1,200 of 5,000')
    expect(syncsText([connection, { ...connection, sync: { state: 'idle' } }], now, [paused])).toBe(
      'Sync paused: 1,200 of 5,000',
    )
    const holding: ConnectionState['sync'] = {
      state: 'holding',
      what: 'inventory',
      read: 10,
      expected: 20,
      until: now - 1,
    }
    expect(syncsText([{ ...connection, sync: holding }], now, [paused])).toBe('Sync paused: 10 of 20')
    expect(
      syncsText(
        [
          { ...connection, sync: holding },
          { ...connection, id: 'berlin', name: 'Berlin', sync: { ...holding, until: now + 5_000 } },
        ],
        now,
        [paused],
      ),
    ).toBe('Waiting for points, 5 s: 10 of 20 read')
    expect(syncsText([connection, { ...connection, id: 'berlin', name: 'Berlin' }], now, [paused])).toBe(
      'Syncing 2,400 of 10,000',
    )
  })
})

describe('sentences of the gauge', () => {
  test('the forecast gives the remaining points and the time of completion, but not while paused', () => {
    const forecast = { points: 38_400, windows: 2, doneAt: now + 130_000 }
    expect(forecastText({ ...gauge, forecast }, now, 'local')).toBe(
      'The running sync still needs 38,400 points: done after 2 more resets, at about 14:32:10.',
    )
    expect(forecastText({ ...gauge, forecast: { ...forecast, windows: 1 } }, now, 'local')).toContain(
      'done after 1 more reset, at about',
    )
    expect(forecastText({ ...gauge, forecast: { ...forecast, windows: 0, doneAt: now } }, now, 'local')).toBe(
      'The running sync still needs 38,400 points: done before the reset, any moment now.',
    )
    expect(forecastText({ ...paused, forecast }, now, 'local')).toBe(
      'The running sync still needs 38,400 points, once you resume background work.',
    )
    expect([
      forecastText(gauge, now, 'local'),
      forecastText({ ...gauge, forecast: { ...forecast, points: 0 } }, now, 'local'),
    ]).toEqual(['', ''])
  })

  test('it says where the balance comes from, and what is estimated', () => {
    expect(basisText(gauge)).toBe('The service reports the points with each response.')
    expect(basisText({ ...gauge, known: false })).toContain('but no balance')
    expect(basisText({ ...gauge, basis: 'field' })).toContain('reports the points on request')
    expect(basisText({ ...gauge, basis: 'field', known: false })).toContain('reports no balance')
    expect(basisText(silent)).toBe('The service reports no points. Muster uses half of the usual limit.')
    expect(basisText({ ...silent, recent: [] })).toBe('No response yet. Muster starts with one query at a time.')
    expect(pointsText(silent)).toBe('84,200 of 100,000 points left, a guess')
    expect(pointsText({ ...silent, recent: [] })).toBe(
      '84,200 of 100,000 points left, a guess until the service answers',
    )
  })

  test('other clients, reserved points and rejections are shown only where there are any', () => {
    expect([othersText(gauge), othersText({ others: 3_200 })]).toEqual([
      '',
      'Other clients of this credential set used at least 3,200 points.',
    ])
    expect([
      reserveText(gauge),
      reserveText({ reserve: 0, forOthers: 0 }),
      reserveText({ reserve: 12_000, forOthers: 2_000 }),
      reserveText({ reserve: 2_000, forOthers: 2_000 }),
    ]).toEqual([
      '10,000 points',
      'none',
      '10,000 points, and 2,000 for other clients',
      'none for you; 2,000 points for other clients',
    ])
    expect(rejectionText(gauge, now)).toBe('')
    expect(rejectionText({ rejections: { count: 1, at: now - 240_000 } }, now)).toBe(
      'Since Muster started, the service rejected 1 query for lack of points, 4 min ago. Muster asks again after the reset.',
    )
    expect(rejectionText({ rejections: { count: 3, at: now - 240_000 } }, now)).toContain(
      '3 queries for lack of points, the last time 4 min ago.',
    )
  })

  test("the background limit counts Muster's own use, and is marked on the scale", () => {
    const capped = { ...gauge, ceiling: 60_000 }
    expect(usedByItself(gauge)).toBe(15_000)
    expect([ceilingText(gauge), ceilingText(capped)]).toEqual(['none', '60,000 per minute, 15,000 used'])
    expect([
      stopsAt(gauge),
      stopsAt(capped),
      stopsAt({ ...capped, ceiling: 10_000 }),
      stopsAt({ ...capped, remaining: 30_000 }),
    ]).toEqual([null, 39_200, 84_200, 0])
  })
})

describe('the dial', () => {
  test('it goes from lower left over the top to lower right, and not beyond its ends', () => {
    expect([0, 0.5, 1, -1, 7].map(angleOf)).toEqual([-120, 0, 120, -120, 120])
    expect(pointAt(0.5, 80)).toEqual({ x: 100, y: 20 })
    expect(pointAt(0, 100)).toEqual({ x: 13.4, y: 150 })
    expect(arc(80, 0, 1)).toBe('M 30.72 140 A 80 80 0 1 1 169.28 140')
    expect(arc(80, 0, 0.15)).toContain('A 80 80 0 0 1')
    expect(across(0.5, 70, 90)).toEqual({ x1: 100, y1: 30, x2: 100, y2: 10 })
    expect(labelAt(0).y).toBeGreaterThan(pointAt(0, 80).y)
  })

  test('short numbers, parts of the scale, and low balances', () => {
    expect([0, 20_000, 2_200, 1_500_000].map(shortNumber)).toEqual(['0', '20k', '2.2k', '1.5M'])
    expect([partOf(5, 0), partOf(-1, 10), partOf(5, 10), partOf(50, 10)]).toEqual([0, 0, 0.5, 1])
    expect([isLow({ remaining: 14_999, limit: 100_000 }), isLow({ remaining: 15_000, limit: 100_000 })]).toEqual([
      true,
      false,
    ])
  })
})

test('credential sets of one name stand together, keep their order, and are found by name', () => {
  const sets = named(['Oslo', 'Bern', 'Bern'].map((name) => ({ ...gauge, name })))
  expect(sets.map(({ key }) => key)).toEqual(['Oslo 1', 'Bern 1', 'Bern 2'])
  expect(inOrderOf(['Bern 2', 'Oslo 1'], sets).map(({ key }) => key)).toEqual(['Bern 2', 'Oslo 1', 'Bern 1'])
  expect(matchingSets(sets, ' BER  n').map(({ key }) => key)).toEqual(['Bern 1', 'Bern 2'])
  expect(matchingSets(sets, '')).toHaveLength(3)
  expect(matchingSets(sets, 'x')).toEqual([])
})

test('halves of points are rounded wherever they are shown, and counted exactly', () => {
  const half: Gauge = {
    ...gauge,
    limit: 100_000.5,
    remaining: 84_200.5,
    burned: { person: 0.5, reconcile: 0.25, visible: 0, background: 0 },
    others: 0.6,
    reserve: 10_000.4,
    ceiling: 60_000.3,
    forecast: { points: 1_200.5, windows: 0, doneAt: now },
  }
  expect(pointsText(half)).toBe('84,201 of 100,001 points left')
  expect(staleText({ ...half, reported: { remaining: 1.5, at: now, resetAt: now } }, now, 'local')).toMatch(
    /probably 100,001$/u,
  )
  expect(reserveText(half)).toBe('10,000 points')
  expect(othersText(half)).toBe('Other clients of this credential set used at least 1 point.')
  expect(ceilingText(half)).toBe('60,000 per minute, 0 used')
  expect(forecastText(half, now, 'local')).toContain('1,201 points')
  expect(costText({ points: 0.5, windows: 1, ms: 1, devices: 1, known: true })).toContain('1 point,')
  expect(balanceEntry([half], now, true)).toMatchObject([{ label: expect.stringContaining('84,201 of 100,001 left') }])
  expect([numberText(-0.3), half.remaining]).toEqual(['0', 84_200.5])
})
