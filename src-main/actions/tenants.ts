import type { MutationOffer, Mutations } from '../api/mutations/mutations.ts'
import type { Sender } from '../connections/senders.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import { jobKinds, type JobKind } from '../../src-shared/model/jobs.ts'

export interface KnownTenant {
  key: string
  service: string
  id: string
  name: string
  /** The running connections that list it. */
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

/** Returns the sender for a kind of job in a tenant: the first connection that offers it; null where none does. */
export function senderFor(
  { senders }: Pick<KnownTenant, 'senders'>,
  kind: JobKind,
): { mutations: Mutations; offer: MutationOffer; connection: string } | null {
  for (const { mutations, connection } of senders) {
    const offer = mutations?.offer() ?? null
    if (mutations !== null && offer !== null && offers(offer, kind)) return { mutations, offer, connection }
  }
  return null
}

export const offeredKinds = (tenant: Pick<KnownTenant, 'senders'>): JobKind[] =>
  jobKinds.filter((kind) => senderFor(tenant, kind) !== null)

function offers({ reboot, update, site, room }: MutationOffer, kind: JobKind): boolean {
  switch (kind) {
    case 'reboot':
      return reboot !== null
    case 'rename':
      return update?.name === true
    case 'move':
      return update !== null && (update.site || update.room)
    case 'update':
      return update !== null && (update.name || update.site || update.room)
    case 'site':
      return site !== null
    case 'room':
      return room !== null
  }
}
