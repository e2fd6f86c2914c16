import { afterEach, describe, expect, test } from 'vitest'
import type { Answers } from '../../src-service/faults/contrary/answers.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
  type Console,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const countsOf = async (muster: Console) => (await muster.call('inventory.counts', { scope: 'all' })).counts
const rowsOf = async (muster: Console) =>
  (await muster.call('inventory.rows', { query: allByName, offset: 0, limit: 500 })).rows

async function open(contrary: Partial<Answers>, size: { devices?: number; tenants?: number } = {}) {
  const reference = await service(leftovers, { profile: 'contrary', contrary, ...size })
  const profile = temporaryProfile(leftovers)
  const muster = await openConsole(leftovers, profile)
  await muster.call('connections.save', connectionTo(reference))
  return { reference, muster, profile }
}

describe.each<[string, Partial<Answers>]>([
  ['pages of at most 25, said in 200', { maxPageSize: 25 }],
  [
    'pages of at most 25, said in 400 with a code of its own',
    { maxPageSize: 25, pageRefusalStatus: 400, pageRefusalCode: 'INVALID_PAGE_SIZE', pageRefusalWords: 'at-most' },
  ],
  [
    'pages of at most 25, refused without words in 200',
    { maxPageSize: 25, pageRefusalCode: '', pageRefusalWords: 'none' },
  ],
  [
    'pages of at most 25, refused without words in 400',
    { maxPageSize: 25, pageRefusalStatus: 400, pageRefusalCode: 'INTERNAL_SERVER_ERROR', pageRefusalWords: 'none' },
  ],
  ['a limit that comes in the middle of a reading', { maxPageSize: 25, maxPageSizeFrom: 4 }],
  ['no totals', { pageInfo: 'no-totals' }],
  ['a token alone', { pageInfo: 'token-only' }],
  ['a token alone and no introspection', { pageInfo: 'token-only', introspection: false }],
  [
    'no lastConfigRequestDate and no room, without introspection',
    { missingFields: ['lastConfigRequestDate', 'room'], introspection: false },
  ],
  ['no name and no site', { missingFields: ['name', 'site'] }],
  ['no word on points', { costHeaders: false, costField: false }],
])('a service with %s', (_name, contrary) => {
  test('is read completely and counted right', async () => {
    const { reference, muster } = await open(contrary, { devices: 120, tenants: 2 })
    await whenRead(muster)
    const { online, offline, staged } = reference.world.totals()
    expect(await countsOf(muster)).toEqual({ connected: online, disconnected: offline, unknown: staged })
    expect((await rowsOf(muster)).map(({ id }) => id).toSorted()).toEqual(
      reference.world
        .devices()
        .map(({ id }) => id)
        .toSorted(),
    )
  })
})

test.each([true, false])(
  'a service with swapped id types is live, also after a restart (introspection %s)',
  async (introspection) => {
    const { reference, muster, profile } = await open(
      { idTypes: 'swapped', introspection },
      { devices: 30, tenants: 1 },
    )
    await whenConnection(
      muster,
      ({ link, sync, lastReadingAt }) => link.state === 'live' && sync.state === 'idle' && lastReadingAt !== null,
    )
    const device = reference.world.devices().find(({ connected }) => connected)
    reference.world.setConnected(device?.id ?? '', false)
    await until(async () =>
      expect((await rowsOf(muster)).find(({ id }) => id === device?.id)?.status).toBe('disconnected'),
    )
    await muster.stop()
    const asked = () => reference.operations().filter(({ query }) => query.includes('$tenant: ID!')).length
    const before = asked()
    const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
    await whenRead(again)
    expect([before > 0, asked()]).toEqual([true, before])
  },
)

test('sites that the first sync cannot resolve are reported as a fault', async () => {
  const { muster } = await open({ unresolvedSites: 0.5 }, { devices: 60, tenants: 1 })
  const { faults } = await whenConnection(
    muster,
    ({ link, sync, lastReadingAt }) => link.state === 'live' && sync.state === 'idle' && lastReadingAt !== null,
  )
  expect(faults.map(({ fault }) => fault.detail)).toEqual([
    expect.stringMatching(/^site of \d+ devices: resource mapping failed$/u),
  ])
})

