import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Kind, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Service } from '../../../src-service/service.ts'
import type { Device } from '../../../src-service/world/device.ts'
import { dig, digAll, open, plainClient, streamClient, until } from '../client.ts'

const frozen = readFileSync(new URL('queries-before-regions.graphql', import.meta.url), 'utf8')
const operations = parse(frozen).definitions.flatMap((node) =>
  node.kind === Kind.OPERATION_DEFINITION && node.name ? [{ name: node.name.value, kind: node.operation }] : [],
)

/** A fleet of several pages, with some devices offline, and the tenant that is asked for, kept in EU-1. */
async function ready(profile: 'full' | 'minimal') {
  const service = await open({ devices: 60, tenants: 3, profile })
  const tenant = service.world.tenants().find(({ region }) => region === 'EU-1')
  if (!tenant) throw new Error('no tenant in EU-1')
  for (const { id } of service.world.devices().slice(3, 6)) service.world.setConnected(id, false)
  const client = plainClient(service)
  const token = await client.token()
  const run = (operationName: string, variables: Record<string, unknown> = {}) =>
    client.ask(token, frozen, variables, { operationName })
  return { service, tenant, token, run }
}

const ids = (connection: unknown) => digAll(connection, 'edges').map((edge) => dig(edge, 'node', 'id'))
const including = (text: string, of: (device: Device) => string | undefined) => (device: Device) =>
  of(device)?.toLowerCase().includes(text.toLowerCase()) ?? false
const tenantsOf = ({ world }: Service) => world.tenants().map(({ id, name }) => ({ id, name }))
const firstTen = (devices: readonly Device[]) => devices.slice(0, 10)

type Ready = Awaited<ReturnType<typeof ready>>
type Check = { variables?: (ready: Ready) => Record<string, unknown>; expects: (data: unknown, ready: Ready) => void }

const model = 'Studio'
const count = (service: Service, test: (device: Device) => boolean) => service.world.devices().filter(test).length
const pageOf = (devices: readonly Device[]) => ({
  totalCount: devices.length,
  countOnPage: Math.min(10, devices.length),
  hasNextPage: devices.length > 10,
})

const shown = ({ id, name, hardwareModel, connected, lastConfigRequestDate, site, room }: Device) => ({
  id,
  name,
  hardwareModel,
  connected,
  lastConfigRequestDate: lastConfigRequestDate === null ? null : expect.any(String),
  lastDetected: connected === null ? null : expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  site: site && { id: site.id, name: site.name },
  room: room && { id: room.id, name: room.name },
})

