import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyOf, openWorld, plan, query, tenantKey } from './sheet-world.ts'

let world: ReturnType<typeof openWorld>
beforeEach(() => {
  world = openWorld({ read: (id) => ({ id, call: id.startsWith('call') ? 'in-call' : 'free' }) })
})
afterEach(() => world.close())

const input = (detail: string) =>
  expect.objectContaining({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })
const thrownBy = (run: () => unknown) => {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
  return null
}
const reboot = () => world.sheets.prepare({ kind: 'reboot', targets: { query: query() }, linkedDevices: true })
const ids = (count: number, prefix = 'd') => Array.from({ length: count }, (_, at) => ({ id: `${prefix}${at}` }))

test('a sheet gives one job, with all its devices', async () => {
  world.devices([{ id: 'a' }, { id: 'off', connected: false }])
  const { id } = await reboot()
  const job = world.sheets.take(id, '', plan)
  expect(job.record).toEqual({
    kind: 'reboot',
    place: null,
    tenants: [{ key: tenantKey('acme'), name: 'Acme' }],
    undoes: null,
    linkedDevices: true,
    fields: null,
  })
  expect(job.targets).toEqual([
    {
      key: keyOf('a'),
      id: 'a',
      name: 'Studio a',
      tenant: { key: tenantKey('acme'), name: 'Acme' },
      site: { id: 's1', name: 'Berlin' },
      room: { id: 'r1', name: 'Room 1' },
      before: {},
      after: {},
      outcome: 'pending',
      obstacle: null,
      words: null,
      sentAt: null,
      answeredAt: null,
      provenAt: null,
      provenBy: null,
      backAfter: null,
      droppedAt: null,
      backAt: null,
      checkIn: null,
    },
    expect.objectContaining({ id: 'off', outcome: 'not-sent', obstacle: 'offline' }),
  ])
  expect(thrownBy(() => world.sheets.take(id, '', plan))).toEqual(input('started already'))
})

test('a sheet of more than 20 devices needs their number, and a wrong one does not use it up', async () => {
  world.devices(ids(21))
  const { id, confirm } = await reboot()
  expect(confirm).toBe('21')
  expect(thrownBy(() => world.sheets.take(id, '', plan))).toEqual(input('Type 21'))
  expect(thrownBy(() => world.sheets.take(id, '2', plan))).toEqual(input('Type 21'))
  expect(world.sheets.take(id, ' 21 ', plan).targets.length).toBe(21)
})

test('devices in a call are sent only where the plan includes them, and are confirmed then', async () => {
  world.devices([...ids(15), ...ids(10, 'call')])
  const { id, confirm, ready, inCall } = await reboot()
  expect([confirm, ready, inCall]).toEqual(['25', 15, 10])
  expect(thrownBy(() => world.sheets.take(id, '', { ...plan, includeInCall: true }))).toEqual(input('Type 25'))
  const pending = (includeInCall: boolean, of: string) =>
    world.sheets.take(of, '25', { ...plan, includeInCall }).targets.filter(({ outcome }) => outcome === 'pending')
      .length
  expect(pending(true, id)).toBe(25)
  expect(pending(false, (await reboot()).id)).toBe(15)
})

test('only devices in a call are no job unless the plan includes them', async () => {
  world.devices(ids(1, 'call'))
  const { id } = await reboot()
  expect(thrownBy(() => world.sheets.take(id, '', plan))).toEqual(input('no device'))
  expect(world.sheets.take(id, '', { ...plan, includeInCall: true }).targets).toMatchObject([{ outcome: 'pending' }])
})

test('a device on which another job acts since is not sent', async () => {
  world.devices(ids(2))
  const { id } = await reboot()
  world.state.busy.add(keyOf('d0'))
  expect(world.sheets.take(id, '', plan).targets).toMatchObject([{ obstacle: 'busy' }, { outcome: 'pending' }])
})

test('the tenants of a job are those of the devices that are sent', async () => {
  world.devices(ids(1))
  world.devices([{ id: 'o' }], 'lab')
  world.state.armed.delete(tenantKey('lab'))
  const { id } = await reboot()
  expect(world.sheets.take(id, '', plan).record.tenants.map(({ name }) => name)).toEqual(['Acme'])
})

test('a sheet is gone after 15 minutes, and the oldest of more than 20', async () => {
  world.devices(ids(1))
  const first = await reboot()
  await world.clock.advance(15 * 60_000 + 1)
  expect(thrownBy(() => world.rows(first))).toEqual(input('too old'))
  const second = await reboot()
  for (let count = 0; count < 19; count += 1) await reboot()
  expect(world.rows(second).length).toBe(1)
  await reboot()
  expect(thrownBy(() => world.sheets.take(second.id, '', plan))).toEqual(input('too old'))
})

test('rows show no sender and no id beside the contract', async () => {
  world.devices(ids(1))
  expect(Object.keys(world.rows(await reboot())[0] ?? {}).toSorted()).toEqual(
    ['after', 'before', 'call', 'key', 'line', 'name', 'obstacle', 'room', 'site', 'status', 'tenant'].toSorted(),
  )
})

test('a job of a file keeps the lines that are no device of it, and each device once', async () => {
  world.devices([...ids(2)])
  const text = `id,name\nnosuch,New\nd0,One\nd0,Two\nnosuch,New\nd1,${'x'.repeat(300)}\nd1,Three`
  const { id } = await world.sheets.prepare({ kind: 'update', text })
  const { targets } = world.sheets.take(id, '', plan)
  expect(Object.fromEntries(targets.map(({ key, name, obstacle }) => [key, [name, obstacle]]))).toEqual({
    'line:2': ['nosuch', 'gone'],
    [keyOf('d0')]: ['Studio d0', null],
    'line:4': ['Studio d0', 'duplicate'],
    'line:5': ['nosuch', 'gone'],
    [keyOf('d1')]: ['Studio d1', 'too-long'],
    'line:7': ['Studio d1', 'duplicate'],
  })
  expect(targets).toHaveLength(6)
})
