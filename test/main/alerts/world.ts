import { startAlerts, type Alerts } from '../../../src-main/alerts/runner.ts'
import type { Incident, Laid, Marks } from '../../../src-main/alerts/state.ts'
import { type Calls, callsOn } from '../../../src-main/data/calls.ts'
import { deviceKey, tenantKey } from '../../../src-main/data/keys.ts'
import type { Change, Data } from '../../../src-main/data/protocol.ts'
import { openStore } from '../../../src-main/data/store.ts'
import { FaultError } from '../../../src-shared/fault.ts'
import type { Tellings, Told } from '../../../src-shared/model.ts'
import { usualSettings, type Settings } from '../../../src-shared/settings.ts'
import { manualClock, type ManualClock } from '../../support/clock.ts'
import { temporaryProfile, type Leftovers } from '../../support/estate.ts'

/** Devices of the tests by tenant, site and room: names that say where they are. */
export type Plan = Record<string, Record<string, Record<string, number>>>

export interface World {
  clock: ManualClock
  alerts(): Alerts
  calls(): Calls
  /** All that was told, in order. */
  told: Told[]
  tellings: Tellings[]
  settings: Settings
  /** How often the data was asked for whereabouts, how often it was written to, and how often the settings were read. */
  asked: { looks: number; writes: number; settings: number }
  /** Whether writing what was told fails, as on a full disk. */
  disk: { full: boolean }
  paused: Set<string>
  /** When each connection had its last word of the service; while nothing is said, nobody knows. */
  lastWord: Map<string, number>
  /** Maintenance windows and figures of nodes, to be changed by a test. */
  laid: Laid
  ids(site?: string): string[]
  drop(...ids: string[]): Promise<void>
  back(...ids: string[]): Promise<void>
  /** The truth changes and nobody is told. */
  secretly(connected: boolean, ...ids: string[]): void
  blind(...tenants: string[]): Promise<void>
  /** Sees again, and reads everything again. */
  see(...tenants: string[]): Promise<void>
  /** The cheap reading of a tenant. */
  read(tenant: string): Promise<void>
  /** The service no longer lists these. */
  remove(...ids: string[]): Promise<void>
  /** The same, and nobody is told that the inventory has changed. */
  vanish(...ids: string[]): void
  /** The service has these in another room by now. */
  move(site: string, room: string, ...ids: string[]): Promise<void>
  restart(meanwhile?: () => void): Promise<void>
  /** A crash: nothing is stopped in order. */
  crash(): Promise<void>
  /** Told since the last time, as lines: title and body. */
  lines(): string[]
  titles(): string[]
  forget(tenant: string): Promise<void>
  sees(tenant: string): boolean
}

const service = 'test'

