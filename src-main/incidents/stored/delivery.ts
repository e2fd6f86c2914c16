import { z } from 'zod'
import { delivery } from '../../../src-shared/model/channels.ts'
import type { StoredDeliveryRow } from '../../storage/journal/deliveries.ts'

/**
 * A message to a channel as the journal has it. `about`: tenants (keys with a `/`) and devices that it names. `unlessTaken`: it is sent only
 * while it is open and nobody has taken it on.
 */
const storedDelivery = delivery.extend({ about: z.array(z.string()), unlessTaken: z.boolean() })
export type StoredDelivery = z.infer<typeof storedDelivery>

/** Returns a stored message; null when it cannot be read. */
export function readDelivery(value: unknown): StoredDelivery | null {
  const read = storedDelivery.safeParse(value)
  return read.success ? read.data : null
}

export const deliveryRow = (value: StoredDelivery): StoredDeliveryRow => {
  const { id, channel, alert, at, state, about, incidents } = value
  return { id, channel, alert, at, state, about, incidents, value }
}
