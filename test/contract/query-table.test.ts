import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { TableView } from '../../src-shared/model/query-table.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open(profile: 'full' | 'minimal' | 'contrary') {
  const reference = await service(leftovers, { devices: 40, tenants: 2, profile })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const ask = async (document: string) => {
    const run = randomUUID()
    await muster.call('query.run', { run, connection, document, operation: null, variables: {} })
    return run
  }
  return { reference, muster, connection, ask }
}

const view = (columns: number[], part: Partial<TableView> = {}): TableView => ({
  columns,
  filter: '',
  sort: null,
  ...part,
})

/** Returns the ids that the inventory lists with a filter. */
async function listed(muster: Console, filter: string): Promise<string[]> {
  const { rows } = await muster.call('inventory.rows', {
    query: { scope: 'all', filter, sort: [] },
    offset: 0,
    limit: 200,
  })
  return rows.map(({ id }) => id).toSorted()
}

describe.each(['full', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('the devices of an answer are a table, and its rows are devices of the inventory', async () => {
    const { reference, muster, connection, ask } = await open(profile)
    const [tenant] = reference.world.tenants()
    const run = await ask(
      `{ tenant(id: "${tenant?.id}") { inventory { deviceSearch { edges { node { id name site { name } } } } } } }`,
    )
    const { tables } = await muster.call('query.tables', { run })
    expect(tables.map(({ name }) => name)).toEqual(['tenant.inventory.deviceSearch'])
    const found = await muster.call('query.table', { run, table: 0 })
    expect(found).toMatchObject({ columns: ['id', 'name', 'site.name'], idColumns: [0], isCut: false })
    const { rows, total } = await muster.call('query.tableRows', {
      run,
      table: 0,
      view: view([0, 1], { sort: { column: 1, direction: 'asc' } }),
      offset: 0,
      limit: 200,
    })
    expect([total, rows.length]).toEqual([found.rows, found.rows])
    const ids = rows.map(({ cells }) => cells[0]?.text ?? '')
    const { devices } = await muster.call('query.devices', { connection, ids: [...ids, 'none of them'] })
    expect(devices.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const shown = await muster.call('query.tableDevices', {
      run,
      table: 0,
      view: view([0, 1], { filter: `name~"${rows[0]?.cells[1]?.text.slice(0, 3)}"` }),
      column: 0,
      connection,
    })
    expect(shown).toMatchObject({ unknown: 0, isCut: false })
    expect(shown.devices).toBeGreaterThan(0)
    const inInventory = await listed(muster, shown.filter)
    expect(inInventory).toHaveLength(shown.devices)
    expect(inInventory).toContain(ids[0])
  })
})

test('ids of tenants are no devices, and a list of them makes no filter', async () => {
  const { muster, connection, ask } = await open('minimal')
  const run = await ask('{ tenants { id name } }')
  expect(await muster.call('query.table', { run, table: 0 })).toMatchObject({ rows: 2, idColumns: [] })
  const found = await muster.call('query.tableDevices', { run, table: 0, view: view([0]), column: 0, connection })
  expect(found).toEqual({ filter: '', devices: 0, unknown: 2, isCut: false })
})

test('an answer that is forgotten, and a table that is not there, fail with words', async () => {
  const { muster, ask } = await open('full')
  const run = await ask('{ tenants { id name } }')
  const fault = { fault: { kind: 'input' } }
  await expect(muster.call('query.table', { run, table: 7 })).rejects.toMatchObject(fault)
  await muster.call('query.forget', { run })
  await expect(muster.call('query.tables', { run })).rejects.toMatchObject(fault)
  await expect(
    muster.call('query.tableExport', { run, table: 0, view: view([0]), format: 'csv', range: null, from: 0 }),
  ).rejects.toMatchObject(fault)
})

test('a view of five thousand ids is saved, listed and counted', async () => {
  const { reference, muster } = await open('full')
  const own = [...reference.world.devices()].map(({ id }) => id)
  const others = Array.from({ length: 5_000 - own.length }, () => randomUUID())
  const filter = `id:${[...others, ...own].join()}`
  expect(await listed(muster, filter)).toEqual(own.toSorted())
  await muster.call('views.save', {
    id: 'v',
    name: 'Asked for',
    query: { scope: 'all', filter, sort: [] },
    columns: null,
    isDefault: false,
  })
  const queries = [
    { scope: 'all', filter, sort: [] },
    { scope: 'all', filter: `-${filter}`, sort: [] },
  ]
  expect((await muster.call('inventory.totals', { queries })).totals).toEqual([own.length, 0])
})
