import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallInput } from '../../src-shared/contract/contract.ts'
import { connectionTo, createLeftovers, openConsole, service, temporaryProfile, whenRead } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

type ServiceOptions = Parameters<typeof service>[1]
type Row = Record<string, unknown>
type Batch = CallInput<'query.batchCost'>

async function open(options: ServiceOptions = {}) {
  const reference = await service(leftovers, { devices: 230, tenants: 3, ...options })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id: connection } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const [tenant] = reference.world.tenants().toSorted((one, other) => count(other.id) - count(one.id))
  function count(id: string) {
    return reference.world.devices().filter(({ tenantId }) => tenantId === id).length
  }
  const batchOf = (document: string, more: Partial<Batch> = {}): Batch => ({
    connections: [connection],
    document,
    operation: null,
    variables: { tenantId: tenant?.id },
    pages: true,
    tenants: false,
    ...more,
  })
  const start = (batch: Batch, again: string | null = null) => {
    const run = randomUUID()
    return { run, result: muster.call('query.runBatch', { run, batch, again }) }
  }
  const rowsOf = async (run: string): Promise<Row[]> => {
    let text = ''
    for (let from = 0; ;) {
      const part = await muster.call('query.text', { run, from })
      if (part.text === '') return JSON.parse(text) as Row[]
      text += part.text
      from = part.next
    }
  }
  const expected = (id = tenant?.id) =>
    reference.world.devices().flatMap((device) => (device.tenantId === id ? [device.id] : []))
  return { reference, muster, connection, tenant, batchOf, start, rowsOf, expected }
}

const ids = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted()
const search = (params: string, inner = 'id name') =>
  `query All($tenantId: ID!) { tenant(id: $tenantId) { inventory { deviceSearch(params: {${params}}) { edges { node { ${inner} } } } } } }`

describe.each(['full', 'minimal', 'contrary'] as const)('a service with the %s profile', (profile) => {
  test('a paged field is read to its end, as one list', async () => {
    const { batchOf, start, rowsOf, expected, muster } = await open({ profile })
    const batch = batchOf(search('nextToken: null'))
    const cost = await muster.call('query.batchCost', batch)
    const { run, result } = start(batch)
    const { answer, outcome } = await result
    const rows = await rowsOf(run)
    expect(ids(rows)).toEqual(expected().toSorted())
    const pages = Math.ceil(rows.length / 10)
    expect(cost).toMatchObject({
      problem: null,
      field: 'tenant.inventory.deviceSearch',
      rows: rows.length,
      requests: pages,
      pointsEach: expect.any(Number),
    })
    expect(outcome).toMatchObject({ rows: rows.length, pages, stopped: null, canContinue: false, total: rows.length })
    expect(answer).toMatchObject({ status: 200, isWhole: true, summary: { hasData: true, errors: [] } })
    expect([outcome.points, outcome.points > 0]).toEqual([answer.cost, true])
    const { lines } = await muster.call('query.lines', { run, from: 0, count: 5 })
    expect(lines.map(({ text }) => text).slice(0, 2)).toEqual(['[', '{'])
  })

  test('it runs for each tenant, whose rows begin with their tenant', async () => {
    const { batchOf, start, rowsOf, expected, reference } = await open({ profile })
    const { run, result } = start(batchOf(search('nextToken: null'), { tenants: true, variables: {} }))
    const { outcome } = await result
    const rows = await rowsOf(run)
    expect(outcome.tenants).toEqual({ of: 3, done: 3, failed: 0, failures: [] })
    for (const { id, name } of reference.world.tenants()) {
      const own = rows.filter(({ tenantId }) => tenantId === id)
      expect(ids(own)).toEqual(expected(id).toSorted())
      expect(own.every((row) => row['tenant'] === name && /^[A-Z]{2}-1$/u.test(String(row['region'])))).toBe(true)
      expect(Object.keys(own[0] ?? {}).slice(0, 3)).toEqual(['tenant', 'tenantId', 'region'])
    }
    expect(rows).toHaveLength(230)
  })
})

