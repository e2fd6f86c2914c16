import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { CallOutput, Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { oneByOne } from '../../src-shared/lib/one-by-one.ts'
import { configuredZone, createZones } from '../../src-shared/maintenance/zones.ts'
import { type Fault, FaultError } from '../../src-shared/model/fault.ts'
import type { Policies } from '../../src-shared/model/incidents.ts'
import type { ReportSchedule } from '../../src-shared/model/report-settings.ts'
import type { Settings as OperatorSettings } from '../../src-shared/model/settings.ts'
import { above } from '../../src-shared/model/tree.ts'
import { lastPeriod, type Period } from '../../src-shared/reports/periods.ts'
import { reportHtml } from '../../src-shared/reports/report-html.ts'
import type { Log, Settings } from '../ports.ts'

type Schedules = CallOutput<'reports.schedules'>['schedules']

export interface ScheduledReportOptions {
  calls: Pick<Handlers, 'reports.availability' | 'reports.csv'>
  policies: () => Policies
  operator: () => Pick<
    OperatorSettings,
    'reportSchedules' | 'reportLocale' | 'reportWords' | 'reportLogo' | 'reportNotes'
  >
  /** Keeps what was written. */
  settings: Settings
  clock: Pick<Clock, 'now' | 'after'>
  log: Log
}

/** Writes the reports that are due, now and every ten minutes. */
export interface ScheduledReports {
  states(): Schedules
  /** Writes those that are due. Resolves when it has. */
  check(): Promise<void>
  stop(): void
}

const settingsKey = 'scheduledReports'
const [firstCheckMs, checkEveryMs] = [60_000, 10 * 60_000]
/** A report waits this long (ms) after its end: what a sync enters late belongs to it too. */
const settleMs = 15 * 60_000

const stored = z.record(z.string(), z.object({ period: z.string(), at: z.number(), path: z.string() })).catch({})

export function openScheduledReports(options: ScheduledReportOptions): ScheduledReports {
  const { policies, operator, settings, clock, log } = options
  const zones = createZones()
  const faults = new Map<string, Fault>()
  let written = stored.parse(settings.get(settingsKey) ?? {})
  const inTurn = oneByOne()
  const check = async () => {
    for (const schedule of operator().reportSchedules) {
      const zone = zoneOf(schedule, policies())
      const period = lastPeriod(schedule.every, zones, zone, clock.now() - settleMs)
      if (written[schedule.id]?.period === period.name) continue
      try {
        const file = await writeReport(options, schedule, { ...period, zone })
        written = { ...written, [schedule.id]: { period: period.name, at: clock.now(), path: file } }
        settings.set(settingsKey, written)
        faults.delete(schedule.id)
      } catch (thrown) {
        const fault = faultOf(thrown)
        if (!faults.has(schedule.id)) log('warn', `a scheduled report could not be written: ${fault.kind}`)
        faults.set(schedule.id, fault)
      }
    }
  }
  let cancel = () => {}
  const wait = (ms: number) => {
    cancel = clock.after(ms, () => void inTurn(check).finally(() => wait(checkEveryMs)))
  }
  wait(firstCheckMs)
  return {
    states: () =>
      operator().reportSchedules.map(({ id }) => ({ id, written: written[id] ?? null, fault: faults.get(id) ?? null })),
    check: () => inTurn(check),
    stop: () => cancel(),
  }
}

function faultOf(thrown: unknown): Fault {
  if (thrown instanceof FaultError) return thrown.fault
  return { kind: 'file', detail: thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '' }
}

function zoneOf({ place }: ReportSchedule, policies: Policies): string {
  const account = policies.places.find(({ node }) => node === place)?.account ?? null
  return configuredZone(above(place, account), policies).zone
}

async function writeReport(
  { calls, operator }: ScheduledReportOptions,
  { place, placeName, folder, hours = null }: ReportSchedule,
  { name, from, until, zone }: Period & { zone: string },
): Promise<string> {
  if (!path.isAbsolute(folder)) throw new FaultError('input', 'The folder is no full path.')
  const request = { place, from, until, zone, hours }
  const report = await calls['reports.availability'](request)
  const { reportLocale, reportWords, reportLogo, reportNotes } = operator()
  const locale = reportLocale === '' ? new Intl.DateTimeFormat().resolvedOptions().locale : reportLocale
  const which = hours === null ? '' : `-${`${hours.from}-${hours.until}`.replaceAll(':', '')}`
  const file = path.join(folder, `muster-availability-${plainName(placeName)}-${name}${which}`)
  await writeWhole(`${file}.csv`, async (write) => {
    for (let offset: number | null = 0; offset !== null;) {
      const part: CallOutput<'reports.csv'> = await calls['reports.csv']({ ...request, offset })
      await write(part.text)
      offset = part.next
    }
  })
  const html = reportHtml(report, request, { locale, words: reportWords, logo: reportLogo, notes: reportNotes })
  await writeWhole(`${file}.html`, (write) => write(html))
  return `${file}.html`
}

/** Returns a name without what a path or a system reads into it. */
const plainName = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 80) || 'place'

/** Writes a file completely or not at all. */
async function writeWhole(
  file: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`)
  const handle = await open(part, 'wx')
  try {
    await fill((text) => handle.writeFile(text))
    await handle.sync()
    await handle.close()
    await rename(part, file)
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}
