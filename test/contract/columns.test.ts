import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Service } from '../../src-service/service.ts'
import type { ExtraColumn } from '../../src-shared/model/inventory.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const columnOf = async (muster: Console, name: string) =>
  (await muster.call('app.state', {})).columns.find((column) => column.name === name)

async function whenColumn(
  muster: Console,
  name: string,
  holds: (column: ExtraColumn) => boolean,
): Promise<ExtraColumn> {
  return until(async () => {
    const column = await columnOf(muster, name)
    if (column === undefined || !holds(column)) throw new Error(`the column is not so: ${JSON.stringify(column)}`)
    return column
  })
}

async function opened(
  reference: Service,
  profile = temporaryProfile(leftovers),
  more: Parameters<typeof openConsole>[2] = {},
): Promise<Console> {
  const muster = await openConsole(leftovers, profile, more)
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  return muster
}

const readings = (reference: Service) =>
  reference.operations().filter(({ operationName }) => operationName?.startsWith('Columns'))
const whole = ({ read, of, reading }: ExtraColumn) => of > 0 && read === of && !reading

test('every schema field beyond the eight is offered as a column: scalars, enums, object members', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 1 })
  const muster = await opened(reference)
  const { columns } = await muster.call('app.state', {})
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  expect(types).toMatchObject({
    serialNumber: 'text',
    callStatus: 'text',
    dateRegistered: 'time',
    'user.email': 'text',
    'room.capacity': 'number',
    'room.floor': 'text',
  })
  for (const base of ['id', 'name', 'connected', 'hardwareModel', 'site.name', 'room.id'])
    expect(types).not.toHaveProperty([base])
  expect(columns.every(({ on, read, reading, fault }) => !on && read === 0 && !reading && fault === null)).toBe(true)
})

test('the base sync asks for the eight fields only, also when a column is on', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 1 })
  const muster = await opened(reference)
  await muster.call('columns.switch', { name: 'serialNumber', on: true })
  await whenColumn(muster, 'serialNumber', whole)
  await muster.call('sync.start', { scope: 'all' })
  await until(() =>
    expect(reference.operations().filter(({ operationName }) => operationName === 'Tenants')).toHaveLength(2),
  )
  await whenRead(muster)
  const base = reference.operations().filter(({ operationName }) => operationName === 'Devices')
  expect(base.length).toBeGreaterThan(0)
  expect(base.every(({ query }) => !query.includes('serialNumber'))).toBe(true)
})

test("a column is read in the background within the cost estimate, with the service's values", async () => {
  const reference = await service(leftovers, { devices: 600, tenants: 2 })
  const muster = await opened(reference)
  const price = await muster.call('columns.cost', { name: 'user.email' })
  expect(price).toMatchObject({ devices: 600, known: true, windows: 1 })
  const probed = readings(reference).length
  expect(readings(reference).reduce((sum, { cost }) => sum + cost, 0)).toBeLessThan(100)
  await muster.call('columns.switch', { name: 'user.email', on: true })
  const column = await whenColumn(muster, 'user.email', whole)
  expect(column).toMatchObject({ on: true, read: 600, of: 600, fault: null })
  const paid = readings(reference)
    .slice(probed)
    .reduce((sum, { cost }) => sum + cost, 0)
  expect(paid).toBeLessThanOrEqual(price?.points ?? 0)
  expect(paid).toBeGreaterThan((price?.points ?? 0) * 0.8)
  const { rows } = await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })
  const known = new Map(reference.world.devices().map(({ id, user }) => [id, user?.email ?? null]))
  expect(rows.map(({ id, extra }) => [id, extra['user.email']])).toEqual(rows.map(({ id }) => [id, known.get(id)]))
})

test('a name that no service offers has no cost and cannot be switched on', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1 })
  const muster = await opened(reference)
  await expect(muster.call('columns.cost', { name: 'nonsense } evil' })).rejects.toThrow(/^input: name/)
  await expect(muster.call('columns.switch', { name: 'nonsense', on: true })).rejects.toThrow(/^input: name/)
})

