import { describe, expect, test } from 'vitest'
import { openPolicies, runId } from '../../../src-main/policies/policies.ts'
import type { StoredPolicy } from '../../../src-main/storage/journal/incidents.ts'
import type { MaintenanceWindow } from '../../../src-shared/maintenance/maintenance.ts'
import { manualClock } from '../../support/clock.ts'

const hour = 3_600_000
const berlin = 's:test/acme/berlin'
const path = ['m:test/acme/berlin/a', berlin, 't:test/acme', 'r:test/EU-1']

/** Policies in a journal that is a map. */
async function openTestPolicies() {
  const clock = manualClock()
  const stored = new Map<string, StoredPolicy>()
  const actions: unknown[] = []
  const accounts = new Map<string, string | null>()
  const requests = { count: 0 }
  const failing = { now: false }
  const data = {
    policies: async () => [...stored.values()],
    async policyPlaces({ nodes }: { nodes: string[] }) {
      requests.count += 1
      if (failing.now) throw new Error('the thread died')
      return nodes.flatMap((node) => {
        const account = accounts.get(node)
        return account === undefined ? [] : [{ node, account }]
      })
    },
    async savePolicies({ policies, action }: { policies: StoredPolicy[]; action: { before: unknown } }) {
      for (const policy of policies) {
        if (policy.value === null) stored.delete(`${policy.kind} ${policy.id}`)
        else stored.set(`${policy.kind} ${policy.id}`, policy)
      }
      actions.push(action.before)
      return { action: actions.length }
    },
  }
  const changes = { count: 0 }
  const policies = await openPolicies({ data, clock, onChange: () => void (changes.count += 1) })
  const now = clock.now()
  const save = (id: string, node: string, from: number, until: number) => {
    const window: MaintenanceWindow = {
      id,
      name: id,
      node,
      nodeName: node,
      when: { kind: 'once', from: now + from, until: now + until },
      zone: null,
      createdAt: now - hour,
      until: null,
    }
    return policies.saveMaintenance(window)
  }
  return { policies, save, now, clock, stored, actions, changes, accounts, requests, failing }
}

describe('of several maintenance windows', () => {
  test('over a device the one that ends last suppresses, whichever was made first', async () => {
    for (const order of [
      ['short', 'long'],
      ['long', 'short'],
    ]) {
      const { policies, save, now } = await openTestPolicies()
      for (const id of order)
        await save(id, id === 'long' ? berlin : 't:test/acme', -hour, id === 'long' ? 2 * hour : hour)
      expect(policies.state().maintenanceAt(path, now)).toEqual({
        id: runId('long', now - hour, berlin),
        name: 'long',
        node: berlin,
        until: now + 2 * hour,
      })
      expect(policies.state().maintenanceAt(['s:test/acme/rome', 't:test/acme'], now)?.name).toBe('short')
      expect(policies.state().maintenanceAt(path, now + 1.5 * hour)?.name).toBe('long')
      expect(policies.state().maintenanceAt(path, now + 2 * hour)).toBeNull()
    }
  })

  test('that ended meanwhile the one that ended last counts', async () => {
    for (const order of [
      ['first', 'last'],
      ['last', 'first'],
    ]) {
      const { policies, save, now } = await openTestPolicies()
      for (const id of order) await save(id, berlin, hour, id === 'last' ? 3 * hour : 2 * hour)
      const over = (from: number, until: number, at: number) =>
        policies.state().endedMaintenance(path, { from: now + from, until: now + until }, now + at)?.name
      expect(over(0, 4 * hour, 5 * hour)).toBe('last')
      expect(over(0, 4 * hour, 2.5 * hour)).toBe('first')
      expect(over(0, hour, 5 * hour)).toBeUndefined()
      expect(over(3 * hour, 4 * hour, 5 * hour)).toBeUndefined()
    }
  })
})

test('maintenance of everything covers every device, and that of another place none here', async () => {
  const { policies, save, now } = await openTestPolicies()
  await save('all', 'all', 0, hour)
  expect(policies.state().maintenanceAt([], now)?.name).toBe('all')
  await policies.removeMaintenance('all')
  await save('rome', 's:test/acme/rome', 0, hour)
  expect(policies.state().maintenanceAt(path, now)).toBeNull()
})

test('an occurrence of maintenance ends by time, removal, a move, or the next one', async () => {
  const { policies, save, now } = await openTestPolicies()
  await save('w', berlin, 0, hour)
  const id = policies.state().maintenanceAt(path, now)?.id ?? ''
  expect(policies.state().maintenanceUntil(id, now)).toBe(now + hour)
  expect(policies.state().maintenanceUntil(id, now + hour)).toBeNull()
  expect(policies.state().maintenanceUntil('what no window is', now)).toBeNull()
  await save('w', 's:test/acme/rome', 0, hour)
  expect(policies.state().maintenanceUntil(id, now)).toBeNull()
  await save('w', berlin, -1, hour)
  expect(policies.state().maintenanceUntil(id, now)).toBeNull()
  await save('w', berlin, 0, 2 * hour)
  expect(policies.state().maintenanceUntil(id, now)).toBe(now + 2 * hour)
  await policies.removeMaintenance('w')
  expect(policies.state().maintenanceUntil(id, now)).toBeNull()
})

