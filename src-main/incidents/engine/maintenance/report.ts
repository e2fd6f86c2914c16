import { z } from 'zod'
import { maxHandoverMs } from '../../../../src-shared/model/bounds.ts'
import { message } from '../../../../src-shared/model/messages.ts'

const keys = z.array(z.string()).readonly()

/** One run of a maintenance window, with the devices that went down in it. Times are in ms. */
export const maintenanceRun = z.object({
  /** Id of this run of the window over this node (policies.ts). */
  id: z.string(),
  name: z.string(),
  node: z.string(),
  /**
   * The known end of the run. After that end, the time until which its report waits for devices that are not visible.
   */
  until: z.number(),
  /** When Muster noticed the end of the run; null while it is active. */
  endedAt: z.number().nullable(),
  /** Keys of the devices that went down in it. */
  keys,
  /**
   * Those of them that went down while Muster did not see whether the window was still active: the span of their drops,
   * and the time until which the report waits for more of them. Older journals have none.
   */
  unseenDrops: z.object({ keys, from: z.number(), until: z.number(), settledAt: z.number() }).nullable().catch(null),
})
export type MaintenanceRun = z.infer<typeof maintenanceRun>

/** The notification at the end of one run of a maintenance window. */
export const maintenanceReport = z.object({
  /** Id of the run. */
  id: z.string(),
  name: z.string(),
  at: z.number(),
  message,
  /** As in `NotificationRecord`. */
  about: keys,
})
export type MaintenanceReport = z.infer<typeof maintenanceReport>

/** Limits for kept reports, because all of them are written together. */
export const reportLimits = { ms: maxHandoverMs, most: 500 }
