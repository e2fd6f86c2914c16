import { afterEach, beforeEach, expect, test } from 'vitest'
import { group, pathOf } from '../../../src-main/incidents/grouping/group.ts'
import { idsOf } from '../../../src-main/incidents/engine/draft.ts'
import { alertRulesOf } from '../../../src-main/incidents/engine/rules.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { deviceKey, regionNode, tenantKey } from '../../../src-main/inventory/keys.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { defaultSettings } from '../../../src-shared/model/settings.ts'
import { connection, fact, pageOf, tempProfile } from '../inventory/profile.ts'

const [one, other] = ['one.test/graphql', 'other.test/graphql'] as const
const rules = alertRulesOf(defaultSettings(false), {
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
})
const rooms = ['a', 'b', 'c', 'd']
let temp: ReturnType<typeof tempProfile>
let calls: Calls

/** Two services, each with two tenants in a region that both call EU-1. */
beforeEach(() => {
  temp = tempProfile()
  calls = callsOn(openStore(temp.profile, 1, 0))
  for (const service of [one, other]) {
    calls.tenants({
      service,
      connection,
      tenants: ['acme', 'beta'].map((id) => ({ id, name: id, region: 'EU-1' })),
      at: 0,
    })
    for (const tenant of ['acme', 'beta'])
      calls.page({ ...pageOf(rooms.map((id) => fact(`${id}-${tenant}`, { connected: false }))), service, tenant })
  }
})
afterEach(() => {
  calls.close(undefined)
  temp.remove()
})

/** The devices down in these tenants, grouped: the places, and how many devices each explains. */
function folded(...down: readonly (readonly [service: string, tenant: string])[]): string[] {
  const keys = down.flatMap(([service, tenant]) =>
    rooms.map((id) => deviceKey(tenantKey(service, tenant), `${id}-${tenant}`)),
  )
  const found = calls.locations({ keys, paused: [] })
  const members = found.devices.map(({ key, name, node }) => ({
    key,
    name,
    at: 1,
    notBefore: null,
    path: pathOf(found, node),
  }))
  return group(members, new Map(), () => rules.defaults).groups.map(
    ({ node, members: held }) => `${node.kind} ${node.name}: ${held.length}`,
  )
}

test('a region belongs to one service: tenants of two services are no region', () => {
  expect(folded([one, 'acme'], [other, 'acme'])).toEqual(['room Room 1: 4', 'room Room 1: 4'])
})

test('an outage of a region leaves a region of the same name of another service alone', () => {
  expect(folded([one, 'acme'], [one, 'beta'], [other, 'acme'])).toEqual(['region EU-1 (one.test): 8', 'room Room 1: 4'])
})

test('the tree has a region for each service, and each counts its own devices', () => {
  const { rows } = calls.tree({ expanded: [], offset: 0, limit: 9, reveal: null })
  expect(rows.map(({ id, name, counts: { disconnected, unknown } }) => [id, name, disconnected + unknown])).toEqual([
    [regionNode(one, 'EU-1'), 'EU-1 (one.test)', 8],
    [regionNode(other, 'EU-1'), 'EU-1 (other.test)', 8],
  ])
})

test('a policy of a region of all services holds in each of them', () => {
  expect(idsOf([{ id: 't:x/acme' }, { id: regionNode(one, 'EU-1') }])).toEqual([
    't:x/acme',
    'r:one.test%2Fgraphql/EU-1',
    'r:EU-1',
  ])
})

test('a saved view of a region opens where one service has it, and nowhere where two do', () => {
  expect(calls.counts({ scope: 'r:EU-1' }).counts).toBeNull()
  calls.forget({ connection, except: one })
  expect(calls.counts({ scope: 'r:EU-1' }).counts).toEqual(calls.counts({ scope: regionNode(one, 'EU-1') }).counts)
})
