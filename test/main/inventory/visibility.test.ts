import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { acme, connection, event, fact, key, pageOf, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let calls: Calls

beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const see = (from: number, by = connection) =>
  calls.visibility({ service, connection: by, tenants: null, visible: true, confirmedAt: from, visibleSince: from })
const blind = (by = connection) =>
  calls.visibility({ service, connection: by, tenants: null, visible: false, confirmedAt: 0 })
const statusOf = (id: string) => calls.device({ key: key(id) }).device?.row.status

describe('a row is unknown until it is read', () => {
  test('a row from before the socket opened stays unknown until an event or page brings it', () => {
    calls.page(pageOf([fact('a'), fact('b'), fact('c')]))
    see(5_000)
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['unknown', 'unknown', 'unknown'])
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 5,
      at: 6_000,
      devices: [{ id: 'a', connected: true, lastDetected: null }],
    })
    calls.events({ service, events: [event('b', { connected: false, at: 6_000 })] })
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['connected', 'disconnected', 'unknown'])
    expect(calls.counts({ scope: 'all' }).counts).toEqual({ connected: 1, disconnected: 1, unknown: 1 })
  })

  test("a sync that changes only a row's visibility is reported as a change of that row", () => {
    calls.page(pageOf([fact('a')]))
    see(5_000)
    const change = calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 5,
      at: 6_000,
      devices: [{ id: 'a', connected: true, lastDetected: null }],
    })
    expect(change.devices.map(({ id, status }) => [id, status])).toEqual([['a', 'connected']])
  })

  test('rows read since then are visible at once, also when the same is reported again', () => {
    calls.page(pageOf([fact('a')], { at: 7_000 }))
    see(5_000)
    expect(statusOf('a')).toBe('connected')
    expect(see(5_000)).toMatchObject({ devices: [], structure: false })
  })

  test('a socket that reopens later proves rows only from then on', () => {
    calls.page(pageOf([fact('a')], { at: 7_000 }))
    see(5_000)
    blind()
    see(9_000)
    expect(statusOf('a')).toBe('unknown')
  })

  test('a row updated by a clock that was ahead is not taken as updated since the socket opened', () => {
    see(5_000)
    calls.page(pageOf([fact('a'), fact('b')], { at: 3_600_000 }))
    blind()
    // The clock was set back.
    calls.visibility({
      service,
      connection,
      tenants: null,
      visible: true,
      confirmedAt: 9_000,
      visibleSince: 9_000,
      at: 9_000,
    })
    expect(['a', 'b'].map(statusOf)).toEqual(['unknown', 'unknown'])
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 5,
      at: 10_000,
      devices: [{ id: 'a', connected: true, lastDetected: null }],
    })
    expect(['a', 'b'].map(statusOf)).toEqual(['connected', 'unknown'])
  })

  test('of two connections the one visible for longer proves more rows', () => {
    calls.tenants({ service, connection: 'other', tenants: [acme], at: 0 })
    calls.page(pageOf([fact('a')], { at: 7_000 }))
    see(9_000)
    expect(statusOf('a')).toBe('unknown')
    see(5_000, 'other')
    expect(statusOf('a')).toBe('connected')
    blind()
    expect(statusOf('a')).toBe('connected')
  })
})

test('a list of visible tenants is complete, and a list of invisible ones changes just these', () => {
  const beta = { id: 'beta', name: 'Beta', region: null }
  calls.tenants({ service, connection, tenants: [acme, beta], at: 0 })
  calls.page(pageOf([fact('a')]))
  calls.page(pageOf([fact('b')], { tenant: beta.id }))
  const sight = (seen: boolean, ...tenants: string[]) =>
    calls.visibility({ service, connection, tenants, visible: seen, confirmedAt: 500, visibleSince: 500 })
  const states = () => [key('a'), key('b', beta.id)].map((of) => calls.device({ key: of }).device?.row.status)
  sight(true, acme.id, beta.id)
  expect(states()).toEqual(['connected', 'connected'])
  sight(true, acme.id)
  expect(states()).toEqual(['connected', 'unknown'])
  sight(true, acme.id, beta.id)
  sight(false, acme.id)
  expect(states()).toEqual(['unknown', 'connected'])
})

