import { describe, expect, test } from 'vitest'
import { heightsOf, partText, shareText, stripText } from '../../../src-renderer/incidents/availability/format.ts'
import { actionKey, listKey } from '../../../src-renderer/incidents/actions/keys.ts'
import { offeredReasons } from '../../../src-renderer/incidents/actions/reasons.ts'
import { anchorOf, clampedAt, positionAt } from '../../../src-renderer/incidents/list/scroll-anchor.ts'
import { sinceOf, snoozeChoices, untilOf } from '../../../src-renderer/incidents/actions/until.ts'
import { nextTime } from '../../../src-shared/maintenance/time-of-day.ts'
import {
  recoveredText,
  startText,
  countsText,
  downText,
  droppedText,
  durationText,
  listOf,
  membersText,
  recurrenceText,
  placeText,
  suppressedText,
  stateText,
  summaryText,
  notifiedText,
  boundaryText,
  locationText,
} from '../../../src-renderer/incidents/format.ts'
import { incidentOf, minute, night } from '../support/incident-stub.ts'

const utc = 'utc' as const

describe('text of an incident', () => {
  test('a duration is exact when its start was seen, and "at least" when not', () => {
    expect([durationText(incidentOf('a'), night), startText(incidentOf('a'), night, utc)]).toEqual(['1 h', '02:00'])
    const unseen = incidentOf('a', { since: null })
    expect([durationText(unseen, night), startText(unseen, night, utc)]).toEqual(['at least 1 h', 'found 02:00'])
  })

  test('a closed incident does not grow older, and gives its peak', () => {
    const over = incidentOf('a', {
      closedAt: night - 20 * minute,
      devices: { down: 0, others: 0, unseen: 0, peak: 14, total: 15 },
    })
    expect([durationText(over, night), downText(over), countsText(over), listOf(over)]).toEqual([
      '40 min',
      'Peak 14 of 15',
      '',
      'closed',
    ])
    expect([
      startText(over, night, utc),
      startText(incidentOf('a', { since: night - 26 * 60 * minute, closedAt: night }), night, utc),
    ]).toEqual(['02:00 to 02:40', '20 Nov 01:00 to 21 Nov 03:00'])
    expect([boundaryText(over, night, utc), boundaryText(incidentOf('a'), night, utc)]).toEqual([
      'until 02:40',
      '02:00',
    ])
    expect(
      downText(incidentOf('a', { shape: 'device', devices: { down: 1, others: 0, unseen: 0, peak: 1, total: 1 } })),
    ).toBe('1 device')
  })

  test('a device that is no longer listed is not called recovered', () => {
    const devices = { down: 1, others: 0, unseen: 0, peak: 4, total: null }
    const open = incidentOf('a', { devices, unlisted: 2 })
    expect([countsText(open), membersText(open, 4)]).toEqual([
      'peak 4, 2 no longer listed',
      '1 down, 1 recovered, 2 no longer listed',
    ])
    const over = { closedAt: night, devices: { ...devices, down: 0 } }
    expect([
      countsText(incidentOf('a', { ...over, unlisted: 2 })),
      countsText(incidentOf('a', { ...over, unlisted: 4 })),
    ]).toEqual(['2 no longer listed', 'no longer listed'])
  })

  test('an unseen end lies between two moments, and the incident lasted at most so long', () => {
    const over = incidentOf('a', { closedAt: night - 20 * minute, closedNotBefore: night - 50 * minute })
    expect([durationText(over, night), startText(over, night, utc), boundaryText(over, night, utc)]).toEqual([
      'at most 40 min',
      '02:00, ended between 02:10 and 02:40',
      'ended 02:10 to 02:40',
    ])
    const neither = { ...over, since: null }
    expect([durationText(neither, night), startText(neither, night, utc)]).toEqual([
      'at least 8 min',
      'found 02:00, ended between 02:10 and 02:40',
    ])
    expect(durationText({ ...neither, closedNotBefore: neither.openedAt }, night)).toBe('for an unknown time')
  })

  test('devices: down, total, the peak where it was more, and unknown ones', () => {
    const now = incidentOf('a', { devices: { down: 1_200, others: 0, unseen: 3, peak: 1_250, total: 1_300 } })
    expect([downText(now), countsText(now)]).toEqual(['1,200 of 1,300 down', 'peak 1,250, 3 no data'])
    const unseen = incidentOf('a', { devices: { down: 0, others: 0, unseen: 132, peak: 134, total: 135 } })
    expect([downText(unseen), countsText(unseen)]).toEqual(['132 of 135 no data', 'peak 134'])
    expect([
      downText(incidentOf('a', { devices: { down: 2, others: 0, unseen: 0, peak: 2, total: null } })),
      countsText(incidentOf('a')),
    ]).toEqual(['2 down', ''])
  })

  const until = night + 3 * 60 * minute
  test.each([
    [{ why: 'maintenance', name: 'Berlin patching', until } as const, 'Maintenance until 06:00: Berlin patching'],
    [{ why: 'maintenance', name: '', until } as const, 'Maintenance until 06:00'],
    [{ why: 'snoozed', name: '', until } as const, 'Snoozed until 06:00'],
    [{ why: 'snoozed', name: '', until: null } as const, 'Snoozed until it recovers'],
    [{ why: 'paused', name: '', until } as const, 'Notifications paused until 06:00'],
    [{ why: 'setting', name: 'Headset 100', until: null } as const, 'Off in the settings: Headset 100'],
    [{ why: 'setting', name: '', until: null } as const, 'Off in the settings'],
    [{ why: 'absence', name: '', until: null } as const, 'Found after an absence'],
    [{ why: 'acknowledged', name: '', until: null } as const, 'Acknowledged: On it'],
  ])('the reason of a suppression: %o', (suppressed, words) => {
    expect(
      suppressedText(incidentOf('a', { suppressed, acknowledged: { at: night, reason: 'On it' } }), night, utc),
    ).toBe(words)
  })

  test('acknowledged and snoozed ones share a list; notified or not, recurrence, place', () => {
    expect([
      listOf(incidentOf('a')),
      listOf(incidentOf('a', { snoozed: { at: night, until: null } })),
      listOf(incidentOf('a', { acknowledged: { at: night, reason: 'x' } })),
    ]).toEqual(['open', 'acknowledged', 'acknowledged'])
    const acknowledgement = { at: night, reason: 'x' }
    const until = { at: night, until: null }
    expect(
      [
        {},
        { snoozed: until },
        { acknowledged: acknowledgement },
        { acknowledged: acknowledgement, snoozed: until },
        { closedAt: night, snoozed: until },
      ].map((over) => stateText(incidentOf('a', over))),
    ).toEqual(['Open', 'Snoozed', 'Acknowledged', 'Acknowledged, snoozed', 'Closed'])
    expect(recurrenceText(null)).toBe('Not counted: only a place or a single device has a count')
    expect([
      notifiedText(incidentOf('a'), night, utc),
      notifiedText(incidentOf('a', { notifiedAt: null }), night, utc),
      suppressedText(incidentOf('a'), night, utc),
    ]).toEqual(['02:02', 'Not notified', ''])
    expect([recurrenceText(1), recurrenceText(4)]).toEqual(['First in 30 days', '4 times in 30 days'])
    expect([
      placeText(incidentOf('a')),
      placeText({ places: [], shape: 'several' }),
      placeText({ places: [], shape: 'node' }),
    ]).toEqual(['Berlin · Acme', 'Several tenants', 'All tenants'])
  })

  test('a member has its moment, or its span, and its recovery', () => {
    const at = Date.parse('2026-11-21T06:40:00Z')
    expect(droppedText({ at, notBefore: null }, at, utc)).toBe('down at 06:40:00')
    expect(droppedText({ at, notBefore: Date.parse('2026-11-21T02:10:00Z') }, at, utc)).toBe(
      'down between 02:10:00 and 06:40:00',
    )
    expect([
      recoveredText({ recoveredAt: null, recoveredNotBefore: null }, at, utc),
      recoveredText({ recoveredAt: at, recoveredNotBefore: null }, at, utc),
    ]).toEqual(['', 'recovered at 06:40:00'])
    expect(recoveredText({ recoveredAt: at, recoveredNotBefore: null, unlisted: true }, at, utc)).toBe(
      'no longer listed since 06:40:00',
    )
    expect(recoveredText({ recoveredAt: at, recoveredNotBefore: at - 4 * 60 * minute }, at, utc)).toBe(
      'recovered between 02:40:00 and 06:40:00',
    )
  })

  test('the summary of the screen', () => {
    const none = {
      rev: 1,
      open: { critical: 0, major: 0, minor: 0 },
      acknowledged: 0,
      snoozed: 0,
      suppressed: 0,
      monitoringLost: 0,
      worst: [],
    }
    expect(summaryText(none)).toBe('No open incidents')
    expect(
      summaryText({ ...none, open: { critical: 2, major: 0, minor: 1 }, acknowledged: 3, snoozed: 2, suppressed: 1 }),
    ).toBe('2 critical, 1 minor · 3 acknowledged · 2 snoozed · 1 suppressed')
  })
})

