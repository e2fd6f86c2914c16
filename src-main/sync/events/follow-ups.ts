/**
 * Devices whose state an event left open (`connected: null`), or of which it did not tell though it was asked for. Nobody else will tell how they are: they are asked for soon, many
 * together, by whichever way is cheaper, and then ever more seldom for as long as the service gives no state.
 */
export interface Rechecks {
  /** `isUntold`: what is known of it may be of before the event. */
  add(device: { tenant: string; id: string }, isUntold: boolean): void
  stop(): void
}

/** Events that cannot be read: they may be of any device that is listened to, or of any of the tenant that they name, so that these are compared soon. */
export interface UnreadableEvents {
  /** `tenant`: what it is of as far as it tells; null: it does not. */
  add(tenant: string | null): void
  stop(): void
}
