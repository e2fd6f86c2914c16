import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { tenantNode, regionNode, siteNode } from '../../../src-main/inventory/keys.ts'
import type { LoadedColumn } from '../../../src-main/inventory/engine/columns/extras.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { parseFilter } from '../../../src-shared/filter/filter.ts'
import { acme, connection, event, fact, key, pageOf, query, service, tempProfile } from './profile.ts'

const hour = 3_600_000
const now = 1_790_000_000_000

let temp: ReturnType<typeof tempProfile>
let calls: Calls
const start = () => {
  calls = callsOn(openStore(temp.profile, 1, 0))
}
beforeEach(() => {
  temp = tempProfile()
  start()
  calls.tenants({ service, connection, tenants: [acme, { id: 'lab', name: 'Lab', region: 'US-1' }], at: 0 })
  calls.visibility({ service, connection, tenants: null, visible: true, confirmedAt: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})
const idsOf = (filter: string, at = now) =>
  calls
    .rows({ query: query({ filter, sort: [{ column: 'id', direction: 'asc' }] }), offset: 0, limit: 500, now: at })
    .rows.map(({ id }) => id)
const text: LoadedColumn = { name: 'serial', type: 'text', services: [service] }

describe('finding', () => {
  test('an invalid filter is a fault of kind input that names the word', () => {
    expect(() => idsOf('site:Berlin down:2x')).toThrow(
      expect.objectContaining({ fault: { kind: 'input', detail: expect.stringContaining('“down:2x”') } }),
    )
    expect(() => calls.totals({ queries: [query({ filter: 'site:' })], now })).toThrow(/input/u)
  })

  test('down counts from the seen transition, else from lastDetected', () => {
    calls.page(
      pageOf(
        [
          fact('seen'),
          fact('first', { connected: false, lastDetected: now - 5 * hour }),
          fact('never', { connected: false }),
          fact('up'),
        ],
        { at: now - 3 * hour },
      ),
    )
    calls.events({ service, events: [event('seen', { connected: false, at: now - hour })] })
    expect(idsOf('down:>4h')).toEqual(['first'])
    expect(idsOf('down:>2h')).toEqual(['first', 'never'])
    expect(idsOf('down:>30m')).toEqual(['first', 'never', 'seen'])
    expect(idsOf('down:none')).toEqual(['up'])
  })

  test('ages grow while nothing happens, to the second', () => {
    calls.page(pageOf([fact('a', { lastDetected: now - hour })], { at: now }))
    expect(idsOf('lastDetected:>1h', now)).toEqual([])
    expect(idsOf('lastDetected:>1h', now + 999)).toEqual([])
    expect(idsOf('lastDetected:>1h', now + 1000)).toEqual(['a'])
    expect(idsOf('lastDetected:>1h', now)).toEqual([])
  })

  test('a text search finds the new names after thousands of rows changed', () => {
    const named = (name: string, generation: number) =>
      pageOf(
        Array.from({ length: 4200 }, (_, n) => fact(`d${n}`, { name: `${name} ${n}` })),
        { generation },
      )
    calls.page(named('Before', 1))
    expect(idsOf('after')).toEqual([])
    calls.page(named('After', 2))
    expect(idsOf('after')).toHaveLength(500)
    expect(calls.totals({ queries: [query({ filter: 'after' })], now })).toMatchObject({ totals: [4200] })
  })
})

describe('extra columns', () => {
  test('extra columns survive a restart, go with their device, and stay while they are off', () => {
    calls.page(pageOf([fact('a'), fact('b')]))
    const { rev } = calls.extraColumns({ columns: [text] })
    const change = calls.extraValues({
      service,
      tenant: acme.id,
      devices: [
        { id: 'a', values: { serial: 'S1', other: 'x' } },
        { id: 'b', values: { serial: null } },
        { id: 'stranger', values: { serial: 'S9' } },
      ],
    })
    expect([change.base, change.rev, change.devices.map(({ id, extra }) => [id, extra])]).toEqual([
      rev,
      rev + 1,
      [
        ['a', { serial: 'S1' }],
        ['b', { serial: null }],
      ],
    ])
    // The same again is no change.
    expect(calls.extraValues({ service, tenant: acme.id, devices: [{ id: 'a', values: { serial: 'S1' } }] }).rev).toBe(
      rev + 1,
    )
    calls.close(undefined)
    start()
    expect(calls.rows({ query: query(), offset: 0, limit: 9, now }).rows.map(({ extra }) => extra)).toEqual([{}, {}])
    calls.extraColumns({ columns: [text] })
    expect([idsOf('serial:S1'), idsOf('serial:none'), idsOf('-serial:S1')]).toEqual([['a'], ['b'], ['b']])
    expect(calls.device({ key: key('a') }).device?.extra).toEqual([
      { name: 'serial', value: 'S1' },
      { name: 'other', value: 'x' },
    ])
    // A full reading leaves `a` out and brings it again: it is another device now.
    calls.page(pageOf([fact('b')], { generation: 2 }))
    calls.finish({ service, tenant: acme.id, generation: 2, at: 9 })
    calls.page(pageOf([fact('a')], { generation: 2 }))
    expect([idsOf('serial:S1'), calls.device({ key: key('a') }).device?.extra]).toEqual([[], []])
    expect(
      calls.coverage({
        columns: [
          { name: 'serial', services: [service] },
          { name: 'other', services: [service] },
        ],
      }).columns,
    ).toEqual([
      { name: 'serial', read: 1, of: 2 },
      { name: 'other', read: 0, of: 2 },
    ])
  })

  test('removing a connection removes its extra columns, on the disk as well', () => {
    calls.page(pageOf([fact('a')]))
    calls.extraValues({ service, tenant: acme.id, devices: [{ id: 'a', values: { serial: 'secret-serial' } }] })
    calls.forget({ connection })
    expect(calls.coverage({ columns: [{ name: 'serial', services: [service] }] }).columns).toEqual([
      { name: 'serial', read: 0, of: 0 },
    ])
  })

  test('a column counts as not loaded only where its service offers it, also while it is off', () => {
    calls.page(pageOf([fact('a'), fact('b')]))
    const unread = (filter: string) => calls.rows({ query: query({ filter }), offset: 0, limit: 1, now }).unread
    expect(unread('serial:x')).toEqual([{ column: 'extra:serial', read: 0, of: 2 }])
    calls.extraColumns({ columns: [{ ...text, services: ['https://another.test'] }] })
    expect(unread('serial:x')).toEqual([])
    calls.extraColumns({ columns: [text] })
    calls.extraValues({ service, tenant: acme.id, devices: [{ id: 'a', values: { serial: 'S' } }] })
    expect(unread('-serial:x')).toEqual([{ column: 'extra:serial', read: 1, of: 2 }])
    expect(unread('name:x')).toEqual([])
  })

  test('free text searches loaded extra columns, and no longer those that were dropped', () => {
    calls.page(pageOf([fact('a'), fact('b'), fact('c')]))
    const mac: LoadedColumn = { name: 'macAddress', type: 'text', services: [service] }
    calls.extraValues({
      service,
      tenant: acme.id,
      devices: [
        { id: 'a', values: { serial: '8G-77', macAddress: '00:E0:DB:01:3C:EF' } },
        { id: 'b', values: { serial: null } },
      ],
    })
    expect(idsOf('8g')).toEqual([])
    calls.extraColumns({ columns: [text, mac] })
    expect([idsOf('8g'), idsOf('8g-7'), idsOf('-8g')]).toEqual([['a'], ['a'], ['b', 'c']])
    calls.extraValues({ service, tenant: acme.id, devices: [{ id: 'c', values: { serial: '8G-78' } }] })
    expect([idsOf('8g'), idsOf('8g-7'), idsOf('8g-78')]).toEqual([['a', 'c'], ['a', 'c'], ['c']])
    calls.extraColumns({ columns: [mac] })
    expect([idsOf('8g'), idsOf('8g-78')]).toEqual([[], []])
    calls.extraColumns({ columns: [text, mac] })
    expect(idsOf('8g-78')).toEqual(['c'])
  })

  const writings = ['00:e0:db:01:3c:ef', '00E0DB013CEF', '00-e0-DB-01-3c-ef', '00e0.db01.3cef', '00E0DB-013CEF']

  test.each(writings)('the MAC address %s finds the device in any notation of the service', (typed) => {
    calls.page(pageOf([fact('00e0db013cef'), fact('x'), fact('y'), fact('z'), fact('00e0db013cee')]))
    calls.extraColumns({ columns: [{ name: 'macAddress', type: 'text', services: [service] }] })
    calls.extraValues({
      service,
      tenant: acme.id,
      devices: [
        ['x', '00:E0:DB:01:3C:EF'],
        ['y', '00-e0-db-01-3c-ef'],
        ['z', '00e0.db01.3cef'],
      ].map(([id = '', macAddress = '']) => ({ id, values: { macAddress } })),
    })
    expect(idsOf(typed)).toEqual(['00e0db013cef', 'x', 'y', 'z'])
    expect(idsOf(`macAddress:${typed}`)).toEqual(['x', 'y', 'z'])
    expect(idsOf(`macAddress~${typed}`)).toEqual(['x', 'y', 'z'])
    expect(idsOf(`id:${typed}`)).toEqual(['00e0db013cef'])
  })

  test('typing a MAC address letter by letter finds the same as pasting it', () => {
    calls.page(pageOf([fact('e0db013cef00'), fact('e0db99000000'), fact('other')]))
    const typed = 'e0:db:01:3c:ef:00'
    for (let end = 1; end <= typed.length; end += 1)
      if (parseFilter(typed.slice(0, end), []).problems.length === 0) idsOf(typed.slice(0, end))
    expect([idsOf(typed), idsOf('e0:db:01'), idsOf('E0:DB:99:00')]).toEqual([
      ['e0db013cef00'],
      ['e0db013cef00'],
      ['e0db99000000'],
    ])
  })

  test('a column with a new type sorts its new values', () => {
    calls.page(pageOf([fact('a'), fact('b'), fact('c')]))
    calls.extraValues({
      service,
      tenant: acme.id,
      devices: [
        { id: 'a', values: { serial: '-2' } },
        { id: 'b', values: { serial: '1e2' } },
        { id: 'c', values: { serial: '30' } },
      ],
    })
    const sorted = () =>
      calls
        .rows({ query: query({ sort: [{ column: 'extra:serial', direction: 'desc' }] }), offset: 0, limit: 9, now })
        .rows.map(({ id }) => id)
    calls.extraColumns({ columns: [{ ...text, type: 'number' }] })
    expect(sorted()).toEqual(['b', 'c', 'a'])
    calls.extraColumns({ columns: [text] })
    expect(sorted()).toEqual(['c', 'b', 'a'])
  })
})

describe('queries about devices', () => {
  test('values are the most frequent first, within the scope', () => {
    const site = (name: string) => ({ id: name, name })
    calls.page(
      pageOf([
        fact('a', { site: site('Berlin') }),
        fact('b', { site: site('Berlin') }),
        fact('c', { site: site('Bern') }),
        fact('d', { site: null }),
      ]),
    )
    calls.page(pageOf([fact('x', { site: site('Bern') }), fact('y', { site: site('Bern') })], { tenant: 'lab' }))
    const values = (scope: string, field: string, typed: string) =>
      calls.values({ scope, field, text: typed, limit: 5 }).values.map(({ value, count }) => `${value} ${count}`)
    const acmeNode = tenantNode('https%3A%2F%2Fservice.test/acme')
    expect(values('all', 'site', 'BER')).toEqual(['Bern 3', 'Berlin 2'])
    expect(values(acmeNode, 'site', '')).toEqual(['Berlin 2', 'Bern 1'])
    expect(values(siteNode('https%3A%2F%2Fservice.test/acme', 'Bern'), 'tenant', '')).toEqual(['Acme 1'])
    expect(values(regionNode(service, 'US-1'), 'region', '')).toEqual(['US-1 2'])
    expect(values('all', 'model', 'x')).toEqual(['X50 6'])
    expect(values('gone', 'model', '')).toEqual([])
    expect(values('all', 'down', '')).toEqual([])
  })

  test('selected devices are divided into hidden ones and gone ones', () => {
    calls.page(pageOf([fact('up'), fact('down', { connected: false }), fact('other', { connected: false })]))
    const keys = ['up', 'down', 'gone'].map((id) => key(id))
    expect(calls.hidden({ query: query({ filter: 'connected:no' }), keys, now })).toMatchObject({
      hidden: [key('up')],
      gone: [key('gone')],
    })
    expect(calls.hidden({ query: query(), keys, now })).toMatchObject({ hidden: [], gone: [key('gone')] })
    expect(
      calls.hidden({ query: query({ scope: tenantNode('https%3A%2F%2Fservice.test/lab') }), keys, now }).hidden,
    ).toEqual([key('up'), key('down')])
  })

  test('a node has its tenants', () => {
    calls.page(pageOf([fact('a'), fact('b')]))
    const ids = (scope: string) => calls.scopeTenants({ scope }).tenants.map(({ id }) => id)
    expect([ids('all'), ids(regionNode(service, 'EU-1')), ids(`d:${key('a')}`), ids('gone')]).toEqual([
      ['acme', 'lab'],
      ['acme'],
      ['acme'],
      [],
    ])
  })
})
