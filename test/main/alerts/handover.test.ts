import { assert, constantFrom, oneof, property, string } from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { handoverOf } from '../../../src-main/alerts/handover.ts'
import type { Policies } from '../../../src-shared/incidents.ts'
import { connection, handover, incident, member, now, strange, tablesOf } from './text-cases.ts'

const minute = 60_000
const page = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'md').text
const sheet = (over: Parameters<typeof handover>[0] = {}) => handoverOf(handover(over), 'csv').text
const read = (text: string) => Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/u, ''), { header: true, skipEmptyLines: true }).data

test('the file has a name that any system takes', () => {
  expect(handoverOf(handover(), 'md').name).toBe('muster-handover-2026-11-22T0600Z.md')
  expect(handoverOf(handover({ until: now + 59_999 }), 'csv').name).toBe('muster-handover-2026-11-22T0600Z.csv')
})

test('a shift in which nothing was says so, part by part', () => {
  const text = page()
  expect(text).toContain('# Shift handover, 2026-11-21 23:00:00 +01:00 Europe/Berlin (2026-11-21T22:00:00Z) to 2026-11-22 07:00:00 +01:00 Europe/Berlin (2026-11-22T06:00:00Z)\n')
  for (const words of ['Nothing is open.', 'Nothing comes and goes.', 'Nothing was acknowledged.', 'Nothing closed.', 'None in this span.', 'None comes.', 'Muster has no connection.']) expect(text).toContain(words)
  expect(read(sheet())).toEqual([])
})

test('what stands open is told worst first, with its devices and what was said of it', () => {
  const open = [
    incident({ id: 'a', severity: 'minor', title: 'Studio 9 is offline', devices: { down: 1, unseen: 0, peak: 1, total: null } }),
    incident({ id: 'b', severity: 'critical', title: 'Younger', openedAt: now - minute }),
    incident({ id: 'c', severity: 'critical', title: 'Older', acknowledged: { at: now - minute, reason: 'The | switch' }, snoozed: { at: now, until: now + minute } }),
    incident({ id: 'd', kind: 'flapping', title: 'Studio 7 comes and goes', since: null }),
  ]
  const text = page({ open, members: new Map([['c', [member({ name: 'A' }), member({ name: 'B' }), member({ name: 'Back', backAt: now })]]]) })
  const [standing, flapping] = tablesOf(text)
  expect(standing?.slice(2).map(([severity, what]) => `${severity} ${what}`)).toEqual(['critical Older', 'critical Younger', 'minor Studio 9 is offline'])
  expect(standing?.[2]).toEqual([
    'critical', 'Older', '2026-11-22 05:30:00 +01:00 Europe/Berlin (2026-11-22T04:30:00Z), for 1 h 30 min', '3: A, B and 1 more',
    '2026-11-22 06:59:00 +01:00 Europe/Berlin (2026-11-22T05:59:00Z): The \\| switch', 'until 2026-11-22 07:01:00 +01:00 Europe/Berlin (2026-11-22T06:01:00Z)',
  ])
  expect(flapping?.slice(2).map(([, what, since]) => `${what}: ${since?.slice(0, 26)}`)).toEqual(['Studio 7 comes and goes: before 2026-11-22 05:32:00'])
  expect(text).toContain('- Older (open), 2026-11-22 06:59:00 +01:00')
})

test('what closed has its length, the latest first', () => {
  const text = page({ closed: [incident({ id: 'a', title: 'First', closedAt: now - 30 * minute }), incident({ id: 'b', title: 'Last', closedAt: now + minute })] })
  expect(tablesOf(text)[0]?.slice(2).map(([, what, , closed, length]) => [what, closed?.split(', ')[1], length])).toEqual([['Last', 'after the span', '1 h 31 min'], ['First', undefined, '1 h']])
})

test('a span over a change of the clocks has both offsets, and its true length', () => {
  const from = Date.parse('2026-10-24T20:00:00Z')
  const text = page({ from, until: from + 10 * 60 * minute, closed: [incident({ since: from, closedAt: from + 10 * 60 * minute })] })
  expect(text).toContain('# Shift handover, 2026-10-24 22:00:00 +02:00 Europe/Berlin (2026-10-24T20:00:00Z) to 2026-10-25 07:00:00 +01:00 Europe/Berlin (2026-10-25T06:00:00Z)')
  expect(tablesOf(text)[0]?.[2]?.[4]).toBe('10 h')
})

