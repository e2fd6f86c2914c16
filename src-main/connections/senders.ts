import type { Mutations } from '../api/mutations/mutations.ts'
import type { ManagedConnection } from './managed.ts'

/** A running connection that may act. `link`: an object that a restart of the connection replaces. */
export interface Sender {
  connection: string
  service: string
  link: object
  /** Null where this connection cannot send actions. */
  mutations: Mutations | null
}

/** Returns a connection as a sender of actions; none while it does not run. */
export const senderOf = ({ record, service, runner }: ManagedConnection): Sender[] =>
  runner === null ? [] : [{ connection: record.id, service, link: runner, mutations: runner.mutations }]
