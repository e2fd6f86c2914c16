import { z } from 'zod'
import {
  channel as channelSchema,
  type Channel,
  type ChannelSecret,
  channelSecret,
} from '../../src-shared/model/channels.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Secrets, Settings } from '../ports.ts'
import { savingSettings } from '../settings/saving.ts'

/** The channels, stored without their secrets under one key of the settings file. */
export interface ChannelList {
  all(): readonly Channel[]
  find(id: string): Channel | null
  /** How many stored ones cannot be read. They stay in the file. */
  readonly unread: number
  /** Stores a channel and its secret (null: it keeps the one that it has). Rejects with `storage`, `keychain` or `keychain-locked`; then nothing has changed. */
  save(channel: Channel, secret: ChannelSecret | null): Promise<void>
  /** Removes a channel and its secret. Rejects as `save` does; then it is still there. */
  remove(id: string): Promise<void>
  /** Resolves with the secret of a channel; null: none is known here. Rejects with `keychain-locked` or `keychain`. */
  secret(id: string): Promise<ChannelSecret | null>
}

const settingsKey = 'channels'
const accountOf = (id: string) => `channel:${id}`

export function openChannelList(settings: Settings, secrets: Secrets): ChannelList {
  const stored = z
    .array(z.unknown())
    .catch([])
    .parse(settings.get(settingsKey) ?? [])
  const read = stored.map((one) => channelSchema.safeParse(one))
  const damaged = stored.filter((_one, index) => read[index]?.success === false)
  let channels = read.flatMap((one) => (one.success ? [one.data] : []))
  const write = (next: Channel[]) => {
    savingSettings(() => settings.set(settingsKey, [...next, ...damaged]))
    channels = next
  }
  const sorted = (all: Channel[]) => all.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  return {
    all: () => sorted(channels),
    find: (id) => channels.find((one) => one.id === id) ?? null,
    unread: damaged.length,
    async save(channel, secret) {
      const others = channels.filter(({ id }) => id !== channel.id)
      if (secret === null) return write([...others, channel])
      const before = await secrets.get(accountOf(channel.id))
      await secrets.set(accountOf(channel.id), JSON.stringify(secret))
      try {
        write([...others, channel])
      } catch (error) {
        await (
          before === null ? secrets.remove(accountOf(channel.id)) : secrets.set(accountOf(channel.id), before)
        ).catch(() => {})
        throw error
      }
    },
    async remove(id) {
      const before = await secrets.get(accountOf(id))
      await secrets.remove(accountOf(id))
      try {
        write(channels.filter((one) => one.id !== id))
      } catch (error) {
        if (before !== null) await secrets.set(accountOf(id), before).catch(() => {})
        throw error
      }
    },
    async secret(id) {
      const text = await secrets.get(accountOf(id))
      if (text === null) return null
      const parsed = channelSecret.safeParse(parsedJson(text))
      if (!parsed.success) throw new FaultError('keychain', 'what is stored there is not a channel’s secret')
      return parsed.data
    },
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
