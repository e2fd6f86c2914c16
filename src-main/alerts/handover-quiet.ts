import type { Policies } from '../../src-shared/incidents.ts'
import { everything } from '../../src-shared/model.ts'
import { withMoments } from '../../src-shared/moments.ts'
import { createQuiet } from '../../src-shared/quiet.ts'
import { describeWhen } from '../../src-shared/quiet-words.ts'
import { createZones } from '../../src-shared/zones.ts'
import type { HandoverInput } from './handover.ts'
import type { QuietReport } from './held.ts'
import { timeId } from './laid.ts'
import { cutWords, points, words } from './markdown.ts'
import { nameIn } from './names.ts'
import type { PageStamps } from './page-stamps.ts'

/** One time of a maintenance window; null for both ends when only its report is known, because the window is another one now, or gone. */
export interface QuietTime {
  name: string
  /** Over which place; '' when that is not known any more. */
  place: string
  from: number | null
  until: number | null
  report: Pick<QuietReport, 'at' | 'words'> | null
}

const mostQuiet = 20

/** What held in a span, with what its end was reported to be; and reports of the span of which the window is not there any more. */
export function quietTimes(
  { windows }: Policies,
  reports: readonly QuietReport[],
  { from, until }: { from: number; until: number },
): QuietTime[] {
  const quiet = createQuiet()
  const byId = new Map(reports.map((report) => [report.id, report]))
  const held = windows.flatMap(({ window, zone }) =>
    quiet
      .occurrencesBetween(window, zone, from, until)
      .map((time) => ({ window, time, id: timeId(window.id, time.from, window.node) })),
  )
  const known = new Set(held.map(({ id }) => id))
  const others = reports.filter(({ id, at }) => !known.has(id) && at >= from && at <= until)
  return [
    ...held.map(({ window, time, id }) => ({
      name: window.name,
      place: placeOf(window),
      ...time,
      report: byId.get(id) ?? null,
    })),
    ...others.map((report) => ({ name: report.name, place: '', from: null, until: null, report })),
  ].sort((one, other) => (one.from ?? one.report?.at ?? 0) - (other.from ?? other.report?.at ?? 0))
}

const placeOf = ({ node, nodeName }: { node: string; nodeName: string }): string =>
  node === everything ? 'everything' : nodeName

/** Maintenance windows of a handover's span, with what their ends brought, and the next ones. */
export function quietPart(
  input: Pick<HandoverInput, 'quiet' | 'policies' | 'until' | 'now'>,
  stamps: PageStamps,
): string[] {
  const { quiet, now } = input
  const next = nextQuiet(input)
  if (quiet.length + next.length === 0) return []
  const held = quiet.slice(0, mostQuiet).map((one) => `${line(one, stamps)}${endWords(one, now, stamps)}`)
  const coming = next.slice(0, mostQuiet).map((one) => `next ${line(one, stamps)} (${words(one.when)})`)
  return [
    '## Maintenance windows',
    points([...held, ...coming]),
    cutWords(held.length, quiet.length, 'quiet times of the shift'),
    cutWords(coming.length, next.length, 'maintenance windows, the next'),
  ]
}

function line({ name, place, from, until }: QuietTime, stamps: PageStamps): string {
  const over = place === '' ? '' : ` over ${words(place, 80)}`
  return `${words(name)}${over}${from === null || until === null ? '' : `: ${stamps.span(from, until)}`}`
}

/** "; reported 05:00: 3 devices did not come back. 40 devices went offline in this maintenance window, 37 came back." */
function endWords({ name, from, until, report }: QuietTime, now: number, stamps: PageStamps): string {
  if (report === null) return until !== null && until > now ? ', holds still' : ''
  const title = withMoments(report.words, 'title', stamps.at)
  const named = `${nameIn(name)} is over: `
  const said = [
    title.startsWith(named) ? title.slice(named.length) : title,
    withMoments(report.words, 'body', stamps.at),
  ].join('. ')
  return `${from === null ? ': ' : '; '}reported ${stamps.at(report.at)}: ${words(said, 500)}`
}

/** The next time of each window that begins after now and the span. */
function nextQuiet({
  policies,
  until,
  now,
}: Pick<HandoverInput, 'policies' | 'until' | 'now'>): (QuietTime & { from: number; when: string })[] {
  const quiet = createQuiet()
  const zones = createZones()
  return policies.windows
    .flatMap(({ window, zone }) => {
      const next = quiet.nextOccurrence(window, zone, Math.max(until, now) - 1)
      return next === null
        ? []
        : [
            {
              name: window.name,
              place: placeOf(window),
              from: next.from,
              until: next.until,
              report: null,
              when: describeWhen(window, zone, zones, now),
            },
          ]
    })
    .sort((one, other) => one.from - other.from)
}
