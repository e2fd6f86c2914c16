import { longestHandoverMs } from '../../../../src-shared/model/bounds.ts'
import type { Message } from '../../../../src-shared/model/messages.ts'

/** One run of a maintenance window, with the devices that went down in it. Times are in ms. */
export interface MaintenanceRun {
  /** Id of this run of the window over this node (policies.ts). */
  id: string
  name: string
  node: string
  /**
   * The known end of the run. After that end, the time until which its report waits for devices that are not visible.
   */
  until: number
  /** When Muster noticed the end of the run; null while it is active. */
  endedAt: number | null
  /** Keys of the devices that went down in it. */
  keys: readonly string[]
  /**
   * Those of them that went down while Muster did not see whether the window was still active: the span of their drops,
   * and the time until which the report waits for more of them.
   */
  unseenDrops: { keys: readonly string[]; from: number; until: number; settledAt: number } | null
}

/** The notification at the end of one run of a maintenance window. */
export interface MaintenanceReport {
  /** Id of the run. */
  id: string
  name: string
  at: number
  message: Message
  /** As in `NotificationRecord`. */
  about: readonly string[]
}

/** Limits for kept reports, because all of them are written together. */
export const reportLimits = { ms: longestHandoverMs, most: 500 }
