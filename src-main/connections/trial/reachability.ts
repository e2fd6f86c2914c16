import { wait, type Clock } from '../../../src-shared/lib/clock.ts'
import { FaultError, toFault, type Fault } from '../../../src-shared/model/fault.ts'
import type { Link } from '../../ports.ts'
import type { ConnectionRecord } from '../stored/record.ts'

/** Longest time for the DNS lookup and the TLS handshake of a host, ms. */
const timeoutMs = 12_000

/** One host of a connection's addresses, and whether it could be reached over TLS. */
export interface Reachability {
  host: string
  /** The addresses with this host: "token URL", "GraphQL and subscription URL". */
  where: string
  fault: Fault | null
}

type Addresses = Pick<ConnectionRecord, 'tokenUrl' | 'graphqlUrl' | 'subscriptionUrl'>

/** Connects to each host of the addresses: any answer proves that its name was found and its certificate trusted. */
export function checkReachability(
  link: Link,
  clock: Clock,
  addresses: Addresses,
  signal: AbortSignal,
): Promise<Reachability[]> {
  const hosts = new Map<string, string[]>()
  const named = { token: addresses.tokenUrl, GraphQL: addresses.graphqlUrl, subscription: addresses.subscriptionUrl }
  for (const [name, address] of Object.entries(named)) {
    const { host } = new URL(address)
    hosts.set(host, [...(hosts.get(host) ?? []), name])
  }
  return Promise.all(
    [...hosts].map(async ([host, names]) => ({
      host,
      where: `${termsOf(names)} URL`,
      fault: await reach(link, clock, host, names, signal),
    })),
  )
}

/** Returns "token", "token and GraphQL", "token, GraphQL and subscription". */
function termsOf(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

async function reach(
  link: Link,
  clock: Clock,
  host: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Fault | null> {
  const timeout = new AbortController()
  wait(clock, timeoutMs, AbortSignal.any([timeout.signal, signal])).then(
    () => timeout.abort(new FaultError('timeout', host)),
    () => {},
  )
  try {
    const response = await link.fetch(`https://${host}/`, {
      method: 'HEAD',
      signal: AbortSignal.any([timeout.signal, signal]),
    })
    await response.body?.cancel()
    return null
  } catch (error) {
    return faultOf(toFault(error), names)
  } finally {
    timeout.abort()
  }
}

/**
 * Returns the fault of a host; null where it is reachable. A redirect is an answer too. For a host of the socket alone
 * only the name and the certificate count here: a server that only speaks WebSocket may drop or ignore other requests,
 * and the socket's own leg reports where no server listens.
 */
function faultOf(fault: Fault, names: readonly string[]): Fault | null {
  if (fault.kind === 'http') return null
  const isOfSocket = names.length === 1 && names[0] === 'subscription'
  return isOfSocket && ['reset', 'timeout', 'connect'].includes(fault.kind) ? null : fault
}
