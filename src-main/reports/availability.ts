import type { CallInput, Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { createMaintenance, type MaintenanceWindow } from '../../src-shared/maintenance/maintenance.ts'
import { windowOfHours } from '../../src-shared/maintenance/service-hours.ts'
import { createZones, type Zones } from '../../src-shared/maintenance/zones.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Policies } from '../../src-shared/model/incidents.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { PolicyService } from '../policies/policies.ts'
import { openScheduledReports, type ScheduledReportOptions } from './scheduled.ts'
import { untilDone } from '../inventory/thread/until-done.ts'

type Request = CallInput<'reports.availability'>
type Input = Parameters<InventoryData['availabilityReport']>[0]

export interface AvailabilityOptions {
  data: Pick<InventoryData, 'availabilityReport' | 'availabilityCsv'>
  policies: () => Policies
  clock: Pick<Clock, 'now'>
}

/** The calls of reports of availability, and those that are written by schedule. */
export interface AvailabilityReports {
  handlers: Pick<Handlers, Extract<keyof Handlers, `reports.${string}`>>
  stop(): void
}

/** What reports need of the core. */
interface Base {
  thread: { data: AvailabilityOptions['data'] }
  settings: { get: ScheduledReportOptions['operator'] }
  ports: Pick<ScheduledReportOptions, 'settings' | 'clock' | 'log'>
}

export function openAvailabilityReports(
  { thread: { data }, settings, ports }: Base,
  { policies }: Pick<PolicyService, 'policies'>,
): AvailabilityReports {
  const calls = availabilityHandlers({ data, policies, clock: ports.clock })
  const scheduled = openScheduledReports({ ...ports, policies, operator: settings.get, calls })
  return {
    handlers: {
      ...calls,
      async 'reports.schedules'() {
        await scheduled.check()
        return { schedules: scheduled.states() }
      },
    },
    stop: scheduled.stop,
  }
}

const dayMs = 24 * 3_600_000
/** Longest time of a report: the retention of the journal, and a day of another zone. */
const maxMs = 401 * dayMs

/** The calls that report the availability of a place, answered from the data thread. */
export function availabilityHandlers({
  data,
  policies,
  clock,
}: AvailabilityOptions): Pick<Handlers, 'reports.availability' | 'reports.csv'> {
  const zones = createZones()
  const inputOf = (request: Request) => reportInput(request, policies(), zones, clock.now())
  // The data thread keeps one report: two at once would begin it anew in turn.
  const inTurn = oneByOne()
  return {
    'reports.availability': (request) =>
      inTurn(async () => found(await untilDone(async () => data.availabilityReport(inputOf(request))))),
    'reports.csv': ({ offset, ...request }) =>
      inTurn(async () => found(await untilDone(async () => data.availabilityCsv({ ...inputOf(request), offset })))),
  }
}

function found<T>({ answer }: { answer: T | null }): T {
  if (answer === null) throw new FaultError('input', 'place: Muster does not know it.')
  return answer
}

/** Returns what the data thread needs. Throws a fault of kind `input` for a time that is none. */
export function reportInput(request: Request, policies: Policies, zones: Zones, now: number): Input {
  const { place, from, zone, hours } = request
  // A report of today is one of whole minutes. Its CSV is asked with the `until` that it has told.
  const until = Math.min(request.until, Math.floor(now / 60_000) * 60_000)
  if (request.until <= from) throw new FaultError('input', 'until: It is not after the beginning.')
  if (until <= from) throw new FaultError('input', 'from: It has not begun yet.')
  if (until - from > maxMs) throw new FaultError('input', 'from: The journal has 400 days.')
  const maintenance = createMaintenance(zones)
  const between = (window: MaintenanceWindow, its: string) => maintenance.occurrencesBetween(window, its, from, until)
  return {
    place,
    from,
    until,
    now,
    days: dayBoundaries(zones, zone, from, until),
    hours: hours === null ? null : between(windowOfHours(hours), zone),
    maintenance: policies.windows.map(({ window, zone: its }) => ({
      node: window.node,
      name: window.name,
      place: window.nodeName,
      spans: between(window, its),
    })),
  }
}

/** Returns `from`, each midnight of the zone within the time, and `until`. */
function dayBoundaries(zones: Zones, zone: string, from: number, until: number): number[] {
  const found = [from]
  for (let day = Math.floor((from + zones.offsetAt(zone, from)) / dayMs) + 1; ; day += 1) {
    const midnight = zones.firstAt(zone, day * dayMs)
    if (midnight >= until) return [...found, until]
    if (midnight > from) found.push(midnight)
  }
}
