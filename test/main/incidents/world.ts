import { bodyOf, titleOf } from '../../support/messages.ts'
import { startIncidentRunner, type IncidentRunner } from '../../../src-main/incidents/runner.ts'
import type { RunnerOptions } from '../../../src-main/incidents/runner-options.ts'
import type { PolicyState } from '../../../src-main/policies/policy-state.ts'
import { notifyAll } from '../../../src-main/notifications/notify.ts'
import type { Incident } from '../../../src-main/incidents/engine/incident.ts'
import type { OperatorChange } from '../../../src-main/incidents/engine/state.ts'
import { applyLog } from '../../../src-main/inventory/thread/log-calls.ts'
import { type Calls, callsOn } from '../../../src-main/inventory/thread/calls.ts'
import { deviceKey, tenantKey } from '../../../src-main/inventory/keys.ts'
import { openStore } from '../../../src-main/inventory/store.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import type { Notifications, Notification } from '../../../src-shared/model/inventory.ts'
import { defaultSettings, type Settings } from '../../../src-shared/model/settings.ts'
import { manualClock, type ManualClock } from '../../support/clock.ts'
import { temporaryProfile, type Leftovers } from '../../support/fleet.ts'
import {
  type DeviceActions,
  type Plan,
  devicesOf,
  deviceIn,
  type Source,
  listTenants,
  setVisible,
  page,
  deviceActions,
  service,
} from './world-devices.ts'

export interface World extends DeviceActions {
  clock: ManualClock
  alerts(): IncidentRunner
  calls(): Calls
  /** Carries out a row of a team's log, which the incidents are not told of. */
  carryOut(call: string, input: unknown): void
  /** All notifications, in order. */
  sent: Notification[]
  notifications: Notifications[]
  settings: Settings
  /** Number of requests for locations, of writes, and of readings of the settings. */
  requests: { locations: number; writes: number; settings: number }
  /** Whether storing notifications fails, as on a full disk. */
  disk: { full: boolean }
  paused: Set<string>
  /** When each connection had its last message of the service. */
  lastMessage: Map<string, number>
  /** Maintenance windows and thresholds of nodes, to be changed by a test. */
  policies: PolicyState
  restart(meanwhile?: () => void): Promise<void>
  /** A crash: nothing is stopped in order. */
  crash(): Promise<void>
  /** The notifications since the last call, as lines: title and body. */
  lines(): string[]
  titles(): string[]
  forget(tenant: string): Promise<void>
  sees(tenant: string): boolean
}

/** `downFirst`: ids of devices that are down when Muster reads them for the first time. */
export async function openWorld(
  leftovers: Leftovers,
  plan: Plan,
  over: Partial<Settings> = {},
  onSent: (sent: Notification, keys: readonly string[]) => void = () => {},
  downFirst: readonly string[] = [],
): Promise<World> {
  const clock = manualClock()
  const profile = temporaryProfile(leftovers)
  const devices = new Map(devicesOf(plan).map((device) => [device.id, device]))
  for (const id of downFirst) devices.set(id, { ...deviceIn(devices, id), connected: false })
  const files = { store: openStore(profile, 1, clock.now()) }
  const running = { alerts: null as IncidentRunner | null, shown: 0 }
  const source: Source = {
    clock,
    devices,
    tenants: Object.keys(plan),
    seen: new Set(),
    order: 0,
    calls: callsOn(files.store),
    applyChange: (change) => running.alerts?.applyChange(change),
  }
  const { tenants, seen } = source
  const observed = {
    clock,
    sent: [] as Notification[],
    notifications: [] as Notifications[],
    settings: { ...defaultSettings(false), times: 'utc', ...over } as Settings,
    requests: { locations: 0, writes: 0, settings: 0 },
    disk: { full: false },
    paused: new Set<string>(),
    lastMessage: new Map<string, number>(),
    policies: {
      nodes: new Map(),
      maintenanceAt: () => null,
      maintenanceUntil: () => null,
      endedMaintenance: () => null,
    } as PolicyState,
  }
  const alerts = () => {
    if (running.alerts === null) throw new Error('not started')
    return running.alerts
  }
  const start = async () => {
    running.alerts = await startIncidentRunner(optionsOf(observed, source.calls, onSent))
  }
  const reopen = async () => {
    source.calls.close(undefined)
    seen.clear()
    files.store = openStore(profile, source.order * 1000 + 1, clock.now())
    source.calls = callsOn(files.store)
    await start()
    await clock.advance(0)
  }
  listTenants(source)
  setVisible(source, tenants, true)
  for (const tenant of tenants) page(source, tenant)
  await start()
  await clock.advance(2_000)
  leftovers.push(async () => {
    await running.alerts?.stop()
    source.calls.close(undefined)
  })
  const lines = () => {
    const fresh = observed.sent.slice(running.shown)
    running.shown = observed.sent.length
    return fresh
  }
  return {
    ...observed,
    ...deviceActions(source),
    alerts,
    calls: () => source.calls,
    carryOut(call, input) {
      const after = files.store.journal.logPosition.read()
      const number = (after?.number ?? 0) + 1
      const position = { number, id: `row ${number}` }
      applyLog(files.store, source.calls, { calls: [{ call, input, number }], after, position })
    },
    async restart(meanwhile) {
      await running.alerts?.stop()
      running.alerts = null
      setVisible(source, tenants, false)
      meanwhile?.()
      await reopen()
    },
    async crash() {
      // What has begun goes on and finds its files closed.
      void running.alerts?.stop()
      running.alerts = null
      await reopen()
    },
    lines: () => lines().map((one) => `${titleOf(one)} | ${bodyOf(one)}`),
    titles: () => lines().map(titleOf),
    sees: (tenant) => seen.has(tenant),
    async forget(tenant) {
      tenants.splice(tenants.indexOf(tenant), 1)
      source.applyChange(source.calls.forget({ connection: 'c' }))
      await alerts().reload()
    },
  }
}

