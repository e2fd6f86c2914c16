import { toFault } from '../../../src-shared/model/fault.ts'
import type { ConnectionContext } from '../context.ts'

/**
 * What the cache holds of connections that are not there any more (taken out of the settings by hand) is nobody's, and
 * so is what it holds of a connection's former address; the history stays. At a start.
 *
 * Only where the settings name all there are. Settings that were put aside, or a record that cannot be read, are no
 * word of the operator's that something is to go; nor is it a file without any list, as it is begun anew after that: an
 * empty list was written by somebody. What is left then stays, seen by nobody, until there is a list again at a start, or
 * a connection is removed: settings that are mended by hand find their inventory again.
 */
export async function forgetAtStart(context: ConnectionContext): Promise<void> {
  const {
    ports: { settings },
    demo,
  } = context.options
  const isListed = demo !== null || Array.isArray(settings.get('connections'))
  await forgetLeft(context, isListed && settings.damaged === null && isReadable(context))
}

/** Before a connection is removed: what nobody on record lists must not be what keeps its devices and their history. */
export async function forgetBeforeRemoval(context: ConnectionContext): Promise<void> {
  await forgetLeft(context, isReadable(context))
}

/** A record that cannot be read is one of a connection all the same. */
const isReadable = ({ stored }: ConnectionContext): boolean => stored.unreadable.length === 0

async function forgetLeft(
  { options: { data, publish, ports }, entries }: ConnectionContext,
  strays: boolean,
): Promise<void> {
  try {
    for (const connection of await data.connections()) {
      const except = entries.get(connection)?.service
      if (except !== undefined) publish(await data.forget({ connection, keepHistory: true, except }))
      else if (strays) publish(await data.forget({ connection, keepHistory: true }))
    }
  } catch (error) {
    ports.log('warn', `what is left of former connections stays for now (${toFault(error).kind})`)
  }
}
