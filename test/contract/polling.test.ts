import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import {
  allByName,
  connectionTo,
  createLeftovers,
  acceleratedClock,
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

const never = 1_000_000

type Contrary = NonNullable<ServiceOptions['contrary']>

/** Reasons for a missing live connection while queries work, and the fault of each. */
const ways: [why: string, contrary: Contrary, kind: string][] = [
  ['its upgrade is answered with 404', { upgradeRefusals: never, upgradeRefusalStatus: 404 }, 'not-found'],
  ['its upgrade is answered with 503', { upgradeRefusals: never, upgradeRefusalStatus: 503 }, 'http'],
  ['it speaks another protocol', { socketOpens: 'other-protocol' }, 'protocol'],
  ['it is taken and never read', { socketOpens: 'deaf' }, 'timeout'],
  ['it is closed with 1013 at its beginning', { initRefusals: never, initRefusalCode: 1013 }, 'socket'],
]

async function setup(contrary: Contrary) {
  const clock = acceleratedClock(20)
  const reference = await service(leftovers, { devices: 40, tenants: 2, profile: 'contrary', life: false, contrary })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
  await muster.call('connections.save', connectionTo(reference))
  return { clock, reference, muster }
}

const rowOf = async (muster: Console, id: string) =>
  (await muster.call('inventory.rows', { query: { ...allByName, filter: `id:${id}` }, offset: 0, limit: 1 })).rows[0]
const unknownIn = async (muster: Console) => (await muster.call('inventory.counts', { scope: 'all' })).counts?.unknown

const readingsOnly = (muster: Console) =>
  whenConnection(
    muster,
    ({ link }) => link.state === 'polling' && link.failing !== undefined && link.readAt !== undefined,
  )

test.each(ways)(
  'polling replaces the live connection while %s',
  async (_why, contrary, kind) => {
    const { clock, reference, muster } = await setup({})
    await whenRead(muster)
    await whenConnection(muster, ({ link }) => link.state === 'live')
    reference.contrary.change(contrary)
    reference.misfortune.dropSockets(1006)
    const state = await readingsOnly(muster)
    expect([state.link, state.faults.map(({ where, fault }) => [where, fault.kind])]).toMatchObject([
      { failing: { kind } },
      [['the live connection', kind]],
    ])
    expect(state.checks.filter((check) => check.state === 'doubt')).toEqual([])
    await until(async () => expect(await unknownIn(muster)).toBe(0))
    const [online] = reference.world.devices().filter(({ connected }) => connected === true)
    const before = clock.now()
    reference.world.setConnected(online?.id ?? '', false)
    await until(async () => expect(await rowOf(muster, online?.id ?? '')).toMatchObject({ status: 'disconnected' }))
    const { device } = await muster.call('inventory.device', {
      key: (await rowOf(muster, online?.id ?? ''))?.key ?? '',
    })
    const [missed] = device?.transitions ?? []
    expect(missed?.notBefore ?? 0).toBeLessThanOrEqual(before)
    expect(before - (missed?.notBefore ?? 0)).toBeLessThan(120_000)
    // What readings find down makes an incident as anything else.
    await until(async () =>
      expect(
        (await muster.call('incidents.list', { state: 'open', text: '', offset: 0, limit: 10 })).rows,
      ).toHaveLength(1),
    )
    reference.contrary.change({ upgradeRefusals: 0, initRefusals: 0, socketOpens: 'usual' })
    const live = await whenConnection(muster, ({ link }) => link.state === 'live')
    // A fast clock leaves the service's behind while the machine stalls.
    expect(live.faults.filter(({ fault }) => fault.kind !== 'clock')).toEqual([])
    await until(() => expect(reference.subscribedIds()).toHaveLength(40))
  },
  60_000,
)

test('a socket that closes again and again is replaced by polling, and no device flickers', async () => {
  const { reference, muster } = await setup({})
  await whenRead(muster)
  reference.contrary.change({ socketEndEveryMs: 400, socketEndCode: 4500 })
  const state = await readingsOnly(muster)
  expect(state.link).toMatchObject({ failing: { kind: 'socket' } })
  await until(async () => expect(await unknownIn(muster)).toBe(0))
  const before = reference.operations().length
  const from = muster.patches.length
  const [online] = reference.world.devices().filter(({ connected }) => connected === true)
  reference.world.setConnected(online?.id ?? '', false)
  await until(async () => expect(await rowOf(muster, online?.id ?? '')).toMatchObject({ status: 'disconnected' }))
  const sockets = reference.openSockets
  await until(() => expect(sockets()).toBe(1))
  await until(() => expect(sockets()).toBe(0))
  await until(() => expect(sockets()).toBe(1))
  await until(() => expect(sockets()).toBe(0))
  expect(muster.patches.slice(from).filter(({ totals }) => totals.unknown > 0)).toEqual([])
  // Not one comparison for each socket that stood for a moment, and none without a pause.
  expect(reference.operations().length - before).toBeLessThan(20)
}, 60_000)

test('a manual sync shows the devices again before polling starts', async () => {
  const { clock, reference, muster } = await setup({})
  await whenRead(muster)
  reference.contrary.change({ upgradeRefusals: never, upgradeRefusalStatus: 404 })
  reference.misfortune.dropSockets(1006)
  await whenConnection(muster, ({ link }) => link.state !== 'live')
  const lostAt = clock.now()
  await until(async () => expect(await unknownIn(muster)).toBe(40))
  await muster.call('sync.start', { scope: 'all' })
  await until(async () => expect(await unknownIn(muster)).toBe(0))
  expect(clock.now() - lostAt).toBeLessThan(60_000)
})
