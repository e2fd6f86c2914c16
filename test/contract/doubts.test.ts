import { smtpMail } from '../../src-main/platform/shared/mail.ts'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openConnections } from '../../src-main/connections/connections.ts'
import { startData } from '../../src-main/inventory/thread/client.ts'
import { openProxyLogins } from '../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { openSettings } from '../../src-main/platform/web/settings.ts'
import { systemClock } from '../../src-shared/lib/clock.ts'
import { defaultSettings } from '../../src-shared/model/settings.ts'
import { connectionTo, createLeftovers, service, temporaryProfile, until } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

async function open() {
  const profile = temporaryProfile(leftovers)
  const dataThread = path.resolve('src-main/inventory/thread/thread.ts')
  const thread = await startData({ profile, thread: dataThread, onDied: () => {} })
  leftovers.push(() => thread.stop())
  const [secrets, settings] = [openMemory('a test'), openSettings(profile, systemClock)]
  const ports = {
    network: openNetwork({}),
    secrets,
    proxies: openProxyLogins({ clock: systemClock, settings, secrets, env: {} }),
    mail: smtpMail,
    settings,
    clock: systemClock,
    paths: { profile, dataThread, answersThread: path.resolve('src-main/query/answers/thread.ts') },
    log: () => {},
  }
  const nothing = () => {}
  const connections = await openConnections({
    ports,
    data: thread.data,
    demo: null,
    preferences: { get: () => defaultSettings(false), onChange: () => nothing },
    urgentKeys: () => [],
    random: Math.random,
    publish: nothing,
    onState: nothing,
    onGauge: nothing,
    onColumns: nothing,
    onTimeLost: nothing,
    onDrift: nothing,
    onRecord: nothing,
    onOrphanedSecrets: nothing,
  })
  leftovers.push(() => connections.stop())
  return connections
}

test('each connection reports its own doubts; a paused one has none and is not checked', async () => {
  const [well, shaky] = [
    await service(leftovers, { devices: 20, tenants: 1 }),
    await service(leftovers, { devices: 20, tenants: 1 }),
  ]
  const connections = await open()
  const first = await connections.save(connectionTo(well, { name: 'Well' }))
  const second = await connections.save(connectionTo(shaky, { name: 'Shaky' }))
  const doubting = () =>
    new Set(
      connections
        .states()
        .filter(({ checks }) => checks.some(({ state }) => state === 'doubt'))
        .map(({ id }) => id),
    )
  expect(doubting()).toEqual(new Set([first, second]))
  await until(() => expect(doubting()).toEqual(new Set()))
  const checksOf = (id: string) => connections.states().find((state) => state.id === id)?.checks
  expect(checksOf(first)?.map(({ check, state, since }) => [check, state, since])).toEqual(
    ['link', 'token', 'heartbeat', 'clock', 'balance'].map((check) => [check, 'ok', null]),
  )
  const before = Date.now()
  await shaky.misfortune.pause()
  await until(() => expect(doubting()).toEqual(new Set([second])))
  const doubt = checksOf(second)?.find(({ check }) => check === 'link')
  expect(doubt?.state).toBe('doubt')
  expect(doubt?.since).toBeGreaterThanOrEqual(before)
  expect(checksOf(first)?.every(({ state }) => state === 'ok')).toBe(true)
  await connections.pause(second, true)
  expect([doubting(), checksOf(second)]).toEqual([new Set(), []])
  await connections.pause(second, false)
  expect(doubting()).toEqual(new Set([second]))
  await shaky.misfortune.resume()
  await until(() => expect(doubting()).toEqual(new Set()))
})
