import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { createZones } from '../../src-shared/maintenance/zones.ts'
import type { Channel } from '../../src-shared/model/channels.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import type { ChannelList } from './list.ts'
import type { DeliveryQueue } from './queue.ts'
import { onShift } from './rota.ts'

export const needsSecret = (channel: Channel): boolean => channel.kind === 'webhook' || channel.user !== ''

const zones = createZones()

/** Returns who is on shift; null where the channel has no rota. */
export const shiftOf = (channel: Channel, now: number) =>
  channel.kind === 'email' && channel.rota !== null ? onShift(channel.rota, zones, channel.rule.zone, now) : null

interface Read {
  data: Pick<InventoryData, 'deliveryCounts'>
  ports: Pick<Ports, 'clock'>
  list: ChannelList
  queue: Pick<DeliveryQueue, 'waiting'>
}

/** Returns all channels as the window shows them. */
export async function readChannels({ data, ports, list, queue }: Read): Promise<CallOutput<'channels.read'>> {
  const { counts } = await data.deliveryCounts({})
  const of = (channel: string, state: string) => counts.find((one) => one.channel === channel && one.state === state)
  const channels = await Promise.all(
    list.all().map(async (channel) => {
      const waiting = queue.waiting(channel.id)
      return {
        channel,
        hasSecret: needsSecret(channel) ? await hasSecret(list, channel.id) : true,
        waiting: waiting.length,
        failed: of(channel.id, 'failed')?.count ?? 0,
        sentAt: of(channel.id, 'sent')?.last ?? null,
        reason: waiting.findLast(({ reason }) => reason !== '')?.reason ?? '',
        onShift: shiftOf(channel, ports.clock.now())?.name ?? null,
      }
    }),
  )
  return { channels, unread: list.unread, ownZone: new Intl.DateTimeFormat().resolvedOptions().timeZone }
}

const hasSecret = (list: ChannelList, id: string): Promise<boolean | null> =>
  list.secret(id).then(
    (secret) => secret !== null,
    () => null,
  )
