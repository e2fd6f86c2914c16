/** The team whose channels these are: one member sends the messages of each. */
export interface ChannelsTeam {
  /** Returns whether this member sends the messages of a channel. */
  sends(channel: string): boolean
  /** Returns the operator of another member that does, as far as it tells; null: none. */
  senderOf(channel: string): string | null
  /** Sets the channels (ids) that this member can send through. */
  canSend(channels: ReadonlySet<string>): void
}
