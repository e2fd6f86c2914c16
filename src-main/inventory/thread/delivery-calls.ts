import type { Store } from '../store.ts'
import type { DeliveryData } from './delivery-protocol.ts'

type DeliveryCalls = {
  [N in keyof DeliveryData]: (input: Parameters<DeliveryData[N]>[0]) => Awaited<ReturnType<DeliveryData[N]>>
}

/** The calls about a team's channels, and messages to channels (delivery-protocol.ts). */
export function deliveryCalls({ journal: { deliveries, sharedChannels } }: Pick<Store, 'journal'>): DeliveryCalls {
  return {
    openDeliveries: ({ since }) => deliveries.open(since),
    deliveries: (input) => deliveries.read(input),
    deliveryCounts: () => ({ counts: deliveries.counts() }),
    settleDeliveries: ({ rows, adds }) => deliveries.settle(rows, adds),
    reviseDeliveries: ({ rows }) => ({ ids: deliveries.revise(rows) }),
    sharedChannels: () => sharedChannels.all(),
    shareChannel({ record, drops }) {
      sharedChannels.save(record)
      if (drops !== null) deliveries.drop(record.id, drops)
    },
    unshareChannel({ id, drops }) {
      sharedChannels.remove(id)
      deliveries.drop(id, drops)
    },
  }
}
