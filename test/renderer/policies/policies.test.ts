import { expect, test } from 'vitest'
import type { FoundPlace } from '../../../src-shared/contract/contract.ts'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import {
  createMaintenance,
  type MaintenanceTimes,
  type MaintenanceWindow,
} from '../../../src-shared/maintenance/maintenance.ts'
import { createZones } from '../../../src-shared/maintenance/zones.ts'
import {
  type Draft,
  draftOf,
  endsNextDay,
  type Field,
  freshDraft,
  lengthText,
  maintenanceOf,
  withFrom,
  withUntil,
  withZone,
} from '../../../src-renderer/policies/maintenance/draft.ts'
import { activeNow, activeOver } from '../../../src-renderer/policies/maintenance/active.ts'
import { likelyZones } from '../../../src-renderer/policies/zones/likely-zones.ts'
import { placeText } from '../../../src-renderer/policies/place/place-field.tsx'
import { goneOf, placeOf, wholeFleet, zoneOf } from '../../../src-renderer/policies/place/place.ts'
import { movedText } from '../../../src-renderer/policies/maintenance/moved-text.ts'
import {
  bothSpans,
  offsetText,
  maintenanceStatus,
  whenText,
  maintenanceZoneText,
} from '../../../src-renderer/policies/format.ts'

const zones = createZones()
const maintenance = createMaintenance(zones)
const berlin = 'Europe/Berlin'
/** A Wednesday, 13:00 in Berlin. */
const now = Date.UTC(2026, 11, 2, 12)
const site: FoundPlace = {
  id: 's:x',
  kind: 'site',
  name: 'Berlin',
  above: [
    { id: 't:x', kind: 'tenant', name: 'Acme' },
    { id: 'r:EU', kind: 'region', name: 'EU-1' },
  ],
}
const place = placeOf(site)
const around = { id: 'w', before: null, zone: berlin, zones, maintenance, now }
const draft = (part: Partial<Draft> = {}): Draft => ({
  ...freshDraft(place, berlin, zones, now),
  name: 'Patching',
  ...part,
})
const problemsOf = (part: Partial<Draft>) =>
  Object.fromEntries(maintenanceOf(draft(part), around).problems) as Partial<Record<Field, string>>
const configuredWindow = (when: MaintenanceTimes, more: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  id: 'w',
  name: 'Patching',
  node: 's:x',
  nodeName: 'Berlin',
  when,
  zone: null,
  createdAt: now,
  until: null,
  ...more,
})
const weekly: Extract<MaintenanceTimes, { kind: 'weekly' }> = {
  kind: 'weekly',
  days: [4],
  from: '18:00',
  ends: 'at',
  minutes: 240,
}
const clocks = { zones, now, own: 'UTC' }

test('a new one begins now, in the zone of its place, for two hours', () => {
  const { window, problems } = maintenanceOf(draft(), around)
  expect([...problems]).toEqual([])
  expect(window).toMatchObject({
    node: 's:x',
    nodeName: 'Berlin',
    when: { kind: 'once', from: now, until: now + 2 * 3_600_000 },
    zone: null,
    createdAt: now,
    until: null,
  })
})

test('local times are those of the chosen zone', () => {
  const typed = { fromDate: '2026-12-04', fromTime: '18.00', untilDate: '2026-12-05', untilTime: '6:30' }
  expect(maintenanceOf(draft(typed), around).window?.when).toEqual({
    kind: 'once',
    from: Date.UTC(2026, 11, 4, 17),
    until: Date.UTC(2026, 11, 5, 5, 30),
  })
  expect(
    maintenanceOf(draft({ ...typed, zone: 'Asia/Kolkata' }), { ...around, zone: 'Asia/Kolkata' }).window,
  ).toMatchObject({ zone: 'Asia/Kolkata', when: { from: Date.UTC(2026, 11, 4, 12, 30) } })
})