describe('two connections that see different parts of a tenant', () => {
  const other = 'other'
  const ids = () => calls.ids({ service, tenant: acme.id }).toSorted()
  const read = (by: string, names: string[], over: { partial?: boolean; connected?: boolean } = {}) => {
    const generation = calls.nextGeneration({ service, tenant: acme.id, connection: by })
    const at = generation * 1_000
    calls.page(
      pageOf(
        names.map((id) => fact(id, { connected: over.connected ?? true })),
        { connection: by, generation, requestOrder: generation, at },
      ),
    )
    return calls.finish({ service, tenant: acme.id, connection: by, generation, at, partial: over.partial ?? false })
  }
  const restart = () => {
    calls.close(undefined)
    calls = callsOn(openStore(temp.profile, 1, 0))
  }
  beforeEach(() => calls.tenants({ service, connection: other, tenants: [acme], at: 0 }))

  test('neither removes the devices of the other, also after a restart', () => {
    read(connection, ['a1', 'both', 'gone'])
    read(other, ['b1', 'both'])
    expect(ids()).toEqual(['a1', 'b1', 'both', 'gone'])
    restart()
    read(connection, ['a1'])
    expect(ids()).toEqual(['a1', 'b1', 'both'])
    restart()
    read(other, ['b1'])
    expect(ids()).toEqual(['a1', 'b1'])
    read(connection, [])
    expect(ids()).toEqual(['b1'])
  })

  test('devices that one could not read and the other reads are visible', () => {
    see(500)
    read(connection, ['a1', 'both'])
    read(other, ['both'])
    read(connection, [], { partial: true })
    expect(['a1', 'both'].map(statusOf)).toEqual(['unknown', 'connected'])
  })

  test('devices that only one of them reads are visible only while that one is, from then on', () => {
    read(connection, ['a1', 'both'])
    read(other, ['b1', 'both'])
    const states = () => ['a1', 'both', 'b1'].map(statusOf)
    see(500, other)
    expect(states()).toEqual(['unknown', 'connected', 'connected'])
    expect(calls.counts({ scope: 'all' }).counts).toEqual({ connected: 2, disconnected: 0, unknown: 1 })
    see(500)
    expect(states()).toEqual(['connected', 'connected', 'connected'])
    const change = blind()
    expect(change.devices.map(({ id, status }) => [id, status])).toEqual([['a1', 'unknown']])
    // It was out of sight meanwhile, and the other one never looked at it.
    see(90_000)
    expect(states()).toEqual(['unknown', 'connected', 'connected'])
    calls.events({ service, events: [event('a1', { connected: false, at: 91_000 })] })
    expect(states()).toEqual(['disconnected', 'connected', 'connected'])
  })

  test('a device that moves from one to the other stays visible, and not longer', () => {
    see(500)
    read(connection, ['a1', 'a2'])
    see(5_000, other)
    expect(calls.adopt({ service, tenant: acme.id, from: connection, to: other, at: 9000 })).toMatchObject({
      devices: [],
    })
    expect(blind()).toMatchObject({ devices: [] })
    expect(['a1', 'a2'].map(statusOf)).toEqual(['connected', 'connected'])
    see(6_000)
    expect(blind(other)).toMatchObject({ devices: [] })
    expect(['a1', 'a2'].map(statusOf)).toEqual(['connected', 'connected'])
    blind()
    see(7_000)
    see(7_000, other)
    expect(['a1', 'a2'].map(statusOf)).toEqual(['unknown', 'unknown'])
  })

  test('a row is visible by the connection that reads it now, and not by one that no longer does', () => {
    read(connection, ['a1', 'a2'])
    see(500, other)
    expect(['a1', 'a2'].map(statusOf)).toEqual(['unknown', 'unknown'])
    const shared = calls.adopt({ service, tenant: acme.id, from: connection, to: other, at: 9000 })
    expect(shared.totals).toEqual({ connected: 2, disconnected: 0, unknown: 0 })
    read(other, ['a1'])
    expect(['a1', 'a2'].map(statusOf)).toEqual(['connected', 'unknown'])
    read(connection, ['a1'])
    calls.forget({ connection: other })
    expect(statusOf('a1')).toBe('unknown')
    see(500)
    expect(statusOf('a1')).toBe('connected')
  })

  test("a missed change starts at the last message of the device's own connection", () => {
    see(500)
    see(500, other)
    read(connection, ['a1'])
    read(other, ['b1'])
    blind()
    calls.visibility({
      service,
      connection: other,
      tenants: null,
      visible: true,
      confirmedAt: 90_000,
      visibleSince: 500,
    })
    see(100_000)
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 50,
      at: 101_000,
      devices: [{ id: 'a1', connected: false, lastDetected: null }],
    })
    expect(calls.device({ key: key('a1') }).device?.transitions).toEqual([
      { at: 101_000, notBefore: 1_000, connected: false },
    ])
  })

  test('each has its own position in its own sync', () => {
    const next = (nextToken: string, generation: number) => ({
      generation,
      nextToken,
      pageSize: null,
      pages: 1,
      read: 1,
      startedAt: 0,
    })
    calls.page(pageOf([fact('a1')], { connection, generation: 4, next: next('mine', 4) }))
    calls.page(pageOf([fact('b1')], { connection: other, generation: 7, next: next('theirs', 7) }))
    calls.finish({ service, tenant: acme.id, connection, generation: 4, at: 9_000 })
    restart()
    const tokens = [connection, other, undefined].map(
      (by) => calls.pull({ service, tenant: acme.id, ...(by && { connection: by }) })?.nextToken,
    )
    expect(tokens).toEqual([undefined, 'theirs', undefined])
    expect(calls.nextGeneration({ service, tenant: acme.id, connection })).toBe(8)
  })

  test('devices of a removed connection go with their history, and its late pages bring nothing', () => {
    read(connection, ['a1', 'both'])
    read(other, ['b1', 'b10', 'both'])
    read(other, ['b1', 'b10', 'both'], { connected: false })
    calls.forget({ connection: other })
    expect(ids()).toEqual(['a1', 'both'])
    read(other, ['b1'])
    restart()
    expect(ids()).toEqual(['a1', 'both'])
    read(connection, ['a1', 'b1', 'both'])
    expect(['b1', 'both'].map((id) => calls.device({ key: key(id) }).device?.transitions.length)).toEqual([0, 2])
    read(connection, ['a1'])
    expect(ids()).toEqual(['a1'])
  })

  test('rows from before connections were distinguished are taken over', () => {
    calls.page(pageOf([fact('a1'), fact('old')]))
    read(connection, ['a1'])
    expect(ids()).toEqual(['a1'])
  })
})

