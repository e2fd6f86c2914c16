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
const statusOf = (id: string) => calls.device({ key: key(id) }).device?.row.status

describe('a connection in doubt', () => {
  const sight = (doubt: boolean, over: { by?: string; from?: number; confirmedAt?: number } = {}) =>
    calls.visibility({
      service,
      connection: over.by ?? connection,
      tenants: null,
      visible: true,
      confirmedAt: over.confirmedAt ?? 5_000,
      visibleSince: over.from ?? 5_000,
      uncertain: doubt,
    })
  const transitionsOf = (id: string) => calls.device({ key: key(id) }).device?.transitions

  test('makes its devices unknown until the doubt has passed', () => {
    sight(false)
    calls.page(pageOf([fact('up'), fact('down', { connected: false })], { at: 6_000 }))
    const change = sight(true)
    expect(change.devices.map(({ id, status, connected }) => [id, status, connected])).toEqual(
      expect.arrayContaining([
        ['up', 'unknown', true],
        ['down', 'unknown', false],
      ]),
    )
    calls.events({ service, events: [event('up', { connected: false, at: 7_000 })] })
    expect(['up', 'down'].map(statusOf)).toEqual(['unknown', 'unknown'])
    sight(false)
    expect(['up', 'down'].map(statusOf)).toEqual(['disconnected', 'disconnected'])
    expect(transitionsOf('up')).toEqual([{ at: 7_000, notBefore: null, connected: false }])
  })

  test('that passes and is followed by a break: a missed change lies after the last proof', () => {
    sight(false)
    calls.page(pageOf([fact('a')], { at: 6_000 }))
    sight(true, { confirmedAt: 8_000 })
    sight(false, { confirmedAt: 9_000 })
    sight(true, { confirmedAt: 12_000 })
    calls.visibility({ service, connection, tenants: null, visible: false, confirmedAt: 12_000 })
    expect(statusOf('a')).toBe('unknown')
    sight(false, { from: 60_000, confirmedAt: 60_000 })
    expect(statusOf('a')).toBe('unknown')
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: 5,
      at: 61_000,
      devices: [{ id: 'a', connected: false, lastDetected: null }],
    })
    expect(transitionsOf('a')).toEqual([{ at: 61_000, notBefore: 12_000, connected: false }])
  })

  test('hides no device that another connection sees, however late that one came', () => {
    calls.tenants({ service, connection: 'other', tenants: [acme], at: 0 })
    sight(false)
    calls.page(pageOf([fact('both'), fact('mine')], { connection, at: 6_000 }))
    calls.page(pageOf([fact('both')], { connection: 'other', generation: 2, requestOrder: 1, at: 6_000 }))
    sight(false, { by: 'other', from: 20_000 })
    sight(true)
    expect(['both', 'mine'].map(statusOf)).toEqual(['connected', 'unknown'])
    sight(false)
    expect(['both', 'mine'].map(statusOf)).toEqual(['connected', 'connected'])
  })

  test('does not count as one that sees the tenant', () => {
    sight(false)
    calls.page(pageOf([fact('a')], { at: 6_000 }))
    const seen = () =>
      calls.locations({ keys: [], paused: [] }).tenants.map((tenant) => [tenant.seen, tenant.unseen, tenant.seenSince])
    sight(true)
    expect(seen()).toEqual([[false, 1, 5_000]])
    sight(false)
    expect(seen()).toEqual([[true, 0, 5_000]])
  })
})

describe('devices whose subscription is lost for a while', () => {
  const other = 'other'
  const subscriptionLost = (ids: string[], at: number) => calls.subscriptionLost({ service, connection, ids, at })
  const report = (id: string, connected: boolean, at: number) =>
    calls.reconciliation({
      service,
      tenant: acme.id,
      requestOrder: at,
      at,
      devices: [{ id, connected, lastDetected: null }],
    })

  test('are unknown until an event or page brings them; the others are not', () => {
    see(5_000)
    calls.page(pageOf([fact('a'), fact('b'), fact('c')], { connection, at: 6_000 }))
    expect(
      subscriptionLost(['a', 'b', 'nobody'], 8_000)
        .devices.map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'b'])
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['unknown', 'unknown', 'connected'])
    report('a', true, 9_000)
    calls.events({ service, events: [event('b', { connected: false, at: 9_000, order: 9_000 })] })
    expect(['a', 'b', 'c'].map(statusOf)).toEqual(['connected', 'disconnected', 'connected'])
  })

  test('stay visible where another connection sees them', () => {
    calls.tenants({ service, connection: other, tenants: [acme], at: 0 })
    see(5_000)
    calls.page(pageOf([fact('both'), fact('mine')], { connection, at: 6_000 }))
    calls.page(pageOf([fact('both')], { connection: other, generation: 2, requestOrder: 1, at: 6_000 }))
    subscriptionLost(['both', 'mine'], 8_000)
    expect(['both', 'mine'].map(statusOf)).toEqual(['unknown', 'unknown'])
    report('both', true, 9_000)
    see(5_000, other)
    subscriptionLost(['both', 'mine'], 10_000)
    expect(['both', 'mine'].map(statusOf)).toEqual(['connected', 'unknown'])
  })

  test('may have dropped at any time since, not only since the socket was last proven', () => {
    see(5_000)
    calls.page(pageOf([fact('a'), fact('b')], { connection, at: 6_000 }))
    subscriptionLost(['a'], 8_000)
    subscriptionLost(['a'], 9_000)
    calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 20_000, visibleSince: 5_000 })
    report('a', false, 21_000)
    report('b', false, 21_000)
    const spans = ['a', 'b'].map((id) =>
      calls.device({ key: key(id) }).device?.transitions.map(({ notBefore }) => notBefore),
    )
    expect(spans).toEqual([[8_000], [20_000]])
    report('a', true, 30_000)
    calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 40_000, visibleSince: 5_000 })
    report('a', false, 41_000)
    expect(calls.device({ key: key('a') }).device?.transitions[0]).toMatchObject({
      connected: false,
      notBefore: 40_000,
    })
  })
})
