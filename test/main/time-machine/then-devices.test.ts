import { expect, test } from 'vitest'
import { connection, event, fact, key, pageOf, service } from '../inventory/profile.ts'
import { noDelta } from '../storage/journal/deltas.ts'
import { type TestThread, useThread } from '../inventory/thread.ts'

const hour = 3_600_000
const day = 24 * hour
const now = 100 * day

const thread = useThread()

const paris = { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }
const read = (at: number, devices: ReturnType<typeof fact>[]) =>
  thread.calls.page(pageOf(devices, { connection, generation: at, requestOrder: at, at }))
const seen = (id: string, at: number, connected: boolean) =>
  thread.calls.events({ service, events: [event(id, { connected, at, order: at })] })

function then(at: number, over: Partial<Parameters<TestThread['calls']['thenDevices']>[0]> = {}) {
  for (;;) {
    const answer = thread.calls.thenDevices({
      at,
      place: null,
      states: [],
      text: '',
      offset: 0,
      limit: 100,
      now,
      ...over,
    })
    if (answer !== null) return answer
  }
}
const told = (answer: ReturnType<typeof then>) => answer.devices.map(({ name, site, state }) => [name, site, state])

test('devices have the state, name and place that they had', () => {
  read(now - 5 * day, [fact('a'), fact('b'), fact('c', { connected: false })])
  seen('b', now - 3 * day, false)
  read(now - 2 * day, [
    fact('a', { name: 'Renamed', ...paris }),
    fact('b', { connected: false }),
    fact('c', { connected: false }),
  ])
  expect(told(then(now - 3 * day + hour))).toEqual([
    // In the order of today's names.
    ['Studio a', 'Berlin', 'online'],
    ['Studio b', 'Berlin', 'offline'],
    ['Studio c', 'Berlin', 'offline'],
  ])
  expect(then(now - 3 * day + hour).counts).toEqual({ online: 1, offline: 2, none: 0, uncertain: 0 })
  expect(then(now - 6 * day).counts).toEqual({ online: 0, offline: 0, none: 3, uncertain: 0 })
  expect(then(now - 6 * day).devices.every(({ isAsThen }) => !isAsThen)).toBe(true)
})

test('states, a place and a page choose among them; counts are of all states', () => {
  read(now - 5 * day, [fact('a'), fact('b', paris), fact('c', { connected: false, ...paris })])
  const node = 's:https%3A%2F%2Fservice.test/acme/s2'
  expect(told(then(now - day, { place: node }))).toHaveLength(2)
  expect(told(then(now - day, { states: ['offline'] }))).toEqual([['Studio c', 'Paris', 'offline']])
  expect(then(now - day, { states: ['offline'] })).toMatchObject({ total: 1, counts: { online: 2, offline: 1 } })
  expect(told(then(now - day, { offset: 1, limit: 1 }))).toEqual([['Studio b', 'Paris', 'online']])
  expect(then(now - day, { place: 's:gone' }).total).toBe(0)
})

test('a search looks at names and places of then', () => {
  read(now - 5 * day, [fact('a', { name: 'Old' }), fact('b')])
  read(now - day, [fact('a', { name: 'New', ...paris }), fact('b')])
  expect(told(then(now - 2 * day, { text: 'OLD' }))).toEqual([['Old', 'Berlin', 'online']])
  expect(then(now - 2 * day, { text: 'new' }).total).toBe(0)
  expect(told(then(now - hour, { text: 'paris' }))).toEqual([['New', 'Paris', 'online']])
  // Before anything is recorded, today's names are told.
  expect(then(now - 50 * day, { text: 'new' })).toMatchObject({ total: 1, counts: { none: 1 } })
})

test('a device is uncertain in a span that nobody saw, and without data where not visible', () => {
  read(now - 5 * day, [fact('a'), fact('b')])
  thread.store.journal.enter([
    {
      key: key('a'),
      state: { connected: false, at: now - day, notBefore: now - 2 * day, since: null },
      transition: { at: now - day, notBefore: now - 2 * day, connected: false },
    },
  ])
  thread.calls.saveAlerts({
    ...noDelta,
    unseen: [{ tenant: 'https%3A%2F%2Fservice.test/acme', from: now - 4 * day, until: now - 3 * day }],
  })
  expect(then(now - day - hour).counts).toMatchObject({ uncertain: 1, online: 1 })
  expect(then(now - 4 * day + hour).counts).toMatchObject({ none: 2 })
})

test('a search of another day looks at its own names', () => {
  read(now - 9 * day, [fact('a', { name: 'First' })])
  read(now - 6 * day, [fact('a', { name: 'Second' })])
  read(now - 3 * day, [fact('a', { name: 'Third' })])
  for (const [at, name] of [
    [now - 8 * day, 'First'],
    [now - 5 * day, 'Second'],
    [now - 2 * day, 'Third'],
    [now - 5 * day, 'Second'],
  ] as const) {
    expect(told(then(at, { text: name }))).toEqual([[name, 'Berlin', 'online']])
    expect(['First', 'Second', 'Third'].filter((text) => then(at, { text }).total === 1)).toEqual([name])
  }
})
