import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from '../inventory/profile.ts'
import { noDelta } from '../storage/journal/deltas.ts'

const hour = 3_600_000
const day = 24 * hour
const now = 100 * day

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
/** Begins with nothing. */
function restart() {
  end()
  begin()
}

const seen = (id: string, at: number, connected: boolean) =>
  calls.events({ service, events: [event(id, { connected, at, order: ++order })] })
const missed = (id: string, notBefore: number | null, at: number, connected: boolean) =>
  store.journal.enter([
    { key: key(id), state: { connected, at, notBefore, since: null }, transition: { at, notBefore, connected } },
  ])
const unseen = (from: number, until: number | null) =>
  calls.saveAlerts({ ...noDelta, unseen: [{ tenant: 'https%3A%2F%2Fservice.test/acme', from, until }] })

function then(at: number, over: { now?: number; place?: string | null } = {}) {
  for (;;) {
    const asked = { at, tiles: 'site' as const, layout: null, place: over.place ?? null }
    const answer = calls.overviewThen({ ...asked, now: over.now ?? now })
    if (answer !== null) return answer
  }
}
/** Offline, without data, and online, of all tiles. */
const sums = (answer: ReturnType<typeof then>) =>
  [0, 1, 2].map((status) => answer.counts.reduce((sum, count, index) => (index % 3 === status ? sum + count : sum), 0))

test.each([false, true])(
  'a minute has what was known then, and no data before the first sync (filled: %s)',
  (filled) => {
    calls.page(pageOf([fact('a'), fact('b'), fact('c', { connected: false })], { at: now - 3 * day }))
    seen('a', now - 2 * day, false)
    seen('a', now - day, true)
    if (filled) fillDays(now)
    expect(sums(then(now - 2 * day - 1))).toEqual([1, 0, 2])
    expect(sums(then(now - 2 * day))).toEqual([2, 0, 1])
    expect(sums(then(now - day))).toEqual([1, 0, 2])
    expect(sums(then(now - 3 * day - 1))).toEqual([0, 3, 0])
    expect(then(now - 10 * day).knownSince).toBeNull()
  },
)

test('within the span of a disconnect that nobody saw, a device is uncertain', () => {
  calls.page(pageOf([fact('a')], { at: now - 5 * day }))
  missed('a', now - 3 * day, now - day, false)
  const within = then(now - 2 * day)
  expect([sums(within), within.uncertain]).toEqual([[0, 1, 0], 1])
  expect(sums(then(now - 3 * day - 1))).toEqual([0, 0, 1])
  expect([sums(then(now - day)), then(now - day).uncertain]).toEqual([[1, 0, 0], 0])
})

test('while a tenant was not visible, its devices have no data and are not uncertain', () => {
  calls.page(pageOf([fact('a')], { at: now - 5 * day }))
  unseen(now - 2 * hour, now - hour)
  const within = then(now - 1.5 * hour)
  expect([sums(within), within.uncertain]).toEqual([[0, 1, 0], 0])
  expect(sums(then(now - hour))).toEqual([0, 0, 1])
})

test('offline devices are listed with the name and place of that time, also of one place only', () => {
  calls.page(pageOf([fact('a', { name: 'Before' }), fact('b')], { at: now - 5 * day, requestOrder: 1 }))
  seen('a', now - 3 * day, false)
  const room = { site: { id: 's2', name: 'Bonn' }, room: { id: 'r2', name: 'Room 2' } }
  calls.page(
    pageOf([fact('a', { name: 'After', connected: false, ...room }), fact('b')], { at: now - day, requestOrder: 2 }),
  )
  const place = (id: string) => `s:https%3A%2F%2Fservice.test/acme/${id}`
  expect(then(now - 2 * day).devices).toEqual([
    { key: key('a'), name: 'Before', tenant: 'Acme', site: 'Berlin', room: 'Room 1', isAsThen: true },
  ])
  expect(then(now - hour).devices).toMatchObject([{ name: 'After', site: 'Bonn' }])
  expect(then(now - hour, { place: place('s1') })).toMatchObject({ offline: 0, devices: [] })
  expect(then(now - hour, { place: place('s2') })).toMatchObject({ offline: 1 })
})