describe('typed times', () => {
  test('a time of day is the next one, a duration counts from now', () => {
    expect(untilOf('06:30', night, utc)).toBe(Date.parse('2026-11-21T06:30:00Z'))
    expect(untilOf('02.15', night, utc)).toBe(Date.parse('2026-11-22T02:15:00Z'))
    expect([untilOf(' 2 h 30 min ', night, utc), untilOf('45m', night, utc), untilOf('1d', night, utc)]).toEqual([
      night + 150 * minute,
      night + 45 * minute,
      night + 24 * 60 * minute,
    ])
  })

  test.each(['', 'soon', '25:00', '12:60', '31 d', '0 min', '7'])('“%s” is no time', (typed) =>
    expect(untilOf(typed, night, utc)).toBeNull(),
  )

  test('back from now for a handover', () => {
    expect(sinceOf('22:00', night, utc)).toBe(Date.parse('2026-11-20T22:00:00Z'))
    expect([
      sinceOf('10 h', night, utc),
      sinceOf('31 d', night, utc),
      sinceOf('31 d 1 min', night, utc),
      sinceOf('soon', night, utc),
    ]).toEqual([night - 600 * minute, night - 31 * 1440 * minute, 'far', null])
  })

  test('eight o’clock is the next one: today before it, tomorrow from it on', () => {
    expect(snoozeChoices(night, utc).map(({ until }) => until)).toEqual([
      night + 15 * minute,
      night + 60 * minute,
      Date.parse('2026-11-21T08:00:00Z'),
      null,
    ])
    expect(nextTime(8, 0, Date.parse('2026-11-21T08:00:00Z'), utc)).toBe(Date.parse('2026-11-22T08:00:00Z'))
  })
})

