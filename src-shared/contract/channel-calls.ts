import { z } from 'zod'
import { channel, channelSecret, delivery, deliveryState } from '../model/channels.ts'

const id = z.string().min(1).max(64)

/** A channel, what waits for it and failed, and the reason of the last failure while there is one. */
const channelStatus = z.object({
  channel,
  /** Whether its secret is known here; null while the keychain is locked. */
  hasSecret: z.boolean().nullable(),
  waiting: z.number(),
  failed: z.number(),
  sentAt: z.number().nullable(),
  reason: z.string(),
  /** Who is on shift now; null where the channel has no rota. */
  onShift: z.string().nullable(),
  /** In a team, of one that is on: the member that sends its messages; null: none that has its secret is here. */
  sender: z.object({ operator: z.string(), isSelf: z.boolean() }).nullable().optional(),
})
export type ChannelStatus = z.infer<typeof channelStatus>

/** The calls of channels and their deliveries: a part of the contract (contract.ts). */
export const channelCalls = {
  /** Returns all channels, in the order of their names. `unread`: how many stored ones cannot be read. */
  'channels.read': {
    input: z.object({}),
    output: z.object({ channels: z.array(channelStatus), unread: z.number(), ownZone: z.string() }),
  },
  /**
   * Creates or changes a channel. `secret: null` keeps the stored one. Fails with a fault of kind `input` whose detail has a line
   * `field: words` for each field that is wrong.
   */
  'channels.save': {
    input: z.object({ channel: z.unknown(), secret: channelSecret.nullable() }),
    output: z.object({}),
  },
  /** Removes a channel with its secret. What waits for it is not sent. */
  'channels.remove': { input: z.object({ id }), output: z.object({}) },
  /** Sends a test message at once, with the entered secret or the stored one, and stores nothing. `to`: who accepted it. */
  'channels.test': {
    input: z.object({ channel: z.unknown(), secret: channelSecret.nullable() }),
    output: z.object({ ok: z.boolean(), to: z.array(z.string()), reason: z.string() }),
  },
  /** Returns deliveries, the newest first: of one state, of one incident, or all. */
  'channels.deliveries': {
    input: z.object({
      state: deliveryState.nullable(),
      incident: z.string().max(200).nullable(),
      offset: z.int().min(0),
      limit: z.int().min(1).max(200),
    }),
    output: z.object({ total: z.number(), rows: z.array(delivery) }),
  },
  /** Sends failed deliveries once more, with the same keys; null: all of them. Returns their number. */
  'channels.retry': { input: z.object({ id: id.nullable() }), output: z.object({ count: z.number() }) },
  /** Takes failed deliveries off the list of what failed; null: all of them. Returns their number. */
  'channels.dismiss': { input: z.object({ id: id.nullable() }), output: z.object({ count: z.number() }) },
} as const
