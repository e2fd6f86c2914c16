import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReportInput } from '../../../../src-main/inventory/thread/report-protocol.ts'
import { openStore, type Store } from '../../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../../inventory/profile.ts'
import { noDelta } from '../../storage/journal/deltas.ts'

const hour = 3_600_000
const day = 24 * hour
const now = 100 * day
const tenant = 't:https%3A%2F%2Fservice.test/acme'
const site = (id: string) => `s:https%3A%2F%2Fservice.test/acme/${id}`
const room = (id: string) => `m:https%3A%2F%2Fservice.test/acme/${id}/r${id}`

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
let order = 10

function begin() {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
}
function end() {
  calls.close(undefined)
  temp.remove()
}
beforeEach(begin)
afterEach(end)

const seen = (id: string, at: number, connected: boolean) =>
  calls.events({ service, events: [event(id, { connected, at, order: ++order })] })
const unseen = (from: number, until: number) =>
  calls.saveAlerts({ ...noDelta, unseen: [{ tenant: 'https%3A%2F%2Fservice.test/acme', from, until }] })
const at = (id: string, of: string) =>
  fact(id, { site: { id: of, name: `Site ${of}` }, room: { id: `r${of}`, name: `Room ${of}` } })

const asked = (over: Partial<ReportInput> = {}): ReportInput => {
  const { from = now - 7 * day, until = now } = over
  const days = [
    from,
    ...Array.from({ length: 101 }, (_, n) => n * day).filter((each) => each > from && each < until),
    until,
  ]
  return { place: tenant, from, until, now, days, hours: null, maintenance: [], ...over }
}
function reportOf(over: Partial<ReportInput> = {}) {
  for (;;) {
    const done = calls.availabilityReport(asked(over))
    if (done !== null) return done.answer
  }
}
function csvOf(over: Partial<ReportInput> = {}): string[][] {
  const rows: string[][] = []
  for (let offset: number | null = 0; offset !== null;) {
    const done = calls.availabilityCsv({ ...asked(over), offset })
    if (done === null) continue
    for (const line of done.answer?.text.split('\r\n') ?? []) if (line !== '') rows.push(line.split(','))
    offset = done.answer?.next ?? null
  }
  return rows
}

test('a week of a tenant: online and offline time, outages, the longest, and the time to recover', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'one'), at('c', 'two')], { at: 10 }))
  seen('a', now - 3 * day, false)
  seen('a', now - 3 * day + 2 * hour, true)
  seen('a', now - day, false)
  seen('a', now - day + 4 * hour, true)
  // It is still offline: no time to recover is known.
  seen('c', now - 6 * hour, false)
  const report = reportOf()
  expect(report?.all).toEqual({
    devices: 3,
    counted: 21 * day,
    up: 21 * day - 12 * hour,
    down: 12 * hour,
    outages: 3,
    longest: 6 * hour,
    recovered: 2,
    recovery: 6 * hour,
  })
  expect(report?.path.map(({ name }) => name)).toEqual(['EU-1', 'Acme'])
  expect(report?.below.map(({ id, devices, down }) => [id, devices, down])).toEqual([
    [site('one'), 2, 6 * hour],
    [site('two'), 1, 6 * hour],
  ])
  expect(report?.worst.map(({ key: its, down, outages }) => [its, down, outages])).toEqual([
    [key('a'), 6 * hour, 2],
    [key('c'), 6 * hour, 1],
  ])
  expect(report?.days).toHaveLength(7)
  expect(report?.days[6]).toMatchObject({ counted: 3 * day, down: 10 * hour, up: 3 * day - 10 * hour })
  expect(reportOf({ place: site('two') })?.below.map(({ kind, name }) => [kind, name])).toEqual([['room', 'Room two']])
  expect(reportOf({ place: 'all' })?.below.map(({ kind, name }) => [kind, name])).toEqual([['tenant', 'Acme']])
  expect(reportOf({ place: 'gone' })).toBeNull()
})