test('reasons: those used here first, then those of incidents, the last first, each once', () => {
  const signInState = [
    { acknowledged: { at: 1, reason: 'Planned work' } },
    { acknowledged: { at: 2, reason: 'Ticket 7' } },
    { acknowledged: null },
  ]
  expect(offeredReasons(['Ticket 9'], signInState)).toEqual([
    'Ticket 9',
    'Ticket 7',
    'Planned work',
    'On it',
    'Known fault, ticket open',
    'Power or network at the site',
  ])
})

describe('keys', () => {
  const at = { index: 3, left: false, total: 10, page: 5, selected: false }
  const pressed = (key: string, more = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  })
  test('arrows move, with Shift they select; Enter opens, Escape clears before it closes', () => {
    expect(listKey(pressed('ArrowDown'), at)).toEqual({ action: 'go', index: 4 })
    expect(listKey(pressed('End', { shiftKey: true }), at)).toEqual({ action: 'extend', index: 9 })
    expect([
      listKey(pressed(' '), at)?.action,
      listKey(pressed(' '), { ...at, index: -1 }),
      listKey(pressed('Enter'), at)?.action,
      listKey(pressed('a', { ctrlKey: true }), at)?.action,
    ]).toEqual(['toggle', null, 'open', 'all'])
    expect([
      listKey(pressed('Escape'), at)?.action,
      listKey(pressed('Escape'), { ...at, selected: true })?.action,
    ]).toEqual(['close', 'clear'])
  })

  test('one letter acts, and none with Control, so that copying does not acknowledge', () => {
    expect([
      actionKey(pressed('a')),
      actionKey(pressed('s')),
      actionKey(pressed('u')),
      actionKey(pressed('x')),
    ]).toEqual(['acknowledge', 'snooze', 'undo', null])
    expect([actionKey(pressed('a', { ctrlKey: true })), actionKey(pressed('s', { metaKey: true }))]).toEqual([
      null,
      null,
    ])
  })
})