test('without all pages, the first page of each tenant is read, and it says that there are more', async () => {
  const { batchOf, start, rowsOf } = await open()
  const batch = batchOf(search('nextToken: null'), { pages: false, tenants: true, variables: {} })
  const { run, result } = start(batch)
  expect((await result).outcome).toMatchObject({ rows: 30, hasMore: true, stopped: null })
  expect(await rowsOf(run)).toHaveLength(30)
})

test('an operation without a list has one row for each tenant', async () => {
  const { batchOf, start, rowsOf, reference } = await open()
  const document = 'query Counts($tenantId: ID!) { tenant(id: $tenantId) { name deviceCount } }'
  const { run, result } = start(batchOf(document, { pages: false, tenants: true, variables: {} }))
  await result
  const rows = await rowsOf(run)
  expect(rows.map((row) => [row['tenant'], row['name']])).toEqual(
    rows.map((row) => [row['name'], reference.world.tenants().find(({ id }) => id === row['tenantId'])?.name]),
  )
  expect(rows.reduce((sum, row) => sum + Number(row['deviceCount']), 0)).toBe(230)
})

test.each([
  ['a variable', 'query A($tenantId: ID!, $next: String) ', '{ nextToken: $next }', {}],
  [
    'a variable with all parameters',
    'query A($tenantId: ID!, $params: DeviceFindArgs) ',
    '$params',
    { params: { pageSize: 7 } },
  ],
])('the next page is asked for in %s', async (_what, head, params, variables) => {
  const { batchOf, start, rowsOf, expected, tenant } = await open()
  const document = `${head}{ tenant(id: $tenantId) { inventory { found: deviceSearch(params: ${params}) { ...Page } } } }
    fragment Page on DeviceConnection { list: edges { __typename it: node { id } } }`
  const { run, result } = start(batchOf(document, { variables: { tenantId: tenant?.id, ...variables } }))
  await result
  expect(ids(await rowsOf(run))).toEqual(expected().toSorted())
})

test('places are paged by their cursor', async () => {
  const { batchOf, start, rowsOf } = await open()
  const rooms = (limit: number) =>
    `query Rooms($tenantId: ID!) { tenant(id: $tenantId) { roomData(params: { limit: ${limit} }) { edges { node { id } } } } }`
  const whole = start(batchOf(rooms(5_000)))
  await whole.result
  const { run, result } = start(batchOf(rooms(3)))
  const { outcome } = await result
  const found = ids(await rowsOf(run))
  expect([outcome.stopped, outcome.pages, found.length > 6]).toEqual([null, Math.ceil(found.length / 3), true])
  expect(found).toEqual(ids(await rowsOf(whole.run)))
})

test.each([
  ['token-only', {}],
  ['no-totals', {}],
  ['full', { lastPage: 'token-remains' }],
  ['full', { firstPage: 'empty' }],
  ['full', { tokenForm: 'number' }],
  ['full', { tokenForm: 'odd' }],
  ['full', { maxPageSize: 40, pageRefusalStatus: 400, pageRefusalWords: 'none' }],
  ['full', { maxPageSize: 40, maxPageSizeFrom: 1 }],
  ['full', { costHeaders: false, costField: false }],
] as const)('a pageInfo that is %s and a service with %j are read to the end too', async (pageInfo, contrary) => {
  const { batchOf, start, rowsOf, expected } = await open({ profile: 'contrary', contrary: { pageInfo, ...contrary } })
  const { run, result } = start(batchOf(search('pageSize: 60')))
  expect((await result).outcome).toMatchObject({ stopped: null })
  expect(ids(await rowsOf(run))).toEqual(expected().toSorted())
})

test('pages that are too expensive become smaller, which the cost says before', async () => {
  const { batchOf, start, muster } = await open({ devices: 1_500, tenants: 1 })
  const inner = 'id name hardwareModel connected lastDetected site { id name } room { id name }'
  const batch = batchOf(search('pageSize: 1000', inner))
  const { outcome } = await start(batch).result
  expect(outcome).toMatchObject({ rows: 1_500, stopped: null })
  const cost = await muster.call('query.batchCost', batch)
  expect(cost).toMatchObject({ writtenSize: 1_000, isRejected: false, rows: 1_500 })
  expect(cost.pageSize).toBeLessThan(1_000)
  expect(cost.requests).toBe(Math.ceil(1_500 / (cost.pageSize ?? 0)))
})

