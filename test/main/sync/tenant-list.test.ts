import { afterEach, expect, test } from 'vitest'
import { createDialect } from '../../../src-main/api/dialect.ts'
import { callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { tenantKey } from '../../../src-main/inventory/keys.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { createDoubts } from '../../../src-main/sync/health/doubts.ts'
import { readTenantList, type ListTools, type Tenants } from '../../../src-main/sync/tenants/tenant-list.ts'
import { maxTenants } from '../../../src-shared/model/bounds.ts'
import { manualClock } from '../../support/clock.ts'
import { createLeftovers, temporaryProfile } from '../../support/fleet.ts'
import { service } from '../inventory/profile.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const described: Tenants['capabilities'] = {
  described: true,
  pageSize: true,
  sort: false,
  deviceById: null,
  credential: null,
  eventType: null,
  peopleCount: null,
  deviceFields: [],
  searchError: null,
  queryFields: [],
  columns: [],
  fingerprint: [],
}
const idsFrom = (first: number, many: number) => Array.from({ length: many }, (_, at) => `t${first + at}`)

/** A connection whose service names these tenants, on a real store. `fails`: in part, so that nothing is taken for gone. */
function opened() {
  const calls = callsOn(openStore(temporaryProfile(leftovers), 1, 0))
  leftovers.push(() => calls.close(undefined))
  const clock = manualClock()
  let before: Tenants | null = null
  const tools = (names: readonly string[], fails: boolean): ListTools => ({
    clock,
    service,
    lane: 'visible',
    dialect: createDialect(),
    signal: new AbortController().signal,
    doubts: createDoubts(clock),
    publish: () => {},
    api: {
      run: async () => ({
        data: { tenants: names.map((id) => ({ id, name: `Tenant ${id}`, region: null })) },
        errors: fails ? [{ code: 'INTERNAL', message: 'the rest cannot be described', path: null }] : [],
      }),
    },
    data: {
      tenants: async (input) => calls.tenants(input),
      locations: async (input) => calls.locations(input),
      withdrawn: async (input) => calls.withdrawn(input),
      saveWithdrawn: async (input) => calls.saveWithdrawn(input),
    },
  })
  return {
    calls,
    async list(connection: string, names: readonly string[], fails = false) {
      before = await readTenantList(
        tools(names, fails),
        connection,
        before ?? {
          list: [],
          partial: false,
          capabilities: described,
          eventFields: null,
          capabilitiesAt: clock.monotonic(),
        },
      )
      return before.list.map(({ id }) => id)
    },
    known: (connection: string) =>
      calls
        .locations({ keys: [], paused: [] })
        .tenants.flatMap(({ key, connections }) => (connections.includes(connection) ? key : [])),
  }
}

test('above the limit of tenants the known ones and those named last are read', { timeout: 60_000 }, async () => {
  const { list, known } = opened()
  await list('c1', idsFrom(0, 15_000))
  const now = await list('c1', idsFrom(15_000, 15_000), true)
  expect(now).toHaveLength(maxTenants)
  expect(now.map((id) => tenantKey(service, id)).toSorted()).toEqual(known('c1').toSorted())
  const listed = new Set(now)
  expect(idsFrom(15_000, 15_000).filter((id) => !listed.has(id))).toEqual([])
})

test('the list of another connection keeps no tenant in the list of this one', { timeout: 60_000 }, async () => {
  const { calls, list } = opened()
  await list('c1', idsFrom(0, 15_000))
  calls.tenants({
    service,
    connection: 'c2',
    tenants: idsFrom(0, 15_000).map((id) => ({ id, name: id, region: null })),
    at: 0,
  })
  expect(await list('c1', idsFrom(15_000, 15_000), true)).toHaveLength(maxTenants)
})

test('a list that failed in part removes no tenant below the limit', async () => {
  const { list } = opened()
  await list('c1', idsFrom(0, 3))
  expect(await list('c1', idsFrom(2, 2), true)).toEqual(['t2', 't3', 't0', 't1'])
})
