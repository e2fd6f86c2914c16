import { afterEach, expect, test } from 'vitest'
import {
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

test('a credential set entered twice has one balance and reads each tenant once', async () => {
  const reference = await service(leftovers, { devices: 40, tenants: 2 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers))
  await muster.call('connections.save', connectionTo(reference, { name: 'First' }))
  await whenRead(muster)
  await whenConnection(muster, ({ link }) => link.state === 'live')
  const pages = () => reference.operations().filter(({ operationName }) => operationName === 'Devices').length
  const before = pages()
  const input = connectionTo(reference, { name: 'Second' })
  await muster.call('connections.save', {
    ...input,
    tokenUrl: input.tokenUrl.replace('https://', 'HTTPS://'),
  })
  const second = async () => (await muster.call('app.state', {})).connections.find(({ name }) => name === 'Second')
  await until(async () => expect((await second())?.link.state).toBe('live'))
  expect((await second())?.faults.map(({ where, fault }) => [where, fault.kind, fault.detail])).toEqual([
    ['the credential set', 'same-set', 'It is that of "First".'],
  ])
  expect(pages()).toBe(before)
  const { gauges } = await muster.call('app.state', {})
  expect(gauges).toHaveLength(1)
  expect(gauges[0]?.connections).toHaveLength(2)
}, 30_000)
