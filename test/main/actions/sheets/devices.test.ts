import { afterEach, expect, test } from 'vitest'
import { siteNode } from '../../../../src-main/inventory/keys.ts'
import { settle } from '../../../support/clock.ts'
import { everything, keyOf, openWorld, query, tenantKey } from './sheet-world.ts'

let world: ReturnType<typeof openWorld>
const open = (...given: Parameters<typeof openWorld>) => (world = openWorld(...given))
afterEach(() => world.close())

const input = (detail: string) => ({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })
const many = (count: number, over = {}) =>
  Array.from({ length: count }, (_, at) => ({ id: `d${at}`, name: `Device ${String(at).padStart(4, '0')}`, ...over }))
const reboot = (targets: { keys: string[] } | { query: ReturnType<typeof query> }, linkedDevices = false) =>
  world.sheets.prepare({ kind: 'reboot', targets, linkedDevices })
const rename = (pattern: string, ...ids: string[]) =>
  world.sheets.prepare({ kind: 'rename', targets: { keys: ids.map((id) => keyOf(id)) }, pattern })

test('a reboot skips offline, unknown, gone, busy, unarmed devices and those in a call', async () => {
  open({ read: (id) => ({ id, call: id === 'call' ? 'in-call' : 'free' }) })
  world.devices([
    { id: 'ok' },
    { id: 'off', connected: false },
    { id: 'dark', connected: null },
    { id: 'call' },
    { id: 'busy' },
  ])
  world.devices([{ id: 'other', name: 'Other' }], 'lab')
  world.state.busy.add(keyOf('busy'))
  world.state.armed.delete(tenantKey('lab'))
  const keys = ['ok', 'off', 'dark', 'call', 'busy', 'nosuch', 'ok'].map((id) => keyOf(id))
  const sheet = await reboot({ keys: [...keys, keyOf('other', 'lab')] })
  expect(world.obstacles(sheet)).toEqual({
    'Studio ok': null,
    'Studio off': 'offline',
    'Studio dark': 'unknown',
    'Studio call': 'in-call',
    'Studio busy': 'busy',
    nosuch: 'gone',
    Other: 'not-armed',
  })
  expect(sheet).toMatchObject({ total: 7, ready: 1, inCall: 1, callsUnknown: 0, endsCalls: true, suppressed: 1 })
  expect(sheet.tenants).toEqual([
    { key: tenantKey('acme'), name: 'Acme', armed: true },
    { key: tenantKey('lab'), name: 'Lab', armed: false },
  ])
  expect(world.mutations.reads).toEqual(['ok', 'call'])
  expect(world.rows(sheet).at(-1)).toMatchObject({ name: 'Studio ok', call: 'free', obstacle: null })
})

test('a query of more than 5,000 devices is rejected with the number', async () => {
  open()
  world.devices(many(5001))
  await expect(reboot({ query: query() })).rejects.toMatchObject(input('5,001 devices'))
})

test('the calls of at most 500 devices are read; those of the rest are unknown', async () => {
  open()
  world.devices(many(520))
  const sheet = await reboot({ query: query() })
  expect(world.mutations.reads.length).toBe(500)
  expect(sheet).toMatchObject({ ready: 520, callsUnknown: 20, confirm: '520', points: 5200, seconds: null })
})

test('a read that fails, or does not come within 10 s, leaves calls unknown, never free', async () => {
  for (const read of [() => Promise.reject(new Error('down')), () => new Promise<never>(() => {})]) {
    open({ read })
    world.devices([{ id: 'a' }])
    const prepared = reboot({ keys: [keyOf('a')] })
    await settle()
    await world.clock.advance(10_000)
    expect(await prepared).toMatchObject({ ready: 1, callsUnknown: 1, inCall: 0 })
    if (read !== undefined) world.close()
  }
  open()
})

test('a service that says nothing about calls is not read, and its calls are unknown', async () => {
  open({ offer: { ...everything, calls: false } })
  world.devices([{ id: 'a' }])
  expect(await reboot({ keys: [keyOf('a')] })).toMatchObject({ ready: 1, callsUnknown: 1 })
  expect(world.mutations.reads).toEqual([])
})

test('no mutations, an unknown schema and a paused connection act on nothing', async () => {
  const nothing = { reboot: null, update: null, site: null, room: null, calls: false }
  for (const [answers, obstacle] of [
    [{ offer: nothing }, 'not-offered'],
    [{ offer: null, offerFault: { kind: 'query', detail: '' } }, 'not-offered'],
    [{ offer: null, offerFault: { kind: 'connect', detail: '' } }, 'paused'],
  ] as const) {
    open(answers)
    world.devices([{ id: 'a' }])
    expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': obstacle })
    world.close()
  }
  open()
  world.devices([{ id: 'a' }])
  world.state.senders = []
  expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': 'paused' })
})

test('a service that does not answer about its schema is waited for 10 s', async () => {
  open({ offer: null })
  world.devices([{ id: 'a' }])
  const prepared = rename('New', 'a')
  await settle()
  await world.clock.advance(10_000)
  expect(world.obstacles(await prepared)).toEqual({ 'Studio a': 'paused' })
})

test('linked devices need a service that reboots them', async () => {
  open({ offer: { ...everything, reboot: { linkedDevices: false } } })
  world.devices([{ id: 'a' }])
  expect(await reboot({ keys: [keyOf('a')] })).toMatchObject({ ready: 1 })
  expect(await reboot({ keys: [keyOf('a')] }, true)).toMatchObject({ obstacles: [{ obstacle: 'not-offered' }] })
})

