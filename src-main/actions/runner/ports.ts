import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { DeviceValues, ExpectedReboot, JobKind, Obstacle } from '../../../src-shared/model/jobs.ts'
import type { Sender } from '../../connections/senders.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'
import type { ActionJob } from '../../storage/journal/job-records.ts'
import type { Permission } from '../choose-sender.ts'
import type { OtherJobs } from './other-jobs.ts'

/**
 * Returns who carries out a job on a target in a tenant (its key) now, or why nobody does. `connections`: those that list
 * the device; null: any of the tenant's.
 */
export type SenderFor = (
  tenant: string,
  job: Pick<ActionJob['record'], 'kind' | 'linkedDevices'>,
  after: DeviceValues,
  connections: readonly string[] | null,
) => { sender: Sender } | { obstacle: Obstacle }

/** What a job needs to be carried out. */
export interface EffectOptions {
  data: Pick<InventoryData, 'actionDevices' | 'takenDevices'>
  clock: Clock
  /** The jobs of the team's other members. */
  others: OtherJobs
  senderFor: SenderFor
  /** Resolves when it is known what the senders of these tenants (keys) offer, or after a while. */
  ready: (tenants: readonly string[], signal: AbortSignal) => Promise<void>
  /** Called with what the service said to an operation of a sender, where that says something of the sender's role. */
  onPermission: (sender: Sender, kind: JobKind, permission: Permission) => void
}

export interface JobsOptions extends EffectOptions {
  data: Pick<
    InventoryData,
    | 'actionDevices'
    | 'takenDevices'
    | 'createJob'
    | 'saveJob'
    | 'takeJob'
    | 'openJobs'
    | 'job'
    | 'jobs'
    | 'device'
    | 'locations'
  >
  log: Log
  /** Called when a job changed, after that is on disk. */
  onChange: () => void
  /** Called with all reboots whose drop is expected, whenever they change, before they are sent. */
  onExpected: (all: readonly ExpectedReboot[]) => void
  /** Called when a job that changed names or places in these tenants (keys) is ended. */
  onWritten: (tenants: readonly string[], kind: JobKind) => void
}
