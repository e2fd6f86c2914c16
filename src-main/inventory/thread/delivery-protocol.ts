import type { DeliveryQuery, StoredDeliveryRow } from '../../storage/journal/deliveries.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about a team's channels, and about messages to channels (protocol.ts). They are added with the incidents that they tell of (`saveAlerts`). */
export interface DeliveryData {
  /** Returns what waits, and what was told since then (ms) or is not resolved, both the oldest first. */
  openDeliveries(input: { since: number }): Promise<{ waiting: unknown[]; told: unknown[] }>
  /** Returns deliveries, the newest first, and their number. */
  deliveries(input: DeliveryQuery): Promise<{ total: number; rows: unknown[] }>
  /** Returns how many there are of each channel and state, and when the last of them was settled (ms). */
  deliveryCounts(
    input: Record<never, never>,
  ): Promise<{ counts: { channel: string; state: string; count: number; last: number }[] }>
  /** Writes what became of some of one channel. `adds`: one that is not there is added, because the journal rejected it before. */
  settleDeliveries(input: { channel: string; rows: readonly StoredDeliveryRow[]; adds: boolean }): Promise<void>
  /** Writes what an operator decided of failed ones, to be sent again or not. Returns the ids of those that still had failed. */
  reviseDeliveries(input: { rows: readonly StoredDeliveryRow[] }): Promise<{ ids: string[] }>
  /** Returns the channels of a team, which hold no secret. The caller checks their shape. */
  sharedChannels(): Promise<unknown[]>
  /** Adds a channel to the team, or changes the one with its id. `drops`: what waits for it ends, for this reason. */
  shareChannel(input: { record: { id: string }; drops: { at: number; reason: string } | null }): Promise<void>
  /** Removes a channel of the team. What waits for it ends, for this reason. */
  unshareChannel(input: { id: string; drops: { at: number; reason: string } }): Promise<void>
}

/** How the request queue orders each of these calls. */
export const deliveryCallOrder: { readonly [N in keyof DeliveryData]: CallOrder } = {
  openDeliveries: 'ordered',
  deliveries: 'read',
  deliveryCounts: 'read',
  settleDeliveries: 'ordered',
  reviseDeliveries: 'ordered',
  sharedChannels: 'ordered',
  shareChannel: 'ordered',
  unshareChannel: 'ordered',
}
