import type { Mutations } from '../api/mutations/mutations.ts'
import type { Pacer } from '../pacing/pacer.ts'
import type { Access } from '../../src-shared/model/access.ts'
import type { ConnectionContext } from './context.ts'
import type { ManagedConnection } from './managed.ts'

/**
 * A running connection that may act, whoever in a team reads it. `link`: an object that a restart of the connection
 * replaces.
 */
export interface Sender {
  connection: string
  service: string
  link: object
  /** Null where this connection cannot send actions. */
  mutations: Mutations | null
  /** The role and scope of its credential set; missing where the service does not say. */
  access?: Access | undefined
  /** The balance that it sends from: the same object for all connections of a credential set. */
  balance?: Pick<Pacer, 'forecast' | 'gauge'> | undefined
}

/** Returns a connection as a sender of actions; none while it does not run. */
export function senderOf(
  { access, options: { shared } }: Pick<ConnectionContext, 'access' | 'options'>,
  { record, service, set, client }: ManagedConnection,
): Sender[] {
  if (client === null) return []
  return [
    {
      connection: record.id,
      service,
      link: client,
      mutations: client.mutations,
      access: access.of(record.id, set) ?? shared?.seen(record.id)?.state.access,
      balance: client.pacer,
    },
  ]
}
