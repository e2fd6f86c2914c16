import { afterEach, expect, test } from 'vitest'
import type { Capabilities } from '../../../../src-main/api/capabilities.ts'
import type { Api, Reply, Request } from '../../../../src-main/api/client.ts'
import type { SyncContext } from '../../../../src-main/sync/context.ts'
import { createFaults } from '../../../../src-main/sync/faults.ts'
import { createPlacesReading } from '../../../../src-main/sync/places/places-reading.ts'
import type { Tenants } from '../../../../src-main/sync/tenants/tenant-list.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { manualClock, settle } from '../../../support/clock.ts'
import { createLeftovers } from '../../../support/fleet.ts'
import { params, placeService, sitesWith, type AccountOf } from './service.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const minute = 60_000
const sdl = `type Query { tenant(id: ID!): Tenant } type Tenant { accounts: [Account!] }
  type Account { id: ID! name: String sites(params: PageArgs): SiteConnection }
  type Site { id: ID! name: String rooms: [Room] } type Room { id: ID! name: String }`

interface Written {
  tenant: string
  places: { accounts: unknown[] | null; sites: unknown[] }
  partial: boolean
  requestOrder: number
}

function open(lists: { tenant: string; readAt: number; accounts: number | null; sites: number; rooms: number }[] = []) {
  const clock = manualClock()
  const service: { answer: ((request: Request, reply: Reply) => Reply | FaultError) | null; accounts: AccountOf[] } = {
    answer: null,
    accounts: [{ id: 'x', name: 'Europe', sites: sitesWith('s', [2, 1]) }],
  }
  const tenant = () => ({
    accounts: service.accounts.map((account) => ({ ...account, sites: params(account.sites) })),
  })
  const { api, costs } = placeService(
    sdl,
    { tenant },
    { answer: (request, reply) => service.answer?.(request, reply) ?? reply },
  )
  const lanes: string[] = []
  const asked: string[] = []
  const noted: Api = {
    run(request) {
      const id = request.variables['tenant_id0']
      if (typeof id === 'string') asked.push(id)
      if (typeof id === 'string') lanes.push(request.lane)
      return api.run(request)
    },
  }
  const written: Written[] = []
  const shown: unknown[] = []
  const log: string[] = []
  const stopping = new AbortController()
  const faults = createFaults(clock, () => {})
  let capabilities = { described: true } as Capabilities
  const list = { tenants: ['a', 'b'], activity: 'idle', left: 0 }
  const tenants = () => list.tenants.map((id) => ({ id, name: id.toUpperCase(), expected: null }))
  let order = 0
  const context = {
    signal: stopping.signal,
    faults,
    member: { reads: () => true },
    reader: {
      tenants: () =>
        ({ list: tenants(), partial: false, capabilities, eventFields: null, capabilitiesAt: 0 }) satisfies Tenants,
      ownTenants: tenants,
      state: () => ({ state: list.activity }),
      isOutdated: () => false,
      nameOf: (id: string) => id.toUpperCase(),
    },
    options: {
      api: noted,
      clock,
      service: 's',
      connection: 'c',
      log: (_level: string, text: string) => void log.push(text),
      order: () => (order += 1),
      pacer: { costs, pagePoints: () => 3_000 },
      dialect: { pageLimit: () => null },
      queues: { writtenBefore: async () => {} },
      publish: () => {},
      places: { onChange: (directory: unknown) => void shown.push(directory) },
      data: {
        placeLists: async () => lists.map((each) => ({ ...each, readAt: clock.now() - each.readAt })),
        places: async (input: Written) => {
          written.push(input)
          return { leftOut: list.left }
        },
      },
    },
  } as unknown as SyncContext
  const reading = createPlacesReading(context)
  leftovers.push(() => {
    stopping.abort(new FaultError('stopped'))
    return reading.stop()
  })
  const idle = async () => {
    reading.check()
    for (let turn = 0; turn < 40; turn += 1) await settle()
    return asked.splice(0)
  }
  return {
    clock,
    service,
    list,
    written,
    shown,
    log,
    lanes,
    faults: () => faults.state().map(({ where, fault }) => `${where}: ${fault.kind}`),
    request: reading.request,
    schema: (described: boolean) => void (capabilities = { ...capabilities, described }),
    idle,
    async after(ms: number) {
      await clock.advance(ms)
      for (let turn = 0; turn < 40; turn += 1) await settle()
      return asked.splice(0)
    },
  }
}