test('a place without a zone gets none assumed', () => {
  const { window, problems } = maintenanceOf(draft(), { ...around, zone: null })
  expect(window).toBeNull()
  expect([...problems]).toEqual([['zone', 'Choose the time zone of Berlin.']])
  expect(maintenanceOf(draft({ place: wholeFleet }), { ...around, zone: null }).problems.get('zone')).toBe(
    'Choose a time zone.',
  )
})

test('a zone is requested for the site, or for the tenant', () => {
  expect(place.clockAt).toEqual({ id: 's:x', name: 'Berlin' })
  expect(
    placeOf({
      id: 'm:x',
      kind: 'room',
      name: 'Room 1',
      above: [{ id: 's:x', kind: 'site', name: 'Berlin' }, ...site.above],
    }).clockAt,
  ).toEqual({ id: 's:x', name: 'Berlin' })
  expect(placeOf({ id: 't:x', kind: 'tenant', name: 'Acme', above: [] }).clockAt).toEqual({ id: 't:x', name: 'Acme' })
})

test('the end of a single one moves with its beginning, and a new end is a new length', () => {
  const typed = (from: Draft, ...parts: Partial<Draft>[]) =>
    parts.reduce<Draft>(
      (now, part) => ({ ...now, ...('untilTime' in part ? withUntil(now, part) : withFrom(now, part)) }),
      from,
    )
  const evening = typed(draft(), { fromDate: '2026-12-04' }, { fromTime: '2' }, { fromTime: '23:00' })
  expect([evening.untilDate, evening.untilTime]).toEqual(['2026-12-05', '01:00'])
  const longer = typed(evening, { untilTime: '0' }, { untilTime: '03:30' }, { fromTime: '22:00' })
  expect([longer.untilDate, longer.untilTime]).toEqual(['2026-12-05', '02:30'])
  // An end before its beginning is no length.
  expect(typed(longer, { untilDate: '2026-12-01', untilTime: '02:30' }).length).toBe(4.5 * 3_600_000)
})

test('default times follow the chosen zone, and typed ones stay', () => {
  const first = draft()
  const chosen = { zones, now, clocks: 'Asia/Kolkata' }
  expect(withZone(first, first, 'Asia/Kolkata', chosen)).toEqual({
    zone: 'Asia/Kolkata',
    fromDate: '2026-12-02',
    fromTime: '17:30',
    untilDate: '2026-12-02',
    untilTime: '19:30',
  })
  expect(withZone({ ...first, fromTime: '20:00' }, first, 'Asia/Kolkata', chosen)).toEqual({ zone: 'Asia/Kolkata' })
})

test('zones of a city in the name of a place are offered first', () => {
  const known = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'UTC']
  expect(likelyZones('New York, 5th Ave', known, 'Asia/Calcutta')).toEqual(['America/New_York', 'Asia/Kolkata'])
  expect(likelyZones('Berliner Platz', known, 'UTC')).toEqual(['UTC'])
})

test('a repeated one ends at a time of day, over midnight when that is earlier, or by length', () => {
  const repeated = (part: Partial<Draft>) =>
    maintenanceOf(draft({ kind: 'weekly', days: [4, 0], ...part }), around).window?.when
  expect(repeated({ begins: '22:00', endsAt: '06:00' })).toEqual({
    kind: 'weekly',
    days: [0, 4],
    from: '22:00',
    ends: 'at',
    minutes: 480,
  })
  expect(repeated({ begins: '6:00', endsAt: '22:00' })).toMatchObject({ from: '06:00', minutes: 960 })
  expect(repeated({ begins: '06:00', endsAt: '06:00' })).toMatchObject({ ends: 'at', minutes: 1440 })
  expect(repeated({ ends: 'after', lasts: '1 d 2 h 30 min' })).toMatchObject({ ends: 'after', minutes: 1590 })
  expect(
    maintenanceOf(draft({ kind: 'monthly', week: -1, day: 6, begins: '02:00', endsAt: '04:00' }), around).window?.when,
  ).toEqual({ kind: 'monthly', week: -1, day: 6, from: '02:00', ends: 'at', minutes: 120 })
  expect([
    endsNextDay({ begins: '22:00', endsAt: '6:00' }),
    endsNextDay({ begins: '22:00', endsAt: '23:00' }),
    endsNextDay({ begins: '22', endsAt: '06:00' }),
  ]).toEqual([true, false, false])
})

