import type { DeliveryQuery, StoredDeliveryRow } from '../../storage/journal/deliveries.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about messages to channels (protocol.ts). They are added with the incidents that they tell of (`saveAlerts`). */
export interface DeliveryData {
  /** Returns what waits, and what was told since then (ms) or is not resolved, both the oldest first. */
  openDeliveries(input: { since: number }): Promise<{ waiting: unknown[]; told: unknown[] }>
  /** Returns deliveries, the newest first, and their number. */
  deliveries(input: DeliveryQuery): Promise<{ total: number; rows: unknown[] }>
  /** Returns how many there are of each channel and state, and when the last of them was settled (ms). */
  deliveryCounts(
    input: Record<never, never>,
  ): Promise<{ counts: { channel: string; state: string; count: number; last: number }[] }>
  /** Writes what became of some. */
  settleDeliveries(input: { rows: readonly StoredDeliveryRow[] }): Promise<void>
}

/** How the request queue orders each of these calls. */
export const deliveryCallOrder: { readonly [N in keyof DeliveryData]: CallOrder } = {
  openDeliveries: 'ordered',
  deliveries: 'read',
  deliveryCounts: 'read',
  settleDeliveries: 'ordered',
}
