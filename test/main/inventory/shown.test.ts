import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { applyLog, snapshotIn, snapshotOut } from '../../../src-main/inventory/thread/log-calls.ts'
import type { LoggedCall } from '../../../src-main/inventory/thread/log-protocol.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

/* A copy of the team's: what it knows is as it is at all members; what is shown is this member's alone. */

const other = 'c2'
let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
let rows = 0

const open = () => {
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
}
beforeEach(() => {
  temp = tempProfile()
  rows = 0
  open()
  write('tenants', { service, connection, tenants: [acme], at: 0 })
  write('page', pageOf([fact('a'), fact('b', { connected: false })], { connection }))
  see(connection)
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

/** Carries out a row of the log. */
function carryOut(call: LoggedCall['call'], input: unknown): unknown {
  const at = (number: number) => (number === 0 ? null : { number, id: `row ${number}` })
  const { results } = applyLog(store, calls, {
    calls: [{ call, input }],
    after: at(rows),
    position: { number: rows + 1, id: `row ${rows + 1}` },
  })
  rows += 1
  return results[0]
}
const write = (call: LoggedCall['call'], input: unknown) => expect(carryOut(call, input)).toMatchObject({ ok: true })
const see = (by: string) =>
  write('visibility', { service, connection: by, tenants: null, visible: true, confirmedAt: 500, visibleSince: 500 })
const statuses = () => ['a', 'b'].map((id) => calls.device({ key: key(id) }).device?.row.status)
const tenant = () => calls.locations({ keys: [key('a')], paused: [] }).tenants[0]

test('devices of a connection that is not shown are unknown, and later as before', () => {
  expect(statuses()).toEqual(['connected', 'disconnected'])
  expect(tenant()).toMatchObject({ seen: true, unseen: 0 })
  expect(calls.show({ connections: [] })).toMatchObject({ totals: { connected: 0, disconnected: 0, unknown: 2 } })
  expect(statuses()).toEqual(['unknown', 'unknown'])
  expect(tenant()).toMatchObject({ seen: false, unseen: 2 })
  expect(calls.show({ connections: [] })).toMatchObject({ devices: [], many: false, structure: false })
  calls.show({ connections: [connection] })
  expect(statuses()).toEqual(['connected', 'disconnected'])
})

test('a device that another shown connection sees stays as it is', () => {
  write('tenants', { service, connection: other, tenants: [acme], at: 0 })
  write('page', pageOf([fact('a')], { connection: other }))
  see(other)
  calls.show({ connections: [other] })
  expect(statuses()).toEqual(['connected', 'unknown'])
})

test('a change is seen when it comes, also while its connection is not shown', () => {
  calls.show({ connections: [] })
  write('events', { service, events: [event('a', { connected: false })] })
  calls.show({ connections: null })
  expect(calls.device({ key: key('a') }).device).toMatchObject({
    row: { status: 'disconnected', since: { at: 5000, kind: 'seen' } },
    transitions: [{ at: 5000, notBefore: null, connected: false }],
  })
})

test('a copy that is opened anew shows nothing until it is told what, and then what it had', () => {
  calls.close(undefined)
  open()
  expect(statuses()).toEqual(['unknown', 'unknown'])
  calls.show({ connections: [connection] })
  expect(statuses()).toEqual(['connected', 'disconnected'])
})

test('a late answer enters nothing, also in a copy that was opened or taken over since', () => {
  write('events', { service, events: [event('a', { connected: false, order: 10 })] })
  calls.close(undefined)
  open()
  const { file, position } = snapshotOut(store, calls, temp.profile)
  snapshotIn(store, { file, position })
  calls.close(undefined)
  open()
  write('reconciliation', {
    service,
    tenant: acme.id,
    requestOrder: 9,
    at: 5500,
    devices: [{ id: 'a', connected: true, lastDetected: null }],
  })
  write('page', pageOf([fact('a')], { connection, requestOrder: 8, at: 6000 }))
  expect(calls.device({ key: key('a') }).device?.transitions).toHaveLength(1)
})

test('what cannot be written of visibility is not passed over', () => {
  store.cache.db.exec("CREATE TEMP TRIGGER refused BEFORE UPDATE ON tenant BEGIN SELECT RAISE(FAIL, 'refused'); END")
  expect(carryOut('visibility', { service, connection, tenants: null, visible: true, confirmedAt: 600 })).toMatchObject(
    { ok: false, fault: { kind: 'storage' } },
  )
})

test('a device that another connection took over is visible, also in a copy opened anew', () => {
  write('tenants', { service, connection: other, tenants: [acme], at: 0 })
  write('page', pageOf([fact('a'), fact('b', { connected: false })], { connection: other }))
  write('visibility', {
    service,
    connection: other,
    tenants: null,
    visible: true,
    confirmedAt: 5000,
    visibleSince: 5000,
  })
  write('visibility', { service, connection, tenants: null, visible: false, confirmedAt: 5000 })
  expect(statuses()).toEqual(['connected', 'disconnected'])
  calls.close(undefined)
  open()
  calls.show({ connections: [other] })
  expect(statuses()).toEqual(['connected', 'disconnected'])
})

test('what is erased is not among the last events either, in the file', () => {
  const named = { name: 'Secret Studio', order: 20 }
  write('events', {
    service,
    events: [event('a', named), event('x', { ...named, tenant: null })],
  })
  const kept = () => store.cache.db.prepare('SELECT device FROM recent_update').all()
  expect(kept()).toHaveLength(2)
  write('forget', { connection })
  expect(kept()).toEqual([])
  calls.close(undefined)
  expect(readFileSync(join(temp.profile, 'cache.db')).includes('Secret Studio')).toBe(false)
  open()
})

test('of a tenant that another connection lists, only the events of erased devices go', () => {
  write('tenants', { service, connection: other, tenants: [acme], at: 0 })
  write('page', pageOf([fact('a')], { connection: other }))
  write('events', { service, events: [event('a', { order: 20 }), event('b', { order: 20 })] })
  write('forget', { connection })
  expect(store.cache.db.prepare('SELECT device FROM recent_update').all()).toEqual([
    { device: JSON.stringify([service, acme.id, 'a']) },
  ])
})

test('the last events are forgotten in the file as in memory', () => {
  const minutes = (n: number) => n * 60_000
  const many = Array.from({ length: 10_000 }, (_, index) => event(`x${index}`, { connected: true }))
  write('events', { service, events: many })
  write('events', { service, events: [event('a', { order: 20, at: minutes(20) })] })
  expect(store.recentUpdates.updates.size).toBe(1)
  expect(store.cache.db.prepare('SELECT count(*) AS n FROM recent_update').get()).toEqual({ n: 1 })
})
