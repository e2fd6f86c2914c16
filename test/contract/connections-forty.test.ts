import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { clockAt } from '../../bench/pacing/accelerated.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import type { ConnectionInput, ConnectionState } from '../../src-shared/model/connection.ts'
import { makeAuthority } from '../main/platform/web/certificates.ts'
import {
  connectionTo,
  createLeftovers,
  openConsole,
  service,
  temporaryProfile,
  until,
  type Console,
} from '../support/fleet.ts'
import { closedPort } from '../support/night.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

const statesOf = async (muster: Console) => (await muster.call('app.state', {})).connections

/** Takes connections and never says a word: what a firewall makes of a dead host. */
async function silentPort(): Promise<number> {
  const callers = new Set<Socket>()
  const server = createServer((caller) => void callers.add(caller))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  leftovers.push(() => {
    for (const caller of callers) caller.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Forty customers of one service, of which four are broken, each in a way of its own, and stand first in the list. */
async function forty() {
  const reference = await service(leftovers, { devices: 400, tenants: 40, credentials: 'per-tenant' })
  const sets = reference.credentials.list()
  const at = (port: number) => ({
    tokenUrl: `https://127.0.0.1:${port}/oauth/token`,
    graphqlUrl: `https://127.0.0.1:${port}/graphql`,
    subscriptionUrl: `wss://127.0.0.1:${port}/graphql`,
  })
  const broken: Partial<ConnectionInput>[] = [
    { clientSecret: 'a wrong secret' },
    { ca: (await makeAuthority()).ca },
    at(await closedPort()),
    at(await silentPort()),
  ]
  const inputs = sets.map(({ clientId, clientSecret, name }, index) =>
    connectionTo(reference, { name, clientId, clientSecret, ...broken[index] }),
  )
  return { reference, inputs }
}

/** A profile in which they are stored, and their secrets; nothing runs. */
async function stored(inputs: readonly ConnectionInput[]) {
  const profile = temporaryProfile(leftovers)
  const secrets = openMemory('a test')
  const muster = await openConsole(leftovers, profile, { secrets })
  for (const input of inputs) await muster.call('connections.save', input)
  await muster.stop()
  return { profile, secrets }
}

/** What happens every few seconds is no more often on a busy machine. */
const slowClock = () => clockAt({ factor: 0.2, start: Date.now() })

const isLive = ({ link, lastReadingAt, sync, faults }: ConnectionState) =>
  link.state === 'live' && lastReadingAt !== null && sync.state === 'idle' && faults.length === 0

test('of forty connections the broken ones slow down no other, and each reports its error', async () => {
  const { reference, inputs } = await forty()
  const { profile, secrets } = await stored(inputs)
  const muster = await openConsole(leftovers, profile, { secrets })
  expect(await statesOf(muster)).toHaveLength(40)
  await until(async () => expect((await statesOf(muster)).filter(isLive)).toHaveLength(36))
  await until(async () => {
    const broken = (await statesOf(muster)).slice(0, 4).map(({ faults }) => faults.map(({ fault }) => fault.kind))
    expect(broken).toEqual([['credentials'], ['tls'], ['connect'], ['timeout']])
  })
  expect((await statesOf(muster)).slice(4).every(isLive)).toBe(true)
  const { counts } = await muster.call('inventory.counts', { scope: 'all' })
  expect((counts?.connected ?? 0) + (counts?.disconnected ?? 0)).toBeGreaterThan(0)
  await muster.stop()
  await until(() => expect(reference.openSockets()).toBe(0))
})

test('at most six connections start at a time', async () => {
  const { inputs } = await forty()
  const { profile, secrets } = await stored(inputs.slice(4))
  let steps = 0
  let most = 0
  const counting = {
    ...secrets,
    get: async (account: string) => {
      steps += 1
      return secrets.get(account)
    },
  }
  const muster = await openConsole(leftovers, profile, { secrets: counting, clock: slowClock() })
  await until(async () => {
    const states = await statesOf(muster)
    const waiting = states.filter(({ link, faults }) => link.state === 'connecting' && faults.length === 0).length
    most = Math.max(most, steps / 2 - (states.length - waiting))
    expect(states.filter(isLive)).toHaveLength(36)
  })
  expect(most).toBeLessThanOrEqual(6)
})

test('the settings are written a few times for forty connections, not at every event', async () => {
  const { inputs } = await forty()
  const { profile, secrets } = await stored(inputs.slice(4))
  const muster = await openConsole(leftovers, profile, { secrets, clock: slowClock() })
  const { set } = muster.settings
  let writes = 0
  muster.settings.set = (key, value) => {
    writes += 1
    set(key, value)
  }
  await until(async () => expect((await statesOf(muster)).filter(isLive)).toHaveLength(36))
  await muster.stop()
  expect(writes).toBeLessThan(10)
})
