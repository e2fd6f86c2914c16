import { afterEach, expect, test } from 'vitest'
import type { ActionRequest } from '../../../../src-shared/model/jobs.ts'
import { everything, openWorld, plan, tenantKey } from './sheet-world.ts'

let world: ReturnType<typeof openWorld>
const open = (...given: Parameters<typeof openWorld>) => (world = openWorld(...given))
afterEach(() => world.close())

type Room = Extract<ActionRequest, { kind: 'room' }>
const tenant = tenantKey('acme')
const site = (id: string | null, name: string, over = {}) =>
  world.sheets.prepare({ kind: 'site', tenant, id, name, ...over })
const room = (id: string | null, name: string, over: Partial<Room> = {}) =>
  world.sheets.prepare({ kind: 'room', tenant, id, name, ...over })
const obstacle = async (sheet: Promise<{ id: string }>) => world.rows(await sheet)[0]?.obstacle

test('a site is created and renamed by a job of one target', async () => {
  open()
  const created = world.sheets.take((await site(null, ' New\tsite ')).id, '', plan)
  expect(created).toMatchObject({
    record: { kind: 'site', place: { tenant, kind: 'site', id: null, name: 'New site' }, fields: { name: 'New site' } },
    targets: [{ key: tenant, id: '', name: 'New site', before: {}, after: { name: 'New site' }, outcome: 'pending' }],
  })
  const edited = world.sheets.take((await site('s1', 'Bern')).id, '', plan)
  expect(edited).toMatchObject({
    record: { place: { id: 's1', name: 'Bern' } },
    targets: [{ name: 'Berlin', before: { name: 'Berlin' }, after: { name: 'Bern' } }],
  })
})

test('a room keeps what is not given, and writes what is', async () => {
  open()
  const { record } = world.sheets.take((await room('r1', 'Room 1', { capacity: 8, floor: null })).id, '', plan)
  expect(record.fields).toEqual({ name: 'Room 1', capacity: 8, floor: null })
  expect(await obstacle(room('r1', 'Room 1', { capacity: 4 }))).toBe('unchanged')
  expect(await obstacle(room(null, 'New', { site: 's2' }))).toBeNull()
})

test('a place that does not exist, or is in another tenant, is no target', async () => {
  open()
  expect(await obstacle(site('nosuch', 'New'))).toBe('no-place')
  expect(await obstacle(site('x1', 'New'))).toBe('other-tenant')
  expect(await obstacle(room('nosuch', 'New'))).toBe('no-place')
  expect(await obstacle(room(null, 'New', { site: 'nosuch' }))).toBe('no-place')
  expect(await obstacle(site('s1', 'Berlin'))).toBe('unchanged')
  expect(await obstacle(site(null, '\u0000'))).toBe('empty')
  await expect(world.sheets.prepare({ kind: 'site', tenant: 'nosuch', id: null, name: 'New' })).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
})

test('what the service cannot write is not offered, instead of being left out', async () => {
  open({ offer: { ...everything, room: { site: true, capacity: false, size: false, floor: false }, site: null } })
  expect(await obstacle(room(null, 'New', { site: 's1', capacity: null }))).toBeNull()
  expect(await obstacle(room(null, 'New', { site: 's1', capacity: 4 }))).toBe('not-offered')
  expect(await obstacle(room('r1', 'New', { floor: null }))).toBe('not-offered')
  expect(await obstacle(site(null, 'New'))).toBe('not-offered')
})

test('a place of a tenant that is not armed is not written', async () => {
  open()
  world.state.armed.clear()
  const sheet = await site(null, 'New')
  expect(sheet).toMatchObject({ total: 1, ready: 0, confirm: null, endsCalls: false, suppressed: 0 })
  expect(sheet.obstacles).toEqual([{ obstacle: 'not-armed', devices: 1 }])
  expect(() => world.sheets.take(sheet.id, '', plan)).toThrow(/no device/u)
})

test('a place that another job writes is busy, and is not written by a sheet of before', async () => {
  open()
  const sheet = await site(null, 'New')
  const asked: unknown[] = []
  world.state.placeConflict = (...given) => {
    asked.push(given)
    return 'Another job creates a site of this name.'
  }
  expect(() => world.sheets.take(sheet.id, '', plan)).toThrow(/Another job creates/u)
  expect(asked).toEqual([[{ tenant, kind: 'site', id: null, name: 'New' }, world.clock.now()]])
  expect(await obstacle(site(null, 'New'))).toBe('busy')
  world.state.placeConflict = () => null
  expect(world.sheets.take(sheet.id, '', plan).targets).toMatchObject([{ outcome: 'pending' }])
})
