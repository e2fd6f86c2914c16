import { afterEach, expect, test } from 'vitest'
import type { ServiceOptions } from '../../src-service/service.ts'
import {
  acceleratedClock,
  allByName,
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenConnection,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

/** As many times as fast: faster, and the heartbeats of a busy machine come too late. */
const factor = 15

/** A tenant that was read and compared after its subscription; its total is compared every twelve seconds. */
async function setup(options: ServiceOptions) {
  const clock = acceleratedClock(factor)
  const reference = await service(leftovers, { devices: 40, tenants: 1, life: false, ...options })
  const operations = (name: string) => reference.operations().filter(({ operationName }) => operationName === name)
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { clock })
  await muster.call('settings.change', { holdOffSeconds: 1, recoverySeconds: 1 })
  await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  await whenConnection(muster, ({ sync, link }) => sync.state === 'idle' && link.state !== 'connecting')
  await until(() => expect(operations('States').length).toBeGreaterThan(0))
  await whenConnection(muster, ({ sync }) => sync.state === 'idle')
  const rowsOf = async (id: string) =>
    (await muster.call('inventory.rows', { query: { ...allByName, filter: `id:${id}` }, offset: 0, limit: 1 })).rows
  return { reference, muster, operations, rowsOf }
}

type Contrary = NonNullable<ServiceOptions['contrary']>
const contrary = (how: Contrary): ServiceOptions => ({ profile: 'contrary', contrary: how })

test.each<[string, ServiceOptions]>([
  ['the service of the specification', {}],
  ['numbers are texts', contrary({ numbersAs: 'text' })],
])(
  'new and removed devices are found before the next full sync: %s',
  async (_, options) => {
    const { reference, muster, operations, rowsOf } = await setup(options)
    const before = ['Devices', 'States'].map((name) => operations(name).length)
    const [first] = reference.world.devices()
    reference.world.removeDevice(first?.id ?? '')
    reference.world.addDevice({ name: 'Second new', connected: true })
    const added = reference.world.addDevice({ name: 'Brand new', connected: true })
    await until(async () => {
      expect((await rowsOf(added.id))[0]).toMatchObject({ name: 'Brand new', status: 'connected' })
      expect(await rowsOf(first?.id ?? '')).toEqual([])
    }, 40_000)
    // By the new devices' ids alone, once: neither the others nor the whole tenant was read.
    expect(['Devices', 'States'].map((name) => operations(name).length)).toEqual(before)
    expect(operations('Ids')).toHaveLength(1)
    const { counts } = await muster.call('inventory.counts', { scope: 'all' })
    expect((counts?.connected ?? 0) + (counts?.disconnected ?? 0) + (counts?.unknown ?? 0)).toBe(41)
    // They are subscribed to: a change is an event.
    await until(() => expect(reference.subscribedIds()).toContain(added.id))
    reference.world.setConnected(added.id, false)
    await until(async () => expect((await rowsOf(added.id))[0]).toMatchObject({ status: 'disconnected' }))
  },
  60_000,
)
