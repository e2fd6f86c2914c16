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

/** The channels, without their secrets, which are in the keychain. */
export interface ChannelList {
  all(): readonly Channel[]
  find(id: string): Channel | null
  /** How many stored ones cannot be read. They stay in the file. */
  readonly unread: number
  /**
   * Stores a channel and its secret (null: it keeps the one that it has). Rejects with `storage`, `keychain`, `keychain-locked`, or
   * in a team with `team-away`; then nothing has changed.
   */
  save(channel: Channel, secret: ChannelSecret | null): Promise<void>
  /** Removes a channel and its secret. Rejects as `save` does; then it is still there. */
  remove(id: string): Promise<void>
  /** Resolves with the secret of a channel; null: none is known here. Rejects with `keychain-locked` or `keychain`. */
  secret(id: string): Promise<ChannelSecret | null>
}

const settingsKey = 'channels'
/** Returns the account of a channel's secret in the keychain. */
export const accountOf = (id: string) => `channel:${id}`
/** Returns channels in the order of their names. */
export const sorted = (all: readonly Channel[]) =>
  all.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

/** Returns the channels of a Muster on its own, which are under one key of the settings file. */
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
  return {
    all: () => sorted(channels),
    find: (id) => channels.find((one) => one.id === id) ?? null,
    unread: damaged.length,
    async save(channel, secret) {
      const others = channels.filter(({ id }) => id !== channel.id)
      await withSecret(secrets, channel.id, secret, async () => write([...others, channel]))
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
    secret: (id) => readSecret(secrets, id),
  }
}

/** Resolves with the stored secret of a channel; null: none. Rejects with `keychain-locked` or `keychain`. */
export async function readSecret(secrets: Secrets, id: string): Promise<ChannelSecret | null> {
  const text = await secrets.get(accountOf(id))
  if (text === null) return null
  const parsed = channelSecret.safeParse(parsedJson(text))
  if (!parsed.success) throw new FaultError('keychain', 'what is stored there is not a channel’s secret')
  return parsed.data
}

/** Stores a secret (null: none) for what `write` stores. Where that fails, the secret is what it was. */
export async function withSecret(
  secrets: Secrets,
  id: string,
  secret: ChannelSecret | null,
  write: () => Promise<void>,
): Promise<void> {
  if (secret === null) return write()
  const account = accountOf(id)
  const before = await secrets.get(account)
  await secrets.set(account, JSON.stringify(secret))
  try {
    await write()
  } catch (error) {
    await (before === null ? secrets.remove(account) : secrets.set(account, before)).catch(() => {})
    throw error
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
