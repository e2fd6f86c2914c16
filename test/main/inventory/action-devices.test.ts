import { beforeEach, expect, test } from 'vitest'
import { acme, connection, fact, key, query, service } from './profile.ts'
import { calls, list, read, room, site, tenant, useTenant } from './place-lists.ts'

useTenant()
beforeEach(() => {
  read([fact('b'), fact('a'), fact('c', { site: null, room: null })])
})

const devices = (of: Parameters<typeof calls.actionDevices>[0]['of'], limit = 100) =>
  calls.actionDevices({ of, limit, now: 0 })
const idsOf = ({ devices: found }: ReturnType<typeof devices>) => found.map(({ id }) => id)

test('devices come in the order of the keys or of the query, without those that are gone', () => {
  expect(idsOf(devices({ keys: [key('c'), key('nosuch'), key('a')] }))).toEqual(['c', 'a'])
  const sorted = query({ sort: [{ column: 'name', direction: 'desc' }] })
  expect(devices({ query: sorted }, 2)).toMatchObject({ total: 3, devices: [{ id: 'c' }, { id: 'b' }] })
})

test('a device has its place, its connections and its status', () => {
  expect(devices({ keys: [key('a'), key('c')] }).devices).toMatchObject([
    {
      key: key('a'),
      service,
      tenant: { key: tenant, name: 'Acme' },
      name: 'Studio a',
      site: { id: 's1', name: 'Berlin' },
      room: { id: 'r1', name: 'Room 1' },
      status: 'unknown',
      hardwareModel: 'X50',
      serial: '',
      connections: [connection],
    },
    { site: null, room: null },
  ])
})

test('an id brings at most two devices', () => {
  const tenants = ['lab', 'hall'].map((id) => ({ id, name: id, region: null }))
  calls.tenants({ service, connection, tenants: [acme, ...tenants], at: 0 })
  for (const { id } of tenants)
    calls.page({
      service,
      connection,
      tenant: id,
      generation: 1,
      requestOrder: 1,
      at: 1,
      next: null,
      devices: [fact('a')],
    })
  expect(idsOf(devices({ ids: ['a', 'b', 'nosuch'] })).toSorted()).toEqual(['a', 'a', 'b'])
  expect(devices({ ids: [] })).toEqual({ total: 0, devices: [] })
})

test('the serial number is that of a loaded column, or as last read', () => {
  const serials = () => devices({ keys: [key('a'), key('b')] }).devices.map(({ serial }) => serial)
  const values = { id: 'a', values: { serialNumber: '8G01' } }
  calls.extraValues({ service, tenant: acme.id, devices: [values, { id: 'b', values: { serialNumber: null } }] })
  expect(serials()).toEqual(['8G01', ''])
  calls.extraColumns({ columns: [{ name: 'serialNumber', type: 'text', services: [service] }] })
  expect(serials()).toEqual(['8G01', ''])
})

test("places are found by id or name, also without devices, apart from other tenants' places", () => {
  list({ sites: [site('n')], rooms: [room('x', 'n', { capacity: 4 }), room('y', null)] })
  const found = (words: string[], tenants = [tenant]) => calls.actionPlaces({ tenants, words })
  expect(found(['n', 'Room x', 'y', 'nosuch', 'Berlin'])).toEqual({
    elsewhere: [],
    places: expect.arrayContaining([
      { tenant, kind: 'site', id: 'n', name: 'Site n', site: null, account: null, facts: null },
      {
        tenant,
        kind: 'room',
        id: 'x',
        name: 'Room x',
        site: { id: 'n', name: 'Site n' },
        account: null,
        facts: expect.objectContaining({ capacity: 4 }),
      },
      { tenant, kind: 'room', id: 'y', name: 'Room y', site: null, account: null, facts: expect.anything() },
      { tenant, kind: 'site', id: 's1', name: 'Berlin', site: null, account: null, facts: null },
    ]),
  })
  expect(found(['n', 'Room x'], ['other'])).toEqual({
    places: [],
    elsewhere: [
      { kind: 'site', word: 'n' },
      { kind: 'room', word: 'Room x' },
    ],
  })
})