/** `downFirst`: ids of devices that are down when Muster reads them for the first time. */
export async function openWorld(
  leftovers: Leftovers,
  plan: Plan,
  over: Partial<Settings> = {},
  onNews: (told: Told, keys: readonly string[]) => void = () => {},
  downFirst: readonly string[] = [],
): Promise<World> {
  const clock = manualClock()
  const profile = temporaryProfile(leftovers)
  const devices = new Map(devicesOf(plan).map((device) => [device.id, device]))
  for (const id of downFirst) devices.set(id, { ...deviceIn(devices, id), connected: false })
  const tenants = Object.keys(plan)
  const seen = new Set<string>()
  const state = {
    order: 0,
    calls: callsOn(openStore(profile, 1, clock.now())),
    alerts: null as Alerts | null,
    shown: 0,
  }
  const asked = { looks: 0, writes: 0, settings: 0 }
  const disk = { full: false }
  const paused = new Set<string>()
  const lastWord = new Map<string, number>()
  const settings: Settings = { ...usualSettings(false), times: 'utc', ...over }
  const laid: Laid = { nodes: new Map(), quietAt: () => null, quietUntil: () => null, quietOver: () => null }
  const told: Told[] = []
  const tellings: Tellings[] = []
  const alerts = () => {
    if (state.alerts === null) throw new Error('not started')
    return state.alerts
  }
  const heard = (change: Change) => state.alerts?.heard(change)
  const dataOf = (calls: Calls): Pick<Data, 'alerts' | 'keepAlerts' | 'whereabouts'> => ({
    alerts: async (input) => calls.alerts(input),
    async keepAlerts(input) {
      asked.writes += 1
      if (disk.full) throw new FaultError('storage', 'the disk is full')
      calls.keepAlerts(input)
    },
    async whereabouts(input) {
      asked.looks += 1
      return calls.whereabouts(input)
    },
  })
  const start = async () => {
    state.alerts = await startAlerts({
      data: dataOf(state.calls),
      clock,
      paused: () => paused,
      heard: (ids) => ids.flatMap((id) => lastWord.get(id) ?? []),
      laid: () => laid,
      log: () => {},
      onIncidents: () => {},
      settings() {
        asked.settings += 1
        return settings
      },
      onTell(one, keys) {
        told.push(one)
        onNews(one, keys)
      },
      onTellings: (all) => void tellings.push(all),
    })
  }
  const listTenants = () =>
    heard(
      state.calls.tenants({
        service,
        connection: 'c',
        tenants: tenants.map((id) => ({ id, name: name(id), region: 'EU-1' })),
        at: clock.now(),
      }),
    )
  const page = (tenant: string, hear = heard) => {
    const generation = state.calls.nextGeneration({ service, tenant, connection: 'c' })
    const facts = [...devices.values()]
      .filter((device) => device.tenant === tenant)
      .map(({ id, connected, site, room }) => ({
        id,
        name: `Studio ${id}`,
        hardwareModel: 'X50',
        connected,
        lastDetected: null,
        lastConfigRequestDate: null,
        site,
        room,
      }))
    state.order += 1
    hear(
      state.calls.page({
        service,
        tenant,
        generation,
        asked: state.order,
        at: clock.now(),
        devices: facts,
        next: null,
        connection: 'c',
      }),
    )
    hear(state.calls.finish({ service, tenant, generation, at: clock.now(), connection: 'c' }))
  }
  const sight = (of: string[], sees: boolean) => {
    for (const tenant of of) {
      if (sees) seen.add(tenant)
      else seen.delete(tenant)
    }
    heard(
      state.calls.sight({
        service,
        connection: 'c',
        tenants: sees ? [...seen] : of,
        seen: sees,
        confirmedAt: clock.now(),
        ...(sees ? { from: clock.now() } : {}),
      }),
    )
  }
  const say = async (connected: boolean, ids: string[]) => {
    const events = ids.flatMap((id) => {
      const device = devices.get(id)
      if (device === undefined || device.connected === connected) return []
      device.connected = connected
      state.order += 1
      return seen.has(device.tenant)
        ? [{ id, tenant: device.tenant, connected, name: null, order: state.order, at: clock.now() }]
        : []
    })
    if (events.length > 0) heard(state.calls.events({ service, events }))
    await clock.advance(0)
  }
  const reading = (tenant: string) => {
    const own = [...devices.values()].filter((device) => device.tenant === tenant)
    state.order += 1
    heard(
      state.calls.reading({
        service,
        tenant,
        asked: state.order,
        at: clock.now(),
        devices: own.map(({ id, connected }) => ({ id, connected, lastDetected: null })),
      }),
    )
  }
  const reopen = async () => {
    state.calls.close(undefined)
    seen.clear()
    state.calls = callsOn(openStore(profile, state.order * 1000 + 1, clock.now()))
    await start()
    await clock.advance(0)
  }
  listTenants()
  sight(tenants, true)
  for (const tenant of tenants) page(tenant)
  await start()
  await clock.advance(2_000)
  leftovers.push(async () => {
    await state.alerts?.stop()
    state.calls.close(undefined)
  })
  const lines = () => {
    const fresh = told.slice(state.shown)
    state.shown = told.length
    return fresh
  }
  return {
    clock,
    told,
    tellings,
    settings,
    asked,
    disk,
    paused,
    lastWord,
    laid,
    alerts,
    calls: () => state.calls,
    ids: (site) =>
      [...devices.values()]
        .filter((device) => site === undefined || device.site.name === name(site))
        .map(({ id }) => id),
    drop: (...ids) => say(false, ids),
    back: (...ids) => say(true, ids),
    secretly(connected, ...ids) {
      for (const id of ids) {
        const device = devices.get(id)
        if (device) device.connected = connected
      }
    },
    async blind(...of) {
      sight(of.length > 0 ? of : tenants, false)
      await clock.advance(0)
    },
    async see(...of) {
      const wanted = of.length > 0 ? of : tenants
      sight(wanted, true)
      for (const tenant of wanted) reading(tenant)
      await clock.advance(0)
    },
    async read(tenant) {
      reading(tenant)
      await clock.advance(0)
    },
    async remove(...ids) {
      for (const id of ids) devices.delete(id)
      for (const tenant of tenants) page(tenant)
      await clock.advance(0)
    },
    vanish(...ids) {
      for (const id of ids) devices.delete(id)
      for (const tenant of tenants) page(tenant, () => {})
    },
    async move(site, room, ...ids) {
      for (const id of ids)
        Object.assign(deviceIn(devices, id), {
          site: { id: site, name: name(site) },
          room: { id: room, name: `Room ${room}` },
        })
      for (const tenant of tenants) page(tenant)
      await clock.advance(2_000)
    },
    async restart(meanwhile) {
      await state.alerts?.stop()
      state.alerts = null
      sight(tenants, false)
      meanwhile?.()
      await reopen()
    },
    async crash() {
      // What has begun goes on and finds its files closed.
      void state.alerts?.stop()
      state.alerts = null
      await reopen()
    },
    lines: () => lines().map(({ title, body }) => `${title} | ${body}`),
    titles: () => lines().map(({ title }) => title),
    sees: (tenant) => seen.has(tenant),
    async forget(tenant) {
      tenants.splice(tenants.indexOf(tenant), 1)
      heard(state.calls.forget({ connection: 'c' }))
      await alerts().reload()
    },
  }
}