test('each change is an action with the state before it, and undo restores that', async () => {
  const { policies, save, now, actions, changes, stored } = await openTestPolicies()
  await save('w', berlin, 0, hour)
  await policies.setThresholds(berlin, 'Berlin', { holdOffSeconds: 10 })
  await policies.setZone(berlin, 'Berlin', 'Asia/Tokyo')
  expect(actions).toMatchObject([
    [{ kind: 'maintenance', id: 'w', value: null }],
    [{ kind: 'thresholds', id: berlin, value: null }],
    [{ kind: 'zone', id: berlin, value: null }],
  ])
  expect(changes.count).toBe(3)
  expect(policies.policies()).toMatchObject({
    windows: [{ zone: 'Asia/Tokyo', inheritedFrom: berlin }],
    zones: [{ node: berlin, zone: 'Asia/Tokyo' }],
    thresholds: [{ node: berlin, thresholds: { holdOffSeconds: 10 } }],
  })
  expect(policies.state().nodes.get(berlin)).toEqual({ holdOffSeconds: 10 })
  for (const before of actions.toReversed()) await policies.restore(before)
  expect(stored.size).toBe(0)
  expect(policies.state().maintenanceAt(path, now)).toBeNull()
  await expect(policies.setZone(berlin, 'Berlin', 'Nowhere/None')).rejects.toThrow('This time zone is not known here.')
  // What cannot be read puts nothing back.
  await policies.restore('nonsense')
  expect(stored.size).toBe(0)
})

test('policies that the journal lost are gone, and that is reported', async () => {
  const { policies, save, now, stored, changes } = await openTestPolicies()
  await save('w', berlin, 0, hour)
  stored.clear()
  await policies.reload()
  expect(policies.state().maintenanceAt(path, now)).toBeNull()
  expect(changes.count).toBe(2)
})

test('there are a thousand maintenance windows at most, and an existing one may change', async () => {
  const { policies, save } = await openTestPolicies()
  for (let n = 0; n < 1_000; n += 1) await save(`w${n}`, berlin, 0, hour)
  await expect(save('more', berlin, 0, hour)).rejects.toThrow('There are 1000 maintenance windows already.')
  await save('w5', berlin, 0, 2 * hour)
  expect(policies.policies().windows).toHaveLength(1_000)
})

const north = 'a:test/acme/n'

describe('the account of a site', () => {
  test('gives its zone to a maintenance window on the site, before the tenant', async () => {
    const { policies, save, accounts } = await openTestPolicies()
    accounts.set(berlin, north)
    await policies.setZone('t:test/acme', 'Acme', 'Asia/Tokyo')
    await policies.setZone(north, 'North', 'Europe/Berlin')
    await save('w', berlin, 0, hour)
    expect(policies.policies().windows).toMatchObject([{ zone: 'Europe/Berlin', inheritedFrom: north }])
  })

  test('moves the windows of its sites when its zone changes, and they keep their time of day', async () => {
    const { policies, save, now, accounts } = await openTestPolicies()
    accounts.set(berlin, north)
    await policies.setZone(north, 'North', 'UTC')
    await save('w', berlin, hour, 2 * hour)
    await policies.setZone(north, 'North', 'Asia/Kolkata')
    const [moved] = policies.policies().windows
    expect(moved?.window.when).toEqual({ kind: 'once', from: now - 4.5 * hour, until: now - 3.5 * hour })
  })

  test('that is no longer known leaves the zone to the tenant, until it is back', async () => {
    const { policies, save, accounts, changes } = await openTestPolicies()
    accounts.set(berlin, north)
    accounts.set(north, null)
    await policies.setZone(north, 'North', 'Europe/Berlin')
    await policies.setZone('t:test/acme', 'Acme', 'Asia/Tokyo')
    await save('w', berlin, 0, hour)
    const before = changes.count
    await policies.placesChanged()
    expect(changes.count).toBe(before)
    accounts.set(berlin, null)
    accounts.delete(north)
    await policies.placesChanged()
    expect(changes.count).toBe(before + 1)
    expect(policies.policies()).toMatchObject({
      windows: [{ zone: 'Asia/Tokyo' }],
      zones: [{ node: north }, { node: 't:test/acme' }],
      places: [{ node: berlin, account: null }],
    })
    accounts.set(berlin, north)
    await policies.placesChanged()
    expect(policies.policies().windows).toMatchObject([{ zone: 'Europe/Berlin' }])
  })
})

test('a reading of the places that fails changes nothing', async () => {
  const { policies, save, accounts, failing } = await openTestPolicies()
  accounts.set(berlin, north)
  await save('w', berlin, 0, hour)
  failing.now = true
  await policies.placesChanged()
  expect(policies.policies().places).toEqual([{ node: berlin, account: north }])
})

test('changes of places that come during a reading share the next one', async () => {
  const { policies, save, accounts, requests } = await openTestPolicies()
  await save('w', berlin, 0, hour)
  const before = requests.count
  const all = [policies.placesChanged(), policies.placesChanged(), policies.placesChanged()]
  accounts.set(berlin, north)
  await Promise.all(all)
  expect(requests.count).toBe(before + 2)
  expect(policies.policies().places).toEqual([{ node: berlin, account: north }])
})
