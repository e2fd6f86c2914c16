import type { ServiceHours } from '../model/report-settings.ts'
import type { AvailabilityReport, ReportFigures, ReportRequest } from '../contract/report-calls.ts'
import { isPicture } from './dress.ts'
import { availabilityOf, coverageOf, dayBars, recoveryOf } from './figures.ts'
import { createReportFormat, type ReportFormat } from './report-format.ts'

/** What the operator adds. */
export interface ReportDress {
  /** BCP 47. */
  locale: string
  /** Plain text, with line breaks; '' for none. */
  words: string
  /** A picture as a data address (PNG or JPEG); '' for none. */
  logo: string
  /** Whether notes and tags are in it. */
  notes: boolean
}

/** Returns the report as one page of HTML that needs nothing else and prints well. Everything from outside is text. */
export function reportHtml(
  report: AvailabilityReport,
  { zone, hours }: Pick<ReportRequest, 'zone' | 'hours'>,
  { locale, words, logo, notes }: ReportDress,
): string {
  const format = createReportFormat(locale, zone)
  const title = `Availability of ${placeText(report)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
${isPicture(logo) ? `<img src="${text(logo)}" alt="">` : ''}
<div><h1>${text(title)}</h1>
<p>${text(`${format.time(report.from)} to ${format.time(report.until)}, ${zone}`)}</p></div>
</header>
${words.trim() === '' ? '' : `<section class="words">${paragraphs(words)}</section>`}
<dl class="figures">${keyFigures(report, format)
    .map(
      ([name, value, note]) =>
        `<div><dt>${text(name)}</dt><dd>${text(value)}</dd><dd class="note">${text(note)}</dd></div>`,
    )
    .join('')}</dl>
${chart(report, format)}
${reportTables(report, format, notes)
  .map((each) => table(each))
  .join('\n')}
<footer>
<h2>How it is counted</h2>
${methodLines(report, { zone, hours }, format)
  .map((line) => `<p>${text(line)}</p>`)
  .join('\n')}
</footer>
</body>
</html>
`
}

/** Returns the name of the report's place with those above it, the deepest first. */
export const placeText = ({ path }: Pick<AvailabilityReport, 'path'>): string =>
  path.length === 0
    ? 'all tenants'
    : path
        .map(({ name }) => (name.trim() === '' ? 'no name' : name))
        .toReversed()
        .join(' · ')

/** A table of a report. The first cell of a row is its head. */
export interface ReportTable {
  title: string
  heads: readonly string[]
  rows: readonly (readonly string[])[]
  /** Rows that are not told. */
  leftOut: number
}

const figureHeads = ['Availability', 'Observed', 'Outages', 'Offline', 'Longest', 'Mean time to recover'] as const

const figureCells = (line: ReportFigures, format: ReportFormat): string[] => [
  format.share(availabilityOf(line)),
  format.share(coverageOf(line)),
  format.number(line.outages),
  format.hours(line.down),
  line.outages === 0 ? '–' : format.duration(line.longest),
  format.duration(recoveryOf(line)),
]

