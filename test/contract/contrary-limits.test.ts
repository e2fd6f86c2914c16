import { afterEach, expect, test } from 'vitest'
import type { Service, ServiceOptions } from '../../src-service/service.ts'
import type { EventData } from '../../src-shared/contract/contract.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  acceleratedClock,
  openConsole,
  service,
  temporaryProfile,
  until,
  type Console,
} from '../support/fleet.ts'

type State = EventData<'connections'>[number]

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** Connections of one credential set, at a service that takes only so many ids. */
async function setup(
  contrary: NonNullable<ServiceOptions['contrary']>,
  {
    devices = 300,
    connections = ['Acme'],
    ...more
  }: Pick<ServiceOptions, 'devices' | 'tokenLifetimeSeconds'> & { connections?: string[] } = {},
) {
  const clock = acceleratedClock(10)
  const reference = await service(leftovers, {
    devices,
    tenants: 3,
    profile: 'contrary',
    life: false,
    now: clock.now,
    contrary,
    ...more,
  })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  for (const name of connections) await muster.call('connections.save', connectionTo(reference, { name }))
  return { reference, muster }
}

/** How many devices of a connection are live by its own word. */
const liveOf = ({ link }: State, devices: number) => (link.state === 'live' ? (link.partly?.live ?? devices) : 0)

/** So many are live by the word of the connections, and by the service's; two connections may be taken the same devices, each by itself. */
async function whenLive(reference: Service, muster: Console, most: number): Promise<State[]> {
  return until(async () => {
    const { connections } = await muster.call('app.state', {})
    const of = reference.world.devices().length
    const claimed = connections.map((each) => liveOf(each, of))
    expect([
      claimed.reduce((sum, each) => sum + each, 0),
      connections.every(({ sync, lastReadingAt }) => sync.state === 'idle' && lastReadingAt !== null),
    ]).toEqual([most, true])
    const watched = reference.subscribedIds().length
    expect([watched <= most, watched >= Math.max(...claimed)]).toEqual([true, true])
    return connections
  }, 60_000)
}

const statusOf = async (muster: Console, id: string) =>
  (await muster.call('inventory.rows', { query: { ...allByName, filter: `id:${id}` }, offset: 0, limit: 1 })).rows[0]
    ?.status

/** One that is live and one that is not: both are known when they drop. */
async function dropsAreSeen(reference: Service, muster: Console): Promise<void> {
  const live = new Set(reference.subscribedIds())
  const online = reference.world.devices().filter(({ connected }) => connected === true)
  const drops = [online.find(({ id }) => live.has(id)), online.find(({ id }) => !live.has(id))].flatMap(
    (device) => device?.id ?? [],
  )
  for (const id of drops) reference.world.setConnected(id, false)
  for (const id of drops)
    await until(async () => expect([id, await statusOf(muster, id)]).toEqual([id, 'disconnected']))
  const unknown = reference.world.devices().filter(({ connected }) => connected === null).length
  await until(async () =>
    expect((await muster.call('inventory.counts', { scope: 'all' })).counts?.unknown).toBe(unknown),
  )
}

const everLost = ({ log }: Console) => log.filter((line) => line.includes('live: live -> waiting'))

test.each(['number', 'none'] as const)(
  '300 ids in a subscription, message: %s; all 700 devices are live',
  async (streamRefusalWords) => {
    const { reference, muster } = await setup({ streamIdsPerSubscription: 300, streamRefusalWords }, { devices: 700 })
    await whenLive(reference, muster, 700)
    expect(everLost(muster)).toEqual([])
  },
)

test.each(['number', 'none'] as const)(
  '300 ids on a socket, message: %s; 300 of 700 devices are live',
  async (streamRefusalWords) => {
    const { reference, muster } = await setup({ streamIdsPerSocket: 300, streamRefusalWords }, { devices: 700 })
    const [state] = await whenLive(reference, muster, 300)
    expect(state?.link).toMatchObject({ partly: { live: 300, of: 700 } })
    await dropsAreSeen(reference, muster)
    expect(everLost(muster)).toEqual([])
  },
  90_000,
)

test.each(['number', 'none'] as const)(
  '120 ids in a credential set, message: %s; its two connections have 120 live devices',
  async (streamRefusalWords) => {
    const { reference, muster } = await setup(
      { streamIdsPerSet: 120, streamRefusalWords },
      { connections: ['Acme', 'Acme again'] },
    )
    await whenLive(reference, muster, 120)
    await dropsAreSeen(reference, muster)
    expect(everLost(muster)).toEqual([])
  },
  90_000,
)

test('a limit per socket holds for each socket of a token renewal, and no device is lost', async () => {
  const { reference, muster } = await setup(
    { streamIdsPerSocket: 120, streamRefusalWords: 'none' },
    { tokenLifetimeSeconds: 75 },
  )
  await whenLive(reference, muster, 120)
  await until(
    () => expect(muster.log.filter((line) => line.endsWith('the next token took over'))).not.toEqual([]),
    30_000,
  )
  await whenLive(reference, muster, 120)
  expect(everLost(muster)).toEqual([])
}, 90_000)

test("a limit per credential set delays the next token's socket until the first one ends", async () => {
  const { reference, muster } = await setup(
    { streamIdsPerSet: 120, streamRefusalWords: 'none' },
    { tokenLifetimeSeconds: 75 },
  )
  await whenLive(reference, muster, 120)
  await until(() => expect(everLost(muster)).not.toEqual([]), 30_000)
  expect(everLost(muster)[0]).toContain('4403')
  await whenLive(reference, muster, 120)
}, 90_000)
