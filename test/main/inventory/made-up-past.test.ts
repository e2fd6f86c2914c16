import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

const day = 24 * 3_600_000
const now = 1000 * day
const count = 400

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  const devices = Array.from({ length: count }, (_, n) => fact(`d${n}`, { connected: n % 10 !== 0 }))
  calls.page(pageOf(devices, { at: now - 1000 }))
  const live = { tenant: acme.id, at: now - 500, order: 20 }
  calls.events({
    service,
    events: [event('d1', { ...live, connected: false }), event('d10', { ...live, connected: true })],
  })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const keys = Array.from({ length: count }, (_, n) => key(`d${n}`))

/** The transitions of each device, in the order of entry. */
function histories(): Map<string, { at: number; connected: boolean }[]> {
  const all = new Map<string, { at: number; connected: boolean }[]>(keys.map((each) => [each, []]))
  for (const each of keys)
    store.journal.history.since([each], 0, (_, at, _notBefore, connected) => all.get(each)?.push({ at, connected }))
  return all
}

test('each device has half a year of outages that lead to what it does now', () => {
  const { count: made } = calls.makeUpPast({ now })
  const all = [...histories().values()]
  expect(all.flat().length).toBe(made + 2)
  expect(made).toBeGreaterThan(count * 2)
  all.forEach((history, n) => {
    const states = history.map(({ connected }) => connected)
    expect(states.every((connected, index) => index === 0 || connected !== states[index - 1])).toBe(true)
    const times = history.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.every((at) => at > now - 183 * day && at < now)).toBe(true)
    if (history.length > 0) expect(history.at(-1)?.connected).toBe(n === 10 || (n !== 1 && n % 10 !== 0))
  })
  expect(store.journal.history.states(keys).every((state) => state?.knownSince === now - 183 * day)).toBe(true)
})

test('the past is made up once, also over a restart, and is no news for incidents', () => {
  expect(calls.makeUpPast({ now }).count).toBeGreaterThan(0)
  const before = histories()
  expect(calls.makeUpPast({ now: now + day })).toEqual({ count: 0, latest: [] })
  calls.close(undefined)
  store = openStore(temp.profile, 2, now)
  calls = callsOn(store)
  expect(calls.makeUpPast({ now: now + day })).toEqual({ count: 0, latest: [] })
  expect(histories()).toEqual(before)
  expect(calls.alerts({ since: 0 }).outbox.map((each) => each.key)).toEqual([key('d1'), key('d10')])
})

test('what the overview has read before is read again', () => {
  const month = () => {
    for (;;) {
      const answer = calls.overviewMonth({ now })
      if (answer !== null) return answer
    }
  }
  expect(month().disconnects.reduce((sum, each) => sum + each.count, 0)).toBe(1)
  calls.makeUpPast({ now })
  expect(month().disconnects.length).toBe(10)
})
