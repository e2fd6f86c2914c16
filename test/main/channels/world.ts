import { openChannels, type Channels } from '../../../src-main/channels/channels.ts'
import { startIncidentRunner, type IncidentRunner } from '../../../src-main/incidents/runner.ts'
import type { RunnerOptions } from '../../../src-main/incidents/runner-options.ts'
import type { StoredDelivery } from '../../../src-main/incidents/stored/delivery.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { notifyAll } from '../../../src-main/notifications/notify.ts'
import type { PolicyState } from '../../../src-main/policies/policy-state.ts'
import type { Letter, Link, Mail, Secrets } from '../../../src-main/ports.ts'
import { openMemory } from '../../../src-main/secrets/memory.ts'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import type { Channel } from '../../../src-shared/model/channels.ts'
import { defaultSettings, type Settings } from '../../../src-shared/model/settings.ts'
import { manualClock, type ManualClock } from '../../support/clock.ts'
import { temporaryProfile, type Leftovers } from '../../support/fleet.ts'
import {
  deviceActions,
  devicesOf,
  listTenants,
  page,
  setVisible,
  type DeviceActions,
  type Plan,
  type Source,
} from '../incidents/world-devices.ts'

/** Something that reached a receiver: the JSON of a webhook, or a letter. */
export interface Arrival {
  channel: string
  body: Record<string, unknown>
  letter: Letter | null
}

export interface ChannelWorld extends DeviceActions {
  clock: ManualClock
  settings: Settings
  policies: PolicyState
  runner(): IncidentRunner
  channels(): Channels
  calls(): Calls
  /** Everything that was planned and accepted, in order. */
  planned: StoredDelivery[]
  arrivals: Arrival[]
  /** Decides about each arrival; it may wait. The default accepts. */
  answers: { webhook: () => Promise<Response>; mail: () => Promise<void> }
  banners: Map<string, string>
  secrets: Secrets
  restart(meanwhile?: () => void): Promise<void>
  /** What arrived at a channel since the last call, as lines: its action and its title. */
  lines(channel: string): string[]
  open(): Incident[]
  acknowledge(): Promise<void>
  unacknowledge(): Promise<void>
}

/** The real runner and channels over a journal on disk; network and mail are the test's. A mail channel is named before the `@` of its `from`. */
export async function openChannelWorld(
  leftovers: Leftovers,
  plan: Plan,
  given: readonly Channel[],
  over: Partial<Settings> = {},
): Promise<ChannelWorld> {
  const clock = manualClock()
  const profile = temporaryProfile(leftovers)
  const source: Source = {
    clock,
    devices: new Map(devicesOf(plan).map((device) => [device.id, device])),
    tenants: Object.keys(plan),
    seen: new Set(),
    order: 0,
    calls: callsOn(openStore(profile, 1, clock.now())),
    applyChange: (change) => running.runner?.applyChange(change),
  }
  const running = { runner: null as IncidentRunner | null, channels: null as Channels | null }
  const shared = {
    clock,
    settings: { ...defaultSettings(false), times: 'utc', ...over } as Settings,
    policies: quietPolicies(),
    planned: [] as StoredDelivery[],
    arrivals: [] as Arrival[],
    answers: { webhook: async () => new Response('ok'), mail: async () => {} },
    banners: new Map<string, string>(),
  }
  const stored = { channels: [...given] as unknown }
  const secrets = await secretsOf(given)
  const start = async () => {
    const channels = await openChannels(channelsOptions(shared, source.calls, stored, secrets))
    const runner = await startIncidentRunner(runnerOptions(shared, source.calls, channels))
    Object.assign(running, { channels, runner })
    channels.start(runner)
  }
  const stop = async () => {
    await running.runner?.stop()
    await running.channels?.stop()
  }
  listTenants(source)
  setVisible(source, source.tenants, true)
  for (const tenant of source.tenants) page(source, tenant)
  await start()
  await clock.advance(2_000)
  leftovers.push(async () => {
    await stop()
    source.calls.close(undefined)
  })
  const present = <One>(one: One | null): One => {
    if (one === null) throw new Error('not started')
    return one
  }
  const shown = new Map<string, number>()
  const open = () => [...present(running.runner).state().incidents.values()].filter(({ closedAt }) => closedAt === null)
  const mark = (acknowledged: Incident['operator']['acknowledged']) =>
    present(running.runner).mark(open().map(({ id }) => ({ id, acknowledged })))
  return {
    ...shared,
    ...deviceActions(source),
    secrets,
    runner: () => present(running.runner),
    channels: () => present(running.channels),
    calls: () => source.calls,
    async restart(meanwhile) {
      await stop()
      Object.assign(running, { channels: null, runner: null })
      setVisible(source, source.tenants, false)
      meanwhile?.()
      source.calls.close(undefined)
      source.seen.clear()
      source.calls = callsOn(openStore(profile, source.order * 1000 + 1, clock.now()))
      await start()
      await clock.advance(0)
    },
    lines(channel) {
      const all = shared.arrivals.filter((one) => one.channel === channel)
      const fresh = all.slice(shown.get(channel) ?? 0)
      shown.set(channel, all.length)
      return fresh.map(lineOf)
    },
    open,
    acknowledge: async () => void (await mark({ at: clock.now(), reason: 'Known' })),
    unacknowledge: async () => void (await mark(null)),
  }
}