test('the last day counts whole, in its zone', () => {
  const { window } = maintenanceOf(
    draft({ kind: 'weekly', days: [4], repeats: 'until', lastDay: '2026-12-31' }),
    around,
  )
  expect(window?.until).toBe(Date.UTC(2026, 11, 31, 23) - 1)
  expect(whenText(zones, { window: window as MaintenanceWindow, zone: berlin }, now)).toBe(
    'Every Fri 22:00 to 06:00, until 31 Dec',
  )
})

test.each<[Partial<Draft>, Partial<Record<Field, string>>]>([
  [
    { name: '  ', place: null },
    { name: 'Give it a name.', place: 'Choose a place.' },
  ],
  [
    { fromDate: '', untilTime: '25:00' },
    { from: 'Choose a date.', until: 'A time looks like 18:00.' },
  ],
  [{ fromDate: '2026-12-05', untilDate: '2026-12-04' }, { until: 'It ends before it begins.' }],
  [{ fromDate: '2026-11-05', untilDate: '2026-11-06' }, { until: 'It is over already.' }],
  [{ kind: 'weekly', days: [] }, { days: 'Choose a day.' }],
  [
    { kind: 'weekly', days: [1], begins: 'six', endsAt: '' },
    { begins: 'A time looks like 18:00.', ends: 'A time looks like 18:00.' },
  ],
  [{ kind: 'weekly', days: [1], ends: 'after', lasts: 'long' }, { ends: 'A length of time looks like 4 h 30 min.' }],
  [{ kind: 'monthly', ends: 'after', lasts: '8 d' }, { ends: 'It lasts a week at most.' }],
  [{ kind: 'monthly', repeats: 'until', lastDay: '' }, { lastDay: 'Choose a date.' }],
  [{ kind: 'weekly', days: [1], repeats: 'until', lastDay: '2026-11-01' }, { lastDay: 'It is over already.' }],
  [{ zone: 'Mars/Base' }, { zone: 'This time zone is not known here.' }],
])('an error is shown at its field (%#)', (part, textOf) => expect(problemsOf(part)).toEqual(textOf))

test.each<[MaintenanceTimes, Partial<MaintenanceWindow>]>([
  [{ kind: 'once', from: now + 3_600_000, until: now + 7_200_000 }, {}],
  // The hour that comes twice: 02:30 in winter time.
  [{ kind: 'once', from: Date.UTC(2027, 9, 31, 1, 30, 7), until: Date.UTC(2027, 9, 31, 4) }, {}],
  [weekly, { until: Date.UTC(2026, 11, 31, 23) - 1 }],
  [weekly, { until: Date.UTC(2026, 11, 31, 12) }],
  [{ ...weekly, days: [0, 1, 2], ends: 'after', minutes: 3 * 1440 }, { zone: berlin }],
  [{ ...weekly, ends: 'after' }, {}],
  [{ ...weekly, minutes: 1440 }, {}],
  [{ kind: 'monthly', week: -1, day: 6, from: '02:00', ends: 'at', minutes: 90 }, {}],
])('maintenance that is opened and saved is the same (%#)', (when, more) => {
  const before = configuredWindow(when, { createdAt: now - 1_000_000, ...more })
  const opened = draftOf({ window: before, zone: berlin }, place, zones, now)
  expect(maintenanceOf(opened, { ...around, before }).window).toEqual(before)
})

