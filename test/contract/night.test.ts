import { bodyOf, titleOf } from '../support/messages.ts'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallOutput, EventData } from '../../src-shared/contract/contract.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { createLeftovers, openConsole, temporaryProfile, until, type Console } from '../support/fleet.ts'
import { csvOf, startNight, type Night } from '../support/night.ts'

/**
 * One night from beginning to end: forty connections and 30,000 devices, with the specification's points in windows of
 * ten seconds instead of sixty. The tests follow on each other.
 */
const leftovers = createLeftovers()
const devices = 30_000
/** About 12 s on two idle cores; with eight others at work on them it is five times that. */
const patience = 90_000
let night: Night
let profile: string
let muster: Console
const tells: EventData<'notification'>[] = []

beforeAll(async () => {
  night = await startNight(leftovers, { devices, windowMs: 10_000 })
  profile = temporaryProfile(leftovers)
  muster = await openConsole(leftovers, profile)
  muster.core.on('notification', (told) => void tells.push(told))
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
}, 100_000)
afterAll(() => leftovers.clean())

type State = CallOutput<'app.state'>['connections'][number]
const states = async () => (await muster.call('app.state', {})).connections
const idOf = async (name: string) => (await states()).find((state) => state.name === name)?.id ?? ''
const countsOf = async (scope = 'all') => (await muster.call('inventory.counts', { scope })).counts
const whole = ({ link, lastReadingAt, sync }: State) =>
  link.state === 'live' && lastReadingAt !== null && sync.state === 'idle'
const linesOf = (unwell: readonly State[]) =>
  unwell.map(({ name, link, sync, faults }) =>
    [name, link.state, sync.state, ...faults.map(({ where, fault }) => `${where}: ${fault.kind} ${fault.detail}`)].join(
      ', ',
    ),
  )
const noRefusals = { tooExpensive: 0, exhausted: 0 }

/** Only the three that cannot work are not live, read and at rest. */
const untilWhole = () =>
  until(async () => {
    const unwell = (await states()).filter((state) => !whole(state))
    expect(
      unwell.map(({ name }) => name),
      linesOf(unwell).join('; '),
    ).toEqual(night.troubled)
  }, 100_000)

/** The counts of the world for its readers; `without` leaves tenants of the main service out. */
async function countsOfWorld(without: readonly number[] = []) {
  const main = night.main()
  const tenants = (await main.ask('world', 'tenants')).filter(
    (_, place) => place !== night.unseen && !without.includes(place),
  )
  const seen = (
    await Promise.all([
      ...tenants.map(({ id }) => main.ask('world', 'devices', id)),
      night.minimal.ask('world', 'devices'),
    ])
  ).flat()
  const count = (connected: boolean | null) => seen.filter((device) => device.connected === connected).length
  return { connected: count(true), disconnected: count(false), unknown: count(null) }
}

const untilTrue = () => until(async () => expect(await countsOf()).toEqual(await countsOfWorld()), patience)

test('of forty imported connections 37 are live, and the other three report their fault', async () => {
  const { lines, stored } = await muster.call('connections.import', { text: csvOf(night.connections), apply: true })
  expect([lines.filter(({ what }) => what === 'add').length, stored]).toEqual([40, 40])
  await untilWhole()
  const unwell = (await states()).filter((state) => !whole(state))
  expect(Object.fromEntries(unwell.map(({ name, faults }) => [name, faults.map(({ fault }) => fault.kind)]))).toEqual({
    'Wrong secret': ['credentials'],
    Untrusted: ['tls'],
    'Dead host': ['connect'],
  })
  for (const { faults } of unwell) for (const { fault } of faults) expect(explain(fault).advice).not.toBe('')
  expect((await states()).filter(whole).flatMap(({ faults }) => faults)).toEqual([])
}, 100_000)

test('each device is there once, and no healthy one is unknown', async () => {
  expect(await countsOf()).toEqual(await countsOfWorld())
})