const checks: Record<string, Check> = {
  ShowTenants: { expects: (data, { service }) => expect(data).toEqual({ tenants: tenantsOf(service) }) },
  OneTenant: {
    variables: ({ tenant }) => ({ tenantId: tenant.id }),
    expects: (data, { tenant: { id, name } }) => expect(data).toEqual({ tenant: { id, name } }),
  },
  AllInventory: {
    expects(data, { service }) {
      expect(digAll(data, 'deviceSearch', 'edges')).toEqual(
        firstTen(service.world.devices()).map((device) => ({ node: shown(device) })),
      )
      expect(dig(data, 'deviceSearch', 'pageInfo')).toEqual({
        ...pageOf(service.world.devices()),
        nextToken: expect.any(String),
      })
    },
  },
  FirstPageWithNull: {
    expects: (data, { service }) =>
      expect([ids(dig(data, 'deviceSearch')), dig(data, 'deviceSearch', 'pageInfo', 'hasNextPage')]).toEqual([
        firstTen(service.world.devices()).map(({ id }) => id),
        true,
      ]),
  },
  WithoutParams: {
    expects: (data, { service }) =>
      expect(digAll(data, 'deviceSearch', 'edges')).toEqual(
        firstTen(service.world.devices()).map(({ id, name }) => ({ node: { id, name } })),
      ),
  },
  WholeParams: {
    variables: () => ({ params: { filter: { field: 'hardwareModel', contains: model }, nextToken: null } }),
    expects: (data, { service }) =>
      expect(dig(data, 'deviceSearch', 'pageInfo', 'totalCount')).toBe(
        count(
          service,
          including(model, (device) => device.hardwareModel),
        ),
      ),
  },
  ByModel: {
    variables: () => ({ model }),
    expects(data, { service }) {
      const found = service.world.devices().filter(including(model, (device) => device.hardwareModel))
      expect(digAll(data, 'deviceSearch', 'edges')).toEqual(
        firstTen(found).map(({ hardwareModel }) => ({ node: { hardwareModel } })),
      )
      expect(dig(data, 'deviceSearch', 'pageInfo')).toEqual({ totalCount: found.length, hasNextPage: true })
    },
  },
  ByName: {
    variables: ({ service }) => ({ part: service.world.devices()[7]?.name.slice(1) }),
    expects: (data, { service }) =>
      expect(ids(dig(data, 'deviceSearch'))).toEqual(
        firstTen(
          service.world
            .devices()
            .filter(including(service.world.devices()[7]?.name.slice(1) ?? '', ({ name }) => name)),
        ).map(({ id }) => id),
      ),
  },
  Offline: {
    expects(data, { service }) {
      const found = service.world.devices().filter(({ connected }) => connected === false)
      expect(found.length).toBeGreaterThan(2)
      expect(digAll(data, 'deviceSearch', 'edges')).toEqual(
        found.map(({ id, lastDetected }) => ({ node: { id, connected: false, lastDetected } })),
      )
      expect(dig(data, 'deviceSearch', 'pageInfo')).toEqual({ totalCount: found.length, nextToken: null })
    },
  },
  InRoom: {
    variables: ({ service }) => ({ room: service.world.find(({ room }) => room !== null).room?.name }),
    expects: (data, { service }) =>
      expect(dig(data, 'deviceSearch', 'pageInfo', 'totalCount')).toBe(
        count(
          service,
          including(service.world.find(({ room }) => room !== null).room?.name ?? '', ({ room }) => room?.name),
        ),
      ),
  },
  TenantInventory: {
    variables: ({ tenant }) => ({ tenantId: tenant.id }),
    expects(data, { service, tenant }) {
      const devices = service.world.devices(tenant.id)
      expect(digAll(data, 'tenant', 'inventory', 'deviceSearch', 'edges')).toEqual(
        firstTen(devices).map(({ id, name, connected }) => ({ node: { id, name, connected } })),
      )
      expect(dig(data, 'tenant', 'inventory', 'deviceSearch', 'pageInfo')).toEqual({
        ...pageOf(devices),
        nextToken: expect.any(String),
      })
    },
  },
  InventoryOfAllTenants: {
    expects: (data, { service }) =>
      expect(data).toEqual({
        tenants: tenantsOf(service).map(({ id, name }) => ({
          id,
          name,
          inventory: { deviceSearch: { pageInfo: { totalCount: service.world.devices(id).length } } },
        })),
      }),
  },
  TenantByModel: {
    variables: ({ tenant }) => ({ tenantId: tenant.id, model }),
    expects(data, { service, tenant }) {
      const found = service.world.devices(tenant.id).filter(including(model, (device) => device.hardwareModel))
      expect(data).toEqual({
        tenant: {
          name: tenant.name,
          inventory: {
            deviceSearch: {
              edges: firstTen(found).map(({ hardwareModel, site }) => ({
                node: { hardwareModel, site: site && { name: site.name } },
              })),
              pageInfo: { totalCount: found.length },
            },
          },
        },
      })
    },
  },
  SeveralAtOnce: {
    variables: ({ tenant }) => ({ tenantId: tenant.id }),
    expects(data, { service, tenant }) {
      const total = (totalCount: number) => ({ pageInfo: { totalCount } })
      const phones = count(
        service,
        including('Edge', (device) => device.hardwareModel),
      )
      expect(phones).toBeGreaterThan(0)
      expect(data).toEqual({
        everything: total(60),
        phones: total(phones),
        tenants: tenantsOf(service).map(({ id }) => ({ __typename: 'Tenant', id })),
        mine: { inventory: { deviceSearch: total(service.world.devices(tenant.id).length) } },
      })
    },
  },
  OnlyTheCost: {
    expects: (data) =>
      expect(data).toEqual({
        calculateQueryCost: { queryCost: 5, costUsed: 5, costRemaining: 99_995, secondsToReset: expect.any(Number) },
      }),
  },
  CostBesideTheInventory: {
    // deviceSearch 1, edges 1, ten times (node 2, id 1); the cost itself 3.
    expects(data, { service }) {
      expect(dig(data, 'calculateQueryCost')).toEqual({ queryCost: 35, costRemaining: 100_000 - 35 })
      expect(digAll(data, 'deviceSearch', 'edges')).toEqual(
        firstTen(service.world.devices()).map(({ id }) => ({ node: { id } })),
      )
    },
  },
}

