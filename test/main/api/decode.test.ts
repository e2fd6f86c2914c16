import { expect, test } from 'vitest'
import { maxParts, excessAt } from '../../../src-main/api/bounds.ts'
import { readEvents, readPage, readTenants } from '../../../src-main/api/decode.ts'

const page = (
  edges: unknown,
  pageInfo: unknown = { totalCount: 1, countOnPage: 1, nextToken: null, hasNextPage: false },
) => ({
  tenant: { inventory: { deviceSearch: { edges, pageInfo } } },
})
const node = (more: Record<string, unknown> = {}) => ({
  node: {
    id: '00e0db671a50',
    name: 'Berlin 4.12',
    hardwareModel: 'Studio X52',
    connected: true,
    lastDetected: '2026-08-12T09:18:43.740Z',
    lastConfigRequestDate: null,
    site: { id: 's1', name: 'Berlin' },
    room: { id: 'r1', name: '4.12' },
    ...more,
  },
})
const first = (more: Record<string, unknown>) => readPage(page([node(more)]))?.devices[0]

test('reads the eight fields', () => {
  expect(readPage(page([node()]))).toEqual({
    edges: [node()],
    devices: [
      {
        id: '00e0db671a50',
        name: 'Berlin 4.12',
        hardwareModel: 'Studio X52',
        connected: true,
        lastDetected: Date.parse('2026-08-12T09:18:43.740Z'),
        lastConfigRequestDate: null,
        site: { id: 's1', name: 'Berlin' },
        room: { id: 'r1', name: '4.12' },
      },
    ],
    unreadable: 0,
    failures: [],
    totalCount: 1,
    nextToken: null,
    hasNextPage: false,
    cut: false,
  })
})

test('unknown fields are ignored, and unknown values are null', () => {
  expect(
    first({ novelty: { deep: 1 }, connected: 'SOMETIMES', lastDetected: 'yesterday', site: 'Berlin', room: null }),
  ).toMatchObject({
    connected: null,
    lastDetected: null,
    site: null,
    room: null,
  })
})

test.each<[unknown, boolean | null]>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  [null, null],
  [1, true],
  [0, false],
  [2, null],
  ['ONLINE', true],
  ['disconnected', false],
  [undefined, null],
])('connected %j is %j', (wire, read) => {
  expect(first({ connected: wire })?.connected).toBe(read)
})

test('times may be text, seconds or milliseconds', () => {
  expect(first({ lastDetected: 1_790_000_000 })?.lastDetected).toBe(1_790_000_000_000)
  expect(first({ lastDetected: 1_790_000_000_123 })?.lastDetected).toBe(1_790_000_000_123)
})

test('an unreadable node affects itself alone', () => {
  const read = readPage(page([null, { node: null }, { node: { name: 'no id' } }, node(), { node: { id: '' } }]))
  expect(read).toMatchObject({ unreadable: 4, devices: [{ id: '00e0db671a50' }] })
})

test('names are kept unchanged', () => {
  const name = `${'x'.repeat(400)}<script>alert(1)</script>\u202Eأهلا 👩‍💻`
  expect(first({ name })?.name).toBe(name)
})

test.each([[null], [{}], [{ tenant: null }], [{ tenant: { inventory: null } }], [page(null)], [page([], null)]])(
  'a missing part is null (%#)',
  (data) => {
    expect(readPage(data)).toBeNull()
  },
)

test.each<[unknown, boolean]>([
  [{ nextToken: 'a', hasNextPage: true }, true],
  [{ nextToken: 'a', hasNextPage: false }, false],
  [{ nextToken: null, hasNextPage: true }, false],
  [{ nextToken: '', hasNextPage: true }, false],
  [{ nextToken: 'a' }, true],
])('paging ends at hasNextPage false or nextToken null: %j', (pageInfo, more) => {
  expect(readPage(page([], pageInfo))?.hasNextPage).toBe(more)
})

test('tenants are read with their regions, and those without an id are omitted', () => {
  expect(
    readTenants({
      tenants: [{ id: 't1', name: 'Acme', region: { id: 'EU-1' } }, { id: 't2', name: '', region: null }, {}, null],
    }),
  ).toEqual({
    tenants: [
      { id: 't1', name: 'Acme', region: 'EU-1' },
      { id: 't2', name: 't2', region: null },
    ],
    unreadable: 2,
    over: 0,
  })
  expect(() => readTenants({})).toThrow('no-data')
})