test('a tenant that two connections see is read once, and the device names both', async () => {
  const main = night.main()
  const tenant = (await main.ask('world', 'tenants'))[night.shared]?.id ?? ''
  const pages = (await main.ask('service', 'operations')).filter(
    ({ operationName, variables }) => operationName === 'Devices' && variables['tenant'] === tenant,
  )
  expect(new Set(pages.map(({ clientId }) => clientId)).size).toBe(1)
  const [device] = await main.ask('world', 'devices', tenant)
  const { rows } = await muster.call('inventory.rows', {
    query: { scope: 'all', filter: `id:${device?.id}`, sort: [] },
    offset: 0,
    limit: 5,
  })
  expect(rows).toHaveLength(1)
  const detail = await muster.call('inventory.device', { key: rows[0]?.key ?? '' })
  expect(detail.device?.connections.toSorted()).toEqual((await Promise.all(night.overlapping.map(idOf))).toSorted())
})

test('no operation was rejected for points, in the first sync and after it', async () => {
  expect([await night.main().ask('service', 'rejections'), await night.minimal.ask('service', 'rejections')]).toEqual([
    noRefusals,
    noRefusals,
  ])
})

test('a site that drops is notified once, as a whole, and opens to its devices', async () => {
  const main = night.main()
  const [tenant] = (await main.ask('world', 'tenants')).slice(5)
  const [site] = await main.ask('world', 'sites', tenant?.id ?? '')
  const dropped = await main.ask('world', 'connectedAt', site?.id ?? '')
  expect(dropped.length).toBeGreaterThan(10)
  // All at once: one after the other would take longer than the grouping on a busy machine.
  await Promise.all(dropped.map((id) => main.ask('world', 'setConnected', id, false)))
  await until(() => expect(tells.map(({ kind }) => kind)).toEqual(['offline']))
  expect(tells[0]?.devices).toBe(dropped.length)
  expect(titleOf(tells[0])).toContain(String(dropped.length))
  expect(`${titleOf(tells[0])} ${bodyOf(tells[0])}`).toContain(site?.name)
  const open = tells[0]?.open
  const { total } = await muster.call('inventory.rows', {
    query: { scope: open?.scope ?? '', filter: open?.filter ?? '', sort: [] },
    offset: 0,
    limit: 1,
  })
  expect(total).toBeGreaterThanOrEqual(dropped.length)
  for (const id of dropped) await main.ask('world', 'setConnected', id, true)
  await untilTrue()
  // A recovery has a hold-off of its own, so nothing may be told of it yet; and nothing more of the drop.
  expect(tells.filter(({ kind }) => kind !== 'recovered')).toHaveLength(1)
}, 100_000)

test('a killed service makes only its own devices unknown, and they come back with it', async () => {
  const minimal = (await night.minimal.ask('world', 'devices')).length
  const before = tells.filter(({ kind }) => kind === 'offline').length
  await night.killAndReturn(() =>
    until(async () => {
      const counts = await countsOf()
      expect(counts === null ? 0 : counts.connected + counts.disconnected).toBeLessThanOrEqual(minimal)
    }),
  )
  await untilWhole()
  await untilTrue()
  expect(await night.main().ask('service', 'rejections')).toEqual(noRefusals)
  expect(tells.filter(({ kind }) => kind === 'offline')).toHaveLength(before)
}, 100_000)

test('removing one connection erases only that one', async () => {
  const removed = await idOf('Customer 03')
  const others = (await states()).filter(({ id }) => id !== removed)
  await muster.call('connections.remove', { id: removed })
  expect(await countsOf()).toEqual(await countsOfWorld([2]))
  expect(await muster.secrets.get(removed)).toBeNull()
  // Those with faults wait and try again by turns.
  const live = (all: typeof others) => all.map(({ id, link }) => [id, link.state === 'live'])
  expect(live(await states())).toEqual(live(others))
})

test('no secret or token is in a file of the profile, the log or anything the window gets', async () => {
  const secrets = night.connections.map(({ clientSecret }) => clientSecret)
  const told = JSON.stringify([
    await muster.call('app.state', {}),
    await muster.call('connections.export', {}),
    await Promise.all((await states()).map(({ id }) => muster.call('connections.show', { id }))),
    muster.log,
    muster.patches.slice(-50),
    tells,
  ])
  const files = readdirSync(profile, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  expect(files.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['settings.json', 'cache.db', 'journal.db']),
  )
  for (const [where, text] of [['told', told], ...files.map((file) => [file, readFileSync(file, 'latin1')])]) {
    expect(
      secrets.filter((secret) => text?.includes(secret)),
      where,
    ).toEqual([])
    // What every access token of the service begins with: {"alg":"ES256".
    expect(text?.includes('eyJhbGciOiJFUzI1NiI'), where).toBe(false)
  }
})
