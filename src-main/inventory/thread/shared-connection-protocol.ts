import type { CallOrder } from './call-order.ts'

/** The data thread's calls about the connections of a team (protocol.ts), which hold no secret. The caller checks the shape of what is read. */
export interface SharedConnectionData {
  sharedConnections(): Promise<unknown[]>
  /** Returns the ids of the connections that the team has removed. */
  removedConnections(): Promise<string[]>
  /** Adds a connection, or changes the one with its id. */
  shareConnection(input: { id: string }): Promise<void>
  unshareConnection(input: { id: string }): Promise<void>
}

export const sharedConnectionCallOrder: { readonly [N in keyof SharedConnectionData]: CallOrder } = {
  sharedConnections: 'ordered',
  removedConnections: 'ordered',
  shareConnection: 'ordered',
  unshareConnection: 'ordered',
}
