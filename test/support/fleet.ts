import { smtpMail } from '../../src-main/platform/shared/mail.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, vi } from 'vitest'
import { startCore, type Core } from '../../src-main/core.ts'
import type { Log, Ports, Secrets, Settings } from '../../src-main/ports.ts'
import type { ProxyEnv } from '../../src-main/network/proxies/environment.ts'
import { openProxyLogins } from '../../src-main/network/proxies/logins.ts'
import { openMemory } from '../../src-main/secrets/memory.ts'
import type { UpdateEnvironment } from '../../src-main/updates/ports.ts'
import { openNetwork } from '../../src-main/platform/web/network/network.ts'
import { openSettings } from '../../src-main/platform/web/settings.ts'
import { startService, type Service, type ServiceOptions } from '../../src-service/service.ts'
import { systemClock, type Clock } from '../../src-shared/lib/clock.ts'
import type { CallInput, CallName, CallOutput, EventData } from '../../src-shared/contract/contract.ts'
import type { InventoryQuery } from '../../src-shared/model/inventory.ts'
import type { ConnectionInput } from '../../src-shared/model/connection.ts'

/** Things that a test started, stopped in reverse order. */
export interface Leftovers {
  push(stop: () => unknown): void
  clean(): Promise<void>
}

export function createLeftovers(): Leftovers {
  const stops: (() => unknown)[] = []
  return {
    push: (stop) => void stops.push(stop),
    async clean() {
      for (const stop of stops.splice(0).toReversed()) await stop()
    },
  }
}

/** A profile folder of its own, gone afterwards. */
export function temporaryProfile(leftovers: Leftovers): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-'))
  leftovers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A clock that runs `factor` times as fast as the machine's, from `start` (ms) on. */
export interface AcceleratedClock extends Clock {
  start: number
  factor: number
}

/** Returns a clock that runs `factor` times as fast as the machine's: minutes of waiting pass in seconds. */
export function acceleratedClock(factor: number): AcceleratedClock {
  const start = Date.now()
  return {
    start,
    factor,
    now: () => Math.round(start + (Date.now() - start) * factor),
    monotonic: () => performance.now() * factor,
    after: (ms, run) => systemClock.after(Math.max(0, ms / factor), run),
  }
}

export async function service(leftovers: Leftovers, options: ServiceOptions = {}): Promise<Service> {
  const started = await startService({ devices: 300, tenants: 3, ...options })
  leftovers.push(() => started.stop())
  return started
}

export interface Console {
  core: Core
  settings: Settings
  secrets: Secrets
  log: string[]
  patches: EventData<'patch'>[]
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
  stop(): Promise<void>
}

/** The core on real ports: undici, ws, conf, SQLite. Only the clock, the secrets, the variables of a proxy, the data thread's entry, a service for the demo and a second log may be given. */
export async function openConsole(
  leftovers: Leftovers,
  profile: string,
  more: {
    clock?: Clock
    secrets?: Secrets
    dataThread?: string
    demo?: Service
    env?: ProxyEnv
    writes?: Log
    updates?: UpdateEnvironment
    signOut?: () => void
  } = {},
): Promise<Console> {
  const clock = more.clock ?? systemClock
  const log: string[] = []
  const secrets = more.secrets ?? openMemory('this session only: a test')
  const settings = openSettings(profile, clock)
  const env = more.env ?? {}
  const proxies = openProxyLogins({ clock, settings, secrets, env })
  const ports: Ports = {
    network: openNetwork(env, { logins: proxies }),
    secrets,
    proxies,
    mail: smtpMail,
    settings,
    clock,
    paths: {
      profile,
      dataThread: more.dataThread ?? path.resolve('src-main/inventory/thread/thread.ts'),
      answersThread: path.resolve('src-main/query/answers/thread.ts'),
    },
    log(level, text) {
      log.push(text)
      more.writes?.(level, text)
    },
  }
  const core = await startCore(ports, {
    shell: 'web',
    version: '0.0.0',
    demo: more.demo ?? null,
    ...(more.updates === undefined ? {} : { updates: more.updates }),
    ...(more.signOut === undefined ? {} : { signOut: more.signOut }),
  })
  const patches: EventData<'patch'>[] = []
  core.on('patch', (patch) => void patches.push(patch))
  let stopped = false
  const stop = async () => {
    if (!stopped) await core.stop()
    stopped = true
  }
  leftovers.push(stop)
  return {
    core,
    settings: ports.settings,
    secrets: ports.secrets,
    log,
    patches,
    stop,
    call: (name, input) => core.handlers[name](input),
  }
}

export function connectionTo(to: Service, more: Partial<ConnectionInput> = {}): ConnectionInput {
  const { tokenUrl, graphqlUrl, subscriptionUrl, clientId, clientSecret, ca } = to
  return {
    id: null,
    name: 'Acme',
    tokenUrl,
    graphqlUrl,
    subscriptionUrl,
    clientId,
    clientSecret,
    ca,
    subscription: '',
    portal: '',
    ...more,
  }
}

export const allByName: InventoryQuery = { scope: 'all', filter: '', sort: [{ column: 'name', direction: 'asc' }] }

/** Waits for a state by looking, never by sleeping for a guess. */
export function until<T>(look: () => T | Promise<T>, timeout = 20_000): Promise<T> {
  return vi.waitFor(look, { timeout, interval: 20 })
}

/** The first connection's state, once `holds`. */
export async function whenConnection(
  of: Pick<Console, 'call'>,
  holds: (state: EventData<'connections'>[number]) => boolean,
): Promise<EventData<'connections'>[number]> {
  return until(async () => {
    const [state] = (await of.call('app.state', {})).connections
    if (state === undefined || !holds(state))
      throw new Error(`the connection is not so: ${JSON.stringify({ ...state, ca: '' })}`)
    return state
  })
}

/** Waits until the log reports a lost live connection: a loss may be shorter than the time between two checks of the state. */
export const whenLost = (of: Pick<Console, 'log'>, fault = '') =>
  until(() => expect(of.log.find((line) => /live: live -> (?!live)/v.test(line) && line.includes(fault))).toBeDefined())

/** Waits for a first full sync that is complete, over a live connection. */
export function whenRead(of: Pick<Console, 'call'>): ReturnType<typeof whenConnection> {
  return whenConnection(
    of,
    (state) => state.link.state === 'live' && state.lastReadingAt !== null && state.sync.state === 'idle',
  )
}
