import type { Policies } from '../../src-shared/model/incidents.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { messageBody, messageTitle } from '../../src-shared/text/messages.ts'
import { createMaintenance } from '../../src-shared/maintenance/maintenance.ts'
import { describeWhen } from '../../src-shared/maintenance/format.ts'
import { createZones } from '../../src-shared/maintenance/zones.ts'
import type { HandoverInput, MaintenanceTime } from './handover-input.ts'
import type { MaintenanceReport } from '../incidents/engine/maintenance/report.ts'
import { runId } from '../policies/policies.ts'
import { omittedText, bullets, inline } from './markdown.ts'
import { nameText } from '../../src-shared/text/names.ts'
import type { PageStamps } from './page-stamps.ts'

const maxWindows = 20

/**
 * Returns the maintenance windows that were active in a span, with their reports, and the reports of windows that no
 * longer exist.
 */
export function maintenanceTimes(
  { windows }: Policies,
  reports: readonly MaintenanceReport[],
  { from, until }: { from: number; until: number },
): MaintenanceTime[] {
  const maintenance = createMaintenance()
  const byId = new Map(reports.map((report) => [report.id, report]))
  const past = windows.flatMap(({ window, zone }) =>
    maintenance
      .occurrencesBetween(window, zone, from, until)
      .map((time) => ({ window, time, id: runId(window.id, time.from, window.node) })),
  )
  const known = new Set(past.map(({ id }) => id))
  const others = reports.filter(({ id, at }) => !known.has(id) && at >= from && at <= until)
  return [
    ...past.map(({ window, time, id }) => ({
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

/** Returns the maintenance part of a handover: the windows of the span with their results, and the next ones. */
export function maintenancePart(
  input: Pick<HandoverInput, 'maintenance' | 'policies' | 'until' | 'now'>,
  stamps: PageStamps,
): string[] {
  const { maintenance, now } = input
  const next = nextWindows(input)
  if (maintenance.length + next.length === 0) return []
  const past = maintenance.slice(0, maxWindows).map((one) => `${line(one, stamps)}${resultText(one, now, stamps)}`)
  const upcoming = next.slice(0, maxWindows).map((one) => `next ${line(one, stamps)} (${inline(one.when)})`)
  return [
    '## Maintenance windows',
    bullets([...past, ...upcoming]),
    omittedText(past.length, maintenance.length, 'maintenance windows of the shift'),
    omittedText(upcoming.length, next.length, 'maintenance windows, the next'),
  ]
}

function line({ name, place, from, until }: MaintenanceTime, stamps: PageStamps): string {
  const over = place === '' ? '' : ` over ${inline(place, 80)}`
  return `${inline(name)}${over}${from === null || until === null ? '' : `: ${stamps.span(from, until)}`}`
}

/**
 * Returns for example "; reported 05:00: 3 devices did not come back. 40 devices went offline in this maintenance
 * window, 37 came back."
 */
function resultText({ name, from, until, report }: MaintenanceTime, now: number, stamps: PageStamps): string {
  if (report === null) return until !== null && until > now ? ', holds still' : ''
  const { message } = report
  const title = messageTitle(message, stamps.at)
  const named = `${nameText(name)} is over: `
  const text = [title.startsWith(named) ? title.slice(named.length) : title, messageBody(message, stamps.at)].join('. ')
  return `${from === null ? ': ' : '; '}reported ${stamps.at(report.at)}: ${inline(text, 500)}`
}

/** Returns the next run of each window that begins after both now and the span. */
function nextWindows({
  policies,
  until,
  now,
}: Pick<HandoverInput, 'policies' | 'until' | 'now'>): (MaintenanceTime & { from: number; when: string })[] {
  const maintenance = createMaintenance()
  const zones = createZones()
  return policies.windows
    .flatMap(({ window, zone }) => {
      const next = maintenance.nextOccurrence(window, zone, Math.max(until, now) - 1)
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