test('a column read that fails is retried, and a column switched off keeps its values', async () => {
  const reference = await service(leftovers, { devices: 30, tenants: 1 })
  const muster = await opened(reference)
  reference.misfortune.next('http-500', { operationName: 'Columns_serialNumber' })
  await muster.call('columns.switch', { name: 'serialNumber', on: true })
  await whenColumn(muster, 'serialNumber', whole)
  await muster.call('columns.switch', { name: 'macAddress', on: true })
  await muster.call('columns.switch', { name: 'callStatus', on: true })
  await whenColumn(muster, 'callStatus', whole)
  await whenColumn(muster, 'macAddress', whole)
  const { columns } = await muster.call('app.state', {})
  expect(columns.filter(({ on }) => on).map(({ name }) => name)).toEqual(['callStatus', 'macAddress', 'serialNumber'])
  await muster.call('columns.switch', { name: 'macAddress', on: false })
  expect(await columnOf(muster, 'macAddress')).toMatchObject({ on: false, reading: false, read: 30 })
})

test('the switched-on columns survive a restart, and their values are not read again', async () => {
  const reference = await service(leftovers, { devices: 80, tenants: 2 })
  const profile = temporaryProfile(leftovers)
  const muster = await opened(reference, profile)
  await muster.call('columns.switch', { name: 'serialNumber', on: true })
  await whenColumn(muster, 'serialNumber', whole)
  await muster.stop()
  const before = readings(reference).length
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  expect(await columnOf(again, 'serialNumber')).toMatchObject({ on: true, type: 'text' })
  await whenRead(again)
  expect(await whenColumn(again, 'serialNumber', whole)).toMatchObject({ read: 80, of: 80 })
  const { rows } = await again.call('inventory.rows', { query: allByName, offset: 0, limit: 1 })
  expect(rows[0]?.extra['serialNumber']).toBe(reference.world.device(rows[0]?.id ?? '')?.serialNumber)
  expect(readings(reference)).toHaveLength(before)
})

test('columns survive a restart of the data thread without being read again', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 1 })
  const profile = temporaryProfile(leftovers)
  const dataThread = path.join(profile, 'dying.mjs')
  // The thread's own entry, and a word that kills it.
  writeFileSync(
    dataThread,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (m) => { if (m.input?.key === 'die') process.exit(7) })
    await import(${JSON.stringify(path.resolve('src-main/inventory/thread/thread.ts'))})`,
  )
  const muster = await opened(reference, profile, { dataThread })
  await muster.call('columns.switch', { name: 'serialNumber', on: true })
  await whenColumn(muster, 'serialNumber', whole)
  const before = readings(reference).length
  const shown = async () => {
    const { rows, unread } = await muster.call('inventory.rows', {
      query: { ...allByName, sort: [{ column: 'extra:serialNumber', direction: 'asc' }] },
      offset: 0,
      limit: 1,
    })
    return [rows[0]?.extra, unread]
  }
  const known = await shown()
  await expect(muster.call('inventory.device', { key: 'die' })).rejects.toThrow('internal')
  await until(async () => expect(await shown()).toEqual(known))
  await whenRead(muster)
  expect(await whenColumn(muster, 'serialNumber', whole)).toMatchObject({ on: true, read: 40, of: 40 })
  expect(readings(reference)).toHaveLength(before)
})

describe('a minimal service', () => {
  test('offers no column, and everything else goes on', async () => {
    const reference = await service(leftovers, { profile: 'minimal', devices: 30, tenants: 1 })
    const muster = await opened(reference)
    expect((await muster.call('app.state', {})).columns).toEqual([])
    await expect(muster.call('columns.cost', { name: 'serialNumber' })).rejects.toThrow(/^input/)
  })
})
