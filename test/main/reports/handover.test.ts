import { textMessage } from '../../support/messages.ts'
import { assert, constantFrom, oneof, property, string } from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { handoverOf } from '../../../src-main/reports/handover.ts'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import { connection, handover, incident, member, now, strange, tablesOf } from './text-cases.ts'

export const minute = 60_000
export const page = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'md').text
export const sheet = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'csv').text
export const read = (text: string) =>
  Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/u, ''), { header: true, skipEmptyLines: true }).data

test('the file name is valid on any system', () => {
  expect(handoverOf(handover(), 'md').name).toBe('muster-handover-2026-11-22T0600Z.md')
  expect(handoverOf(handover({ until: now + 59_999 }), 'csv').name).toBe('muster-handover-2026-11-22T0600Z.csv')
})

/** Items of the page by their titles, with the lines below each. */
const items = (text: string) =>
  [...text.matchAll(/^- \*\*(.*?)\*\*, (.*)\n((?: {2}- .*\n?)*)/gmu)].map(([, title, status, below = '']) => [
    title,
    status,
    ...below
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(4)),
  ])
const section = (text: string, head: string) => text.split(/^## /mu).find((part) => part.startsWith(head)) ?? ''

test('a shift without incidents is a page of a few lines', () => {
  expect(page({ totals: { connected: 12, disconnected: 0, unknown: 0 } })).toBe(
    [
      '# Shift handover, Sat 21 Nov 2026, 23:00 to Sun 22 Nov 2026, 07:00',
      '',
      '**No open incidents.** Nothing closed in these 8 h. Of 12 devices none is offline now.',
      '',
      'Times are those of Europe/Berlin, UTC+01:00. Written 07:00 by Muster 0.6.0.',
      '',
      '## What Muster sees',
      '',
      'Muster has no connection.',
      '',
    ].join('\n'),
  )
  expect(read(sheet())).toEqual([])
})

test('unacknowledged incidents come first, the worst before all, with reason and next step', () => {
  const open = [
    incident({
      id: 'a',
      shape: 'device',
      severity: 'minor',
      message: textMessage('Studio 9 is offline'),
      devices: { down: 1, others: 0, unseen: 0, peak: 1, total: null },
      recurrence: 4,
      watched: 1,
    }),
    incident({
      id: 'b',
      severity: 'critical',
      message: textMessage('Younger'),
      openedAt: now - minute,
      notifiedAt: now - minute,
      devices: { down: 3, others: 0, unseen: 1, peak: 12, total: 14 },
      places: [
        { id: 's', kind: 'site', name: 'Berlin' },
        { id: 't', kind: 'tenant', name: 'Acme' },
      ],
    }),
    incident({
      id: 'c',
      severity: 'critical',
      message: textMessage('Older'),
      acknowledged: { at: now - minute, reason: 'The | switch' },
      snoozed: { at: now, until: now + minute },
    }),
    incident({ id: 'd', kind: 'flapping', message: textMessage('Studio 7 is flapping'), since: null }),
    incident({
      id: 'e',
      severity: 'minor',
      shape: 'several',
      message: textMessage('Screen was offline when last seen'),
      places: [],
      devices: { down: 0, others: 0, unseen: 2, peak: 2, total: null },
    }),
    incident({
      id: 'f',
      severity: 'minor',
      message: textMessage('Held'),
      suppressed: { why: 'maintenance', until: now + minute, name: 'Patch' },
    }),
  ]
  const region = incident({
    shape: 'several',
    message: textMessage('2 devices offline in EU-1'),
    places: [{ id: 'r', kind: 'region', name: 'EU-1' }],
  })
  expect(items(page({ open: [region] }))[0]?.[2]).toBe('Why: not notified')
  const members = new Map([
    ['b', ['A', 'B', 'C', 'D'].map((name) => member({ name })).concat(member({ name: 'Back', recoveredAt: now }))],
    ['e', [member({ name: 'Screen' })]],
  ])
  const text = page({ open, members })
  expect(text).toContain(
    '**6 incidents are open, nobody has 5 of them.** The worst: Younger, critical, since 05:30 (1 h 30 min).',
  )
  expect([...text.matchAll(/^## (.*)$/gmu)].map(([, head]) => head)).toEqual([
    'Open, not acknowledged (5)',
    'Open, acknowledged (1)',
    'What Muster sees',
  ])
  expect(items(text)).toEqual([
    [
      'Younger',
      'critical, since 05:30 (1 h 30 min)',
      'Who: Acme: A, B, C and 1 more',
      'Why: 3 of 14 known there are down; peak 12; 1 no data; notified 06:59',
      'Next: not acknowledged; ask there about power and network',
    ],
    [
      'Studio 7 is flapping',
      'major, flapping, before 05:30, its beginning was not seen',
      'Why: not notified',
      'Next: not acknowledged; look at power and network there',
    ],
    [
      'Studio 9 is offline',
      'minor, since 05:30 (1 h 30 min)',
      'Who: Berlin',
      'Why: 1 on the watch list; 4 times in 30 days; not notified',
      'Next: not acknowledged; look at the device',
    ],
    [
      'Screen was offline when last seen',
      'minor, since 05:30 (1 h 30 min)',
      'Why: 2 no data; not notified',
      'Next: not acknowledged; no data now, so check its connection first',
    ],
    [
      'Held',
      'minor, since 05:30 (1 h 30 min)',
      'Why: 3 of 4 known there are down; not notified',
      'Next: wait: in the maintenance window Patch until 07:01; a report follows its end',
    ],
    [
      'Older',
      'critical, since 05:30 (1 h 30 min)',
      'Why: 3 of 4 known there are down; not notified',
      'Next: acknowledged 06:59: The \\| switch; snoozed: alerts again at 07:01 if it is still down',
    ],
  ])
})

test('an unseen end lies between two moments, and the incident lasted at most so long', () => {
  const closed = [
    incident({ closedAt: now - 10 * minute, closedNotBefore: now - 30 * minute }),
    incident({
      id: 'x',
      since: null,
      severity: 'minor',
      closedAt: now - 10 * minute,
      closedNotBefore: now - 30 * minute,
    }),
  ]
  expect(
    tablesOf(page({ closed }))[0]
      ?.slice(2)
      .map(([, , ...rest]) => rest),
  ).toEqual([
    ['05:30, ended between 06:30 and 06:50', 'at most 1 h 20 min'],
    ['05:32, ended between 06:30 and 06:50', 'not known'],
  ])
  expect(
    read(sheet({ closed, open: [incident({ id: 'o' })] })).map((line) => [line['closedNotBefore'], line['closedAt']]),
  ).toEqual([
    ['', ''],
    ['2026-11-22T05:30:00Z', '2026-11-22T05:50:00Z'],
    ['2026-11-22T05:30:00Z', '2026-11-22T05:50:00Z'],
  ])
})

test('no moment is written twice, and the zone once', () => {
  const text = page({
    open: [incident()],
    closed: [incident({ closedAt: now - minute })],
    connections: [connection({ paused: true })],
    zone: 'UTC',
  })
  expect(text).not.toMatch(/\dT\d|[+-]\d\d:\d\d|:\d\d:\d\d/u)
  expect(text.match(/UTC/gu)).toHaveLength(1)
})

test('a closed incident is a line: when, how long, and its notification', () => {
  const closed = [
    incident({ id: 'a', severity: 'minor', message: textMessage('Small'), closedAt: now - minute }),
    incident({
      id: 'b',
      message: textMessage('First'),
      closedAt: now - 30 * minute,
      acknowledged: { at: now, reason: 'A fuse' },
    }),
    incident({ id: 'c', message: textMessage('Last'), since: now - 20 * 60 * minute, closedAt: now + minute }),
  ]
  expect(tablesOf(page({ closed }))[0]).toEqual([
    ['Incident', 'Severity', 'Ended', 'Duration', 'Reason'],
    ['---', '---', '---', '---', '---'],
    ['Last', 'major', '21 Nov 11:00 to 22 Nov 07:01, after the shift', '20 h 1 min', ''],
    ['First', 'major', '05:30 to 06:30', '1 h', 'A fuse'],
    ['Small', 'minor', '05:30 to 06:59', '1 h 29 min', ''],
  ])
  expect(tablesOf(page({ closed: [incident({ closedAt: now })] }))[0]?.[0]).toEqual([
    'Incident',
    'Severity',
    'Ended',
    'Duration',
  ])
})

test('a span over a change of the clocks has its true length and the offset of its beginning', () => {
  const from = Date.parse('2026-10-24T20:00:00Z')
  const text = page({
    from,
    until: from + 10 * 60 * minute,
    now: from + 10 * 60 * minute,
    closed: [incident({ since: from, closedAt: from + 10 * 60 * minute })],
  })
  expect(text).toContain('# Shift handover, Sat 24 Oct 2026, 22:00 to Sun 25 Oct 2026, 07:00')
  expect(text).toContain('1 closed in these 10 h.')
  expect(tablesOf(text)[0]?.[2]?.slice(2, 4)).toEqual(['24 Oct 22:00 (UTC+02:00) to 25 Oct 07:00', '10 h'])
})

test('maintenance windows of the span and the next ones are listed', () => {
  const when = { kind: 'weekly' as const, days: [0], from: '18:00', ends: 'at' as const, minutes: 60 }
  const windows: Policies['windows'] = [
    {
      window: {
        id: 'q',
        name: 'Patch <night>',
        node: 's:x',
        nodeName: 'Berlin <A>',
        when,
        zone: null,
        createdAt: 0,
        until: null,
      },
      zone: 'Europe/Berlin',
      inheritedFrom: null,
    },
  ]
  const reportOf = (left: string, at: number) => ({
    at,
    message: textMessage(`Works is over: ${left}`, '4 devices went offline in this maintenance window, 3 came back.'),
  })
  const maintenance = [
    { name: 'Gone', place: 'Rome', from: now - minute, until: now, report: null },
    {
      name: 'Works',
      place: 'everything',
      from: now - 60 * minute,
      until: now - minute,
      report: reportOf('1 device did not come back', now - minute),
    },
    { name: 'Works', place: '', from: null, until: null, report: reportOf('all of it is back', now) },
    { name: 'Long', place: 'Oslo', from: now - minute, until: now + 60 * minute, report: null },
  ]
  const text = page({
    maintenance,
    policies: { ownZone: 'Europe/Berlin', windows, zones: [], thresholds: [], places: [] },
  })
  expect(section(text, 'Maintenance windows')).toBe(`Maintenance windows\n\n- Gone over Rome: 06:59 to 07:00
- Works over everything: 06:00 to 06:59; reported 06:59: 1 device did not come back. 4 devices went offline in this maintenance window, 3 came back.
- Works: reported 07:00: all of it is back. 4 devices went offline in this maintenance window, 3 came back.
- Long over Oslo: 06:59 to 08:00, holds still\n- next Patch \\<night\\> over Berlin \\<A\\>: 23 Nov 18:00 to 19:00 (Every Mon 18:00 to 19:00, Europe/Berlin)\n\n`)
})

test('healthy connections are a number, the others have a line each', () => {
  const connections = [
    connection(),
    connection({ id: 'c2', name: 'Old', heardAt: now - 60 * minute, link: { state: 'connecting', attempt: 0 } }),
    connection({ id: 'c3', name: 'Paused', paused: true, heardAt: null }),
  ]
  const text = page({ connections, totals: { connected: 1, disconnected: 2, unknown: 1_234 } })
  expect(section(text, 'What Muster sees')).toBe(
    [
      'What Muster sees',
      '',
      '1 of 3 connections are live and without a fault; 1,234 devices have no data.',
      '',
      '- Old: connecting, attempt 1; last heard 06:00',
      '- Paused: paused by the operator; last heard never',
      '',
    ].join('\n'),
  )
  expect(text).toContain('Of 1,237 devices 2 are offline now, 1,234 with no data.')
  expect(section(page({ connections: [connection()] }), 'What Muster sees')).toContain(
    'The connection is live and without a fault; every device is seen.',
  )
})

test('of ten thousand incidents the page shows the worst and says so, the sheet has all', () => {
  const closed = Array.from({ length: 10_000 }, (_, index) =>
    incident({
      id: `i${index}`,
      message: textMessage(`No. ${index}`),
      severity: index === 9_000 ? 'critical' : 'minor',
      closedAt: now - index,
    }),
  )
  const text = page({ closed, open: closed.map((one) => ({ ...one, closedAt: null })) })
  expect(text).toContain('Shown are 25 of 10,000 incidents, the worst; a handover as CSV has all.')
  expect(text).toContain('Shown are 200 of 10,000 incidents, the worst.')
  expect(
    tablesOf(text)[0]
      ?.slice(2, 5)
      .map(([what]) => what),
  ).toEqual(['No. 9000', 'No. 0', 'No. 1'])
  expect(read(sheet({ closed }))).toHaveLength(10_000)
})

describe('names of a service', () => {
  test('no name brings a control character, a broken row or a formula', () => {
    const name = oneof(
      string({ unit: 'binary' }),
      string({ unit: constantFrom('|', '\\', '`', '\n', '=', ' ', '"', ',', '\u202E', '\u0000') }),
      constantFrom(...strange),
    )
    assert(
      property(name, name, (one, other) => {
        const acknowledged = { at: now - 1, reason: other }
        const over = {
          open: [
            incident({ id: 'a', message: textMessage(one), acknowledged }),
            incident({ id: 'b', kind: 'flapping', message: textMessage(other) }),
          ],
          closed: [incident({ id: 'c', message: textMessage(other), closedAt: now })],
          members: new Map([
            ['a', [member({ name: other })]],
            ['c', [member({ name: one })]],
          ]),
          maintenance: [
            {
              name: one,
              place: other,
              from: now,
              until: now,
              report: { at: now, message: textMessage(one, other) },
            },
          ],
          connections: [connection({ name: one, paused: true })],
        }
        const text = page(over)
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
        expect(tablesOf(text).map((table) => table.map((row) => row.length))).toEqual([[4, 4, 4]])
        for (const line of section(text, 'Open').trim().split('\n').slice(2))
          expect(line).toMatch(/^(- \*\*| {2}- (Who|Why|Next): )./u)
        const cells = read(sheet(over))
        expect(cells).toHaveLength(3)
        for (const line of cells)
          for (const cell of Object.values(line))
            expect(cell).not.toMatch(/^([\t\r\n]|[\s\p{C}"]*[=+\-@＝＋－＠])|[\p{Cc}]/u)
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})
