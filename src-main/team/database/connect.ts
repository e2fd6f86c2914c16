import { lookup } from 'node:dns'
import { Socket, type LookupFunction } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { trust } from '../../network/tls/trust.ts'
import { isLoopback } from '../../network/loopback.ts'
import { hostAndPort, type TeamAddress } from './address.ts'
import { databaseFault } from './errors.ts'

/** Longest time until a connection is signed in, ms. */
const connectMs = 10_000
/** A quiet connection is probed after this time, ms: routers forget it after some minutes. */
const keepAliveMs = 60_000
/** Shown in the server's list of sessions. The one parameter at sign-in, which PgBouncer keeps for each client. */
const applicationName = 'Muster'

/** What is needed to connect to a team's database. */
export interface TeamTarget {
  address: TeamAddress
  /** Resolves with the password; null: none is known, which a server that trusts this computer does not need. */
  password: () => Promise<string | null>
  /** PEM text that adds trust, or '' for none. */
  ca: string
  clock: Clock
  /** Looks a host up; the system's when left out. */
  lookup?: LookupFunction
}

/**
 * Returns whether connections are encrypted, and the certificate is checked (`verify-full`): always over a network, and
 * on this computer where there is a CA.
 */
export function usesTls({ address, ca }: Pick<TeamTarget, 'address' | 'ca'>): boolean {
  return !isLoopback(address.host) || ca.trim() !== ''
}

/** The class of a target's connections, each of which can be opened once. */
export type ClientClass = new () => Client

/**
 * Returns the class of the target's connections. The driver's own sources of settings are closed: environment variables
 * (`PGOPTIONS`, `PGPASSWORD`) and `~/.pgpass` cannot change where, as whom or how it connects. `opening`: gives up
 * those that are being opened. Throws as `trust`.
 */
export function clientOf(target: TeamTarget, opening?: AbortSignal): ClientClass {
  const { address, clock } = target
  const settings: ClientConfig = {
    ...address,
    password: async () => (await target.password()) ?? '',
    ssl: usesTls(target) ? { secureContext: trust(target.ca), rejectUnauthorized: true } : false,
    sslnegotiation: 'postgres',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  }
  return class extends Client {
    constructor() {
      const socket = socketBy(target.lookup ?? (lookup as LookupFunction))
      super({ ...settings, stream: () => socket })
      const settle = giveUpLate(socket, hostAndPort(address), clock, opening)
      this.once('connect', settle)
      // A connection that is lost while nobody asks anything must not end the process; who asks next is told.
      this.on('error', () => {})
    }

    /** The driver's own has more, by environment variables; a transaction pooler rejects most of it. */
    getStartupConf() {
      return { user: address.user, database: address.database, application_name: applicationName }
    }
  }
}

/** Closes a socket that is not signed in in time, or not before the signal. Returns what is called when it is. */
function giveUpLate(socket: Socket, where: string, clock: Clock, signal?: AbortSignal): () => void {
  const giveUp = () => socket.destroy(signal?.reason)
  const cancel = clock.after(connectMs, () => socket.destroy(new FaultError('timeout', where)))
  signal?.addEventListener('abort', giveUp, { once: true })
  const settle = () => {
    cancel()
    signal?.removeEventListener('abort', giveUp)
  }
  socket.once('close', settle)
  return settle
}

/** Returns a socket that looks its host up in this way. */
function socketBy(lookup: LookupFunction): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  const connectTo = (port: number, host: string) => connect({ port, host, lookup })
  return Object.assign(socket, { connect: connectTo as Socket['connect'] })
}

/**
 * Opens one connection beside the pool. Rejects with a `FaultError`; when the signal aborts, with its reason.
 * `endConnection` closes it.
 */
export async function openConnection(TeamClient: ClientClass, where: string, signal?: AbortSignal): Promise<Client> {
  signal?.throwIfAborted()
  const client = new TeamClient()
  const abort = () => cut(client, signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    await client.connect()
    return client
  } catch (error) {
    cut(client)
    throw signal?.aborted === true ? signal.reason : databaseFault(error, where)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Closes a connection at once. Whatever is asked on it rejects with the reason. */
export function cut(client: Client, reason?: unknown): void {
  client.connection.stream.destroy(reason instanceof Error ? reason : undefined)
}

/** Longest wait until the server has heard that a statement is to be cancelled, ms. */
const cancelMs = 1000

/**
 * Ends a connection whose statement is given up. The server is asked first to cancel it: one that waits for a lock or a standby does not
 * notice that its connection is gone, and would keep its place. The request goes as the connection did, through a pooler too.
 */
export async function abandon(client: Client, clock: Clock, reason: unknown): Promise<void> {
  const isOver = new AbortController()
  await Promise.race([cancelStatement(client), wait(clock, cancelMs, isOver.signal)])
  isOver.abort()
  cut(client, reason)
}

/** What the driver keeps of its protocol and leaves out of its types. */
type Wire = Client['connection'] & {
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}

/** Resolves when the server, or a pooler, has taken the request, or cannot be reached. */
function cancelStatement(client: Client): Promise<void> {
  const { processID, secretKey } = client as Client & { processID: number | null; secretKey: number | null }
  if (processID === null || secretKey === null) return Promise.resolve()
  const other = new (client.constructor as ClientClass)()
  const wire = other.connection as Wire
  const isSecure = other.ssl !== false
  return new Promise((resolve) => {
    const ask = () => wire.cancel(processID, secretKey)
    wire.once('connect', () => (isSecure ? wire.requestSsl() : ask()))
    wire.once('sslconnect', ask)
    wire.on('error', () => cut(other))
    wire.once('end', resolve)
    wire.connect(other.port, other.host)
  })
}

/** Signs a connection off. Resolves when it is closed, also when it was lost before. */
export async function endConnection(client: Client): Promise<void> {
  await client.end().catch(() => {})
}
