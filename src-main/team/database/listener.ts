import { escapeIdentifier, type Client } from 'pg'
import type { FaultError } from '../../../src-shared/model/fault.ts'
import { hostAndPort } from './address.ts'
import { clientOf, cut, endConnection, openConnection, type TeamTarget } from './connect.ts'
import { databaseFault } from './errors.ts'

/** Longest time until a server has taken leave, ms. */
const stopMs = 2000

export interface ListenerOptions {
  target: TeamTarget
  channel: string
  /** Is called for each notification of the channel. */
  onBell: () => void
  /** Is called once, when the connection is lost; not after `stop`. */
  onLost?: (fault: FaultError) => void
  signal?: AbortSignal
}

export interface Listener {
  /**
   * Whether a pooler stands between: the server's own number of the session is another one than at sign-in. Behind a
   * transaction pooler no notification arrives.
   */
  readonly isPooled: boolean
  /** Ends the subscription and closes the connection. */
  stop(): Promise<void>
}

/**
 * Listens on a channel, on a connection of its own: the only one with a state that outlasts a transaction. Rejects with
 * a `FaultError`, or the signal's reason.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { target, channel, signal } = options
  const where = hostAndPort(target.address)
  const client = await openConnection(clientOf(target), where, signal)
  const stop = watch(client, where, options)
  const onAbort = () => cut(client, signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  try {
    await client.query(`LISTEN ${escapeIdentifier(channel)}`)
    return { isPooled: await isPooled(client), stop }
  } catch (error) {
    await stop()
    throw signal?.aborted === true ? signal.reason : databaseFault(error, where)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Tells what happens to the connection. Returns what ends it. */
function watch(client: Client, where: string, { target, channel, onBell, onLost }: ListenerOptions) {
  let isStopped = false
  let lost: unknown = null
  client.on('error', (error) => {
    lost ??= error
  })
  client.on('end', () => {
    if (!isStopped) onLost?.(databaseFault(lost, where))
  })
  client.on('notification', (message) => {
    if (message.channel === channel) onBell()
  })
  return async () => {
    isStopped = true
    const cancel = target.clock.after(stopMs, () => cut(client))
    // Behind a pooler the session goes on, with whatever was subscribed to.
    await client.query(`UNLISTEN ${escapeIdentifier(channel)}`).catch(() => {})
    await endConnection(client)
    cancel()
  }
}

async function isPooled(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== (client as Client & { processID?: number }).processID
}
