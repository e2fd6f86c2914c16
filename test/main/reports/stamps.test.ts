import { expect, test } from 'vitest'
import { block, code, oneLine, table, inline } from '../../../src-main/reports/markdown.ts'
import { roughDuration, pageStamps } from '../../../src-main/reports/page-stamps.ts'
import { duration, stampsIn, utcTime } from '../../../src-main/reports/stamps.ts'

const at = Date.parse('2026-11-22T06:00:00.250Z')

test.each([
  ['Asia/Calcutta', '2026-11-22 11:30:00 +05:30 Asia/Kolkata (2026-11-22T06:00:00Z)'],
  ['America/New_York', '2026-11-22 01:00:00 -05:00 America/New_York (2026-11-22T06:00:00Z)'],
  ['Pacific/Kiritimati', '2026-11-22 20:00:00 +14:00 Pacific/Kiritimati (2026-11-22T06:00:00Z)'],
  ['Europe/London', '2026-11-22 06:00:00 +00:00 Europe/London (2026-11-22T06:00:00Z)'],
  ['UTC', '2026-11-22 06:00:00 UTC'],
  ['Etc/UTC', '2026-11-22 06:00:00 UTC'],
  ['Nowhere/Else', '2026-11-22 06:00:00 UTC'],
])('a moment in %s', (zone, expected) => {
  expect(stampsIn(zone).at(at)).toBe(expected)
})

test('a moment beyond the calendar is its number', () => {
  const stamps = stampsIn('Europe/Berlin')
  expect([stamps.at(Number.NaN), stamps.line(Infinity), utcTime(9e15), stamps.span(-9e15, null)]).toEqual([
    'NaN',
    'Infinity',
    '9000000000000000',
    '-9000000000000000',
  ])
  expect(stamps.at(-1)).toBe('1970-01-01 00:59:59 +01:00 Europe/Berlin (1969-12-31T23:59:59Z)')
})

test('in UTC a line of a log has its moment once', () => {
  expect(stampsIn('UTC').line(at)).toBe('2026-11-22T06:00:00.250Z')
})

test('on a page a moment has the parts that it needs, and no more', () => {
  const stamps = pageStamps('Europe/Berlin', at)
  const hour = 3_600_000
  expect([stamps.named, stamps.full(at)]).toEqual(['Europe/Berlin, UTC+01:00', 'Sun 22 Nov 2026, 07:00'])
  expect(
    [
      at,
      at - 8 * hour,
      Date.parse('2025-12-31T23:30:00Z'),
      Date.parse('2026-01-01T12:00:00Z'),
      Date.parse('2025-11-22T06:00:00Z'),
    ].map((time) => stamps.at(time)),
  ).toEqual(['07:00', '21 Nov 23:00', '1 Jan 00:30', '1 Jan 13:00', '22 Nov 2025 07:00'])
  expect([
    stamps.span(at - hour, at),
    stamps.span(at - 8 * hour, at),
    stamps.span(at - 10 * hour, at - 9 * hour),
    stamps.span(at, at + 1),
  ]).toEqual(['06:00 to 07:00', '21 Nov 23:00 to 22 Nov 07:00', '21 Nov 21:00 to 22:00', '07:00'])
  expect([stamps.at(Number.NaN), stamps.full(Infinity), stamps.span(9e15, at)]).toEqual([
    'NaN',
    'Infinity',
    '9000000000000000 to 07:00',
  ])
  expect([
    pageStamps('UTC', at).named,
    pageStamps('Etc/UTC', at).at(at),
    pageStamps('Nowhere/Else', at).named,
    pageStamps('Asia/Calcutta', at).named,
  ]).toEqual(['UTC', '06:00', 'UTC', 'Asia/Kolkata, UTC+05:30'])
})

test('the hour that comes twice when the clocks are set back is distinguished', () => {
  const stamps = pageStamps('Europe/Berlin', Date.parse('2026-10-25T06:00:00Z'))
  expect([stamps.at(Date.parse('2026-10-25T00:30:00Z')), stamps.at(Date.parse('2026-10-25T01:30:00Z'))]).toEqual([
    '02:30 (UTC+02:00)',
    '02:30',
  ])
})

test.each([
  [59_900, '1 min'],
  [42_000, '42 s'],
  [61_900, '1 min'],
  [5_400_000, '1 h 30 min'],
  [90_061_000, '1 d 1 h'],
])('%d ms are about %s', (ms, expected) => {
  expect(roughDuration(ms)).toBe(expected)
})

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [3_599_600, '1 h'],
  [3_700_000, '1 h 1 min'],
  [86_400_000 * 400 + 5 * 3_600_000, '400 d 5 h'],
  [86_400_000 + 60_000, '1 d'],
])('%d ms are %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
})

test('a usual name stays as it is, and a long one is cut between characters', () => {
  expect(inline('Studio 1, Zürich (2.0)')).toBe('Studio 1, Zürich (2.0)')
  const family = '👨‍👩‍👧‍👦'
  expect(oneLine(family.repeat(60), 40)).toBe(`${family.repeat(39)}…`)
  expect(oneLine(`x${'\u0301'.repeat(1_000_000)}`).length).toBeLessThan(20_000)
})

test('text from outside is code, and a code has the fence that it needs', () => {
  expect(inline('https://evil.test')).toBe('`https://evil.test`')
  expect(inline('@ops #12')).toBe('`@ops #12`')
  expect(code('a `b` ``c')).toBe('``` a `b` ``c ```')
  expect(block('text', ['```', 'a\r\nb'])).toBe('````text\n```\na\nb\n````')
})

test('unclosed isolates are closed, and closing ones without an opening are removed', () => {
  expect(inline('\u2068חדר 4\u2069 is offline')).toBe('\u2068חדר 4\u2069 is offline')
  expect(inline('\u2067x')).toBe('x')
  expect(inline('\u2069\u2068חדר')).toBe('\u2068חדר\u2069')
})

test('bars do not split cells, however many backslashes precede them', () => {
  expect(table(['a', 'b'], [[inline('\\|'), code('\\|\\\\|')]])).toBe(
    '| a | b |\n| --- | --- |\n| \\\\\\| | `\\|\\\\\\|` |',
  )
})