test('an outage that goes over the time counts with its part, and tells no time to recover', () => {
  calls.page(pageOf([at('a', 'one')], { at: 10 }))
  seen('a', now - 8 * day, false)
  seen('a', now - 6 * day, true)
  const { all } = reportOf() ?? {}
  expect(all).toMatchObject({ down: day, up: 6 * day, outages: 1, longest: day, recovered: 0, recovery: 0 })
  expect(reportOf({ until: now - 6.5 * day })?.all).toMatchObject({ down: day / 2, up: 0, outages: 1, recovered: 0 })
})

test('maintenance is left out where it holds, and what nobody saw lowers the coverage alone', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'two')], { at: 10 }))
  seen('a', now - 2 * day, false)
  seen('a', now - day, true)
  unseen(now - 5 * day, now - 4 * day)
  const window = (node: string) => ({
    node,
    name: 'Patch',
    place: 'its place',
    spans: [{ from: now - 2 * day, until: now - 1.5 * day }],
  })
  const all = (node: string) => reportOf({ maintenance: [window(node)] })?.all
  expect(all('gone')).toMatchObject({ counted: 14 * day, down: day, up: 11 * day })
  for (const node of [site('one'), room('one'), `d:${key('a')}`])
    expect(all(node), node).toMatchObject({ counted: 13.5 * day, down: day / 2, up: 11 * day, outages: 1 })
  for (const node of ['all', tenant, 'r:https%3A%2F%2Fservice.test/EU-1'])
    expect(all(node), node).toMatchObject({ counted: 13 * day, down: day / 2, up: 10.5 * day })
  const report = reportOf({ maintenance: [window(site('one')), window('gone')] })
  expect(report?.maintenance).toBe(day / 2)
  expect(report?.windows).toEqual([{ name: 'Patch', place: 'Site one', from: now - 2 * day, until: now - 1.5 * day }])
  expect(reportOf({ place: site('two'), maintenance: [window(site('one'))] })?.windows).toEqual([])
})

test('within service hours only their time counts', () => {
  calls.page(pageOf([at('a', 'one')], { at: 10 }))
  seen('a', now - 2 * day + 2 * hour, false)
  seen('a', now - 2 * day + 10 * hour, true)
  const hours = Array.from({ length: 7 }, (_, n) => ({
    from: now - (n + 1) * day + 8 * hour,
    until: now - (n + 1) * day + 18 * hour,
  }))
  expect(reportOf({ hours })?.all).toMatchObject({ counted: 70 * hour, down: 2 * hour, up: 68 * hour, outages: 1 })
})

test('the CSV has a line for each device, whose sums are the report’s figures', () => {
  calls.page(pageOf([at('a', 'one'), at('b', 'one'), at('c', 'two')], { at: 10 }))
  seen('a', now - 3 * day, false)
  seen('a', now - 3 * day + 2 * hour, true)
  seen('c', now - 6 * hour, false)
  unseen(now - 5 * day, now - 4.9 * day)
  const [head = [], ...rows] = csvOf()
  const sum = (name: string) => rows.reduce((all, row) => all + Number(row[head.indexOf(name)]), 0) * 1000
  const report = reportOf()
  expect(rows.map((row) => row[head.indexOf('device')]).toSorted()).toEqual(['a', 'b', 'c'])
  expect(sum('counted_s')).toBeCloseTo(report?.all.counted ?? 0)
  expect(sum('online_s')).toBeCloseTo(report?.all.up ?? 0)
  expect(sum('offline_s')).toBeCloseTo(report?.all.down ?? 0)
  expect(sum('no_data_s')).toBeCloseTo(3 * 0.1 * day)
  expect(sum('outages') / 1000).toBe(report?.all.outages)
  expect(sum('recovery_s')).toBe(report?.all.recovery)
})

