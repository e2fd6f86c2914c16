import { longestHandoverMs } from '../../../src-shared/model/bounds.ts'
import type { Message } from '../../../src-shared/model/messages.ts'

/** What one time of a maintenance window holds. */
export interface MaintenanceRun {
  /** Of this time of this window over this node (policies.ts). */
  id: string
  name: string
  node: string
  /** Until when it holds as far as is known, or, when it is over, until when its report waits for what is not seen. */
  until: number
  /** When it was found to be over. */
  endedAt: number | null
  /** Devices that went down in it. */
  keys: readonly string[]
  /** Those of them that went down while Muster did not see whether it still held: the span in which all of them did, and until when the report waits for more of them. */
  unseenDrops: { keys: readonly string[]; from: number; until: number; settledAt: number } | null
}

/** What was told at the end of one time of a maintenance window. */
export interface MaintenanceReport {
  /** As of `Held`. */
  id: string
  name: string
  at: number
  message: Message
  /** As of a telling. */
  about: readonly string[]
}

/** More reports than this nobody reads, and all are written together. */
export const reportLimits = { ms: longestHandoverMs, most: 500 }