test('each tenant is read when the connection is idle, and again after an hour', async () => {
  const { idle, clock, written, shown, list } = open()
  list.activity = 'syncing'
  expect(await idle()).toEqual([])
  list.activity = 'idle'
  expect(await idle()).toEqual(['a', 'b'])
  expect(written.map(({ tenant, partial, requestOrder }) => [tenant, partial, requestOrder])).toEqual([
    ['a', false, 1],
    ['b', false, 2],
  ])
  expect(shown).toEqual([
    { state: 'read', readAt: clock.now(), accounts: 2, sites: 4, rooms: 6, points: expect.any(Number) },
  ])
  await clock.advance(59 * minute)
  expect(await idle()).toEqual([])
  await clock.advance(minute)
  expect(await idle()).toEqual(['a', 'b'])
})

test('what an earlier run has read is not read before it is an hour old', async () => {
  const read = { accounts: 1, sites: 2, rooms: 3 }
  const { idle, clock, shown } = open([
    { tenant: 'a', readAt: 50 * minute, ...read },
    { tenant: 'b', readAt: 10 * minute, ...read },
  ])
  expect(await idle()).toEqual([])
  await clock.advance(10 * minute)
  expect(await idle()).toEqual(['a'])
  expect(shown).toEqual([expect.objectContaining({ sites: 4, points: null })])
})

test('what the operator requests is read at once, for a person', async () => {
  const { idle, request, lanes } = open()
  await idle()
  lanes.splice(0)
  request(new Set(['b']))
  expect([await idle(), lanes]).toEqual([['b'], ['person']])
})

test('a tenant that fails is read again later, and the fault is shown when it lasts', async () => {
  const { idle, after, service, faults, written } = open()
  service.answer = ({ variables }, reply) => (variables['tenant_id0'] === 'a' ? new FaultError('timeout') : reply)
  expect(await idle()).toEqual(['a', 'b'])
  expect([faults(), written.map(({ tenant }) => tenant)]).toEqual([[], ['b']])
  expect(await after(5 * minute)).toEqual(['a'])
  expect(faults()).toEqual(['places of A: timeout'])
  expect(await after(5 * minute)).toEqual([])
  service.answer = null
  expect(await after(5 * minute)).toEqual(['a'])
  expect([faults(), written.at(-1)?.tenant]).toEqual([[], 'a'])
})

test('what the role forbids is no fault', async () => {
  const { idle, after, service, faults } = open()
  service.answer = ({ operation }, reply) => (operation.name === 'Places' ? new FaultError('forbidden') : reply)
  await idle()
  await after(60 * minute)
  await after(60 * minute)
  expect(faults()).toEqual([])
})

test('a list that is empty at once removes nothing until the next one is too', async () => {
  const { idle, after, service, written, request } = open()
  await idle()
  const { accounts } = service
  service.accounts = []
  request(new Set(['a']))
  await idle()
  expect(written.at(-1)).toMatchObject({ tenant: 'a', partial: true })
  expect(await after(5 * minute)).toEqual(['a'])
  expect(written.at(-1)).toMatchObject({ tenant: 'a', partial: false, places: { accounts: [], sites: [] } })
  service.accounts = accounts
})

test('places beyond what is kept are a fault', async () => {
  const { idle, list, faults } = open()
  list.left = 7
  await idle()
  expect(faults()).toEqual(['places of A: partial', 'places of B: partial'])
})

test('without a schema nothing is asked, and it is said once', async () => {
  const { idle, schema, shown, log } = open()
  schema(false)
  expect([await idle(), await idle(), shown, log]).toEqual([
    [],
    [],
    [{ state: 'no-schema' }],
    ['the service lists no accounts, sites and rooms: no schema'],
  ])
})
