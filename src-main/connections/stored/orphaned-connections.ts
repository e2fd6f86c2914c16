import { toFault } from '../../../src-shared/model/fault.ts'
import type { ConnectionContext } from '../context.ts'

/**
 * Removes at a start what the cache holds of connections that no longer exist (removed from the settings by hand), or
 * of a connection's former address; the history stays.
 *
 * Runs only where the settings list all connections. Damaged settings, an unreadable record or a missing list do not
 * show that the operator removed anything; an empty list does. The data then stays, without a connection, until a start
 * finds a list or a connection is removed, so that repaired settings find their inventory again.
 */
export async function forgetAtStart(context: ConnectionContext): Promise<void> {
  const {
    ports: { settings },
    demo,
  } = context.options
  const isListed = demo !== null || Array.isArray(settings.get('connections'))
  await forgetLeft(context, isListed && settings.damaged === null && isReadable(context))
}

/**
 * Runs before a connection is removed: data of connections without a record must not keep its devices and their
 * history.
 */
export async function forgetBeforeRemoval(context: ConnectionContext): Promise<void> {
  await forgetLeft(context, isReadable(context))
}

/** Returns whether all records could be read. An unreadable record is a connection too. */
const isReadable = ({ stored }: ConnectionContext): boolean => stored.unreadable.length === 0

async function forgetLeft(
  { options: { data, publish, ports }, entries }: ConnectionContext,
  includesOrphans: boolean,
): Promise<void> {
  try {
    const keepHistory = { at: ports.clock.now() }
    for (const connection of await data.connections()) {
      const except = entries.get(connection)?.service
      if (except !== undefined) publish(await data.forget({ connection, keepHistory, except }))
      else if (includesOrphans) publish(await data.forget({ connection, keepHistory }))
    }
  } catch (error) {
    ports.log('warn', `what is left of former connections stays for now (${toFault(error).kind})`)
  }
}