test('the file is the one that was frozen', () => {
  expect(createHash('sha256').update(frozen.replaceAll('\r\n', '\n')).digest('hex')).toBe(
    '43ee885ed661d48dc58ca876572bc298395ba809835f8ddca4901d823e30d342',
  )
})

test('every operation of the file is run', () => {
  const elsewhere = ['UnknownTenant', 'Live']
  expect(operations.map(({ name }) => name).toSorted()).toEqual([...Object.keys(checks), ...elsewhere].toSorted())
})

describe.each(['full', 'minimal'] as const)('%s', (profile) => {
  test.each(Object.entries(checks))('%s', async (name, { variables, expects }) => {
    const set = await ready(profile)
    const reply = await set.run(name, variables?.(set))
    expect([reply.status, reply.at('errors')]).toEqual([200, undefined])
    expects(reply.at('data'), set)
  })

  test('UnknownTenant: null with its error, the rest intact', async () => {
    const { service, run } = await ready(profile)
    const reply = await run('UnknownTenant')
    expect([reply.status, reply.at('data'), reply.at('errors', 0, 'path')]).toEqual([
      200,
      { tenant: null, tenants: tenantsOf(service).map(({ id }) => ({ id })) },
      ['tenant'],
    ])
  })

  test.each([
    ['AllInventory', ['data']],
    ['TenantInventory', ['data', 'tenant', 'inventory']],
  ])('%s page by page: every device once, until nextToken is null', async (name, place) => {
    const { service, tenant, run } = await ready(profile)
    const seen: unknown[] = []
    let nextToken: unknown = null
    do {
      const found = (await run(name, { tenantId: tenant.id, nextToken })).at(...place, 'deviceSearch')
      seen.push(...ids(found))
      nextToken = dig(found, 'pageInfo', 'nextToken')
      expect(dig(found, 'pageInfo', 'hasNextPage')).toBe(nextToken !== null)
    } while (nextToken !== null)
    expect(seen).toEqual(service.world.devices(place.length > 1 ? tenant.id : undefined).map(({ id }) => id))
  })

  test('Live: an event for each change, of devices in both regions', async () => {
    const { service, token } = await ready(profile)
    const devices = ['US-1', 'EU-1'].map((region) => {
      const tenants = service.world
        .tenants()
        .filter((tenant) => tenant.region === region)
        .map(({ id }) => id)
      return service.world.find(({ connected, tenantId }) => connected === true && tenants.includes(tenantId))
    })
    const seen: unknown[] = []
    const push = (result: unknown) => void seen.push(result)
    streamClient(service, token).subscribe(
      { query: frozen, operationName: 'Live', variables: { deviceIds: devices.map(({ id }) => id) } },
      { next: push, error: push, complete: () => undefined },
    )
    await until(() => service.subscribedIds().length === 2)
    for (const { id } of devices) service.world.setConnected(id, false)
    await until(() => seen.length >= 2)
    expect(seen).toEqual(
      devices.map(({ id, name, tenantId, site, room }) => ({
        data: {
          deviceStream: { id, name, connected: false, tenantId, siteId: site?.id ?? null, roomId: room?.id ?? null },
        },
      })),
    )
  })
})
