import { toFault } from '../../../src-shared/model/fault.ts'
import { statesOperation } from '../../api/operations.ts'
import type { Faults } from '../faults.ts'
import type { ConnectionSyncOptions } from '../options.ts'
import type { Reader } from '../reader/reader.ts'
import type { Requests } from '../reader/requests.ts'
import { pacedMs, tenantsCost } from '../tenants/sync-cost.ts'
import type { Devices } from './devices.ts'
import type { Link } from './link.ts'

/** Delay in which changes of the parked devices are collected, ms. */
const collectMs = 500
/** Shortest interval of polls, ms, however many points there are. */
const minDelayMs = 30_000

/**
 * The devices without a live subscription because the service rejects it. Their tenants are polled as often as the
 * balance allows. Such a device has the status of its last poll.
 */
export interface Unsubscribed {
  /**
   * Returns the tenants to poll: those with parked devices, or all that this connection reads where only polls are
   * available.
   */
  tenants(): ReadonlySet<string>
  /** Returns the ms from the end of one poll to the next one. */
  intervalMs(): number
  /** Handles changed parked devices: reports them soon, and polls their tenants. */
  changed(): void
}

export interface UnsubscribedOptions {
  options: ConnectionSyncOptions
  signal: AbortSignal
  faults: Faults
  requests: Pick<Requests, 'add'>
  devices: Devices
  reader: Reader
  link: Pick<Link, 'isPolling' | 'parked'>
}

export function createUnsubscribed(parts: UnsubscribedOptions): Unsubscribed {
  let isPlanned = false
  return {
    tenants: () => tenantsOf(parts),
    intervalMs() {
      const tenants = tenantsOf(parts)
      const list = parts.reader.tenants()?.list.filter(({ id }) => tenants.has(id)) ?? []
      return Math.max(minDelayMs, pacedMs(parts, tenantsCost(parts, statesOperation, list).points))
    },
    changed() {
      if (isPlanned) return
      isPlanned = true
      parts.options.clock.after(collectMs, () => {
        isPlanned = false
        if (!parts.signal.aborted) void report(parts)
      })
    },
  }
}

async function report(parts: UnsubscribedOptions): Promise<void> {
  const { data, service, connection, onState } = parts.options
  const ids = [...parts.link.parked().keys()]
  noteUnsubscribed(parts)
  onState()
  try {
    await data.unsubscribed({ service, connection, ids })
  } catch (error) {
    parts.faults.note('storage', 'this computer', toFault(error))
  }
  if (ids.length > 0) parts.requests.add('poll')
}

/** Records as a fault how many devices of each tenant are not live, with the service's reason. */
function noteUnsubscribed({ link, reader, devices, faults }: UnsubscribedOptions): void {
  const parked = link.parked()
  for (const { id: tenant, name } of reader.tenants()?.list ?? []) {
    const all = devices.of(tenant)
    const of = [...(all ?? [])].filter((id) => parked.has(id))
    const why = parked.get(of[0] ?? '')
    const known = faults.get(keyOf(tenant)) !== null
    if (why === undefined && !known) continue
    const reason = why?.detail === undefined || why.detail === '' ? '' : `: ${why.detail}`
    faults.note(
      keyOf(tenant),
      name,
      why === undefined
        ? null
        : { kind: 'not-live', detail: `${of.length} of ${all?.size ?? of.length} devices${reason}` },
    )
  }
}

const keyOf = (tenant: string): string => `unsubscribed ${tenant}`

function tenantsOf({ link, devices, reader }: UnsubscribedOptions): ReadonlySet<string> {
  if (link.isPolling()) return new Set(reader.ownTenants().map(({ id }) => id))
  const parked = link.parked()
  if (parked.size === 0) return new Set()
  return new Set(devices.tenants().filter((tenant) => hasSome(devices.of(tenant) ?? [], parked)))
}

function hasSome(ids: Iterable<string>, parked: ReadonlyMap<string, unknown>): boolean {
  for (const id of ids) if (parked.has(id)) return true
  return false
}