/** Returns the tables of a report that have rows: places below, devices, maintenance, and where they are wanted, notes. */
export function reportTables(report: AvailabilityReport, format: ReportFormat, withNotes: boolean): ReportTable[] {
  const { below, belowLeftOut, worst, windows, windowsLeftOut, notes } = report
  const kind = below[0]?.kind
  const tables: ReportTable[] = [
    {
      title: kind === 'tenant' ? 'Tenants' : kind === 'room' ? 'Rooms' : 'Sites',
      heads: ['Name', 'Devices', ...figureHeads],
      rows: below.map((line) => [line.name, format.number(line.devices), ...figureCells(line, format)]),
      leftOut: belowLeftOut,
    },
    {
      title: 'Devices with the most offline time',
      heads: ['Name', 'Place', ...figureHeads],
      rows: worst.map((line) => [
        line.name,
        [line.room, line.site, line.tenant].filter((part) => part !== '').join(' · '),
        ...figureCells(line, format),
      ]),
      leftOut: 0,
    },
    {
      title: 'Maintenance that is left out',
      heads: ['Window', 'Place', 'From', 'To'],
      rows: windows.map(({ name, place, from, until }) => [name, place, format.time(from), format.time(until)]),
      leftOut: windowsLeftOut,
    },
    {
      title: 'Notes and tags',
      heads: ['About', 'Contact', 'Tags', 'Note'],
      rows: withNotes
        ? notes.map(({ name, contact, tags, text: words }) => [name, contact, tags.join(', '), words])
        : [],
      leftOut: 0,
    },
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

/** Returns the figures of the whole: name, value and a note. */
export function keyFigures({ all }: Pick<AvailabilityReport, 'all'>, format: ReportFormat): [string, string, string][] {
  return [
    ['Availability', format.share(availabilityOf(all)), 'of the observed time'],
    ['Observed', format.share(coverageOf(all)), 'of the counted time'],
    ['Outages', format.number(all.outages), `of ${format.number(all.devices)} devices`],
    ['Offline', format.hours(all.down), 'of all devices together'],
    ['Longest outage', all.outages === 0 ? '–' : format.duration(all.longest), 'of one device'],
    ['Mean time to recover', format.duration(recoveryOf(all)), `of ${format.number(all.recovered)} outages`],
  ]
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Returns how the figures are counted, a sentence each. */
export function methodLines(
  report: AvailabilityReport,
  { zone, hours }: Pick<ReportRequest, 'zone' | 'hours'>,
  format: ReportFormat,
): string[] {
  const { all, maintenance, madeAt } = report
  const unseen = all.counted - all.up - all.down
  return [
    `Availability is the time in which devices were online, of the time in which Muster observed them. ${format.hours(unseen)} of all devices together were not observed: they count neither as online nor as offline.`,
    hours === null ? 'All hours count.' : `Only service hours count: ${hoursText(hours)}, ${zone}.`,
    maintenance === 0
      ? 'No maintenance is left out.'
      : `${format.hours(maintenance)} of maintenance, of all devices together, are left out.`,
    'An outage is a disconnect with its offline time in the counted time. The mean time to recover is of outages that began and ended in the time of the report.',
    `The devices are those that were known when the report was made, in their places of then: ${format.time(madeAt)}.`,
  ]
}

/** Returns for example "Monday, Tuesday, 08:00 to 18:00". */
export function hoursText({ days, from, until }: ServiceHours): string {
  const names = days.toSorted((one, other) => one - other).map((each) => dayNames[each])
  return `${names.join(', ')}, ${from} to ${until}`
}

const [chartWidth, chartHeight, coverageHeight, axis] = [720, 150, 10, 64]

function chart(report: AvailabilityReport, format: ReportFormat): string {
  const { low, bars } = dayBars(report.days)
  if (bars.length < 2) return ''
  const width = (chartWidth - axis) / bars.length
  const gap = width > 4 ? 1 : 0
  const drawn = bars.map(({ from, availability, height, coverage }, index) => {
    const x = axis + index * width
    const rect = (name: string, y: number, high: number) =>
      `<rect class="${name}" x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${(width - gap).toFixed(2)}" height="${high.toFixed(2)}"/>`
    const title = `<title>${text(`${format.date(from)}: ${format.share(availability)} available, ${format.share(coverage)} observed`)}</title>`
    const bar =
      height === null
        ? rect('none', 0, chartHeight)
        : rect('down', 0, chartHeight) + rect('up', chartHeight * (1 - height), chartHeight * height)
    const observed = rect('unobserved', chartHeight + 6, coverageHeight)
    return `<g>${title}${bar}${observed}${rect('observed', chartHeight + 6 + coverageHeight * (1 - coverage), coverageHeight * coverage)}</g>`
  })
  const label = (y: number, words: string) => `<text x="${axis - 6}" y="${y}" text-anchor="end">${text(words)}</text>`
  return `<figure>
<h2>Availability by day</h2>
<svg viewBox="0 0 ${chartWidth} ${chartHeight + coverageHeight + 30}" role="img" aria-label="Availability by day">
${drawn.join('\n')}
${label(10, format.share(1))}${label(chartHeight, format.share(low))}${label(chartHeight + coverageHeight + 6, 'Observed')}
<text x="${axis}" y="${chartHeight + coverageHeight + 26}">${text(format.date(report.from))}</text>
<text x="${chartWidth}" y="${chartHeight + coverageHeight + 26}" text-anchor="end">${text(format.date(report.until - 1))}</text>
</svg>
<figcaption>${text(`The axis begins at ${format.share(low)}. Grey days have no data.`)}</figcaption>
</figure>`
}

function table({ title, heads, rows, leftOut }: ReportTable): string {
  const head = heads.map((each) => `<th scope="col">${text(each)}</th>`).join('')
  const lines = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${text(first)}</th>${rest.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`,
  )
  const more = leftOut === 0 ? '' : `<p class="note">${leftOut} more are left out.</p>`
  return `<section><h2>${text(title)}</h2><table><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table>${more}</section>`
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])
const text = (words: string): string => words.replaceAll(/[&<>"']/gu, (letter) => escapes.get(letter) ?? letter)
const paragraphs = (words: string): string =>
  words
    .trim()
    .split(/\n{2,}/u)
    .map((part) => `<p>${text(part).replaceAll('\n', '<br>')}</p>`)
    .join('')

const style = `
:root { color-scheme: light; background: #fff; color: #15181d; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 960px; margin: 32px auto; padding: 0 24px; }
header { display: flex; gap: 20px; align-items: center; margin-bottom: 20px; }
header img { max-height: 56px; max-width: 220px; }
h1 { margin: 0; font-size: 24px; line-height: 1.25; }
h2 { margin: 26px 0 8px; font-size: 16px; }
p { margin: 0 0 8px; }
.words { margin-bottom: 20px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(136px, 1fr)); gap: 10px; margin: 0; }
.figures div { padding: 10px 14px; border: 1px solid #d8dce3; border-radius: 8px; }
.figures dt, .note, figcaption, footer { color: #454d59; font-size: 12px; }
.figures dd { margin: 0; font-size: 22px; font-weight: 600; }
.figures dd.note { font-size: 12px; font-weight: 400; }
figure { margin: 0; }
svg { width: 100%; height: auto; }
svg text { fill: #454d59; font-size: 11px; }
.up { fill: #2d8a5b; } .down { fill: #d9474f; } .none, .unobserved { fill: #d8dce3; } .observed { fill: #565f6b; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid #e3e6eb; text-align: start; font-variant-numeric: tabular-nums; vertical-align: top; }
tbody th { font-weight: 500; }
thead th { color: #454d59; font-size: 12px; font-weight: 500; }
tr, figure, .figures { break-inside: avoid; }
thead { display: table-header-group; }
h2 { break-after: avoid; }
@page { margin: 16mm 14mm; }
@media print { body { max-width: none; margin: 0; padding: 0; } * { print-color-adjust: exact; } }
`
