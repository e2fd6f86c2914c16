import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { createZones } from '../../src-shared/maintenance/zones.ts'
import type { ChannelStatus } from '../../src-shared/contract/channel-calls.ts'
import type { Channel } from '../../src-shared/model/channels.ts'
import { readDeliveries, type StoredDelivery } from '../incidents/stored/delivery.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import type { ChannelsTeam } from './channels-team.ts'
import type { ChannelList } from './list.ts'
import type { DeliveryQueue } from './queue.ts'
import { onShift } from './rota.ts'

export const needsSecret = (channel: Channel): boolean => channel.kind === 'webhook' || channel.user !== ''

const zones = createZones()

/** Returns who is on shift; null where the channel has no rota. */
export const shiftOf = (channel: Channel, now: number) =>
  channel.kind === 'email' && channel.rota !== null ? onShift(channel.rota, zones, channel.rule.zone, now) : null

/** The channels, and what is known of them. */
interface Read {
  list: ChannelList
  queue: Pick<DeliveryQueue, 'waiting'>
  options: {
    data: Pick<InventoryData, 'deliveryCounts' | 'deliveries'>
    ports: Pick<Ports, 'clock'>
    team: ChannelsTeam | null
  }
}

/** Returns the member of the team that sends a channel's messages; null: none. Undefined for a Muster on its own, or a channel that is off. */
export function senderOf(
  { list, options: { team } }: { list: ChannelList; options: Pick<Read['options'], 'team'> },
  channel: string,
): ChannelStatus['sender'] {
  if (team === null || list.find(channel)?.on !== true) return undefined
  if (team.sends(channel)) return { operator: '', isSelf: true }
  const operator = team.senderOf(channel)
  return operator === null ? null : { operator, isSelf: false }
}

/** Returns all channels as the window shows them. */
export async function readChannels(context: Read): Promise<CallOutput<'channels.read'>> {
  const { list, queue } = context
  const { data, ports, team } = context.options
  const { counts } = await data.deliveryCounts({})
  const of = (channel: string, state: string) => counts.find((one) => one.channel === channel && one.state === state)
  // The queue has the newest state of what is sent from here, also of what could not be written.
  const elsewhere = team === null ? [] : await waitingMessages(data)
  const waitingFor = (id: string) => {
    if (team?.sends(id) !== false) return { count: queue.waiting(id).length, rows: queue.waiting(id) }
    return { count: of(id, 'waiting')?.count ?? 0, rows: elsewhere.filter(({ channel }) => channel === id) }
  }
  const channels = await Promise.all(
    list.all().map(async (channel) => {
      const { id } = channel
      const waiting = waitingFor(id)
      const sender = senderOf(context, id)
      return {
        channel,
        hasSecret: needsSecret(channel) ? await hasSecret(list, id) : true,
        waiting: waiting.count,
        failed: of(id, 'failed')?.count ?? 0,
        sentAt: of(id, 'sent')?.last ?? null,
        reason: waiting.rows.findLast(({ reason }) => reason !== '')?.reason ?? '',
        onShift: shiftOf(channel, ports.clock.now())?.name ?? null,
        ...(sender !== undefined && { sender }),
      }
    }),
  )
  return { channels, unread: list.unread, ownZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** The most waiting messages that are looked at. */
const maxWaiting = 200

/** Returns the messages that wait in the journal, the newest of them at most, the oldest first. */
export async function waitingMessages(data: Pick<InventoryData, 'deliveries'>): Promise<StoredDelivery[]> {
  const { rows } = await data.deliveries({ state: 'waiting', incident: null, offset: 0, limit: maxWaiting })
  return readDeliveries(rows).toReversed()
}

const hasSecret = (list: ChannelList, id: string): Promise<boolean | null> =>
  list.secret(id).then(
    (secret) => secret !== null,
    () => null,
  )
