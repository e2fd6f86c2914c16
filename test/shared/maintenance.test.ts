import { describe, expect, test } from 'vitest'
import { createMaintenance, type MaintenanceTimes } from '../../src-shared/maintenance/maintenance.ts'
import { weekly, fri, sun, sat, monthly, thu, tue, mon, wed, windowOf, at, spanText } from './maintenance-cases.ts'

/** The name, the zone, the times, the moment before, and the next occurrence. */
const occurrences: [string, string, MaintenanceTimes, string, string][] = [
  [
    'half an hour off',
    'Asia/Kolkata',
    weekly([fri], '18:00', 240),
    '2026-11-16T00:00Z',
    '2026-11-20T12:30Z 2026-11-20T16:30Z',
  ],
  [
    'three quarters off',
    'Asia/Kathmandu',
    weekly([fri], '18:00', 240),
    '2026-11-16T00:00Z',
    '2026-11-20T12:15Z 2026-11-20T16:15Z',
  ],
  ['summer', 'Europe/Berlin', weekly([fri], '18:00', 240), '2026-07-01T00:00Z', '2026-07-03T16:00Z 2026-07-03T20:00Z'],
  ['winter', 'Europe/Berlin', weekly([fri], '18:00', 240), '2026-12-01T00:00Z', '2026-12-04T17:00Z 2026-12-04T21:00Z'],
  [
    'a time that is left out',
    'Europe/Berlin',
    weekly([sun], '02:30', 60),
    '2026-03-24T00:00Z',
    '2026-03-29T01:00Z 2026-03-29T02:00Z',
  ],
  [
    'a time that comes twice',
    'Europe/Berlin',
    weekly([sun], '02:30', 60),
    '2026-10-20T00:00Z',
    '2026-10-25T00:30Z 2026-10-25T01:30Z',
  ],
  [
    'the hour after the one that comes twice',
    'Europe/Berlin',
    weekly([sun], '03:00', 60),
    '2026-10-20T00:00Z',
    '2026-10-25T02:00Z 2026-10-25T03:00Z',
  ],
  [
    'real minutes over the short night',
    'Europe/Berlin',
    weekly([sat], '22:00', 480),
    '2026-03-24T00:00Z',
    '2026-03-28T21:00Z 2026-03-29T05:00Z',
  ],
  [
    'real minutes over the long night',
    'Europe/Berlin',
    weekly([sat], '22:00', 480),
    '2026-10-20T00:00Z',
    '2026-10-24T20:00Z 2026-10-25T04:00Z',
  ],
  [
    'at a time of day after the short night',
    'Europe/Berlin',
    weekly([sat], '23:00', 360, 'at'),
    '2026-03-24T00:00Z',
    '2026-03-28T22:00Z 2026-03-29T03:00Z',
  ],
  [
    'at a time of day after the long night',
    'Europe/Berlin',
    weekly([sat], '23:00', 360, 'at'),
    '2026-10-20T00:00Z',
    '2026-10-24T21:00Z 2026-10-25T04:00Z',
  ],
  [
    'six hours of the long night',
    'Europe/Berlin',
    weekly([sat], '23:00', 360),
    '2026-10-20T00:00Z',
    '2026-10-24T21:00Z 2026-10-25T03:00Z',
  ],
  [
    'at a time that is left out',
    'Europe/Berlin',
    weekly([sat], '22:00', 270, 'at'),
    '2026-03-24T00:00Z',
    '2026-03-28T21:00Z 2026-03-29T01:00Z',
  ],
  [
    'at the first of a time that comes twice',
    'Europe/Berlin',
    weekly([sat], '22:00', 270, 'at'),
    '2026-10-20T00:00Z',
    '2026-10-24T20:00Z 2026-10-25T00:30Z',
  ],
  [
    'at a time of day over a night of half an hour more',
    'Australia/Lord_Howe',
    weekly([sat], '22:00', 480, 'at'),
    '2027-03-29T00:00Z',
    '2027-04-03T11:00Z 2027-04-03T19:30Z',
  ],
  [
    'at a time of day after midnight came twice',
    'America/Havana',
    weekly([sat], '23:00', 180, 'at'),
    '2026-10-26T00:00Z',
    '2026-11-01T03:00Z 2026-11-01T07:00Z',
  ],
  [
    'that night’s is left out as a whole, and comes after the gap',
    'Europe/Berlin',
    weekly([sun], '02:15', 30, 'at'),
    '2026-03-24T00:00Z',
    '2026-03-29T01:00Z 2026-03-29T01:30Z',
  ],
  [
    'a day that never was, until a time of it',
    'Pacific/Apia',
    weekly([fri], '18:00', 240, 'at'),
    '2011-12-27T00:00Z',
    '2011-12-30T10:00Z 2011-12-30T14:00Z',
  ],
  [
    'a gap elsewhere',
    'America/New_York',
    monthly(2, sun, '02:15', 30),
    '2026-03-01T00:00Z',
    '2026-03-08T07:00Z 2026-03-08T07:30Z',
  ],
  [
    'twice elsewhere',
    'America/New_York',
    monthly(1, sun, '01:30', 30),
    '2026-10-20T00:00Z',
    '2026-11-01T05:30Z 2026-11-01T06:00Z',
  ],
  [
    'a gap of half an hour',
    'Australia/Lord_Howe',
    weekly([sun], '02:10', 60),
    '2026-09-28T00:00Z',
    '2026-10-03T15:30Z 2026-10-03T16:30Z',
  ],
  [
    'half an hour twice',
    'Australia/Lord_Howe',
    weekly([sun], '01:45', 60),
    '2027-03-29T00:00Z',
    '2027-04-03T14:45Z 2027-04-03T15:45Z',
  ],
  [
    'a day that never was',
    'Pacific/Apia',
    weekly([fri], '18:00', 240),
    '2011-12-27T00:00Z',
    '2011-12-30T10:00Z 2011-12-30T14:00Z',
  ],
  [
    'into a day that never was',
    'Pacific/Apia',
    weekly([thu], '22:00', 240),
    '2011-12-27T00:00Z',
    '2011-12-30T08:00Z 2011-12-30T12:00Z',
  ],
  [
    'clocks set back over midnight',
    'America/St_Johns',
    weekly([sun], '00:00', 60),
    '2010-11-02T00:00Z',
    '2010-11-07T02:30Z 2010-11-07T03:30Z',
  ],
  [
    'over new year',
    'Europe/Berlin',
    weekly([thu], '23:00', 120),
    '2026-12-28T00:00Z',
    '2026-12-31T22:00Z 2027-01-01T00:00Z',
  ],
  [
    'the last of the year',
    'UTC',
    monthly(-1, thu, '23:00', 120),
    '2026-12-01T00:00Z',
    '2026-12-31T23:00Z 2027-01-01T01:00Z',
  ],
  [
    'the first of the next year',
    'UTC',
    monthly(1, fri, '00:00', 60),
    '2026-12-05T00:00Z',
    '2027-01-01T00:00Z 2027-01-01T01:00Z',
  ],
  ['29 February', 'UTC', monthly(-1, tue, '23:00', 120), '2028-02-01T00:00Z', '2028-02-29T23:00Z 2028-03-01T01:00Z'],
  [
    'the fourth is not the last',
    'UTC',
    monthly(4, tue, '23:00', 120),
    '2028-02-01T00:00Z',
    '2028-02-22T23:00Z 2028-02-23T01:00Z',
  ],
  [
    'the fourth is the last',
    'UTC',
    monthly(-1, sun, '02:00', 240),
    '2027-02-10T00:00Z',
    '2027-02-28T02:00Z 2027-02-28T06:00Z',
  ],
  ['the third', 'UTC', monthly(3, sun, '02:00', 240), '2026-11-01T00:00Z', '2026-11-15T02:00Z 2026-11-15T06:00Z'],
  [
    'longer than a day',
    'Asia/Kolkata',
    weekly([fri], '18:00', 60 * 60),
    '2026-11-16T00:00Z',
    '2026-11-20T12:30Z 2026-11-23T00:30Z',
  ],
  [
    'the nearest of its days',
    'UTC',
    weekly([fri, mon], '18:00', 60),
    '2026-11-19T00:00Z',
    '2026-11-20T18:00Z 2026-11-20T19:00Z',
  ],
  ['before the epoch', 'UTC', weekly([wed], '18:00', 60), '1969-12-29T00:00Z', '1969-12-31T18:00Z 1969-12-31T19:00Z'],
]