test('a changed one counts from now on; its name alone changes nothing of that', () => {
  const before = configuredWindow(weekly, { createdAt: now - 30 * 86_400_000 })
  const opened = draftOf({ window: before, zone: berlin }, place, zones, now)
  expect(maintenanceOf({ ...opened, name: 'Else' }, { ...around, before }).window?.createdAt).toBe(before.createdAt)
  expect(maintenanceOf({ ...opened, days: [0] }, { ...around, before }).window?.createdAt).toBe(now)
  expect([lengthText(240), lengthText(1590), lengthText(45)]).toEqual(['4 h', '1 d 2 h 30 min', '45 min'])
})

test("times are in the zone of the maintenance window and in the operator's, once when equal", () => {
  const occurrence = { from: Date.UTC(2026, 11, 31, 21), until: Date.UTC(2027, 0, 1, 5) }
  expect(bothSpans(clocks, berlin, occurrence)).toEqual({
    there: 'Thu 31 Dec 22:00 to Fri 1 Jan 2027 06:00, Europe/Berlin',
    here: 'Thu 31 Dec 21:00 to Fri 1 Jan 2027 05:00, UTC',
  })
  expect(bothSpans({ ...clocks, own: 'Europe/Paris' }, berlin, occurrence).here).toBeNull()
  expect([
    offsetText(zones, 'Asia/Kathmandu', now),
    offsetText(zones, 'UTC', now),
    offsetText(zones, 'America/New_York', now),
  ]).toEqual(['UTC+05:45', 'UTC', 'UTC-05:00'])
})

test('whether a maintenance window is active, comes, or is over', () => {
  const window = configuredWindow({ kind: 'once', from: now, until: now + 3_600_000 })
  expect(maintenanceStatus(maintenance, clocks, { window, zone: berlin })).toEqual({
    state: 'now',
    words: 'Active until 14:00, Europe/Berlin (13:00, UTC)',
  })
  expect(maintenanceStatus(maintenance, { ...clocks, now: now + 3_600_000 }, { window, zone: berlin })).toEqual({
    state: 'ended',
    words: 'Ended',
  })
  expect(maintenanceStatus(maintenance, clocks, { window: configuredWindow(weekly), zone: 'UTC' })).toEqual({
    state: 'next',
    words: 'Next Fri 4 Dec 18:00, UTC',
  })
})

const policies = (part: Partial<Policies>): Policies => ({
  ownZone: 'UTC',
  windows: [],
  zones: [],
  thresholds: [],
  places: [],
  ...part,
})

test('a zone is inherited from the nearest place above, and its origin is always shown', () => {
  const configured = policies({
    zones: [
      { node: 't:x', nodeName: 'Acme', zone: berlin },
      { node: 's:x', nodeName: 'Berlin', zone: 'Asia/Tokyo' },
    ],
  })
  expect(zoneOf(place, configured)).toEqual({ zone: 'Asia/Tokyo', from: 's:x' })
  expect(zoneOf(place, configured, true)).toEqual({ zone: berlin, from: 't:x' })
  expect(zoneOf(wholeFleet, configured)).toEqual({ zone: 'UTC', from: null })
  expect(zoneOf(goneOf('s:gone', 'Gone'), configured)).toEqual({ zone: 'UTC', from: null })
  const window = configuredWindow(weekly)
  expect(maintenanceZoneText({ window, zone: berlin, inheritedFrom: 't:x' }, configured)).toBe(
    'Europe/Berlin, inherited from Acme',
  )
  expect(maintenanceZoneText({ window, zone: 'UTC', inheritedFrom: null }, configured)).toBe('UTC, this computer’s')
  expect(
    maintenanceZoneText({ window: { ...window, zone: 'UTC' }, zone: 'UTC', inheritedFrom: null }, configured),
  ).toBe('UTC, its own')
})

