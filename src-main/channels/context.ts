import type { ChannelSecret } from '../../src-shared/model/channels.ts'
import type { Severity } from '../../src-shared/model/incidents.ts'
import type { AlertRules } from '../incidents/engine/rules.ts'
import type { State } from '../incidents/engine/state.ts'
import { readDeliveries, type StoredDelivery } from '../incidents/stored/delivery.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Banners } from '../ipc/banners.ts'
import type { Ports } from '../ports.ts'
import { type Alerts, withDeliveries } from './alerts.ts'
import type { ChannelsTeam } from './channels-team.ts'
import type { Looking } from './held.ts'
import type { ChannelList } from './list.ts'
import type { DeliveryQueue } from './queue.ts'
import { needsSecret } from './status.ts'
import type { TeamChannelList } from './team-list.ts'

export interface ChannelsOptions {
  data: Pick<
    InventoryData,
    | 'openDeliveries'
    | 'deliveries'
    | 'deliveryCounts'
    | 'settleDeliveries'
    | 'reviseDeliveries'
    | 'sharedChannels'
    | 'shareChannel'
    | 'unshareChannel'
  >
  ports: Pick<Ports, 'network' | 'mail' | 'secrets' | 'settings' | 'clock' | 'log'>
  banners: Pick<Banners, 'show' | 'remove'>
  random: () => number
  /** Null for a Muster on its own. */
  team: ChannelsTeam | null
}

/** The present incidents, and what has them evaluated again. */
export interface PresentIncidents {
  state: () => State
  rules: () => AlertRules
  recheck: () => void
}

export interface Context {
  options: ChannelsOptions
  list: ChannelList
  /** The list of a team; null for a Muster on its own. */
  teamList: TeamChannelList | null
  queue: DeliveryQueue
  alerts: Alerts
  /** Null until `start`. */
  incidents: PresentIncidents | null
  isFirst: boolean
  looking: Looking
  /** As in `Told` (plan.ts). */
  seen: ReadonlyMap<string, Severity>
  /** Names of the channels that do not deliver, by their ids, with the reason. */
  troubled: Map<string, string>
  /** Another member wrote messages that are sent from here, and that the queue does not have. */
  isBehind: boolean
  /** A channel and its secret are changed and read together. */
  inTurn: <T>(run: () => Promise<T>) => Promise<T>
}

/** Messages that were told this long ago (ms) are looked at after a start; those of systems that keep alerts however old they are. */
const lookBackMs = 30 * 24 * 3_600_000

/** Reads what waits, and learns what was told. */
export async function readStored(context: Context): Promise<StoredDelivery[]> {
  const { data, ports } = context.options
  const { waiting, told } = await data.openDeliveries({ since: ports.clock.now() - lookBackMs })
  context.alerts = withDeliveries(new Map(), readDeliveries(told))
  return readDeliveries(waiting)
}

/** Returns the secret of a channel, `{}` for one that needs none; null: it is not known here. Rejects as `ChannelList.secret` does. */
export async function secretFor({ list }: Pick<Context, 'list'>, id: string): Promise<ChannelSecret | null> {
  const channel = list.find(id)
  if (channel === null) return null
  return needsSecret(channel) ? list.secret(id) : {}
}

/** Returns the id of what may be a channel; '' for none. */
export const idIn = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'id' in given ? String(given.id) : ''
