import { expect, test } from 'vitest'
import { compareVersions } from '../../../src-shared/model/firmware.ts'
import { acme, connection, fact, pageOf, query, service } from './profile.ts'
import { useThread } from './thread.ts'

const thread = useThread()

const paris = { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }
const load = (...names: string[]) =>
  thread.calls.extraColumns({ columns: names.map((name) => ({ name, type: 'text', services: [service] })) })
const firmware = (id: string, version: string | null, more = {}) =>
  thread.calls.extraValues({
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
  thread.calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  firmware('a', one)
  const found = thread.calls.rows({
    query: query({ filter: `softwareVersion:<"${other}"` }),
    offset: 0,
    limit: 1,
    now: 0,
  }).total
  expect(found).toBe(order < 0 ? 1 : 0)
})

/** Records what the devices have, part by part. */
function record(now: number): void {
  while (!thread.calls.recordFirmware({ now }));
}

test('without a loaded column nothing is told of versions', () => {
  thread.calls.page(pageOf([fact('a')], { connection }))
  expect(thread.calls.firmware({ targets: [] })).toMatchObject({
    column: null,
    models: [{ model: 'X50', devices: 1, unread: 1, versions: [] }],
  })
  record(5 * dayMs)
  expect(thread.store.journal.firmwareDays.of('X50')).toEqual([])
})

test('versions are told by model, the newest first, with what is not known', () => {
  thread.calls.page(
    pageOf([...['a', 'b', 'c', 'd'].map((id) => fact(id)), fact('g', { hardwareModel: 'G7500' })], { connection }),
  )
  load('softwareVersion', 'hardwareFamily')
  firmware('a', '4.9', { hardwareFamily: 'Studio' })
  firmware('b', '4.10')
  firmware('c', '4.10')
  firmware('d', null)
  expect(thread.calls.firmware({ targets: [] })).toEqual({
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
  thread.calls.page(
    pageOf(
      ids.map((id) => fact(id)),
      { connection },
    ),
  )
  load('softwareVersion')
  ids.forEach((id, index) => firmware(id, `1.${index}`))
  const targets = [{ model: 'X50', version: '1.140' }]
  expect(thread.calls.firmware({ targets }).models).toMatchObject([
    { target: '1.140', behind: 140, versionsLeftOut: 50 },
  ])
})

test('the progress of a model: what reached the version, what is behind and where, day by day', () => {
  thread.calls.page(
    pageOf([fact('a'), fact('b'), fact('c', paris), fact('d', { hardwareModel: 'G7500' }), fact('unread')], {
      connection,
    }),
  )
  load('softwareVersion')
  for (const id of ['a', 'b', 'c', 'd']) firmware(id, '1.0')
  record(10 * dayMs)
  firmware('a', '2.0')
  record(10 * dayMs + 5)
  firmware('b', '2.1')
  record(12 * dayMs)
  const sites = [{ name: 'Paris', tenant: 'Acme', behind: 1 }]
  expect(thread.calls.firmwareProgress({ model: 'X50', version: '2.0' })).toMatchObject({
    reached: 2,
    behind: 1,
    sites,
    days: [
      { day: 10 * dayMs, reached: 1, read: 3 },
      { day: 12 * dayMs, reached: 2, read: 3 },
    ],
  })
  thread.reopen()
  load('softwareVersion')
  expect(thread.calls.firmwareProgress({ model: 'X50', version: '2.1' })).toMatchObject({
    reached: 1,
    days: [{ reached: 0 }, { reached: 1 }],
  })
  expect(thread.calls.firmwareProgress({ model: 'Unknown', version: '1' })).toMatchObject({
    reached: 0,
    behind: 0,
    days: [],
  })
})

test('days older than the journal keeps are removed', () => {
  thread.calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  firmware('a', '1.0')
  record(10 * dayMs)
  record(500 * dayMs)
  thread.calls.prune({ now: 500 * dayMs })
  expect(thread.store.journal.firmwareDays.of('X50').map(({ day }) => day)).toEqual([500])
})

test('a day that was recorded stays while the column is loaded anew', () => {
  thread.calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  firmware('a', '1.0')
  record(10 * dayMs)
  thread.calls.finish({ service, tenant: acme.id, connection, generation: 99, at: 2000 })
  record(10 * dayMs + 1)
  expect(thread.store.journal.firmwareDays.of('X50')).toHaveLength(1)
})

test('new firmware is a change from the second recording on, and one that is taken back is none', () => {
  thread.calls.page(pageOf([fact('a'), fact('b'), fact('c')], { connection }))
  record(dayMs)
  const { journal } = thread.store
  expect([journal.firmwareChanges.since(), changed(0, 99 * dayMs)]).toEqual([null, []])
  load('softwareVersion')
  for (const id of ['a', 'b']) firmware(id, '1.0')
  record(10 * dayMs)
  record(10 * dayMs + 1)
  expect(journal.firmwareChanges.between(0, Infinity)).toEqual([])
  expect([journal.firmwareChanges.since(), changed(0, 99 * dayMs)]).toEqual([10 * dayMs, []])
  firmware('a', '2.0')
  firmware('b', '2.0')
  firmware('c', '2.0')
  record(11 * dayMs)
  firmware('a', '3.0')
  firmware('b', '1.0')
  record(12 * dayMs)
  expect(changed(10 * dayMs, 12 * dayMs)).toEqual([['a', 12 * dayMs, '1.0', '3.0']])
  expect(changed(10 * dayMs, 11 * dayMs)).toEqual([
    ['a', 11 * dayMs, '1.0', '2.0'],
    ['b', 11 * dayMs, '1.0', '2.0'],
  ])
  expect(changed(11 * dayMs, 12 * dayMs)).toEqual([
    ['a', 12 * dayMs, '2.0', '3.0'],
    ['b', 12 * dayMs, '2.0', '1.0'],
  ])
  thread.reopen()
  expect(changed(10 * dayMs, 12 * dayMs)).toHaveLength(1)
})

test('old changes of firmware are pruned, and those of erased devices go', () => {
  thread.calls.page(pageOf([fact('a')], { connection }))
  load('softwareVersion')
  for (const version of ['1.0', '2.0', '3.0']) {
    firmware('a', version)
    record(Number(version[0]) * 100 * dayMs)
  }
  expect(changed(0, 900 * dayMs)).toHaveLength(1)
  thread.calls.prune({ now: 650 * dayMs })
  expect(thread.store.journal.firmwareChanges.between(0, Infinity)).toMatchObject([{ before: '2.0', version: '3.0' }])
  thread.calls.forget({ connection })
  expect(thread.store.journal.firmwareChanges.between(0, Infinity)).toEqual([])
  expect(thread.store.journal.firmwareChanges.since()).toBeNull()
})

/** Devices with new firmware between two times: id, when, before and after. */
function changed(from: number, until: number) {
  const flap = { transitions: 5, ms: 1 }
  for (;;) {
    const asked = { from, until, flap, kinds: ['firmware' as const], text: '', offset: 0, limit: 100, now: until }
    const answer = thread.calls.changesRead(asked)
    if (answer === null) continue
    return answer.changes.map(({ key: device, at, before, after }) => [device.split('/').at(-1), at, before, after])
  }
}