describe('the next occurrence of a maintenance window', () => {
  test.each(occurrences)('%s: %s', (_, zone, when, after, expected) => {
    const { nextOccurrence, occurrenceAt } = createMaintenance()
    const window = windowOf(when, { createdAt: at('1960-01-01') })
    const next = nextOccurrence(window, zone, at(after))
    expect(spanText(next)).toBe(expected)
    const { from, until } = next ?? { from: 0, until: 0 }
    expect([from - 1, from, until - 1, until].map((now) => spanText(occurrenceAt(window, zone, now)))).toEqual([
      null,
      expected,
      expected,
      null,
    ])
    expect(nextOccurrence(window, zone, from - 1)).toEqual(next)
    expect(nextOccurrence(window, zone, from)?.from).toBeGreaterThanOrEqual(until)
  })
})

describe('occurrences that meet', () => {
  const between = (when: MaintenanceTimes, from: string, until: string, zone = 'UTC') =>
    createMaintenance().occurrencesBetween(windowOf(when), zone, at(from), at(until)).map(spanText)

  test('are one when they overlap, and when they touch', () => {
    expect(between(weekly([tue, mon], '00:00', 36 * 60), '2026-11-16', '2026-11-23')).toEqual([
      '2026-11-16T00:00Z 2026-11-18T12:00Z',
    ])
    expect(between(weekly([fri, sat, sun], '00:00', 24 * 60), '2026-11-16', '2026-11-23')).toEqual([
      '2026-11-20T00:00Z 2026-11-23T00:00Z',
    ])
  })

  test('without a gap are cut once a week', () => {
    expect(between(weekly([0, 1, 2, 3, 4, 5, 6], '06:00', 25 * 60), '2026-11-18', '2026-11-25')).toEqual([
      '2026-11-16T06:00Z 2026-11-23T06:00Z',
      '2026-11-23T06:00Z 2026-11-30T06:00Z',
    ])
    expect(between(weekly([wed], '06:00', 7 * 24 * 60), '2026-11-18', '2026-11-19')).toEqual([
      '2026-11-11T06:00Z 2026-11-18T06:00Z',
      '2026-11-18T06:00Z 2026-11-25T06:00Z',
    ])
  })

  test('only because the clocks were put forward are one only then', () => {
    expect(between(weekly([sun], '02:00', 7 * 24 * 60 - 30), '2026-03-20', '2026-04-06', 'Europe/Berlin')).toEqual([
      '2026-03-15T01:00Z 2026-03-22T00:30Z',
      '2026-03-22T01:00Z 2026-03-29T00:30Z',
      '2026-03-29T01:00Z 2026-04-11T23:30Z',
    ])
  })
})