test('a page with errors beside its rows gives its rows, and the errors stand with their page', async () => {
  const { reference, batchOf, start } = await open()
  reference.misfortune.next('partial', { operationName: 'All', skip: 1 })
  const { answer, outcome } = await start(batchOf(search('nextToken: null'))).result
  expect(outcome).toMatchObject({ missing: 1, errors: 1, stopped: null, rows: (outcome.total ?? 0) - 1 })
  expect(answer.summary.errors[0]?.path).toMatch(/^page 2: tenant\.inventory\.deviceSearch\.edges/u)
})

test('a page that is cut short is read again', async () => {
  const { reference, batchOf, start, rowsOf, expected } = await open()
  reference.misfortune.next('cut-short', { operationName: 'All', skip: 2 })
  reference.misfortune.next('garbage', { operationName: 'All' })
  const { run, result } = start(batchOf(search('nextToken: null')))
  expect((await result).outcome.stopped).toBe(null)
  expect(ids(await rowsOf(run))).toEqual(expected().toSorted())
})

test('what stops a run leaves its rows, and it is continued from there', async () => {
  const { reference, batchOf, start, rowsOf, expected, muster } = await open()
  const batch = batchOf(search('nextToken: null'))
  const over = reference.misfortune.always('html', { operationName: 'All', skip: 3 })
  const first = start(batch)
  const stopped = (await first.result).outcome
  expect(stopped).toMatchObject({ rows: 30, stopped: { kind: 'not-json' }, canContinue: true })
  expect(await rowsOf(first.run)).toHaveLength(30)
  over()
  const second = start(batch, first.run)
  expect((await second.result).outcome).toMatchObject({ stopped: null, canContinue: false })
  expect(ids(await rowsOf(second.run))).toEqual(expected().toSorted())
  expect(await muster.call('query.lines', { run: first.run, from: 0, count: 1 })).toEqual({ lines: [] })
  await expect(start(batch, first.run).result).rejects.toMatchObject({ fault: { kind: 'input' } })
})

test('a token that comes twice ends the run with what was read', async () => {
  const { reference, batchOf, start, rowsOf } = await open()
  reference.misfortune.always('repeat-token', { operationName: 'All' })
  const { run, result } = start(batchOf(search('nextToken: null')))
  expect((await result).outcome).toMatchObject({
    rows: 20,
    stopped: { kind: 'paging', detail: 'the same token came twice' },
  })
  expect(await rowsOf(run)).toHaveLength(20)
})

test('the operator ends a run, whose rows stay, and sees how far it is before', async () => {
  const { reference, batchOf, start, rowsOf, muster } = await open()
  reference.misfortune.always('stall', { operationName: 'All', skip: 4 })
  const { run, result } = start(batchOf(search('nextToken: null')))
  await expect
    .poll(async () => (await muster.call('query.batchProgress', { run })).progress, { timeout: 15_000 })
    .toMatchObject({ rows: 40, pages: 4, total: expect.any(Number), tenants: null, doneAt: expect.any(Number) })
  await muster.call('query.cancel', { run })
  expect((await result).outcome).toMatchObject({ rows: 40, stopped: { kind: 'abort' }, canContinue: true })
  expect(await rowsOf(run)).toHaveLength(40)
  expect(await muster.call('query.batchProgress', { run })).toEqual({ progress: null })
})