test('a time after the day was read is read again', () => {
  calls.page(pageOf([fact('a')], { at: now - day }))
  expect(sums(then(now + 10, { now: now + 10 }))).toEqual([0, 0, 1])
  seen('a', now + 1000, false)
  expect(sums(then(now + 2000, { now: now + 3000 }))).toEqual([1, 0, 0])
})

test('a device that came into the place of one that is gone has not its past', () => {
  calls.page(pageOf([fact('a')], { at: now - day, generation: 1 }))
  expect(sums(then(now - hour))).toEqual([0, 0, 1])
  calls.page(pageOf([], { at: now, generation: 2, requestOrder: 50 }))
  calls.finish({ service, tenant: acme.id, generation: 2, at: now })
  calls.page(pageOf([fact('b')], { at: now, generation: 3, requestOrder: 60 }))
  expect(sums(then(now - hour))).toEqual([0, 1, 0])
})

/** Writes what is missing of the beginnings of days. */
function fillDays(time: number): void {
  while (!calls.fillDays({ now: time }));
}

test.each([
  ['read from the transitions since then', false],
  ['read from its own day', true],
])('the state at any minute, %s, is that of a plain replay of the journal', (_how, filled) => {
  calls.page(pageOf([fact('a'), fact('b', { connected: false }), fact('c')], { at: now - 200 * day }))
  const changes = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      after: fc.integer({ min: 1, max: 9 * hour }),
      connected: fc.boolean(),
      gap: fc.option(fc.integer({ min: 1, max: 3 * day })),
    }),
    { maxLength: 8 },
  )
  const replayed: { id: string; at: number; notBefore: number | null; connected: boolean }[] = []
  let time = now
  const stateAt = (id: string, at: number): 'offline' | 'online' | 'uncertain' => {
    const its = replayed.filter((each) => each.id === id)
    const next = its.findIndex((each) => each.at > at)
    if (next === -1) return (its.at(-1)?.connected ?? id !== 'b') ? 'online' : 'offline'
    const { notBefore, connected } = its[next] ?? { notBefore: null, connected: false }
    if (notBefore !== null && notBefore <= at) return 'uncertain'
    return (its[next - 1]?.connected ?? !connected) ? 'online' : 'offline'
  }
  fc.assert(
    fc.property(changes, fc.array(fc.nat(4 * day), { minLength: 20, maxLength: 20 }), (added, backs) => {
      for (const { id, after, connected, gap } of added) {
        const last = replayed.filter((each) => each.id === id).at(-1)
        // The journal has transitions only: each is to the other state.
        if ((last?.connected ?? id !== 'b') === connected) continue
        time += after
        const notBefore = gap === null ? null : Math.max(last?.at ?? now - 200 * day, time - gap)
        replayed.push({ id, at: time, notBefore, connected })
        store.journal.enter([
          {
            key: key(id),
            state: { connected, at: time, notBefore, since: null },
            transition: { at: time, notBefore, connected },
          },
        ])
      }
      time += 11 * 60_000
      if (filled) fillDays(time)
      for (const back of backs) {
        const answer = then(time - back, { now: time })
        const wanted = ['a', 'b', 'c'].map((id) => stateAt(id, time - back))
        const count = (state: string) => wanted.filter((each) => each === state).length
        expect([sums(answer), answer.uncertain]).toEqual([
          [count('offline'), count('uncertain'), count('online')],
          count('uncertain'),
        ])
      }
    }),
    { numRuns: 500 },
  )
})

/** Another thread on the same journal, whose days are not written: it reads the transitions. */
function plainly(at: number, time: number) {
  const asked = { at, tiles: 'site' as const, layout: null, place: null, now: time }
  const other = callsOn({ ...store, journal: { ...store.journal, days: { ...store.journal.days, read: () => null } } })
  for (;;) {
    const answer = other.overviewThen(asked)
    if (answer !== null) return answer
  }
}

test('nothing is known of a day before a device came, whatever time its first change has', () => {
  calls.page(pageOf([fact('a')], { at: now - 12 * day }))
  fillDays(now - 10 * day + 1)
  calls.page(pageOf([fact('a'), fact('d')], { at: now - 10 * day + 1, requestOrder: 900 }))
  missed('d', null, now - 10 * day - 1, false)
  fillDays(now)
  for (const at of [now - 10 * day - 1, now - 10 * day, now - 10 * day + 1])
    expect(then(at).counts).toEqual(plainly(at, now).counts)
  expect(sums(then(now - 10 * day - 1))).toEqual([0, 1, 1])
})

