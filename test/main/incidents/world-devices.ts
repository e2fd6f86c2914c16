import type { Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { Change } from '../../../src-main/inventory/thread/change.ts'
import type { ManualClock } from '../../support/clock.ts'

/** Devices of the tests by tenant, site and room: named after their places. */
export type Plan = Record<string, Record<string, Record<string, number>>>

export const service = 'test'

/** Devices of the service, and the part of them that Muster receives. */
export interface Source {
  clock: ManualClock
  devices: Map<string, ReturnType<typeof devicesOf>[number]>
  tenants: string[]
  /** Tenants that Muster sees. */
  seen: Set<string>
  /** The order of events and requests. */
  order: number
  calls: Calls
  applyChange: (change: Change) => void
}

export function listTenants({ calls, tenants, clock, applyChange }: Source): void {
  applyChange(
    calls.tenants({
      service,
      connection: 'c',
      tenants: tenants.map((id) => ({ id, name: name(id), region: 'EU-1' })),
      at: clock.now(),
    }),
  )
}

/** A full sync of a tenant. */
export function page(source: Source, tenant: string, apply = source.applyChange): void {
  const { calls, clock, devices } = source
  const generation = calls.nextGeneration({ service, tenant, connection: 'c' })
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
  source.order += 1
  apply(
    calls.page({
      service,
      tenant,
      generation,
      requestOrder: source.order,
      at: clock.now(),
      devices: facts,
      next: null,
      connection: 'c',
    }),
  )
  apply(calls.finish({ service, tenant, generation, at: clock.now(), connection: 'c' }))
}

export function setVisible({ calls, clock, seen, applyChange }: Source, of: string[], sees: boolean): void {
  for (const tenant of of) {
    if (sees) seen.add(tenant)
    else seen.delete(tenant)
  }
  applyChange(
    calls.visibility({
      service,
      connection: 'c',
      tenants: sees ? [...seen] : of,
      visible: sees,
      confirmedAt: clock.now(),
      ...(sees ? { from: clock.now() } : {}),
    }),
  )
}

async function setConnected(source: Source, connected: boolean, ids: string[]): Promise<void> {
  const { calls, clock, devices, seen, applyChange } = source
  const events = ids.flatMap((id) => {
    const device = devices.get(id)
    if (device === undefined || device.connected === connected) return []
    device.connected = connected
    source.order += 1
    return seen.has(device.tenant)
      ? [{ id, tenant: device.tenant, connected, name: null, order: source.order, at: clock.now() }]
      : []
  })
  if (events.length > 0) applyChange(calls.events({ service, events }))
  await clock.advance(0)
}

/** A reconciliation of a tenant. */
function reconcile(source: Source, tenant: string): void {
  const { calls, clock, devices, applyChange } = source
  const own = [...devices.values()].filter((device) => device.tenant === tenant)
  source.order += 1
  applyChange(
    calls.reconciliation({
      service,
      tenant,
      requestOrder: source.order,
      at: clock.now(),
      devices: own.map(({ id, connected }) => ({ id, connected, lastDetected: null })),
    }),
  )
}

/** Changes of the devices, and of the connections to them. */
export interface DeviceActions {
  ids(site?: string): string[]
  drop(...ids: string[]): Promise<void>
  back(...ids: string[]): Promise<void>
  /** Changes the status of devices without an event. */
  setUnreported(connected: boolean, ...ids: string[]): void
  blind(...tenants: string[]): Promise<void>
  /** Restores monitoring, with a reconciliation. */
  see(...tenants: string[]): Promise<void>
  /** A reconciliation of a tenant. */
  read(tenant: string): Promise<void>
  /** The service no longer lists these. */
  remove(...ids: string[]): Promise<void>
  /** The same without the event that the inventory has changed. */
  removeUnreported(...ids: string[]): void
  /** The service has these in another room by now. */
  move(site: string, room: string, ...ids: string[]): Promise<void>
}

export function deviceActions(source: Source): DeviceActions {
  const { clock, devices, tenants } = source
  return {
    ids: (site) =>
      [...devices.values()]
        .filter((device) => site === undefined || device.site.name === name(site))
        .map(({ id }) => id),
    drop: (...ids) => setConnected(source, false, ids),
    back: (...ids) => setConnected(source, true, ids),
    setUnreported(connected, ...ids) {
      for (const id of ids) {
        const device = devices.get(id)
        if (device) device.connected = connected
      }
    },
    async blind(...of) {
      setVisible(source, of.length > 0 ? of : tenants, false)
      await clock.advance(0)
    },
    async see(...of) {
      const wanted = of.length > 0 ? of : tenants
      setVisible(source, wanted, true)
      for (const tenant of wanted) reconcile(source, tenant)
      await clock.advance(0)
    },
    async read(tenant) {
      reconcile(source, tenant)
      await clock.advance(0)
    },
    async remove(...ids) {
      for (const id of ids) devices.delete(id)
      for (const tenant of tenants) page(source, tenant)
      await clock.advance(0)
    },
    removeUnreported(...ids) {
      for (const id of ids) devices.delete(id)
      for (const tenant of tenants) page(source, tenant, () => {})
    },
    async move(site, room, ...ids) {
      for (const id of ids)
        Object.assign(deviceIn(devices, id), {
          site: { id: site, name: name(site) },
          room: { id: room, name: `Room ${room}` },
        })
      for (const tenant of tenants) page(source, tenant)
      await clock.advance(2_000)
    },
  }
}

export function deviceIn(devices: ReadonlyMap<string, ReturnType<typeof devicesOf>[number]>, id: string) {
  const device = devices.get(id)
  if (device === undefined) throw new Error(`no device ${id}`)
  return device
}

export function devicesOf(plan: Plan) {
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
