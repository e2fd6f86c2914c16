import { expect, test } from 'vitest'
import type { AvailabilityReport, ReportFigures } from '../../../src-shared/contract/report-calls.ts'
import { availabilityOf, coverageOf, dayBars, recoveryOf } from '../../../src-shared/reports/figures.ts'
import { createReportFormat } from '../../../src-shared/reports/report-format.ts'
import { reportHtml } from '../../../src-shared/reports/report-html.ts'

const hour = 3_600_000
const from = Date.UTC(2026, 10, 1)
const figures = (over: Partial<ReportFigures> = {}): ReportFigures => ({
  devices: 2,
  counted: 100 * hour,
  up: 80 * hour,
  down: 10 * hour,
  outages: 3,
  longest: 6 * hour,
  recovered: 2,
  recovery: 4 * hour,
  ...over,
})
const report = (over: Partial<AvailabilityReport> = {}): AvailabilityReport => ({
  path: [{ id: 't:x', name: 'Acme <script>alert(1)</script> & "Co"', kind: 'tenant' }],
  from,
  until: from + 48 * hour,
  madeAt: from + 50 * hour,
  all: figures(),
  maintenance: 0,
  days: [
    { from, until: from + 24 * hour, counted: 50 * hour, up: 45 * hour, down: 5 * hour },
    { from: from + 24 * hour, until: from + 48 * hour, counted: 50 * hour, up: 0, down: 0 },
  ],
  below: [{ id: 's:x', name: '<b>Berlin</b>', kind: 'site', ...figures() }],
  belowLeftOut: 4,
  worst: [],
  windows: [{ name: 'Patch', place: 'Berlin', from, until: from + hour }],
  windowsLeftOut: 0,
  notes: [],
  ...over,
})
const html = (dress: Partial<Parameters<typeof reportHtml>[2]> = {}, over: Partial<AvailabilityReport> = {}) =>
  reportHtml(
    report(over),
    { zone: 'UTC', hours: null },
    { locale: 'en-GB', words: '', logo: '', notes: false, ...dress },
  )

test('shares: of the observed and of the counted time, and nothing where there is none', () => {
  expect(availabilityOf(figures())).toBeCloseTo(80 / 90)
  expect(coverageOf(figures())).toBeCloseTo(0.9)
  expect(recoveryOf(figures())).toBe(2 * hour)
  expect(availabilityOf({ up: 0, down: 0 })).toBeNull()
  expect(coverageOf({ up: 0, down: 0, counted: 0 })).toBeNull()
  expect(recoveryOf({ recovered: 0, recovery: 0 })).toBeNull()
})

test('shares are rounded down, so that 100 % is all, and numbers are those of the country', () => {
  const [english, german] = ['en-GB', 'de-DE'].map((locale) => createReportFormat(locale, 'Europe/Berlin'))
  expect(english?.share(0.99999)).toBe('99.99\u00A0%')
  expect(english?.share(1)).toBe('100.00\u00A0%')
  expect(english?.share(0.9)).toBe('90.00\u00A0%')
  expect(german?.share(0.98765)).toBe('98,76\u00A0%')
  expect(german?.hours(1234.56 * hour)).toBe('1.234,6 h')
  expect(english?.time(from)).toBe('01/11/2026, 01:00')
  expect(german?.date(from)).toBe('01.11.2026')
  expect([0, 59_000, 90_000, hour, 26 * hour, null].map((ms) => english?.duration(ms ?? null))).toEqual([
    '0 s',
    '59 s',
    '1 min 30 s',
    '1 h',
    '1 d 2 h',
    '–',
  ])
})

test('the axis begins at a round share below the lowest day, and a day without data has no bar', () => {
  const day = (up: number, down: number) => ({ from, until: from, counted: 100, up, down })
  expect(dayBars([day(97, 3), day(100, 0)]).low).toBe(0.95)
  expect(dayBars([day(9995, 5)]).low).toBe(0.999)
  expect(dayBars([day(0, 10)]).low).toBe(0)
  const { low, bars } = dayBars([day(99, 1), day(0, 0)])
  expect(low).toBe(0.95)
  expect(bars.map(({ height }) => height)).toEqual([expect.closeTo(0.8), null])
  expect(bars[1]?.coverage).toBe(0)
})

test('what comes from outside is text, and the page loads nothing', () => {
  const page = html({ words: '<img src=x onerror=alert(1)>' })
  expect(page).not.toMatch(/<script|<b>|<img/u)
  expect(page).toContain('Acme &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;')
  expect(page).toContain('&lt;b&gt;Berlin&lt;/b&gt;')
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/https?:|url\(/u)
  expect(page).toContain('4 more are left out.')
})

test('a logo is a picture or nothing', () => {
  expect(html({ logo: 'data:image/png;base64,AAAA' })).toContain('<img src="data:image/png;base64,AAAA" alt="">')
  for (const logo of ['https://a.test/x.png', 'data:text/html;base64,AAAA', 'data:image/svg+xml;base64,AAAA', '"><b>'])
    expect(html({ logo }), logo).not.toContain('<img')
})

test('it says what was left out and what was not observed', () => {
  expect(html()).toContain('No maintenance is left out.')
  expect(html()).toContain('10.0 h of all devices together were not observed')
  expect(html({}, { maintenance: 5 * hour })).toContain('5.0 h of maintenance, of all devices together, are left out.')
  const service = reportHtml(
    report(),
    { zone: 'Europe/Berlin', hours: { days: [4, 0], from: '08:00', until: '18:00' } },
    { locale: 'en-GB', words: '', logo: '', notes: false },
  )
  expect(service).toContain('Only service hours count: Mon, Fri, 08:00 to 18:00, Europe/Berlin.')
})

test('notes are in a report where they are wanted, as text', () => {
  const notes = [
    { node: 'd:x', kind: 'device' as const, name: 'A', contact: '<i>', tags: ['x', 'y'], text: 'Late payer', at: 1 },
  ]
  expect(html({}, { notes })).not.toContain('Late payer')
  expect(html({ notes: true }, { notes })).toContain(
    '<th scope="row">A</th><td>&lt;i&gt;</td><td>x, y</td><td>Late payer</td>',
  )
})