test('a maintenance window that is moved to another zone is computed there', () => {
  const { occurrenceAt } = createMaintenance()
  const window = windowOf(weekly([fri], '18:00', 240))
  const now = at('2026-11-20T17:00Z')
  expect(['UTC', 'Europe/Berlin', 'UTC'].map((zone) => spanText(occurrenceAt(window, zone, now)))).toEqual([
    null,
    '2026-11-20T17:00Z 2026-11-20T21:00Z',
    null,
  ])
})

describe('occurrences that never are', () => {
  const { nextOccurrence, occurrenceAt, occurrencesBetween } = createMaintenance()
  const evenings = weekly([fri], '18:00', 240)

  test('those that were over when the maintenance window was created', () => {
    const made = windowOf(evenings, { createdAt: at('2026-11-20T19:00Z') })
    expect(spanText(occurrenceAt(made, 'UTC', at('2026-11-20T18:30Z')))).toBe('2026-11-20T18:00Z 2026-11-20T22:00Z')
    expect(occurrenceAt(made, 'UTC', at('2026-11-13T18:30Z'))).toBeNull()
    expect(spanText(nextOccurrence(made, 'UTC', 0))).toBe('2026-11-20T18:00Z 2026-11-20T22:00Z')
    expect(occurrenceAt({ ...made, createdAt: at('2026-11-20T22:00Z') }, 'UTC', at('2026-11-20T18:30Z'))).toBeNull()
  })

  test('those that would begin after its end; a running one goes on', () => {
    const ended = windowOf(evenings, { until: at('2026-11-20T18:00Z') })
    expect(spanText(nextOccurrence(ended, 'UTC', at('2026-11-16')))).toBe('2026-11-20T18:00Z 2026-11-20T22:00Z')
    expect(spanText(occurrenceAt(ended, 'UTC', at('2026-11-20T21:59Z')))).toBe('2026-11-20T18:00Z 2026-11-20T22:00Z')
    expect(nextOccurrence(ended, 'UTC', at('2026-11-20T18:00Z'))).toBeNull()
    expect(occurrenceAt(ended, 'UTC', at('2026-11-27T19:00Z'))).toBeNull()
    expect(
      occurrencesBetween(
        { ...ended, until: ended.until && ended.until - 1 },
        'UTC',
        at('2026-11-01'),
        at('2027-11-01'),
      ).map(spanText),
    ).toEqual(['2026-11-06T18:00Z 2026-11-06T22:00Z', '2026-11-13T18:00Z 2026-11-13T22:00Z'])
  })

  test('a single time comes once, between its two moments', () => {
    const [from, until] = [at('2026-11-20T18:00Z'), at('2026-11-21T02:00Z')]
    const once = windowOf({ kind: 'once', from, until })
    expect([from - 1, from, until - 1, until].map((now) => occurrenceAt(once, 'UTC', now))).toEqual([
      null,
      { from, until },
      { from, until },
      null,
    ])
    expect([from - 1, from].map((after) => nextOccurrence(once, 'UTC', after))).toEqual([{ from, until }, null])
    expect(
      [
        [from - 9, from],
        [until - 1, until + 9],
        [from + 1, from + 1],
        [from + 9, from + 1],
      ].map(([a = 0, b = 0]) => occurrencesBetween(once, 'UTC', a, b).length),
    ).toEqual([0, 1, 0, 0])
    expect(occurrenceAt({ ...once, until: from - 1 }, 'UTC', from)).toBeNull()
    expect(occurrenceAt({ ...once, createdAt: until }, 'UTC', from)).toBeNull()
  })
})