test('a tenant that fails is a row, the others are read, and only it is read again', async () => {
  const { reference, batchOf, start, rowsOf, expected, tenant } = await open()
  const isFailing = ({ variables }: { variables: Record<string, unknown> }) => variables['tenantId'] === tenant?.id
  const over = reference.misfortune.always('html', { operationName: 'All', match: isFailing, skip: 2 })
  const batch = batchOf(search('nextToken: null'), { tenants: true, variables: {} })
  const first = start(batch)
  const { tenants, canContinue } = (await first.result).outcome
  expect(tenants).toMatchObject({ of: 3, done: 2, failed: 1 })
  expect([canContinue, tenants?.failures]).toMatchObject([
    true,
    [{ tenantId: tenant?.id, tenant: tenant?.name, rows: 20, fault: { kind: 'not-json' } }],
  ])
  const rows = await rowsOf(first.run)
  const failed = rows.filter((row) => 'error' in row)
  expect(failed).toMatchObject([{ tenant: tenant?.name, tenantId: tenant?.id }])
  over()
  const before = reference.operations().length
  const second = start(batch, first.run)
  expect((await second.result).outcome.tenants).toMatchObject({ of: 3, done: 3, failed: 0 })
  const asked = reference
    .operations()
    .slice(before)
    .filter(({ operationName }) => operationName === 'All')
  expect(asked.every(isFailing)).toBe(true)
  const all = await rowsOf(second.run)
  expect([all.length, all.filter((row) => 'error' in row)]).toEqual([230, []])
  expect(ids(all.filter(({ tenantId }) => tenantId === tenant?.id))).toEqual(expected().toSorted())
})

test('a tenant whose data the role may not see is a row with the reason', async () => {
  const { reference, batchOf, start, rowsOf } = await open()
  reference.credentials.setRole(reference.clientId, 'device_user')
  const batch = batchOf(
    search('nextToken: null', 'id').replace('nextToken: null', 'sort: { fields: [{ name: "macAddress" }] }'),
    { tenants: true, variables: {} },
  )
  const { run, result } = start(batch)
  const { outcome } = await result
  expect(outcome.tenants?.failures.map(({ fault }) => fault.kind) ?? outcome).toEqual([
    'forbidden',
    'forbidden',
    'forbidden',
  ])
  expect((await rowsOf(run)).map(({ error }) => String(error).slice(0, 34))).toEqual(
    Array.from({ length: 3 }, () => 'These credentials may not see this'),
  )
})

test('what cannot be run so says why, and nothing is sent', async () => {
  const { reference, batchOf, start, muster } = await open()
  const sent = () =>
    reference.operations().filter(({ operationName }) => operationName === null || operationName === 'All').length
  const before = sent()
  const problems = async (document: string, more: Partial<Batch> = {}) =>
    (await muster.call('query.batchCost', batchOf(document, more))).problem
  expect(await problems('{ tenants { id } }')).toMatch(/no paged field/u)
  expect(await problems('{ tenants { inventory { deviceSearch { edges { node { id } } } } } }')).toMatch(
    /within a list \(tenants\)/u,
  )
  expect(
    await problems('{ a: deviceSearch { edges { node { id } } } b: deviceSearch { edges { node { id } } } }'),
  ).toMatch(/several paged fields: a, b/u)
  expect(await problems('{ tenants { id } }', { pages: false, tenants: true })).toMatch(/takes no tenant/u)
  await expect(start(batchOf('{ tenants { id } }')).result).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(start(batchOf('mutation { a }')).result).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(start(batchOf('{ a', {})).result).rejects.toMatchObject({ fault: { kind: 'input' } })
  await expect(start(batchOf(search('nextToken: null'), { connections: ['none'] })).result).rejects.toMatchObject({
    fault: { kind: 'input' },
  })
  expect(sent()).toBe(before)
})

test('a first page that fails is a fault, as for one run', async () => {
  const { batchOf, start } = await open()
  const none = batchOf(search('nextToken: null'), { variables: { tenantId: 'none' } })
  await expect(start(none).result).rejects.toMatchObject({ fault: { kind: 'partial' } })
  await expect(start(batchOf(search('nextToken: null', 'nothingOfThisName'))).result).rejects.toMatchObject({
    fault: { kind: 'query' },
  })
})

test('a search with a filter has an unknown number of pages before it runs', async () => {
  const { batchOf, muster } = await open()
  const document = search('nextToken: null, filter: { field: "hardwareModel", contains: "Studio" }')
  expect(await muster.call('query.batchCost', batchOf(document))).toMatchObject({
    requests: null,
    points: null,
    problem: null,
  })
})
