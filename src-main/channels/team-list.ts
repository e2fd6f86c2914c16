import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { channel as channelSchema, type Channel } from '../../src-shared/model/channels.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import { savingSettings } from '../settings/saving.ts'
import { accountOf, type ChannelList, readSecret, sorted, withSecret } from './list.ts'
import { reasons } from './outcome.ts'

/** What the members of a team have alike of a channel. `secretAt`: when its secret was last replaced by another one, ms; 0 for never. */
const sharedChannel = z.object({ id: z.string(), channel: channelSchema, secretAt: z.number() })
type SharedChannel = z.infer<typeof sharedChannel>

/** Where a secret that is here was entered for, by the channel's id. */
const pinsKey = 'channelSecrets'
const pinned = z.record(z.string(), z.object({ target: z.string(), secretAt: z.number() })).catch({})

/** A team's channels. A secret is sent only where it was entered for, whoever changes the channel. */
export interface TeamChannelList extends ChannelList {
  /** Reads the channels again. */
  reload(): Promise<void>
  /** Notes that the secret that is here, or will be, is for where a channel leads now. */
  trust(id: string): void
  /** Forgets the secret of a channel that another member removed. */
  forget(id: string): Promise<void>
}

export interface TeamChannelListOptions {
  data: Pick<InventoryData, 'sharedChannels' | 'shareChannel' | 'unshareChannel'>
  ports: Pick<Ports, 'secrets' | 'settings' | 'clock' | 'log'>
}

export async function openTeamChannelList({ data, ports }: TeamChannelListOptions): Promise<TeamChannelList> {
  const { secrets, settings, clock, log } = ports
  let records: SharedChannel[] = []
  let unread = 0
  const reload = async () => {
    const stored = await data.sharedChannels()
    records = stored.flatMap((one) => sharedChannel.safeParse(one).data ?? [])
    unread = stored.length - records.length
  }
  const find = (id: string) => records.find((one) => one.id === id)
  const pins = () => new Map(Object.entries(pinned.parse(settings.get(pinsKey) ?? {})))
  const setPins = (next: ReadonlyMap<string, unknown>) =>
    savingSettings(() => settings.set(pinsKey, Object.fromEntries(next)))
  const pin = ({ channel, secretAt }: Pick<SharedChannel, 'channel' | 'secretAt'>) =>
    setPins(pins().set(channel.id, { target: targetOf(channel), secretAt }))
  const secret = async (id: string) => {
    const [record, known] = [find(id), pins().get(id)]
    const isFor =
      record !== undefined && known?.target === targetOf(record.channel) && known.secretAt >= record.secretAt
    return isFor ? readSecret(secrets, id) : null
  }
  const forget = async (id: string) => {
    const others = pins()
    if (!others.delete(id)) return
    setPins(others)
    await secrets.remove(accountOf(id)).catch(() => log('warn', 'the secret of a removed channel is still stored'))
  }
  await reload()
  return {
    all: () => sorted(records.map(({ channel }) => channel)),
    find: (id) => find(id)?.channel ?? null,
    get unread() {
      return unread
    },
    reload,
    secret,
    forget,
    trust(id) {
      const record = find(id)
      if (record !== undefined) pin(record)
    },
    async save(channel, entered) {
      const before = find(channel.id)
      const known = entered === null || before === undefined ? null : await secret(channel.id)
      const isOther = known !== null && !isDeepStrictEqual(known, entered)
      // Two members may make one channel at the same time: that replaces no secret.
      const secretAt = isOther ? clock.now() : (before?.secretAt ?? 0)
      const drops = channel.on ? null : { at: clock.now(), reason: reasons.switchedOff }
      const record: SharedChannel = { id: channel.id, channel, secretAt }
      await withSecret(secrets, channel.id, entered, () => data.shareChannel({ record, drops }))
      if (entered !== null) pin({ channel, secretAt })
      await reload()
    },
    async remove(id) {
      await data.unshareChannel({ id, drops: { at: clock.now(), reason: reasons.removed } })
      await reload()
      await forget(id)
    },
  }
}

/** Returns what a channel's secret is for. */
const targetOf = (channel: Channel): string =>
  JSON.stringify(
    channel.kind === 'webhook'
      ? [channel.kind, channel.format, channel.host, channel.ca]
      : [channel.kind, channel.host, channel.port, channel.security, channel.user, channel.ca],
  )

/** Returns whether a channel leads to where another one does. */
export const isSameTarget = (one: Channel, other: Channel): boolean => targetOf(one) === targetOf(other)
