import { smtpMail } from '../../src-main/platform/shared/mail.ts'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startCore } from '../../src-main/core.ts'
import { openProxyLogins } from '../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { openSettings } from '../../src-main/platform/web/settings.ts'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { createLeftovers, openConsole, service, temporaryProfile, whenConnection, whenRead } from '../support/fleet.ts'

const leftovers = createLeftovers()
afterEach(() => leftovers.clean())

test('a connection that runs while others are being opened does not fail the start', async () => {
  const profile = temporaryProfile(leftovers)
  const settings = openSettings(profile, systemClock)
  const record = {
    id: 'a',
    name: 'A',
    tokenUrl: 'https://127.0.0.1:1/oauth/token',
    graphqlUrl: 'https://127.0.0.1:1/graphql',
    subscriptionUrl: 'wss://127.0.0.1:1/graphql',
    clientId: 'c',
    ca: '',
    subscription: '',
    portal: '',
    paused: false,
  }
  settings.set('connections', [record])
  const thrown: unknown[] = []
  /** Runs short timers at once, before the data thread can answer, as on a busy machine. */
  const eager: Clock = {
    ...systemClock,
    after(ms, run) {
      if (ms !== 100) return systemClock.after(ms, run)
      queueMicrotask(() => {
        try {
          run()
        } catch (error) {
          thrown.push(error)
        }
      })
      return () => {}
    },
  }
  const paths = {
    profile,
    dataThread: path.resolve('src-main/inventory/thread/thread.ts'),
    answersThread: path.resolve('src-main/query/answers/thread.ts'),
  }
  const secrets = openMemory('a test')
  const core = await startCore(
    {
      network: openNetwork({}),
      secrets,
      proxies: openProxyLogins({ clock: eager, settings, secrets, env: {} }),
      mail: smtpMail,
      settings,
      clock: eager,
      paths,
      log: () => {},
    },
    { shell: 'web', version: '0.0.0', demo: null },
  )
  leftovers.push(() => core.stop())
  expect(thrown).toEqual([])
  expect((await core.handlers['app.state']({})).connections.map(({ id }) => id)).toEqual(['a'])
})

test('a demo whose service has ended says so, without advice on addresses or firewalls', async () => {
  const demo = await service(leftovers, { devices: 20, tenants: 1 })
  const muster = await openConsole(leftovers, temporaryProfile(leftovers), { demo })
  await whenRead(muster)
  await demo.stop()
  const { faults } = await whenConnection(muster, (state) =>
    state.faults.some(({ fault }) => fault.kind === 'demo-ended'),
  )
  expect(faults.map(({ fault }) => explain(fault).advice).join(' ')).not.toMatch(/firewall|address/)
})