test('a read-only role forbids an action, and three rejections in a row do until a restart', async () => {
  open({}, { access: { name: '', roles: ['device_user'], scope: {} } })
  world.devices([{ id: 'a' }])
  expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': 'role' })
  world.close()
  open({}, { access: { name: '', roles: ['Chief of rooms'], scope: {} } })
  world.devices([{ id: 'a' }])
  expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': null })
  for (const each of ['move', 'rename', 'rename'] as const)
    world.choice.notePermission(world.sender.link, each, 'forbidden')
  expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': 'role' })
  world.state.senders = [{ ...world.sender, link: {} }]
  expect(world.obstacles(await rename('New', 'a'))).toEqual({ 'Studio a': null })
})

test('a pattern names devices by their place, model, serial, id and position', async () => {
  open()
  world.devices([{ id: 'a' }, { id: 'b', room: null, site: null }])
  const texts = { id: 'a', values: { serialNumber: '8G01' } }
  world.calls.extraValues({ service: 'https://service.test', tenant: 'acme', devices: [texts] })
  const sheet = await rename(' {site}-{room}-{model}-{serial}-{id}-{n}-{n:3} {name} ', 'nosuch', 'a', 'b')
  expect(world.rows(sheet).map(({ before, after }) => [before.name, after.name])).toEqual([
    [undefined, undefined],
    ['Studio a', 'Berlin-Room 1-X50-8G01-a-1-001 Studio a'],
    ['Studio b', '--X50--b-2-002 Studio b'],
  ])
})

test('an unknown placeholder is a fault that names it', async () => {
  open()
  world.devices([{ id: 'a' }])
  for (const wrong of ['{foo}', '{n:0}', '{n:10}', '{}', '{Name}', '{constructor}'])
    await expect(rename(`x ${wrong}`, 'a')).rejects.toMatchObject(input(`“${wrong}”`))
  expect(world.rows(await rename('{ a } b'.replace('{ a }', '{'), 'a'))[0]?.after).toEqual({ name: '{ b' })
})

test('the same, an empty or too long name is not sent, and control characters become spaces', async () => {
  open()
  world.devices([{ id: 'a' }, { id: 'long', name: 'x'.repeat(200) }, { id: 'blank', name: 'B\nC', room: null }])
  expect(world.obstacles(await rename('{name}', 'a'))).toEqual({ 'Studio a': 'unchanged' })
  expect(world.rows(await rename('{room}', 'blank'))[0]).toMatchObject({ obstacle: 'empty' })
  expect(world.rows(await rename('{name}', 'blank'))[0]).toMatchObject({ obstacle: null, after: { name: 'B C' } })
  const [row] = world.rows(await rename('{name}'.repeat(80), 'long'))
  expect(row?.obstacle).toBe('too-long')
  expect(row?.after.name?.length).toBe(256)
})

test('a move changes only what differs, and needs a known place in the tenant of the device', async () => {
  open()
  world.devices([{ id: 'a' }, { id: 'b', site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } }])
  world.devices([{ id: 'o', name: 'Other' }], 'lab')
  const keys = [keyOf('a'), keyOf('b'), keyOf('o', 'lab')]
  const move = (site: string | null, room: string | null) =>
    world.sheets.prepare({ kind: 'move', targets: { keys }, site, room })
  const sheet = await move('s2', 'r2')
  expect(world.obstacles(sheet)).toEqual({ 'Studio a': null, 'Studio b': 'unchanged', Other: 'other-tenant' })
  expect(world.rows(sheet).at(-1)).toMatchObject({
    before: { site: { id: 's1' }, room: { id: 'r1' } },
    after: { site: { id: 's2', name: 'Paris' }, room: { id: 'r2', name: 'Room 2' } },
  })
  expect(world.obstacles(await move('nosuch', null))).toEqual({
    'Studio a': 'no-place',
    'Studio b': 'no-place',
    Other: 'no-place',
  })
  expect(world.obstacles(await move('s1', 'r2'))).toMatchObject({ 'Studio a': 'no-place', 'Studio b': 'no-place' })
  const within = await move('s1', 'r3')
  expect(world.rows(within).find(({ name }) => name === 'Studio a')?.after).toEqual({
    room: { id: 'r3', name: 'Twin' },
  })
  const out = await move(null, null)
  expect(world.rows(out).find(({ name }) => name === 'Studio a')?.after).toEqual({ site: null, room: null })
})

test('a whole site asks for its name, more than 20 devices for their number, others for a click', async () => {
  open()
  world.devices(many(21))
  const scope = siteNode(tenantKey('acme'), 's1')
  expect((await reboot({ query: query({ scope }) })).confirm).toBe('Berlin')
  expect((await reboot({ query: query({ scope, filter: 'device' }) })).confirm).toBe('21')
  expect((await reboot({ query: query({ filter: 'name:"Device 000*"' }) })).confirm).toBeNull()
  expect((await reboot({ query: query({ scope: siteNode(tenantKey('acme'), null) }) })).confirm).toBeNull()
})

test('cost is null where any part is not known', async () => {
  open({ cost: null })
  world.devices([{ id: 'a' }])
  expect(await reboot({ keys: [keyOf('a')] })).toMatchObject({ points: null, seconds: null })
})

test('the seconds of a job are those until its points are there, once for a credential set', async () => {
  open()
  world.devices(many(3))
  const forecasts: number[] = []
  const balance = {
    gauge: () => ({ known: true }),
    forecast({ points }: { points: number }) {
      forecasts.push(points)
      return { points, windows: 0, doneAt: world.clock.now() + points * 1000 }
    },
  } as unknown as NonNullable<(typeof world.sender)['balance']>
  world.state.senders = [{ ...world.sender, balance }]
  expect(await reboot({ query: query() })).toMatchObject({ points: 30, seconds: 30 })
  expect(forecasts).toEqual([30])
})