type Watched = Pick<
  World,
  'clock' | 'sent' | 'notifications' | 'settings' | 'requests' | 'disk' | 'paused' | 'lastMessage' | 'policies'
>

function optionsOf(
  { clock, sent, notifications, settings, requests, disk, paused, lastMessage, policies }: Watched,
  calls: Calls,
  onSent: (sent: Notification, keys: readonly string[]) => void,
): RunnerOptions {
  return {
    data: {
      alerts: async (input) => calls.alerts(input),
      async saveAlerts(input) {
        requests.writes += 1
        if (disk.full) throw new FaultError('storage', 'the disk is full')
        return calls.saveAlerts(input)
      },
      async locations(input) {
        requests.locations += 1
        return calls.locations(input)
      },
    },
    clock,
    paused: () => paused,
    lastMessages: (ids) => ids.flatMap((id) => lastMessage.get(id) ?? []),
    policies: () => policies,
    log: () => {},
    onIncidents: () => {},
    channels: { plan: () => [], accept() {} },
    onDrops: () => {},
    settings() {
      requests.settings += 1
      return settings
    },
    notify: notifyAll,
    onNotification(one, keys) {
      sent.push(one)
      onSent(one, keys)
    },
    onNotifications: (all) => void notifications.push(all),
  }
}

export const keyOf = (tenant: string, id: string): string => deviceKey(tenantKey(service, tenant), id)

/** Twelve devices in Berlin, ten in Paris, one tenant beside. */
export const usual: Plan = {
  acme: { berlin: { a: 4, b: 4, c: 4 }, paris: { a: 5, b: 5 }, oslo: { a: 2 }, rome: { a: 10, b: 10 } },
  beta: { london: { a: 3, b: 3 }, york: { a: 10 } },
}

/** The open incidents. */
export const open = ({ alerts }: World): Incident[] =>
  [...alerts().state().incidents.values()].filter(({ closedAt }) => closedAt === null)

/** The only open incident; throws unless there is exactly one. */
export function only(it: World): Incident {
  const [one, ...more] = open(it)
  if (one === undefined || more.length > 0) throw new Error(`${more.length + 1} are open`)
  return one
}

/** Applies a change of the operator to all open incidents. */
export const changeOpen = (it: World, change: Omit<OperatorChange, 'id'>): Promise<number> =>
  it.alerts().mark(open(it).map(({ id }) => ({ id, ...change })))
export const known = (it: World) => ({ acknowledged: { at: it.clock.now(), reason: 'Known' } })
/** `ms` null: until it recovers. */
export const snoozed = (it: World, ms: number | null) => ({
  snoozed: { at: it.clock.now(), until: ms === null ? null : it.clock.now() + ms },
})

/** The entries of the journal about an incident. */
export const stored = (it: World, id: string) => it.calls().storedIncident({ id })

export const openTitles = (it: World): string[] => open(it).map(titleOf).toSorted()
