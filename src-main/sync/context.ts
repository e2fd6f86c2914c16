import type { Fault } from '../../src-shared/model/fault.ts'
import type { Lane } from '../../src-shared/model/gauge.ts'
import type { Member } from './assignments/assignments.ts'
import { retryKey, type Faults } from './faults.ts'
import type { Doubts } from './health/doubts.ts'
import type { Visibility } from './health/visibility.ts'
import type { Devices } from './link/devices.ts'
import type { Freshness } from './link/freshness.ts'
import type { Link } from './link/link.ts'
import type { Unsubscribed } from './link/unsubscribed.ts'
import type { ConnectionSyncOptions } from './options.ts'
import type { Priorities } from './reader/priorities.ts'
import type { Reader } from './reader/reader.ts'
import type { Requests } from './reader/requests.ts'
import type { Schedule } from './reader/schedule.ts'
import type { SyncTools } from './tenants/tenant-sync.ts'

/** The parts of one connection's sync. Each owns its state. */
export interface SyncContext {
  readonly options: ConnectionSyncOptions
  /** Aborts when the sync stops. */
  readonly signal: AbortSignal
  /** This connection among those that list the same tenants. */
  readonly member: Member
  readonly faults: Faults
  readonly requests: Requests
  readonly doubts: Doubts
  readonly devices: Devices
  readonly reader: Reader
  readonly schedule: Schedule
  readonly priorities: Priorities
  readonly link: Link
  readonly unsubscribed: Unsubscribed
  readonly freshness: Freshness
  readonly visibility: Visibility
}

/** Returns the tools for a tenant's sync, in this lane. */
export function toolsOf(sync: SyncContext, lane: Lane): Omit<SyncTools, 'capabilities'> {
  const { options, signal, doubts, devices, faults, reader } = sync
  const onIds = (tenant: string, ids: string[]) => devices.add(tenant, ids)
  // Recorded at once: the attempts of a page may take minutes.
  const onRetry = (tenant: string, why: Fault | null) => faults.note(retryKey(tenant), reader.nameOf(tenant), why)
  return { ...options, signal, lane, doubts, onIds, onRetry }
}