test("an event is read whatever the stream's name", () => {
  expect(readEvents({ deviceStream: { id: 'd1', connected: false, tenantId: 't1', name: 'n' } })).toEqual([
    { id: 'd1', tenant: 't1', connected: false, name: 'n' },
  ])
  expect(readEvents({ otherStream: { id: 'd1' } })).toEqual([
    { id: 'd1', tenant: null, connected: undefined, name: null },
  ])
  for (const data of [null, {}, { deviceStream: null }, { deviceStream: { connected: true } }])
    expect(readEvents(data)).toEqual([null])
  expect(readEvents({ deviceStream: [{ id: 'd1', connected: true }, 'd2'] })).toMatchObject([
    { id: 'd1', connected: true },
    null,
  ])
})

test.each<[string, unknown, number | null]>([
  ['ISO without a zone is UTC', '2026-08-12T09:18:43.740', Date.UTC(2026, 7, 12, 9, 18, 43, 740)],
  ['a blank in the place of the T', '2026-08-12 09:18:43', Date.UTC(2026, 7, 12, 9, 18, 43)],
  ['a zone of its own', '2026-08-12T11:18:43+02:00', Date.UTC(2026, 7, 12, 9, 18, 43)],
  ['seconds as text', '1790000000', 1_790_000_000_000],
  ['microseconds', 1_790_000_000_123_000, 1_790_000_000_123],
  ['nanoseconds as text', '1790000000123000000', 1_790_000_000_123],
  ['an HTTP date', 'Wed, 12 Aug 2026 09:18:43 GMT', Date.UTC(2026, 7, 12, 9, 18, 43)],
])('times: %s', (_form, wire, read) => {
  expect(first({ lastDetected: wire })?.lastDetected).toBe(read)
})

const failed = (path: (string | number)[] | null) => ({ message: 'no', code: null, path })
const at = (...more: (string | number)[]) => ['tenant', 'inventory', 'deviceSearch', 'edges', ...more]

test('a field with an error or without an answer has failed; a null alone has not', () => {
  const read = readPage(page([node({ site: null, room: null }), node({ id: 'b', name: undefined })]), [
    failed(at(0, 'node', 'site', 'name')),
  ])
  expect(read?.devices.map((device) => device.failed)).toEqual([['site'], ['name']])
  expect([read?.failures, read?.devices[1]?.name]).toEqual([[], 'b'])
})

test("without an error's path every null may have failed", () => {
  expect(readPage(page([node({ room: null })]), [failed(null)])?.devices[0]?.failed).toEqual([
    'lastConfigRequestDate',
    'room',
  ])
})

test('a search without pageInfo has its token beside its edges, and numbers may be text', () => {
  const read = readPage({
    tenant: { inventory: { deviceSearch: { edges: [node()], nextToken: 'x', totalCount: '12', hasNextPage: 'true' } } },
  })
  expect(read).toMatchObject({ nextToken: 'x', hasNextPage: true, totalCount: 12, cut: false })
})

test.each([
  ['a word of more without a token', { hasNextPage: true, nextToken: null }],
  ['no word of pages at all', {}],
])('%s does not prove the end', (_form, pageInfo) => {
  expect(readPage(page([node()], pageInfo))).toMatchObject({ hasNextPage: false, cut: true })
})

test.each([
  ['text', 'EU-1 is down'],
  ['an object', { message: 'EU-1 is down' }],
  ['a list', [{ message: 'EU-1 is down' }]],
  ['an object with other names', { __typename: 'Down', code: 17, description: 'EU-1 is down' }],
  ['an object in an object', { status: 0, error: { reason: 'EU-1 is down' } }],
  ['an object whose message is none', { message: { text: 'EU-1 is down' }, code: 'E' }],
])('an error in the search itself is a failure: %s', (_form, error) => {
  expect(
    readPage({ tenant: { inventory: { deviceSearch: { edges: [], pageInfo: { totalCount: 0 }, error } } } })?.failures,
  ).toMatchObject([{ message: 'EU-1 is down' }])
})

const failuresWith = (error: unknown) =>
  readPage({
    tenant: { inventory: { deviceSearch: { edges: [], pageInfo: { totalCount: 0 }, error } } },
  })?.failures.map(({ message }) => message)

test.each([
  [true, ['']],
  [503, ['503']],
  [{}, ['']],
  [{ __typename: 'SearchError' }, ['']],
  [{ code: 'EU_DOWN' }, ['EU_DOWN']],
  [{ failed: true }, ['']],
])('an error without a message is one all the same: %j', (error, failures) => {
  expect(failuresWith(error)).toEqual(failures)
})

