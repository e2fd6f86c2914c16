import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore, type Store } from '../../../src-main/inventory/store.ts'
import { compareVersions } from '../../../src-shared/model/firmware.ts'
import { acme, connection, fact, pageOf, query, service, tempProfile } from './profile.ts'

let temp: ReturnType<typeof tempProfile>
let store: Store
let calls: Calls
const open = () => {
  store = openStore(temp.profile, 1, 0)
  calls = callsOn(store)
}
beforeEach(() => {
  temp = tempProfile()
  open()
  calls.tenants({ service, connection, tenants: [acme], at: 0 })
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

const paris = { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }
const load = (...names: string[]) =>
  calls.extraColumns({ columns: names.map((name) => ({ name, type: 'text', services: [service] })) })
const firmware = (id: string, version: string | null, more = {}) =>
  calls.extraValues({
    service,
    tenant: acme.id,
    devices: [{ id, values: { softwareVersion: version, ...more } }],
  })
const dayMs = 24 * 3_600_000

test.each([
  ['4.9', '4.10', -1],
  ['4.1.2.460046', '4.1.2.460047', -1],
  ['2.0', '2.0-beta', -1],
  ['4.10', '4.10', 0],
  ['', '1', -1],
] as const)('%s and %s: %i, as a filter has them', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order)
  calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  firmware('a', one)
  const found = calls.rows({
    query: query({ filter: `softwareVersion:<"${other}"` }),
    offset: 0,
    limit: 1,
    now: 0,
  }).total
  expect(found).toBe(order < 0 ? 1 : 0)
})

test('without a loaded column nothing is told of versions', () => {
  calls.page(pageOf([fact('a')], { connection }))
  expect(calls.firmware({ targets: [] })).toMatchObject({
    column: null,
    models: [{ model: 'X50', devices: 1, unread: 1, versions: [] }],
  })
  calls.recordFirmware({ now: 5 * dayMs })
  expect(store.journal.firmwareDays.of('X50')).toEqual([])
})

test('versions are told by model, the newest first, with what is not known', () => {
  calls.page(
    pageOf([...['a', 'b', 'c', 'd'].map((id) => fact(id)), fact('g', { hardwareModel: 'G7500' })], { connection }),
  )
  load('softwareVersion', 'hardwareFamily')
  firmware('a', '4.9', { hardwareFamily: 'Studio' })
  firmware('b', '4.10')
  firmware('c', '4.10')
  firmware('d', null)
  expect(calls.firmware({ targets: [] })).toEqual({
    column: 'softwareVersion',
    devices: 5,
    models: [
      {
        family: 'Studio',
        model: 'X50',
        devices: 4,
        unread: 1,
        target: null,
        behind: null,
        versionsLeftOut: 0,
        versions: [
          { version: '4.10', devices: 2 },
          { version: '4.9', devices: 1 },
        ],
      },
      {
        family: '',
        model: 'G7500',
        devices: 1,
        unread: 1,
        target: null,
        behind: null,
        versions: [],
        versionsLeftOut: 0,
      },
    ],
    modelsLeftOut: 0,
  })
})

test('what is behind a target counts every version, also those that are not told', () => {
  const ids = Array.from({ length: 150 }, (_, index) => `d${index}`)
  calls.page(
    pageOf(
      ids.map((id) => fact(id)),
      { connection },
    ),
  )
  load('softwareVersion')
  ids.forEach((id, index) => firmware(id, `1.${index}`))
  const targets = [{ model: 'X50', version: '1.140' }]
  expect(calls.firmware({ targets }).models).toMatchObject([{ target: '1.140', behind: 140, versionsLeftOut: 50 }])
})

test('the progress of a model: what reached the version, what is behind and where, day by day', () => {
  calls.page(pageOf([fact('a'), fact('b'), fact('c', paris), fact('d', { hardwareModel: 'G7500' })], { connection }))
  load('softwareVersion')
  for (const id of ['a', 'b', 'c', 'd']) firmware(id, '1.0')
  calls.recordFirmware({ now: 10 * dayMs })
  firmware('a', '2.0')
  calls.recordFirmware({ now: 10 * dayMs + 5 })
  firmware('b', '2.1')
  calls.recordFirmware({ now: 12 * dayMs })
  const sites = [{ name: 'Paris', tenant: 'Acme', behind: 1 }]
  expect(calls.firmwareProgress({ model: 'X50', version: '2.0' })).toMatchObject({
    reached: 2,
    behind: 1,
    sites,
    days: [
      { day: 10 * dayMs, reached: 1, read: 3 },
      { day: 12 * dayMs, reached: 2, read: 3 },
    ],
  })
  calls.close(undefined)
  open()
  load('softwareVersion')
  expect(calls.firmwareProgress({ model: 'X50', version: '2.1' })).toMatchObject({
    reached: 1,
    days: [{ reached: 0 }, { reached: 1 }],
  })
  expect(calls.firmwareProgress({ model: 'Unknown', version: '1' })).toMatchObject({ reached: 0, behind: 0, days: [] })
})

test('days older than the journal keeps are removed', () => {
  calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  firmware('a', '1.0')
  calls.recordFirmware({ now: 10 * dayMs })
  calls.recordFirmware({ now: 500 * dayMs })
  calls.prune({ now: 500 * dayMs })
  expect(store.journal.firmwareDays.of('X50').map(({ day }) => day)).toEqual([500])
})
