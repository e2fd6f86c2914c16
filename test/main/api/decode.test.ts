import { expect, test } from 'vitest'
import { readEvent, readPage, readTenants } from '../../../src-main/api/decode.ts'

const page = (edges: unknown, pageInfo: unknown = { totalCount: 1, countOnPage: 1, nextToken: null, hasNextPage: false }) => ({
  tenant: { inventory: { deviceSearch: { edges, pageInfo } } },
})
const node = (more: Record<string, unknown> = {}) => ({
  node: {
    id: '00e0db671a50', name: 'Berlin 4.12', hardwareModel: 'Studio X52', connected: true,
    lastDetected: '2026-08-12T09:18:43.740Z', lastConfigRequestDate: null,
    site: { id: 's1', name: 'Berlin' }, room: { id: 'r1', name: '4.12' }, ...more,
  },
})
const first = (more: Record<string, unknown>) => readPage(page([node(more)]))?.devices[0]

test('reads the eight fields', () => {
  expect(readPage(page([node()]))).toEqual({
    edges: [node()],
    devices: [{
      id: '00e0db671a50', name: 'Berlin 4.12', hardwareModel: 'Studio X52', connected: true,
      lastDetected: Date.parse('2026-08-12T09:18:43.740Z'), lastConfigRequestDate: null,
      site: { id: 's1', name: 'Berlin' }, room: { id: 'r1', name: '4.12' },
    }],
    unreadable: 0, totalCount: 1, nextToken: null, hasNextPage: false,
  })
})

test('unknown fields are let through, unknown values are "not said"', () => {
  expect(first({ novelty: { deep: 1 }, connected: 'SOMETIMES', lastDetected: 'yesterday', site: 'Berlin', room: null })).toMatchObject({
    connected: null, lastDetected: null, site: null, room: null,
  })
})

test.each<[unknown, boolean | null]>([[true, true], [false, false], ['true', true], ['false', false], [null, null], [1, null], [undefined, null]])(
  'connected %j is %j',
  (wire, read) => {
    expect(first({ connected: wire })?.connected).toBe(read)
  },
)

test('times may be text, seconds or milliseconds', () => {
  expect(first({ lastDetected: 1_790_000_000 })?.lastDetected).toBe(1_790_000_000_000)
  expect(first({ lastDetected: 1_790_000_000_123 })?.lastDetected).toBe(1_790_000_000_123)
})

test('an unreadable node costs itself alone', () => {
  const read = readPage(page([null, { node: null }, { node: { name: 'no id' } }, node(), { node: { id: '' } }]))
  expect(read).toMatchObject({ unreadable: 4, devices: [{ id: '00e0db671a50' }] })
})

test('names are taken as they are', () => {
  const name = `${'x'.repeat(10_000)}<script>alert(1)</script>\u202Eأهلا 👩‍💻`
  expect(first({ name })?.name).toBe(name)
})

test.each([[null], [{}], [{ tenant: null }], [{ tenant: { inventory: null } }], [page(null)], [page([], null)]])('a missing part is null: %j', (data) => {
  expect(readPage(data)).toBeNull()
})

test.each<[unknown, boolean]>([
  [{ nextToken: 'a', hasNextPage: true }, true],
  [{ nextToken: 'a', hasNextPage: false }, false],
  [{ nextToken: null, hasNextPage: true }, false],
  [{ nextToken: '', hasNextPage: true }, false],
  [{ nextToken: 'a' }, true],
])('paging ends at hasNextPage false or nextToken null: %j', (pageInfo, more) => {
  expect(readPage(page([], pageInfo))?.hasNextPage).toBe(more)
})

test('reads tenants with their regions, and leaves out what has no id', () => {
  expect(readTenants({ tenants: [{ id: 't1', name: 'Acme', region: { id: 'EU-1' } }, { id: 't2', name: '', region: null }, {}, null] })).toEqual({
    tenants: [{ id: 't1', name: 'Acme', region: 'EU-1' }, { id: 't2', name: 't2', region: null }],
    unreadable: 2,
  })
  expect(() => readTenants({})).toThrow('not-graphql')
})

test('reads an event whatever the stream is called', () => {
  expect(readEvent({ deviceStream: { id: 'd1', connected: false, tenantId: 't1', name: 'n' } })).toEqual({ id: 'd1', tenant: 't1', connected: false, name: 'n' })
  expect(readEvent({ otherStream: { id: 'd1' } })).toEqual({ id: 'd1', tenant: null, connected: null, name: null })
  for (const data of [null, {}, { deviceStream: null }, { deviceStream: { connected: true } }]) expect(readEvent(data)).toBeNull()
})