test('a place has the active maintenance on it or above it; of several the one that ends last', () => {
  const until = (hours: number) => ({ kind: 'once', from: now, until: now + hours * 3_600_000 }) as const
  const windows = [
    ['a', 's:x', 1],
    ['b', 't:x', 3],
    ['c', 's:y', 5],
  ].map(([id, node, hours]) => ({
    window: configuredWindow(until(hours as number), { id: id as string, node: node as string }),
    zone: berlin,
    inheritedFrom: null,
  }))
  const holding = activeNow(maintenance, clocks, windows)
  expect(activeOver(holding, ['m:x', 's:x', 't:x'])).toMatchObject({
    id: 'b',
    words: 'Maintenance until 16:00, Europe/Berlin: Patching',
  })
  expect(activeOver(holding, ['m:z', 's:z', 't:z'])).toBeNull()
  const [first] = windows
  expect(
    activeOver(
      activeNow(
        maintenance,
        clocks,
        first === undefined ? [] : [{ ...first, window: { ...first.window, node: 'all' } }],
      ),
      ['anything'],
    )?.id,
  ).toBe('a')
  expect(activeNow(maintenance, { ...clocks, now: now + 9 * 3_600_000 }, windows)).toEqual([])
})

test('another zone of a place: the effect on the maintenance windows below it', () => {
  const acme = { node: 't:s/x', nodeName: 'Acme', zone: 'Asia/Shanghai' }
  const below = (window: MaintenanceWindow, zone = 'Asia/Shanghai') => ({
    window: { ...window, node: 's:s/x/b' },
    zone,
    inheritedFrom: 't:s/x',
  })
  // 20:00 in Shanghai, where it is 20:00 now.
  const comes = configuredWindow(
    { kind: 'once', from: now + 24 * 3_600_000, until: now + 26 * 3_600_000 },
    { id: 'a', name: 'Move' },
  )
  const holds = configuredWindow(
    { kind: 'once', from: now - 3_600_000, until: now + 3_600_000 },
    { id: 'b', name: 'Works' },
  )
  const nightly = configuredWindow(
    { kind: 'weekly', days: [2], from: '19:00', ends: 'at', minutes: 120 },
    { id: 'c', name: 'Patch', createdAt: 0 },
  )
  const configured = policies({
    zones: [acme],
    windows: [
      below(comes),
      below(holds),
      below(nightly),
      below({ ...comes, id: 'd', zone: 'UTC' }, 'UTC'),
      { window: configuredWindow(nightly.when, { node: 's:s/y/b' }), zone: 'UTC', inheritedFrom: null },
    ],
  })
  const textOf = (zone: string | null) => movedText(configured, 't:s/x', zone, { maintenance, zones }, clocks)
  expect(textOf('Europe/Paris')).toEqual({
    head: '3 maintenance windows inherit it and keep their times of day:',
    lines: [
      { id: 'a', name: 'Move', words: 'Next Thu 3 Dec 20:00, Europe/Paris (Thu 3 Dec 19:00, UTC)' },
      {
        id: 'b',
        name: 'Works',
        words: 'It has begun, and keeps its end. Active until 14:00, Europe/Paris (13:00, UTC)',
      },
      {
        id: 'c',
        name: 'Patch',
        words: 'It is active now, and ends with this change. Next 19:00, Europe/Paris (18:00, UTC)',
      },
    ],
  })
  expect(textOf('Asia/Shanghai').head).toBe('No maintenance window inherits it.')
  expect(textOf(null).lines[0]?.words).toBe('Next Thu 3 Dec 20:00, UTC')
})

test('a room inherits from its site, account and tenant; an account has its own time zone', () => {
  const account = { id: 'a:x', kind: 'account', name: 'North' } as const
  const room = placeOf({ ...site, id: 'm:x', kind: 'room', name: 'Hall', above: [site, account, ...site.above] })
  expect(room).toMatchObject({
    where: 'Berlin, North, Acme',
    path: ['m:x', 's:x', 'a:x', 't:x', 'all'],
    clockAt: { id: 's:x' },
  })
  const own = placeOf({ ...account, above: site.above })
  expect(own).toMatchObject({ path: ['a:x', 't:x', 'all'], clockAt: { id: 'a:x', name: 'North' } })
  expect(placeText(own)).toBe('account, Acme')
})
