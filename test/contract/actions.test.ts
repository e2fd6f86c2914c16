import { afterEach, expect, test } from 'vitest'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  whenRead,
} from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

test('a tenant is locked at the start, armed by the operator, and locked by sleep and by a pause', async () => {
  const reference = await service(leftovers, { devices: 20, tenants: 1, life: false })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  const { id } = await muster.call('connections.save', connectionTo(reference))
  await whenRead(muster)
  const armedUntil = async () => (await muster.call('actions.state', {})).tenants.map((each) => each.armedUntil)
  const tenant = (await muster.call('actions.state', {})).tenants[0]?.tenant ?? ''
  expect(await armedUntil()).toEqual([null])
  const { until: end } = await muster.call('actions.arm', { tenant })
  expect(await armedUntil()).toEqual([end])
  muster.core.power('sleeps')
  expect(await armedUntil()).toEqual([null])
  await muster.call('actions.arm', { tenant })
  await muster.call('connections.pause', { id, paused: true })
  await until(async () => expect(await armedUntil()).toEqual([null]))
  await expect(muster.call('actions.arm', { tenant })).rejects.toThrow()
  await muster.call('connections.pause', { id, paused: false })
  expect(await armedUntil()).toEqual([null])
})