const quietPolicies = (): PolicyState => ({
  nodes: new Map(),
  maintenanceAt: () => null,
  maintenanceUntil: () => null,
  endedMaintenance: () => null,
})

async function secretsOf(channels: readonly Channel[]) {
  const secrets = openMemory('a test')
  const key = 'a key'
  for (const { id, kind } of channels) {
    const secret = kind === 'email' ? {} : { address: `https://hooks.example.com/${id}`, key, user: 'muster' }
    await secrets.set(`channel:${id}`, JSON.stringify(secret))
  }
  return secrets
}

type Shared = Pick<ChannelWorld, 'clock' | 'settings' | 'policies' | 'planned' | 'arrivals' | 'answers' | 'banners'>

function channelsOptions(
  { clock, arrivals, answers, banners }: Shared,
  calls: Calls,
  stored: { channels: unknown },
  secrets: Awaited<ReturnType<typeof secretsOf>>,
): Parameters<typeof openChannels>[0] {
  const post: typeof fetch = (address, init) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>
    arrivals.push({ channel: String(address).split('/').at(-1) ?? '', body, letter: null })
    return answers.webhook()
  }
  const link = { fetchOnce: post, fetch: post, close: async () => {} } as Partial<Link> as Link
  const mail: Mail = {
    async send(_server, letter) {
      arrivals.push({ channel: letter.from.split('@')[0] ?? '', body: {}, letter })
      await answers.mail()
      return { accepted: [...letter.to], rejected: [] }
    },
  }
  return {
    data: {
      openDeliveries: async (input) => calls.openDeliveries(input),
      deliveries: async (input) => calls.deliveries(input),
      deliveryCounts: async (input) => calls.deliveryCounts(input),
      settleDeliveries: async (input) => calls.settleDeliveries(input),
      reviseDeliveries: async (input) => calls.reviseDeliveries(input),
      sharedChannels: async () => calls.sharedChannels(undefined),
      shareChannel: async (input) => calls.shareChannel(input),
      unshareChannel: async (input) => calls.unshareChannel(input),
    },
    ports: {
      network: { open: () => link, proxyOf: async () => null },
      mail,
      secrets,
      settings: { get: () => stored.channels, set: (_key, value) => void (stored.channels = value), damaged: null },
      clock,
      log: () => {},
    },
    banners: {
      show: (id, _level, fault) => void banners.set(id, fault.detail),
      remove: (id) => void banners.delete(id),
    },
    random: () => 0.5,
    team: null,
  }
}

function runnerOptions(
  { clock, settings, policies, planned }: Shared,
  calls: Calls,
  channels: Channels,
): RunnerOptions {
  const { deliveries } = channels
  return {
    data: {
      alerts: async (input) => calls.alerts(input),
      saveAlerts: async (input) => calls.saveAlerts(input),
      locations: async (input) => calls.locations(input),
    },
    clock,
    log: () => {},
    settings: () => settings,
    policies: () => policies,
    paused: () => new Set(),
    lastMessages: () => [],
    notify: notifyAll,
    onNotification: () => {},
    onNotifications: () => {},
    onIncidents: () => {},
    onDrops: () => {},
    channels: {
      plan: (step) => deliveries.plan(step),
      accept(rows) {
        planned.push(...rows)
        deliveries.accept(rows)
      },
    },
  }
}

/** "trigger 12 devices offline in Berlin"; of a letter its subject. */
function lineOf({ body, letter }: Arrival): string {
  if (letter !== null) return letter.subject
  const {
    event_action: action,
    payload,
    type,
    data,
    records,
    text,
  } = body as {
    event_action?: string
    payload?: { summary: string }
    type?: string
    data?: { title: string }
    records?: { severity: string; description: string }[]
    text?: string
  }
  if (action !== undefined) return [action, payload?.summary ?? ''].join(' ').trim()
  if (records !== undefined) return records.map((one) => `${one.severity} ${one.description.split('\n')[0]}`).join()
  if (data !== undefined) return `${type?.replace('muster.', '')} ${data.title}`
  return text ?? ''
}
