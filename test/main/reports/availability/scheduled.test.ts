import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openScheduledReports } from '../../../../src-main/reports/scheduled.ts'
import type { AvailabilityReport } from '../../../../src-shared/contract/report-calls.ts'
import { createZones } from '../../../../src-shared/maintenance/zones.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { lastPeriod } from '../../../../src-shared/reports/periods.ts'
import type { ReportSchedule } from '../../../../src-shared/model/report-settings.ts'
import { manualClock } from '../../../support/clock.ts'
import { ownFolder } from '../../platform/shared/folder.ts'

const zones = createZones()
const day = 24 * 3_600_000
/** Tuesday, 3 November 2026, noon in UTC. */
const begin = Date.UTC(2026, 10, 3, 12)

function scheduled(over: Partial<ReportSchedule> = {}, stored: Record<string, unknown> = {}) {
  const folder = ownFolder()
  const clock = manualClock(begin)
  const asked: { from: number; until: number; zone: string }[] = []
  const settings = new Map(Object.entries(stored))
  let known = true
  let schedules: ReportSchedule[] = [
    { id: 'one', place: 't:x/acme', placeName: 'Acme / Süd', every: 'month', folder, ...over },
  ]
  const reports = openScheduledReports({
    calls: {
      'reports.availability': async (request) => {
        if (!known) throw new FaultError('input', 'place: Muster does not know it.')
        asked.push(request)
        return {
          path: [],
          from: request.from,
          until: request.until,
          all: {},
          days: [],
          below: [],
          worst: [],
          windows: [],
        } as unknown as AvailabilityReport
      },
      'reports.csv': async ({ offset }) => ({ text: `part ${offset}\r\n`, next: offset === 0 ? 2000 : null }),
    },
    policies: () => ({
      ownZone: 'UTC',
      windows: [],
      zones: [{ node: 't:x/acme', nodeName: 'Acme', zone: 'Europe/Berlin' }],
      thresholds: [],
      places: [],
    }),
    operator: () => ({
      reportSchedules: schedules,
      reportLocale: 'en-GB',
      reportWords: '',
      reportLogo: '',
      reportNotes: false,
    }),
    settings: { get: (key) => settings.get(key), set: (key, value) => void settings.set(key, value), damaged: null },
    clock,
    log: () => {},
  })
  onTestFinished(() => reports.stop())
  return {
    folder,
    clock,
    asked,
    settings,
    ...reports,
    forget: () => (known = false),
    recall: () => (known = true),
    set: (next: ReportSchedule[]) => (schedules = next),
  }
}

it('weeks and months are whole ones of the zone, by their ISO names', () => {
  const names = (every: 'week' | 'month', at: number, zone = 'UTC') => {
    const { name, from, until } = lastPeriod(every, zones, zone, at)
    return [name, new Date(from).toISOString().slice(0, 16), new Date(until).toISOString().slice(0, 16)]
  }
  expect(names('month', begin)).toEqual(['2026-10', '2026-10-01T00:00', '2026-11-01T00:00'])
  expect(names('month', begin, 'Europe/Berlin')).toEqual(['2026-10', '2026-09-30T22:00', '2026-10-31T23:00'])
  expect(names('week', begin)).toEqual(['2026-W44', '2026-10-26T00:00', '2026-11-02T00:00'])
  // The last week of 2026 has days of 2027.
  expect(names('week', Date.UTC(2027, 0, 5))).toEqual(['2026-W53', '2026-12-28T00:00', '2027-01-04T00:00'])
  expect(names('month', Date.UTC(2027, 0, 1))).toEqual(['2026-12', '2026-12-01T00:00', '2027-01-01T00:00'])
})