test('quiet windows of the span and the next ones stand there', () => {
  const when = { kind: 'weekly' as const, days: [0], from: '18:00', minutes: 60 }
  const windows: Policies['windows'] = [{ window: { id: 'q', name: 'Patch <night>', node: 'all', nodeName: '', when, zone: null, createdAt: 0, until: null }, zone: 'Europe/Berlin', inheritedFrom: null }]
  const text = page({ quiet: [{ name: 'Gone', zone: 'Asia/Calcutta', from: now - minute, until: now }], policies: { ownZone: 'Europe/Berlin', windows, zones: [], rules: [] } })
  expect(text).toContain('- Gone (Asia/Calcutta): 2026-11-22 06:59:00')
  expect(text).toContain('- Patch \\<night\\> (Europe/Berlin): 2026-11-23 18:00:00 +01:00 Europe/Berlin (2026-11-23T17:00:00Z) to 2026-11-23 19:00:00')
  expect(text).toContain('Every Mon 18:00 to 19:00')
})

test('connections tell how they stand, and which was heard the longest ago', () => {
  const connections = [connection(), connection({ id: 'c2', name: 'Old', heardAt: now - 60 * minute, link: { state: 'connecting', attempt: 0 } }), connection({ id: 'c3', name: 'Paused', paused: true, heardAt: null })]
  const text = page({ connections, totals: { connected: 1, disconnected: 2, unknown: 1_234 } })
  expect(tablesOf(text)[0]?.slice(2).map(([name, link]) => `${name}: ${link?.slice(0, 10)}`)).toEqual(['Acme EU: live since', 'Old: connecting', 'Paused: paused by '])
  expect(text).toContain('1,234 devices are not seen now. The oldest last word of a connection is that of Old, 2026-11-22 06:00:00')
})

test('of ten thousand incidents the page shows some and says so, the sheet has all', () => {
  const closed = Array.from({ length: 10_000 }, (_, index) => incident({ id: `i${index}`, closedAt: now - index }))
  expect(page({ closed })).toContain('Shown are 200 of 10,000 incidents, the latest.')
  expect(read(sheet({ closed }))).toHaveLength(10_000)
})

test('a line of the sheet is in UTC, with numbers as numbers and no formula', () => {
  const one = incident({ title: '=HYPERLINK("x")', closedAt: now, acknowledged: { at: now - minute, reason: '+1\n"quoted"' } })
  const [line] = read(sheet({ closed: [one], members: new Map([['i1', [member({ name: '@a' }), member({ name: 'b; c' })]]]) }))
  expect(line).toEqual({
    id: 'i1', state: 'closed', severity: 'major', kind: 'outage', title: '\'=HYPERLINK("x")', places: 'Berlin', since: '2026-11-22T04:30:00.000Z', openedAt: '2026-11-22T04:32:00.000Z',
    closedAt: '2026-11-22T06:00:00.000Z', seconds: '5400', down: '3', unseen: '0', peak: '3', total: '4', watched: '0', devices: '\'@a; b; c', acknowledgedAt: '2026-11-22T05:59:00.000Z',
    acknowledgedWhy: '\'+1 "quoted"', snoozedAt: '', snoozedUntil: '', silent: '', toldAt: '', often30Days: '1',
  })
})

describe('names of a service', () => {
  test('whatever they are, no control character, no broken row and no formula comes out', () => {
    const name = oneof(string({ unit: 'binary' }), string({ unit: constantFrom('|', '\\', '`', '\n', '=', ' ', '"', ',', '\u202E', '\u0000') }), constantFrom(...strange))
    assert(property(name, name, (one, other) => {
      const acknowledged = { at: now - 1, reason: other }
      const over = {
        open: [incident({ id: 'a', title: one, acknowledged }), incident({ id: 'b', kind: 'flapping', title: other })], closed: [incident({ id: 'c', title: other, closedAt: now })],
        members: new Map([['a', [member({ name: other })]], ['c', [member({ name: one })]]]), quiet: [{ name: one, zone: 'UTC', from: now, until: now }], connections: [connection({ name: one })],
      }
      const text = page(over)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
      expect(tablesOf(text).map((table) => table.map((row) => row.length))).toEqual([[6, 6, 6], [6, 6, 6], [6, 6, 6], [5, 5, 5]])
      const cells = read(sheet(over))
      expect(cells).toHaveLength(3)
      for (const line of cells) for (const cell of Object.values(line)) expect(cell).not.toMatch(/^([\t\r\n]|[\s\p{C}"]*[=+\-@＝＋－＠])|[\p{Cc}]/u)
    }), { numRuns: 100 })
  }, 60_000)
})