describe('generations', () => {
  const finish = (generation: number, partial = false) =>
    calls.finish({ service, tenant: acme.id, generation, at: 9_000, partial })
  const ids = () => calls.ids({ service, tenant: acme.id }).toSorted()
  const next = () => calls.nextGeneration({ service, tenant: acme.id })

  test("count up from the rows' own, whatever the clock says", () => {
    expect(next()).toBe(1)
    calls.page(pageOf([fact('a')], { generation: 41 }))
    expect(next()).toBe(42)
  })

  test('a sync that was interrupted counts too', () => {
    const pull = { generation: 77, nextToken: 'x', pageSize: null, pages: 1, read: 1, startedAt: 0 }
    calls.page(pageOf([], { generation: 77, next: pull }))
    expect(next()).toBe(78)
  })

  test('rows kept because a part could not be read are unknown until an event or page brings them', () => {
    see(500)
    const old = ['read', 'paged', 'report', 'silent']
    calls.page(pageOf([fact('a'), ...old.map((id) => fact(id))], { generation: 1 }))
    calls.page(pageOf([fact('a')], { generation: 2, requestOrder: 3, at: 2_000 }))
    calls.events({ service, events: [event('report', { name: 'Before the end', at: 2_500 })] })
    const change = finish(2, true)
    expect(change).toMatchObject({ totals: { connected: 1, unknown: 4 }, structure: true })
    expect(['a', ...old].map(statusOf)).toEqual(['connected', ...old.map(() => 'unknown')])
    blind()
    see(600)
    expect(old.map(statusOf)).toEqual(old.map(() => 'unknown'))
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 20,
      at: 9_100,
      devices: [{ id: 'read', connected: true, lastDetected: null }],
    })
    calls.events({ service, events: [event('report', { connected: false, order: 21, at: 9_200 })] })
    calls.page(pageOf([fact('paged')], { generation: 3, requestOrder: 22, at: 9_300 }))
    expect(old.map(statusOf)).toEqual(['connected', 'connected', 'disconnected', 'unknown'])
    finish(3)
    expect(ids()).toEqual(['paged'])
  })

  test('older rows are removed at the end of a sync, and stay when a part of it failed', () => {
    calls.page(pageOf([fact('a'), fact('b')], { generation: 1 }))
    calls.page(pageOf([fact('a')], { generation: 2 }))
    finish(2, true)
    expect(ids()).toEqual(['a', 'b'])
    finish(2)
    expect(ids()).toEqual(['a'])
  })
})

describe('erasing a connection', () => {
  const dropped = () => {
    calls.page(pageOf([fact('a')]))
    calls.events({ service, events: [event('a', { connected: false, at: 2_000 })] })
  }
  const again = () => {
    calls.tenants({ service, connection: 'other', tenants: [acme], at: 3_000 })
    calls.page(pageOf([fact('a', { connected: false })], { generation: 2, requestOrder: 20, at: 3_000 }))
    return calls.device({ key: key('a') }).device?.transitions.length
  }

  test('erases its history when it was removed, and keeps it when it is only not configured', () => {
    dropped()
    calls.forget({ connection, keepHistory: { at: 9000 } })
    expect(calls.counts({ scope: 'all' }).counts).toEqual({ connected: 0, disconnected: 0, unknown: 0 })
    expect(again()).toBe(1)
    calls.forget({ connection: 'other' })
    expect(again()).toBe(0)
  })
})

test('a device is seen by the connections that read it, not by all that list its tenant', () => {
  const seers = (id: string) => calls.device({ key: key(id) }).device?.connections
  calls.tenants({ service, connection: 'other', tenants: [acme], at: 0 })
  calls.page(pageOf([fact('a'), fact('b')], { connection }))
  calls.page(pageOf([fact('b')], { connection: 'other' }))
  expect([seers('a'), seers('b')]).toEqual([[connection], [connection, 'other']])
  calls.tenants({ service, connection: 'other', tenants: [], at: 1 })
  expect(seers('b')).toEqual([connection])
})
