import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { ExpectedReboot, JobKind, Obstacle } from '../../../src-shared/model/jobs.ts'
import type { Sender } from '../../connections/senders.ts'
import type { InventoryData } from '../../inventory/thread/protocol.ts'
import type { Log } from '../../ports.ts'

/** Returns who sends a kind of action to a tenant (its key) now, or why nobody does. */
export type SenderFor = (tenant: string, kind: JobKind) => { sender: Sender } | { obstacle: Obstacle }

/** What a job needs to be carried out. */
export interface EffectOptions {
  data: Pick<InventoryData, 'actionDevices'>
  clock: Clock
  senderFor: SenderFor
  /** Called when the service said that the role of a sender may not do this in a tenant. */
  onForbidden: (sender: Sender, tenant: string, kind: JobKind) => void
}

export interface JobsOptions extends EffectOptions {
  data: Pick<InventoryData, 'actionDevices' | 'createJob' | 'saveJob' | 'openJobs' | 'jobs' | 'device'>
  log: Log
  /** Called when a job changed, after that is on disk. */
  onChange: () => void
  /** Called with all reboots whose drop is expected, whenever they change, before they are sent. */
  onExpected: (all: readonly ExpectedReboot[]) => void
}
