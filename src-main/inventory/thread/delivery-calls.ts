import type { Store } from '../store.ts'
import type { DeliveryData } from './delivery-protocol.ts'

type DeliveryCalls = {
  [N in keyof DeliveryData]: (input: Parameters<DeliveryData[N]>[0]) => Awaited<ReturnType<DeliveryData[N]>>
}

/** The calls about messages to channels (delivery-protocol.ts). */
export function deliveryCalls({ journal: { deliveries } }: Pick<Store, 'journal'>): DeliveryCalls {
  return {
    openDeliveries: ({ since }) => deliveries.open(since),
    deliveries: (input) => deliveries.read(input),
    deliveryCounts: () => ({ counts: deliveries.counts() }),
    settleDeliveries: ({ rows }) => deliveries.settle(rows),
  }
}