it('the last period is written once, in its zone, and the next one when it is over', async () => {
  const { folder, clock, asked, check, states, settings } = scheduled()
  await check()
  await check()
  expect(readdirSync(folder).toSorted()).toEqual([
    'muster-availability-Acme-Süd-2026-10.csv',
    'muster-availability-Acme-Süd-2026-10.html',
  ])
  expect(readFileSync(path.join(folder, 'muster-availability-Acme-Süd-2026-10.csv'), 'utf8')).toBe(
    'part 0\r\npart 2000\r\n',
  )
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ zone: 'Europe/Berlin', from: Date.UTC(2026, 8, 30, 22) })
  expect(states()).toMatchObject([{ id: 'one', written: { period: '2026-10' }, fault: null }])
  // A start with what was kept writes nothing again.
  const later = scheduled({ folder }, Object.fromEntries(settings))
  await later.check()
  expect(later.asked).toHaveLength(0)
  // A quarter of an hour after the month has ended in Berlin.
  clock.jump(Date.UTC(2026, 10, 30, 23, 14) - clock.now())
  await check()
  expect(asked).toHaveLength(1)
  clock.jump(60_000)
  await check()
  expect(asked).toHaveLength(2)
  expect(states()[0]?.written?.period).toBe('2026-11')
})

it('what cannot be written says why, leaves no part of it, and is tried again', async () => {
  const gone = path.join(ownFolder(), 'not', 'there')
  const { check, states, set, forget, recall, folder } = scheduled({ folder: gone })
  await check()
  expect(states()[0]).toMatchObject({ written: null, fault: { kind: 'file', detail: 'ENOENT' } })
  mkdirSync(gone, { recursive: true })
  forget()
  await check()
  expect(states()[0]).toMatchObject({ written: null, fault: { kind: 'input' } })
  expect(readdirSync(gone)).toEqual([])
  recall()
  await check()
  expect(states()[0]).toMatchObject({ written: { period: '2026-10' }, fault: null })
  set([{ id: 'two', place: 'all', placeName: '../..', every: 'week', folder: 'relative' }])
  await check()
  expect(states()).toMatchObject([{ id: 'two', fault: { kind: 'input', detail: 'The folder is no full path.' } }])
  set([{ id: 'three', place: 'all', placeName: '../..', every: 'week', folder }])
  await check()
  expect(readdirSync(folder)).toContain('muster-availability-place-2026-W44.html')
  // A folder in its place.
  rmSync(path.join(folder, 'muster-availability-place-2026-W44.csv'))
  mkdirSync(path.join(folder, 'muster-availability-x-2026-W44.csv'))
  writeFileSync(path.join(folder, 'muster-availability-x-2026-W44.csv', 'full'), '')
  set([{ id: 'four', place: 'all', placeName: 'x', every: 'week', folder }])
  await check()
  expect(states()[0]?.fault?.kind).toBe('file')
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

/** Files are written to the disk, which takes its time beside other tests. */
const slow = { timeout: 15_000 }

it('is written by itself, a minute after the start and then every ten minutes', async () => {
  const { clock, asked } = scheduled({ every: 'week' })
  await clock.advance(59_000)
  expect(asked).toHaveLength(0)
  await clock.advance(1000)
  await expect.poll(() => asked.length, slow).toBe(1)
  // The next check waits once the files are written.
  await expect.poll(() => clock.pending(), slow).toBe(1)
  clock.jump(7 * day)
  await clock.advance(10 * 60_000)
  await expect.poll(() => asked.length, slow).toBe(2)
  // The folder is removed when nothing is written into it any more.
  await expect.poll(() => clock.pending(), slow).toBe(1)
})

it('service hours hold for a schedule, and its files do not replace those of all hours', async () => {
  const hours = { days: [0, 1], from: '08:00', until: '18:00' }
  const { folder, asked, check, set } = scheduled({ hours })
  await check()
  expect(asked).toMatchObject([{ hours }])
  set([{ id: 'two', place: 't:x/acme', placeName: 'Acme / Süd', every: 'month', folder, hours: null }])
  await check()
  expect(asked[1]).toMatchObject({ hours: null })
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.csv'))
      .toSorted(),
  ).toEqual(['muster-availability-Acme-Süd-2026-10-0800-1800.csv', 'muster-availability-Acme-Süd-2026-10.csv'])
})