/** Times of a small history: each is a whole hour. */
const times = fc.uniqueArray(fc.integer({ min: 1, max: 239 }), { maxLength: 12 })
const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 1, max: 60 })), { maxLength: 3 })
const spansOf = (pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([from, length]) => ({
    from: now - 240 * hour + from * hour,
    until: now - 240 * hour + (from + length) * hour,
  }))

test('the figures are those of a plain sum over each half hour', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      fc.record({
        changes: fc.tuple(times, times),
        begins: fc.tuple(fc.boolean(), fc.boolean()),
        gaps: some,
        windows: some,
        hours: fc.option(some),
        from: fc.integer({ min: 0, max: 200 }),
        length: fc.integer({ min: 1, max: 40 }),
      }),
      ({ changes, begins, gaps, windows, hours, from, length }) => {
        end()
        begin()
        const start = now - 240 * hour
        calls.page(
          pageOf(
            [at('a', 'one'), at('b', 'two')].map((each, index) => ({ ...each, connected: begins[index] ?? true })),
            { at: start },
          ),
        )
        const sorted = changes.map((all) => all.toSorted((one, other) => one - other))
        const all = sorted.flatMap((its, index) => its.map((time, n) => ({ time, n, index })))
        for (const { time, n, index } of all.toSorted((one, other) => one.time - other.time))
          seen(['a', 'b'][index] ?? '', start + time * hour, (n % 2 === 0) !== begins[index])
        const unseenSpans = spansOf(gaps)
        for (const gap of unseenSpans) unseen(gap.from, Math.min(gap.until, now))
        const span = { from: start + from * hour, until: Math.min(now, start + (from + length) * hour) }
        const windowSpans = spansOf(windows)
        const hourSpans = hours === null ? null : spansOf(hours)
        const report = reportOf({
          ...span,
          hours: hourSpans,
          maintenance: [{ node: site('one'), name: '', place: '', spans: windowSpans }],
        })
        const has = (spans: readonly { from: number; until: number }[], time: number) =>
          spans.some((each) => each.from <= time && time < each.until)
        const plain = { counted: 0, up: 0, down: 0 }
        for (let time = span.from + hour / 4; time < span.until; time += hour / 2)
          for (const index of [0, 1]) {
            if (hourSpans !== null && !has(hourSpans, time)) continue
            if (index === 0 && has(windowSpans, time)) continue
            plain.counted += hour / 2
            if (has(unseenSpans, time)) continue
            const passed = (sorted[index] ?? []).filter((each) => start + each * hour <= time).length
            plain[(passed % 2 === 0) === begins[index] ? 'up' : 'down'] += hour / 2
          }
        expect(report?.all).toMatchObject(plain)
        const days = report?.days ?? []
        expect(days.reduce((sum, { down }) => sum + down, 0)).toBe(plain.down)
        expect(days.reduce((sum, { up }) => sum + up, 0)).toBe(plain.up)
        expect(days.reduce((sum, { counted }) => sum + counted, 0)).toBe(plain.counted)
      },
    ),
    { numRuns: 150 },
  )
})

test('a report has the notes of its place, of those above it, and of its worst devices', () => {
  calls.page(pageOf([at('a', 's1'), at('b', 's2')], { at: now - 5 * day }))
  seen('a', now - 2 * day, false)
  const note = (node: string, text: string) => calls.saveNote({ node, at: 1, text, contact: '', tags: [] })
  note(tenant, 'T')
  note(site('s1'), 'S1')
  note(site('s2'), 'S2')
  note(`d:${key('a')}`, 'A')
  note(`d:${key('b')}`, 'B')
  const told = (place: string) => reportOf({ place })?.notes.map(({ text }) => text)
  expect(told(site('s2'))).toEqual(['S2', 'T'])
  expect(told(site('s1'))).toEqual(['S1', 'T', 'A'])
  expect(told('all')).toEqual(['A', 'S1', 'T'])
})
