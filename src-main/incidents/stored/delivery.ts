import { z } from 'zod'
import { delivery } from '../../../src-shared/model/channels.ts'
import type { StoredDeliveryRow } from '../../storage/journal/deliveries.ts'

/**
 * A message to a channel as the journal has it. `about`: tenants (keys with a `/`) and devices that it names. `begins`: it tells of something that
 * is open. `unlessTaken`: it is sent only while that is open and nobody has taken it on. `givenUpAt`: it is not tried after that time (ms). `rulePlaces`: the places of its channel's rule when it was made.
 */
const storedDelivery = delivery.extend({
  about: z.array(z.string()),
  begins: z.boolean(),
  unlessTaken: z.boolean(),
  givenUpAt: z.number(),
  rulePlaces: z.array(z.string()),
})
export type StoredDelivery = z.infer<typeof storedDelivery>

/** Returns a stored message; null when it cannot be read. */
export function readDelivery(value: unknown): StoredDelivery | null {
  const read = storedDelivery.safeParse(value)
  return read.success ? read.data : null
}

/** Returns the messages that can be read. */
export const readDeliveries = (rows: readonly unknown[]): StoredDelivery[] =>
  rows.flatMap((row) => readDelivery(row) ?? [])

export const deliveryRow = (value: StoredDelivery): StoredDeliveryRow => {
  const { id, channel, alert, at, state, settledAt, about, incidents } = value
  return { id, channel, alert, at, state, settledAt, about, incidents, value }
}