describe('rows do not move', () => {
  test('rows that come above do not move the held one', () => {
    expect(positionAt(92, 460, 300)).toEqual({ top: 92, before: 0, after: 0 })
    expect(positionAt(46, 230, 300)).toEqual({ top: 46, before: 0, after: 116 })
  })

  test('where rows above go, their space stays', () => {
    expect(positionAt(-46, 184, 300)).toEqual({ top: 0, before: 46, after: 70 })
  })

  test('released, the list has no space before or behind its rows', () => {
    expect([clampedAt(0, 460, 300), clampedAt(400, 460, 300), clampedAt(46, 230, 300)]).toEqual([
      { top: 0, before: 0, after: 0 },
      { top: 160, before: 0, after: 0 },
      { top: 0, before: 0, after: 0 },
    ])
  })

  test('the held one; when it goes, the nearest above it, else below', () => {
    const before = ['a', 'b', 'c', 'd']
    expect(anchorOf('c', before, new Set(['x', 'a', 'c']))).toBe('c')
    expect(anchorOf('c', before, new Set(['a', 'd']))).toBe('a')
    expect(anchorOf('a', before, new Set(['d']))).toBe('d')
    expect([
      anchorOf(null, before, new Set(before)),
      anchorOf('z', before, new Set(before)),
      anchorOf('a', before, new Set()),
    ]).toEqual([null, null, null])
  })
})

describe('availability in text', () => {
  test('little is not nothing, and nearly all is not all', () => {
    expect([
      shareText(0, 100),
      shareText(1, 10_000),
      shareText(9_999, 10_000),
      shareText(100, 100),
      shareText(972, 1000),
      shareText(1, 2),
      shareText(5, 0),
    ]).toEqual([
      '0\u00A0%',
      'under 0.1\u00A0%',
      'over 99.9\u00A0%',
      '100\u00A0%',
      '97.2\u00A0%',
      '50\u00A0%',
      '0\u00A0%',
    ])
  })

  test('a device of a group has tenant and site, one of a place no more than differs from it', () => {
    const member = { tenant: 'Acme', site: 'Berlin' }
    expect([
      locationText(member, incidentOf('a', { shape: 'several' })),
      locationText(member, incidentOf('a')),
      locationText({ ...member, site: 'Rome' }, incidentOf('a')),
    ]).toEqual(['Acme · Berlin', '', 'Rome'])
    expect(locationText({ ...member, account: 'North' }, incidentOf('a', { shape: 'several' }))).toBe(
      'Acme · North · Berlin',
    )
    expect([
      locationText({ tenant: 'Acme', site: null }, incidentOf('a', { shape: 'several' })),
      locationText({ tenant: '', site: null }, incidentOf('a')),
    ]).toEqual(['Acme', ''])
  })

  test('devices have the count of title and list, and recovered ones beside it', () => {
    const down = incidentOf('a', { devices: { down: 22, others: 2, unseen: 0, peak: 24, total: 24 } })
    expect([membersText(down, 24), downText(down), countsText(down)]).toEqual([
      '22 down, 2 recovered',
      '22 of 24 down',
      '2 others down there, peak 24',
    ])
    expect(membersText(incidentOf('a', { devices: { down: 3, others: 0, unseen: 2, peak: 5, total: null } }), 5)).toBe(
      '3 down, 2 no data',
    )
    expect(membersText(incidentOf('a', { closedAt: night }), 5)).toBe('5')
  })

  test('the strip as a sentence', () => {
    const parts = [
      { up: 3, down: 1, reported: 0, unseen: 0 },
      { up: 2, down: 0, reported: 0, unseen: 2 },
    ]
    expect(partText({ up: 3, down: 1, reported: 0, unseen: 0 })).toBe('up 75\u00A0%, down 25\u00A0%, no data 0\u00A0%')
    expect(partText({ up: 1, down: 1, reported: 2, unseen: 0 })).toBe(
      'up 25\u00A0%, down 25\u00A0%, reported offline 50\u00A0%, no data 0\u00A0%',
    )
    expect(stripText('the last 24 hours', 2, parts, 1)).toBe(
      '2 devices over the last 24 hours: up 62.5\u00A0%, down 12.5\u00A0%, no data 25\u00A0%; 1 disconnect.',
    )
  })

  test('one device of a thousand is still visible in the strip, and its part stays whole', () => {
    const { up, down, unseen } = heightsOf({ up: 999, down: 1, reported: 0, unseen: 0 }, 9)
    expect(down).toBeGreaterThan(8)
    expect([unseen, Math.round(up + down)]).toEqual([0, 100])
    expect(heightsOf({ up: 0, down: 0, reported: 0, unseen: 0 }, 9)).toEqual({
      up: 0,
      down: 0,
      reported: 0,
      unseen: 100,
    })
  })
})
