import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Observation } from './engine/state.ts'
import type { RunnerOptions } from './runner-options.ts'

type Found = Awaited<ReturnType<InventoryData['locations']>>

interface Asked extends Pick<RunnerOptions, 'lastMessages'> {
  /** Keys of the devices that were asked for. */
  asked: readonly string[]
  /** Ids of the paused connections. */
  idle: ReadonlySet<string>
  /** Keys of all tenants that were listed in this run. */
  listed: ReadonlySet<string>
}

/** Returns what the inventory says of the devices, without the tenants that only paused connections list. */
export function observationOf(found: Found, { asked, idle, listed, lastMessages }: Asked): Observation {
  const present = new Set(found.tenants.map(({ key }) => key))
  const tenants = found.tenants.filter(({ connections }) => connections.some((id) => !idle.has(id)))
  return {
    ...found,
    asked,
    unlistedTenants: new Set([...listed, ...found.withdrawn].filter((key) => !present.has(key))),
    tenants: tenants.map((tenant) => ({
      ...tenant,
      lastMessages: lastMessages(tenant.connections.filter((id) => !idle.has(id))),
    })),
  }
}