test('the same id in two tenants is two devices, each with a status of its own', async () => {
  const { reference, muster } = await open({ sharedIds: true }, { devices: 30, tenants: 2 })
  await whenConnection(
    muster,
    ({ link, sync, lastReadingAt }) => link.state === 'live' && sync.state === 'idle' && lastReadingAt !== null,
  )
  const first = reference.world.tenants()[0]?.id
  const device = reference.world.devices().find(({ connected, tenantId }) => connected && tenantId === first)
  const { connected, disconnected } = (await countsOf(muster)) ?? { connected: 0, disconnected: 0 }
  reference.world.setConnected(device?.id ?? '', false)
  await until(async () =>
    expect(await countsOf(muster)).toMatchObject({ connected: connected - 1, disconnected: disconnected + 1 }),
  )
  expect(await rowsOf(muster)).toHaveLength(30)
})

test('no page is requested again unchanged after a rejection, and the limit survives a restart', async () => {
  const { reference, muster, profile } = await open({ maxPageSize: 25 }, { devices: 120, tenants: 1 })
  await whenRead(muster)
  const sizes = () =>
    reference
      .operations()
      .filter(({ operationName }) => operationName === 'Devices')
      .map(({ variables }) => (variables['params'] as { pageSize?: number }).pageSize ?? 0)
  expect(sizes().filter((size) => size > 25)).toHaveLength(1)
  await muster.stop()
  const before = sizes().length
  const again = await openConsole(leftovers, profile, { secrets: muster.secrets })
  await whenRead(again)
  expect(sizes().length).toBeGreaterThan(before)
  expect(
    sizes()
      .slice(before)
      .filter((size) => size > 25),
  ).toEqual([])
})

test.each([true, false])('missing fields are reported, with introspection %s', async (introspection) => {
  const { muster } = await open(
    { missingFields: ['connected', 'lastConfigRequestDate'], introspection },
    { devices: 20, tenants: 1 },
  )
  const { notOffered } = await whenConnection(muster, ({ lastReadingAt }) => lastReadingAt !== null)
  expect(notOffered).toEqual(['connected', 'lastConfigRequestDate'])
  expect(await countsOf(muster)).toMatchObject({ connected: 0, disconnected: 0, unknown: 20 })
})

test.each(['errors', 'errors-without-path', 'error-field'] as const)(
  'an error beside empty pages makes the known devices unknown: %s',
  async (emptyDevices) => {
    const { reference, muster } = await open({}, { devices: 60, tenants: 1 })
    await whenRead(muster)
    reference.contrary.change({ emptyDevices })
    await muster.call('sync.start', { scope: 'all' })
    const { faults } = await whenConnection(muster, (state) => state.faults.length > 0)
    expect(faults[0]?.fault).toEqual({ kind: 'partial', detail: 'The inventory could not be read' })
    await until(async () => expect(await countsOf(muster)).toEqual({ connected: 0, disconnected: 0, unknown: 60 }))
    expect((await rowsOf(muster)).some(({ connected }) => connected === true)).toBe(true)
  },
)

test('an empty list of tenants for a moment removes no device', async () => {
  const { reference, muster } = await open({}, { devices: 40, tenants: 2 })
  await whenRead(muster)
  const { lastReadingAt: before } = await whenConnection(muster, ({ sync }) => sync.state === 'idle')
  reference.contrary.change({ emptyTenants: 'alone', emptyForMs: 1_000 })
  await muster.call('sync.start', { scope: 'all' })
  await whenConnection(muster, ({ lastReadingAt }) => lastReadingAt !== before)
  expect(await rowsOf(muster)).toHaveLength(40)
})

test('devices whose site is not resolved stay in their site, with a fault', async () => {
  const { reference, muster } = await open({}, { devices: 60, tenants: 1 })
  await whenRead(muster)
  const placed = async () => (await rowsOf(muster)).map(({ id, site }) => [id, site?.name])
  const before = await placed()
  reference.contrary.change({ unresolvedSites: 0.5 })
  await muster.call('sync.start', { scope: 'all' })
  const { faults } = await whenConnection(muster, (state) => state.faults.length > 0)
  expect(faults[0]?.fault.detail).toMatch(/^site of \d+ devices: /)
  expect(await placed()).toEqual(before)
  expect((await rowsOf(muster)).some(({ staleFields }) => staleFields?.['site'] !== undefined)).toBe(true)
})

test('a clock that is ten minutes off is reported with the difference', async () => {
  const { muster } = await open({ clockSkewMs: 600_000 }, { devices: 20, tenants: 1 })
  const { faults } = await whenConnection(muster, (state) => state.faults.some(({ fault }) => fault.kind === 'clock'))
  expect(faults.at(-1)?.fault.detail).toBe('This computer’s clock is 10 minutes behind the service’s.')
})