test.each([[null], [''], [false], [0], [[]], [{ message: '', code: null }]])('an empty error is none: %j', (error) => {
  expect(failuresWith(error)).toEqual([])
})

test("the search's own error is redacted as errors are", () => {
  const told = readPage(
    { tenant: { inventory: { deviceSearch: { edges: [], pageInfo: { totalCount: 0 }, error: 'given s3cret' } } } },
    [],
    (text) => text.replaceAll('s3cret', '[hidden]'),
  )
  expect(told?.failures).toMatchObject([{ message: 'given [hidden]' }])
})

test('a tenant listed twice counts once, and a failed region is not taken for none', () => {
  const list = [
    { id: 't1', name: 'Acme', region: null },
    { id: 't2', name: 'Berg', region: { id: 'EU-1' } },
    { id: 't2', name: 'Berg', region: { id: 'EU-1' } },
  ]
  expect(readTenants({ tenants: list }, [failed(['tenants', 0, 'region'])])).toEqual({
    tenants: [
      { id: 't1', name: 'Acme', region: null, failed: ['region'] },
      { id: 't2', name: 'Berg', region: 'EU-1' },
    ],
    unreadable: 0,
    over: 0,
  })
})

const long = 'x'.repeat(1_000_000)

test('a name of a megabyte is cut and marked, wherever it comes from', () => {
  const cut = `${'x'.repeat(500)}…`
  expect(first({ name: long, hardwareModel: long, site: { id: 's', name: long } })).toMatchObject({
    name: cut,
    hardwareModel: cut,
    site: { id: 's', name: cut },
  })
  expect(first({ name: `${'x'.repeat(499)}😀` })?.name).toBe(`${'x'.repeat(499)}\uFFFD…`)
  expect(readEvents({ stream: { id: 'a', name: long } })).toMatchObject([{ name: cut }])
  expect(readTenants({ tenants: [{ id: 't', name: long, region: null }] }).tenants).toEqual([
    { id: 't', name: cut, region: null },
  ])
})

test.each<[string, Record<string, unknown>]>([
  ['device', { id: long }],
  ['site', { site: { id: long, name: 'Berlin' } }],
  ['room', { room: { id: long } }],
])('a row whose %s has an id of a megabyte is omitted and counted as unreadable', (_name, more) => {
  expect(readPage(page([node(), node(more)]))).toMatchObject({ devices: [{ id: '00e0db671a50' }], unreadable: 1 })
})

test('of half a million tenants the first 20,000 are read, and the rest is counted', () => {
  const read = readTenants({ tenants: Array.from({ length: 500_000 }, (_, at) => ({ id: `t${at}` })) })
  expect([read.tenants.length, read.tenants.at(-1)?.id, read.unreadable, read.over]).toEqual([
    20_000,
    't19999',
    0,
    480_000,
  ])
  expect(readTenants({ tenants: [{ id: long }] })).toEqual({ tenants: [], unreadable: 1, over: 0 })
})

test('a page with too many devices, and a page token that is too long, are faults', () => {
  expect(() => readPage(page(Array.from({ length: 5001 }, () => node())))).toThrow('paging')
  expect(() => readPage(page([node()], { nextToken: long, hasNextPage: true }))).toThrow('paging')
})

test.each([
  ['[]', 'in arrays', '['.repeat(65), true],
  ['{}', 'in objects', '{"a":'.repeat(65), true],
  ['', 'as deep as may be', `${'['.repeat(64)}${']'.repeat(64)}${'['.repeat(64)}`, false],
  ['', 'in a text', JSON.stringify('[{'.repeat(100)), false],
  ['', 'behind a quote that is escaped', `${JSON.stringify('a"[\\')}${'['.repeat(64)}`, false],
])('%s JSON nested %s', (_sign, _name, text, deep) => {
  expect(excessAt(text)?.isDeep ?? false).toBe(deep)
})

test.each([
  ['objects', '{},', 2],
  ['lists', '[],', 2],
  ['members', '"a":1,', 1],
  ['numbers', '1,', 1],
  ['texts', '"{[,\\",",', 1],
])('JSON of many %s is too much to be parsed at once', (_name, unit, parts) => {
  const text = `{${unit.repeat(Math.floor((maxParts - 1) / parts))}`
  expect(excessAt(text)).toBeNull()
  expect(excessAt(`${text}${unit}${unit}`)).toEqual({ at: expect.any(Number), isDeep: false })
})

test('a page whose pageInfo has the token alone is the last one when that is null', () => {
  expect(readPage(page([node()], { nextToken: null }))).toMatchObject({ hasNextPage: false, cut: false })
})
