import type { Sender } from '../connections/senders.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'

export interface KnownTenant {
  key: string
  service: string
  id: string
  name: string
  /** The ids of all connections that list it. */
  connections: readonly string[]
  /** Those of them that run here. */
  senders: Sender[]
}

/** The tenants of the fleet with the connections that may act on them, as last read. */
export interface ActionTenants {
  all(): KnownTenant[]
  get(key: string): KnownTenant | undefined
  /** Reads the tenants again. Rejects as the data thread does. */
  refresh(): Promise<void>
}

export function createTenants(data: Pick<InventoryData, 'locations'>, senders: () => Sender[]): ActionTenants {
  let listed: { key: string; name: string; connections: string[] }[] = []
  const known = (each: (typeof listed)[number], running: Sender[]): KnownTenant => {
    const [service = '', id = ''] = each.key.split('/').map(decodeURIComponent)
    return {
      key: each.key,
      service,
      id,
      name: each.name,
      connections: each.connections,
      senders: running.filter((sender) => sender.service === service && each.connections.includes(sender.connection)),
    }
  }
  return {
    all() {
      const running = senders()
      return listed.map((each) => known(each, running))
    },
    get(key) {
      const found = listed.find((each) => each.key === key)
      return found === undefined ? undefined : known(found, senders())
    },
    async refresh() {
      const { tenants } = await data.locations({ keys: [], paused: [] })
      listed = tenants.map(({ key, name, connections }) => ({ key, name, connections }))
    },
  }
}
