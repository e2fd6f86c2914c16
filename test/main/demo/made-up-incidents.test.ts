import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeUpIncidents } from '../../../src-main/demo/made-up-incidents.ts'
import { incidentOf } from '../../../src-main/incidents/stored/state.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { notifyAll } from '../../../src-main/notifications/notify.ts'
import { acme, connection, fact, key, pageOf, service, tempProfile } from '../inventory/profile.ts'
import { demoRules as rules } from './rules.ts'

const minute = 60_000
const day = 24 * 60 * minute
const now = 1000 * day
const sites = ['Berlin', 'Paris', 'Rome']

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls

beforeEach(() => {
  temp = tempProfile()
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
  const devices = Array.from({ length: 30 }, (_, n) =>
    fact(`d${n}`, {
      site: { id: `s${n % 3}`, name: sites[n % 3] ?? '' },
      room: { id: `r${n}`, name: `Room ${n}` },
      connected: n !== 29,
    }),
  )
  calls.page(pageOf(devices, { at: now - 1000 }))
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const clock = { now: () => now, monotonic: () => performance.now() }
const data = {
  locations: (input: Parameters<Calls['locations']>[0]) => Promise.resolve(calls.locations(input)),
  saveAlerts: (input: Parameters<Calls['saveAlerts']>[0]) => Promise.resolve(calls.saveAlerts(input)),
}
const madeUp = (transitions: Parameters<typeof makeUpIncidents>[1]) =>
  makeUpIncidents({ data, clock, rules, notify: notifyAll }, transitions)
const closed = () =>
  calls.closedIncidents({ text: '', offset: 0, limit: 1000 }).rows.flatMap((row) => {
    const incident = incidentOf(row)
    return incident === null ? [] : [incident]
  })

const membersOf = (id: string) => store.journal.alerts.incidents.members(id, 0, 100).rows

const outage = (n: number, from: number, until: number) => [
  { key: key(`d${n}`), at: from, connected: false },
  { key: key(`d${n}`), at: until, connected: true },
]
const inOrder = (all: ReturnType<typeof outage>) => all.toSorted((one, other) => one.at - other.at)

test('the outage of a site is one critical incident of that time, that of a device a minor one', async () => {
  const [begin, later] = [now - 3 * day, now - 2 * day]
  const berlin = Array.from({ length: 10 }, (_, each) =>
    outage(each * 3, begin + each * 500, begin + 40 * minute),
  ).flat()
  expect(await madeUp(inOrder([...berlin, ...outage(1, later, later + 20 * minute)]))).toBe(2)
  const [device, site] = closed()
  expect(site).toMatchObject({
    kind: 'outage',
    severity: 'critical',
    scope: { shape: 'node' },
    openedAt: expect.any(Number),
  })
  expect(site?.scope.path[0]?.name).toBe('Berlin')
  expect(site?.extent).toMatchObject({ peak: 10, peakInPlace: 10, total: 10 })
  expect(Math.abs((site?.openedAt ?? 0) - begin)).toBeLessThan(minute)
  expect(Math.abs((site?.closedAt ?? 0) - begin - 40 * minute)).toBeLessThan(minute)
  expect(device).toMatchObject({ severity: 'minor', scope: { shape: 'device' } })
  expect(membersOf(site?.id ?? '').length).toBe(10)
})

test('nothing is open or notified after it, and what is offline at the end is in no incident', async () => {
  const begin = now - 5 * day
  const still = { key: key('d29'), at: now - day, connected: false }
  expect(await madeUp([...outage(1, begin, begin + 30 * minute), still])).toBe(1)
  const { drops, incidents, notifications, outbox } = calls.alerts({ since: 0 })
  expect([drops, incidents, notifications, outbox]).toEqual([[], [], [], []])
  expect(closed()[0]?.delivery.notifiedAt ?? null).toBeNull()
})

test('what is offline at the end keeps no incident of others open', async () => {
  const begin = now - day
  const rome = [2, 5, 8, 11, 14, 17, 20, 23, 26].flatMap((n) => outage(n, begin, begin + 30 * minute))
  expect(await madeUp(inOrder([...rome, { key: key('d29'), at: begin + 100, connected: false }]))).toBe(1)
  expect(closed()[0]?.extent.peak).toBe(9)
})

test('a blip within the alert delay is no incident', async () => {
  expect(await madeUp(outage(1, now - day, now - day + 2_000))).toBe(0)
  expect(closed()).toEqual([])
})

test('each outage of a made-up past that ends in it is in an incident, which ends with it', async () => {
  const { latest } = calls.makeUpPast({ now })
  expect(latest.length).toBeGreaterThan(10)
  await madeUp(latest)
  const members = closed().flatMap(({ id }) => membersOf(id))
  const expected = latest.flatMap(({ key: device, at, connected }, index) => {
    const back = latest.slice(index).find((each) => each.key === device && each.connected)
    return !connected && back !== undefined && back.at - at > minute ? [`${device} ${at} ${back.at}`] : []
  })
  const got = new Set(members.map((member) => `${member.key} ${member.at} ${member.recoveredAt}`))
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.filter((each) => !got.has(each))).toEqual([])
})
