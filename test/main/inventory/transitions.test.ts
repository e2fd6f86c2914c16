import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { classifyReport } from '../../../src-main/inventory/writes/transitions.ts'
import { regionNode } from '../../../src-main/inventory/keys.ts'
import { acme, connection, event, fact, key, pageOf, query, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let calls: Calls

beforeEach(() => {
  temp = tempProfile()
  begin()
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

function begin(): void {
  calls = callsOn(openStore(temp.profile, 1, 0))
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
}

function restart(): void {
  calls.close(undefined)
  begin()
}

const see = (seen: boolean, confirmedAt: number) =>
  calls.visibility({ service, connection, tenants: null, visible: seen, confirmedAt })
const deviceOf = (id: string) => calls.device({ key: key(id) }).device
const rowOf = (id: string) => deviceOf(id)?.row
const read = (connected: boolean | null, over: { at: number; asked?: number; lastDetected?: number }) =>
  calls.reconciliation({
    service,
    tenant: acme.id,
    requestOrder: over.asked ?? 2,
    at: over.at,
    devices: [{ id: 'a', connected, lastDetected: over.lastDetected ?? null }],
  })

describe('transitions', () => {
  test('the first sync is no transition; a device down then is dated by lastDetected at the least', () => {
    const change = calls.page(
      pageOf([
        fact('a'),
        fact('b', { connected: false, lastDetected: 400 }),
        fact('c', { connected: false }),
        fact('d', { connected: false, lastDetected: 9000 }),
      ]),
    )
    expect(change.transitions).toEqual([])
    expect(['a', 'b', 'c', 'd'].map((id) => rowOf(id)?.since)).toEqual([
      null,
      { at: 400, kind: 'at-least' },
      { at: 1000, kind: 'at-least' },
      { at: 1000, kind: 'at-least' },
    ])
  })

  test('an event is dated as it happens and reported once', () => {
    calls.page(pageOf([fact('a')]))
    see(true, 1000)
    const change = calls.events({
      service,
      events: [event('a', { connected: false }), event('a', { connected: false, order: 11, at: 5001 })],
    })
    expect(change.transitions).toEqual([{ key: key('a'), at: 5000, notBefore: null, connected: false }])
    expect(rowOf('a')).toMatchObject({ status: 'disconnected', since: { at: 5000, kind: 'seen' }, seenAt: 5001 })
    expect(calls.events({ service, events: [event('a', { connected: false, order: 12 })] }).transitions).toEqual([])
  })

  test('two events of one call are two transitions, in order', () => {
    calls.page(pageOf([fact('a')]))
    const { transitions } = calls.events({
      service,
      events: [event('a', { connected: false }), event('a', { connected: true, order: 11, at: 6000 })],
    })
    expect(transitions.map(({ at, connected }) => [at, connected])).toEqual([
      [5000, false],
      [6000, true],
    ])
    expect(deviceOf('a')?.transitions.map(({ at }) => at)).toEqual([6000, 5000])
  })

  test('a missed drop lies between the last proof of the socket and the sync', () => {
    calls.page(pageOf([fact('a')]))
    see(true, 900)
    see(false, 7000)
    const { transitions } = read(false, { at: 9000 })
    expect(transitions).toEqual([{ key: key('a'), at: 9000, notBefore: 7000, connected: false }])
    expect(rowOf('a')).toMatchObject({ status: 'unknown', since: { at: 9000, kind: 'at-least' } })
  })

  test('a new session does not shorten the span of a change that the last one missed', () => {
    see(true, 900)
    calls.page(pageOf([fact('a')]))
    see(false, 7000)
    see(true, 8000)
    expect(read(false, { at: 8500 }).transitions).toMatchObject([{ notBefore: 7000 }])
  })

  describe('online before a monitoring loss and after it', () => {
    const sees = (seen: boolean, at: number, over: { uncertain?: boolean } = {}) =>
      calls.visibility({
        service,
        connection,
        tenants: null,
        visible: seen,
        confirmedAt: at,
        ...(seen ? { visibleSince: at } : {}),
        ...over,
      })
    /** A device that came online at 6000 while its tenant was visible. */
    const online = () => {
      sees(true, 900)
      calls.page(pageOf([fact('a', { connected: false })]))
      calls.events({ service, events: [event('a', { connected: true, at: 6000 })] })
    }

    test('it was online all the time when most of that was seen', () => {
      online()
      sees(false, 9000)
      sees(true, 11_000)
      read(true, { at: 11_500, asked: 20 })
      expect(rowOf('a')).toMatchObject({ status: 'connected', since: { at: 6000, kind: 'seen' } })
    })

    test('it is online since monitoring was restored when most of the loss was unseen', () => {
      online()
      sees(false, 9000)
      sees(true, 90_000)
      read(true, { at: 90_500, asked: 20 })
      expect(rowOf('a')?.since).toEqual({ at: 90_500, kind: 'at-least' })
      restart()
      sees(true, 91_000)
      read(true, { at: 91_500, asked: 30 })
      expect(rowOf('a')?.since).toEqual({ at: 91_500, kind: 'at-least' })
    })

    test('a sync of a visible or doubted device keeps its start, however long ago the last one was', () => {
      online()
      read(true, { at: 500_000, asked: 20 })
      sees(true, 500_000, { uncertain: true })
      read(true, { at: 5_000_000, asked: 30 })
      expect(rowOf('a')?.since).toEqual({ at: 6000, kind: 'seen' })
    })

    test('a start with a cache behind its journal keeps the start of the online time', () => {
      online()
      sees(false, 9000)
      sees(true, 90_000)
      read(true, { at: 90_500, asked: 20 })
      calls.close(undefined)
      const db = new DatabaseSync(join(temp.profile, 'cache.db'))
      db.exec('UPDATE sequence SET journal = -1')
      db.close()
      begin()
      expect(rowOf('a')?.since).toEqual({ at: 90_500, kind: 'at-least' })
    })

    test('a device down before and after a loss stays down since then', () => {
      sees(true, 900)
      calls.page(pageOf([fact('a')]))
      calls.events({ service, events: [event('a', { connected: false, at: 6000 })] })
      sees(false, 9000)
      sees(true, 90_000)
      read(false, { at: 90_500, asked: 20 })
      expect(rowOf('a')?.since).toEqual({ at: 6000, kind: 'seen' })
    })
  })

  test('a session without a sync proves nothing', () => {
    see(true, 900)
    calls.page(pageOf([fact('a')]))
    see(false, 7000)
    see(true, 8000)
    see(false, 8100)
    see(true, 8200)
    expect(read(false, { at: 8500 }).transitions).toMatchObject([{ notBefore: 7000 }])
  })

  test('spans survive a restart', () => {
    see(true, 900)
    calls.page(pageOf([fact('a')]))
    see(false, 7000)
    restart()
    see(true, 20_000)
    expect(read(false, { at: 21_000 }).transitions).toMatchObject([{ notBefore: 7000 }])
  })

  test('lastDetected dates a missed drop when it lies in the span, and not when it does not', () => {
    const reported = { connected: false, at: 100, live: false }
    const known = { connected: true, since: null, confirmedUntil: 50, continuous: false }
    expect(classifyReport(known, { ...reported, lastDetected: 70 }).since).toEqual({ at: 70, kind: 'at-least' })
    expect(classifyReport(known, { ...reported, lastDetected: 100 }).since).toEqual({ at: 100, kind: 'at-least' })
    expect(classifyReport(known, { ...reported, lastDetected: 50 }).since).toEqual({ at: 100, kind: 'at-least' })
    expect(classifyReport(known, { ...reported, lastDetected: 101 }).since).toEqual({ at: 100, kind: 'at-least' })
    expect(
      classifyReport({ ...known, confirmedUntil: 500 }, { ...reported, lastDetected: null }).entry?.transition,
    ).toEqual({
      at: 100,
      notBefore: 100,
      connected: false,
    })
    // By a clock that was ahead nothing was proven: what is known is when it began.
    expect(
      classifyReport(
        { ...known, since: { at: 40, kind: 'seen' }, confirmedUntil: 500 },
        { ...reported, lastDetected: null },
      ).entry?.transition,
    ).toEqual({ at: 100, notBefore: 40, connected: false })
  })

  test('a null status is unknown, and the next status is compared with the last known one', () => {
    calls.page(pageOf([fact('a')]))
    see(true, 1000)
    read(null, { at: 2000 })
    expect(rowOf('a')).toMatchObject({ status: 'unknown', connected: null, since: null })
    expect(read(true, { at: 3000, asked: 3 }).transitions).toEqual([])
    read(null, { at: 4000, asked: 4 })
    expect(read(false, { at: 5000, asked: 5 }).transitions).toMatchObject([{ at: 5000, connected: false }])
  })
})

describe('events and pages', () => {
  test('an event after the page was requested beats it, in connected and name', () => {
    calls.page(pageOf([fact('a')]))
    calls.events({ service, events: [event('a', { connected: false, name: 'New name' })] })
    const change = calls.page(pageOf([fact('a')], { requestOrder: 9, at: 6000, generation: 2 }))
    expect(change.transitions).toEqual([])
    expect(rowOf('a')).toMatchObject({ connected: false, name: 'New name', since: { at: 5000, kind: 'seen' } })
    calls.page(pageOf([fact('a')], { requestOrder: 11, at: 7000, generation: 2 }))
    expect(rowOf('a')).toMatchObject({ connected: true, name: 'Studio a' })
  })

  test('a reconciliation requested before an event does not undo it', () => {
    calls.page(pageOf([fact('a')]))
    calls.events({ service, events: [event('a', { connected: false })] })
    expect(read(true, { at: 6000, asked: 9 }).transitions).toEqual([])
    expect(read(true, { at: 6001, asked: 11 }).transitions).toMatchObject([{ connected: true }])
  })

  test('an event that waited while a later page came in does not undo the page', () => {
    calls.page(pageOf([fact('a')], { requestOrder: 20 }))
    expect(calls.events({ service, events: [event('a', { connected: false, order: 10 })] }).transitions).toEqual([])
    expect(rowOf('a')?.connected).toBe(true)
  })

  test('the event of an unknown device counts once a page brings the device', () => {
    expect(
      calls.events({
        service,
        events: [event('a', { connected: false, tenant: null }), event('b', { connected: false })],
      }).unknownDevices,
    ).toEqual(['a', 'b'])
    calls.page(pageOf([fact('a'), fact('b')], { requestOrder: 9 }))
    expect([rowOf('a')?.connected, rowOf('b')?.connected]).toEqual([false, false])
  })

  test('an event without a tenant finds its device, unless two have its id', () => {
    const beta = { id: 'beta', name: 'Beta', region: null }
    calls.tenants({ service, connection, tenants: [acme, beta], at: 0 })
    calls.page(pageOf([fact('a'), fact('both')]))
    calls.page(pageOf([fact('both')], { tenant: 'beta' }))
    const { unknownDevices, transitions } = calls.events({
      service,
      events: [event('a', { connected: false, tenant: null }), event('both', { connected: false, tenant: null })],
    })
    expect(unknownDevices).toEqual(['both'])
    expect(transitions.map((one) => one.key)).toEqual([key('a')])
  })
})

describe('generations and tenants', () => {
  const ids = () => calls.ids({ service, tenant: acme.id }).toSorted()

  test('rows are removed only when a newer sync is complete', () => {
    calls.page(pageOf([fact('a'), fact('b')]))
    calls.finish({ service, tenant: acme.id, generation: 1, at: 1500 })
    calls.page(
      pageOf([fact('a')], {
        generation: 2,
        next: { generation: 2, nextToken: 't', pageSize: 100, pages: 1, read: 1, startedAt: 5 },
      }),
    )
    restart()
    expect(ids()).toEqual(['a', 'b'])
    expect(calls.pull({ service, tenant: acme.id })).toEqual({
      generation: 2,
      nextToken: 't',
      pageSize: 100,
      pages: 1,
      read: 1,
      startedAt: 5,
    })
    calls.page(pageOf([], { generation: 2 }))
    expect(calls.pull({ service, tenant: acme.id })).toBeNull()
    expect(calls.finish({ service, tenant: acme.id, generation: 2, at: 2500 })).toMatchObject({
      structure: true,
      totals: { unknown: 1 },
    })
    expect(ids()).toEqual(['a'])
    restart()
    expect(ids()).toEqual(['a'])
    expect(calls.tree({ expanded: [], offset: 0, limit: 5, reveal: null }).rows[0]).toMatchObject({
      id: regionNode(service, 'EU-1'),
      readAt: 2500,
    })
  })

  test('a page that changes only ages makes no patch, and rows show the new age', () => {
    calls.page(pageOf([fact('a')]))
    const change = calls.page(pageOf([fact('a')], { at: 9000, requestOrder: 3 }))
    expect(change).toMatchObject({ devices: [], many: false, structure: false })
    expect(change.rev).toBe(change.base)
    expect(calls.rows({ query: query(), offset: 0, limit: 1, now: 0 }).rows[0]?.seenAt).toBe(9000)
  })

  test('a tenant that two connections list is one, seen by either, and gone with the last', () => {
    calls.page(pageOf([fact('a')]))
    calls.tenants({ service, connection: 'c2', tenants: [acme], at: 0 })
    calls.visibility({ service, connection: 'c2', tenants: [acme.id], visible: true, confirmedAt: 1 })
    expect(see(true, 1)).toMatchObject({ totals: { connected: 1 }, devices: [] })
    expect(see(false, 2)).toMatchObject({ totals: { connected: 1 }, devices: [] })
    expect(deviceOf('a')?.connections).toEqual(['c1', 'c2'])
    expect(calls.tenants({ service, connection: 'c2', tenants: [], at: 3 })).toMatchObject({ totals: { unknown: 1 } })
    expect(calls.forget({ connection })).toMatchObject({
      totals: { connected: 0, disconnected: 0, unknown: 0 },
      structure: true,
    })
  })

  test("history survives a tenant's absence and is erased with the connection", () => {
    calls.page(pageOf([fact('a')]))
    calls.events({ service, events: [event('a', { connected: false })] })
    calls.tenants({ service, connection, tenants: [], at: 1 })
    calls.tenants({ service, connection, tenants: [acme], at: 2 })
    expect(calls.page(pageOf([fact('a')], { requestOrder: 30, at: 8000 })).transitions).toMatchObject([
      { at: 8000, notBefore: 5000, connected: true },
    ])
    calls.forget({ connection })
    calls.tenants({ service, connection, tenants: [acme], at: 3 })
    calls.page(pageOf([fact('a')], { requestOrder: 31, at: 9000 }))
    expect(deviceOf('a')?.transitions).toEqual([])
  })

  test('the connections that list a tenant are known, also after a restart', () => {
    const beta = { id: 'beta', name: 'Beta', region: null }
    calls.tenants({ service: 'https://other.test', connection: 'c0', tenants: [acme, beta], at: 0 })
    calls.tenants({ service, connection: 'c2', tenants: [beta], at: 0 })
    restart()
    expect(calls.connections(undefined)).toEqual(['c0', 'c1', 'c2'])
    calls.forget({ connection: 'c0' })
    calls.tenants({ service, connection: 'c2', tenants: [], at: 1 })
    expect(calls.connections(undefined)).toEqual(['c1'])
  })

  test('extra columns are kept when a later page brings the device', () => {
    calls.page(pageOf([fact('a')]))
    calls.extraValues({ service, tenant: acme.id, devices: [{ id: 'a', values: { serial: '<b>1</b>' } }] })
    calls.page(pageOf([fact('a')], { requestOrder: 3 }))
    restart()
    expect(deviceOf('a')?.extra).toEqual([{ name: 'serial', value: '<b>1</b>' }])
  })

  test('a key that does not exist matches nothing and throws nothing', () => {
    for (const scope of ['', 'gone', 't:', 'd:', 's:x/y/z', 'm:%', '__proto__']) {
      expect(calls.rows({ query: query({ scope }), offset: 5, limit: 5, now: 0 })).toMatchObject({ total: 0, rows: [] })
      expect(calls.counts({ scope }).counts).toBeNull()
      expect(calls.locate({ query: query({ scope }), key: scope, now: 0 }).index).toBeNull()
      expect(calls.tree({ expanded: [scope], offset: 9, limit: 9, reveal: scope })).toMatchObject({
        rows: [],
        index: null,
      })
      expect(calls.device({ key: scope }).device).toBeNull()
    }
    expect(calls.pull({ service, tenant: 'gone' })).toBeNull()
    expect(calls.ids({ service, tenant: 'gone' })).toEqual([])
    expect(calls.page(pageOf([fact('a')], { tenant: 'gone' })).totals).toEqual({
      connected: 0,
      disconnected: 0,
      unknown: 0,
    })
    expect(read(true, { at: 1 }).unknownDevices).toEqual(['a'])
  })
})
