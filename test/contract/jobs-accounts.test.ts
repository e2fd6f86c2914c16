import { afterEach, expect, test } from 'vitest'
import type { NewCredentialSet } from '../../src-service/access/credentials.ts'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
} from '../support/fleet.ts'
import { idOf, jobsOf, noteArrivals, untrueNames } from '../support/jobs-console.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const accountsOf = (world: Pick<Service['world'], 'tenants' | 'accounts'>) =>
  world.accounts(world.tenants()[0]?.id ?? '').map(({ id }) => id)

const two = { clientId: 'two', clientSecret: 'of two accounts', name: 'Two accounts' }
const rest = { clientId: 'rest', clientSecret: 'of the others', name: 'The others' }

/** Credential sets that see accounts of one tenant, and no whole tenant. */
const sets: NonNullable<ServiceOptions['credentials']> = (world): NewCredentialSet[] => [
  { ...two, accounts: accountsOf(world).slice(0, 2) },
  { ...rest, accounts: accountsOf(world).slice(2) },
]

async function opened(...connections: (typeof two)[]) {
  const reference = await service(leftovers, { devices: 1500, tenants: 2, seed: 3, life: false, credentials: sets })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  for (const { clientId, clientSecret, name } of connections)
    await muster.call('connections.save', connectionTo(reference, { clientId, clientSecret, name }))
  await until(async () => {
    for (const state of (await muster.call('app.state', {})).connections)
      expect([state.link.state, state.lastReadingAt === null, state.sync.state]).toEqual(['live', false, 'idle'])
  })
  const jobs = jobsOf(muster)
  await jobs.arm()
  const accounts = accountsOf(reference.world)
  expect(accounts.length).toBeGreaterThan(2)
  const seenBy = ({ clientId }: typeof two) => {
    const own = new Set(clientId === two.clientId ? accounts.slice(0, 2) : accounts.slice(2))
    return reference.world.devices().filter(({ site }) => site !== null && own.has(site.accountId))
  }
  return { ...jobs, muster, reference, accounts, seenBy, arrivals: noteArrivals(reference) }
}

const renameAll = { kind: 'rename', targets: { query: allByName }, pattern: 'Held {n:4}' } as const
const idsOf = (devices: readonly { id: string }[]) => devices.map(({ id }) => id).toSorted()

test('credentials of several accounts rename what they see, and nothing else of the tenant', async () => {
  const { start, whenState, rows, reference, seenBy } = await opened(two)
  const changed = new Set<string>()
  reference.world.onChange(({ id }) => void changed.add(id))
  const job = await start(renameAll)
  expect(await whenState(job, 'done')).toMatchObject({ counts: { done: seenBy(two).length } })
  expect(untrueNames(reference, await rows(job))).toEqual([])
  expect([...changed].toSorted()).toEqual(idsOf(seenBy(two)))
})

test('of two connections with different accounts, each renames the devices that it lists', async () => {
  const { start, whenState, rows, reference, seenBy, arrivals } = await opened(two, rest)
  const job = await start(renameAll)
  const total = seenBy(two).length + seenBy(rest).length
  expect(await whenState(job, 'done')).toMatchObject({ devices: total, counts: { done: total } })
  expect(untrueNames(reference, await rows(job))).toEqual([])
  expect(arrivals.repeated()).toEqual([])
  const sent = (clientId: string) =>
    reference
      .operations()
      .filter((each) => each.operationName === 'UpdateDevices' && each.clientId === clientId)
      .flatMap(({ variables }) => Object.entries(variables).flatMap(([name, id]) => (/^i\d/u.test(name) ? [id] : [])))
  for (const set of [two, rest]) expect(sent(set.clientId).toSorted()).toEqual(idsOf(seenBy(set)))
})

test('a place of an account that is not seen is no target, and one of another seen account is', async () => {
  const { start, whenState, rows, muster, reference, accounts, seenBy } = await opened(two)
  const { keys } = await muster.call('inventory.keys', { query: allByName, offset: 0, limit: 2000 })
  const device = seenBy(two).find(({ site }) => site?.accountId === accounts[0])
  const targets = { keys: keys.filter((each) => idOf(each) === device?.id) }
  const used = new Set(reference.world.devices().map(({ site }) => site?.id))
  const siteIn = (account: string | undefined) =>
    reference.world.sites(device?.tenantId ?? '').find(({ id, accountId }) => accountId === account && used.has(id))
      ?.id ?? ''
  const unseen = await muster.call('jobs.prepare', { kind: 'move', targets, site: siteIn(accounts[2]), room: null })
  expect(unseen.obstacles).toEqual([{ obstacle: 'no-place', devices: 1 }])
  const job = await start({ kind: 'move', targets, site: siteIn(accounts[1]), room: null })
  await whenState(job, 'done')
  expect((await rows(job)).map(({ outcome }) => outcome)).toEqual(['done'])
  expect(reference.world.device(device?.id ?? '')?.site?.id).toBe(siteIn(accounts[1]))
  await until(async () => {
    const row = (await muster.call('inventory.device', { key: targets.keys[0] ?? '' })).device?.row
    expect(row?.site?.id).toBe(siteIn(accounts[1]))
  })
})

test('a device that may not leave the seen accounts is refused, in the words of the service', async () => {
  const { start, whenState, rows, muster, reference } = await opened(two)
  const { keys } = await muster.call('inventory.keys', { query: allByName, offset: 0, limit: 1 })
  const before = reference.world.device(idOf(keys[0] ?? ''))?.site?.id
  const job = await start({ kind: 'move', targets: { keys }, site: null, room: null })
  await whenState(job, 'done')
  const [row] = await rows(job)
  expect([row?.outcome, row?.words]).toEqual(['refused', expect.stringContaining('would leave')])
  expect(reference.world.device(idOf(keys[0] ?? ''))?.site?.id).toBe(before)
})
