import { z } from 'zod'
import { notification } from '../../../src-shared/model/inventory.ts'

/** A notification as the engine holds it and the journal stores it. Older journals lack the fields with `catch`. */
export const notificationRecord = z.object({
  content: notification,
  /** Keys of the tenants that it concerns, each with a `/` at its end, and of the devices that it names. */
  about: z.array(z.string()).readonly(),
  /** Ids of the incidents that it reports. */
  incidentIds: z.array(z.string()).readonly().catch([]),
  /** The kind of a digest that may grow; `none` for a notification of one incident. */
  digestKind: z.enum(['monitoring-lost', 'monitoring-restored', 'absence', 'storm', 'none']).catch('none'),
  /** When it was first sent (ms). */
  firstAt: z.number().catch(0),
  /** True while it may still grow. */
  isGrowing: z.boolean().catch(false),
  /** Its earlier messages, the newest first, and how often it was sent. */
  earlier: z
    .array(notification.pick({ at: true, message: true }))
    .readonly()
    .catch([]),
  times: z.int().catch(1),
})
export type NotificationRecord = z.infer<typeof notificationRecord>