function deviceIn(devices: ReadonlyMap<string, ReturnType<typeof devicesOf>[number]>, id: string) {
  const device = devices.get(id)
  if (device === undefined) throw new Error(`no device ${id}`)
  return device
}

function devicesOf(plan: Plan) {
  return Object.entries(plan).flatMap(([tenant, sites]) =>
    Object.entries(sites).flatMap(([site, rooms]) =>
      Object.entries(rooms).flatMap(([room, count]) =>
        Array.from({ length: count }, (_, n) => ({
          id: `${site}-${room}-${n + 1}`,
          tenant,
          connected: true as boolean | null,
          site: { id: site, name: name(site) },
          room: { id: room, name: `Room ${room}` },
        })),
      ),
    ),
  )
}

const name = (id: string): string => `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`

export const keyOf = (tenant: string, id: string): string => deviceKey(tenantKey(service, tenant), id)

/** Twelve devices in Berlin, ten in Paris, one tenant beside. */
export const usual: Plan = {
  acme: { berlin: { a: 4, b: 4, c: 4 }, paris: { a: 5, b: 5 }, oslo: { a: 2 }, rome: { a: 10, b: 10 } },
  beta: { london: { a: 3, b: 3 }, york: { a: 10 } },
}

/** Incidents that stand open. */
export const open = ({ alerts }: World): Incident[] =>
  [...alerts().state().incidents.values()].filter(({ closedAt }) => closedAt === null)

/** The one that does. */
export function only(it: World): Incident {
  const [one, ...more] = open(it)
  if (one === undefined || more.length > 0) throw new Error(`${more.length + 1} are open`)
  return one
}

/** The operator says so of all that is open. */
export const mark = (it: World, change: Omit<Marks, 'id'>): Promise<void> =>
  it.alerts().mark(open(it).map(({ id }) => ({ id, ...change })))
export const known = (it: World) => ({ acknowledged: { at: it.clock.now(), reason: 'Known' } })
/** `ms` null: until it recovers. */
export const snoozed = (it: World, ms: number | null) => ({
  snoozed: { at: it.clock.now(), until: ms === null ? null : it.clock.now() + ms },
})

/** What the journal has of an incident. */
export const stored = (it: World, id: string) => it.calls().storedIncident({ id })