test('days are the same where times are not in the order of entry, and where devices come and go', () => {
  const names = ['a', 'b', 'c', 'd']
  const change = fc.record({
    id: fc.constantFrom(...names),
    // Also before what was entered last: a service whose clock is behind, or a clock that was set back.
    after: fc.integer({ min: -20 * hour, max: 30 * hour }),
    gap: fc.option(fc.integer({ min: 1, max: 3 * day })),
  })
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 20 }),
      fc.nat(24),
      fc.array(fc.nat(12 * day), { maxLength: 6 }),
      (changes, arrives, backs) => {
        restart()
        const start = now - 12 * day
        calls.page(pageOf([fact('a'), fact('b', { connected: false }), fact('c')], { at: start }))
        const online = new Map(names.map((id) => [id, id !== 'b']))
        let time = start + day
        changes.forEach(({ id, after, gap }, index) => {
          if (index === arrives) {
            fillDays(time)
            calls.page(
              pageOf(
                names.map((each) => fact(each, { connected: online.get(each) ?? true })),
                {
                  at: time,
                  requestOrder: 900,
                },
              ),
            )
          }
          if (id === 'd' && index < arrives) return
          time = Math.max(start + 1, time + after)
          const connected = !(online.get(id) ?? true)
          online.set(id, connected)
          const notBefore = gap === null ? null : Math.max(start, time - gap)
          store.journal.enter([
            {
              key: key(id),
              state: { connected, at: time, notBefore, since: null },
              transition: { at: time, notBefore, connected },
            },
          ])
        })
        const last = Math.max(now, time + 1)
        fillDays(last)
        for (const back of [0, ...backs]) {
          const [quick, plain] = [then(last - back, { now: last }), plainly(last - back, last)]
          expect([quick.counts, quick.uncertain, quick.offline]).toEqual([plain.counts, plain.uncertain, plain.offline])
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('what is entered late while days are written is in them', () => {
  for (let steps = 0; steps < 8; steps += 1) {
    restart()
    calls.page(pageOf([fact('a'), fact('b')], { at: now - 5 * day }))
    for (let step = 0; step < steps; step += 1) calls.fillDays({ now })
    missed('a', now - 3 * day - hour, now, false)
    fillDays(now)
    for (const back of [0, hour, 2 * day, 3 * day, 3 * day + 2 * hour, 4.5 * day])
      expect([steps, back, then(now - back).counts, then(now - back).uncertain]).toEqual([
        steps,
        back,
        plainly(now - back, now).counts,
        plainly(now - back, now).uncertain,
      ])
  }
})

test('a day knows devices since they were known, also if they went offline unseen over its end', () => {
  const first = now - 10 * day
  calls.page(pageOf([fact('a')], { at: first }))
  calls.page(pageOf([fact('a'), fact('b')], { at: now - 3 * day + 10 * hour, requestOrder: 50 }))
  missed('b', now - 3 * day + 20 * hour, now - 2 * day + 5 * hour, false)
  fillDays(now)
  const known = (at: number) => [sums(then(at)), then(at).uncertain]
  expect(known(now - 3 * day + 9 * hour)).toEqual([[0, 1, 1], 0])
  expect(known(now - 3 * day + 15 * hour)).toEqual([[0, 0, 2], 0])
  expect(known(now - 3 * day + 22 * hour)).toEqual([[0, 1, 1], 1])
  expect(known(now - 2 * day + 6 * hour)).toEqual([[1, 0, 1], 0])
})

test('a device that comes after the beginning of the day was written is in it', () => {
  calls.page(pageOf([fact('a')], { at: now - day }))
  fillDays(now)
  calls.page(pageOf([fact('a'), fact('b')], { at: now + 1000, requestOrder: 60 }))
  expect(sums(then(now + 2000, { now: now + 3000 }))).toEqual([0, 0, 2])
  expect(sums(then(now + 500, { now: now + 3000 }))).toEqual([0, 1, 1])
})
