import { z } from 'zod'
import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { openedBy } from '../../../../src-shared/navigation/link.ts'
import { desktopNotificationId } from '../../../../src-shared/notifications/desktop-notification.ts'
import type { Core } from '../../../core.ts'

/** A notification of an earlier run, as Electron's `Notification`. */
export interface PreviousNotification {
  readonly id: string
  on(event: 'click', listener: () => void): unknown
  close(): void
}

export interface PreviousNotificationsOptions {
  platform: NodeJS.Platform
  core: Pick<Core, 'handlers'>
  /** macOS: id of the notification that was clicked to start Muster. */
  launched: string | null
  /** macOS: the notifications still shown; empty when the application is not signed. It may never resolve. */
  history(): Promise<PreviousNotification[]>
  /** Windows: calls the listener for each click, also for the one that started Muster. */
  onActivation(listener: (details: { type: string; arguments: string }) => void): void
  /** Returns whether a notification belongs to this run, which handles its clicks itself. */
  isLive(id: string): boolean
  open(what: EventData<'open'>): void
}

/**
 * Opens the target of a notification of an earlier run when it is clicked, on macOS and Windows. On Linux the digest
 * and the tray lead there. Returns the objects to keep referenced, otherwise macOS loses the clicks; the list may grow
 * later.
 */
export function followPreviousNotifications({
  platform,
  core,
  launched,
  history,
  onActivation,
  isLive,
  open,
}: PreviousNotificationsOptions): unknown[] {
  const referenced: PreviousNotification[] = []
  // A click always opens something: all incidents where the target is no longer known.
  const openTarget = async (id: string | null) =>
    open((id === null ? null : await targetOf(core, id)) ?? openedBy({ to: 'screen', screen: 'incidents' }))
  if (platform === 'win32') {
    onActivation(({ type, arguments: text }) => {
      // As `launch` of our own toasts (toast.ts); empty for others.
      const id = new URLSearchParams(text).get('tag')
      if (type === 'click' && (id === null || !isLive(id))) void openTarget(id)
    })
  }
  if (platform === 'darwin') {
    if (launched !== null) void openTarget(launched)
    history().then(
      (all) => {
        for (const notification of all) {
          referenced.push(notification)
          notification.on('click', () => {
            notification.close()
            void openTarget(notification.id)
          })
        }
      },
      () => {},
    )
  }
  return referenced
}

/**
 * The response with which macOS starts an application (NotificationResponse of Electron); only a click starts Muster.
 */
const response = z.object({
  identifier: z.string().min(1),
  actionIdentifier: z.literal('com.apple.UNNotificationDefaultActionIdentifier'),
})

/**
 * Returns the id of the notification that was clicked to start Muster, from the data of `ready`; null when something
 * else did.
 */
export function launchedBy(info: unknown): string | null {
  return response.safeParse(info).data?.identifier ?? null
}

/**
 * Resolves with the target of the newest notification with this id, or the incident of that id; null when it is no
 * longer known.
 */
async function targetOf({ handlers }: Pick<Core, 'handlers'>, id: string): Promise<EventData<'open'> | null> {
  try {
    const { notifications } = await handlers['app.state']({})
    const found = notifications.recent.find((one) => desktopNotificationId(one) === id)
    if (found !== undefined) return found.open
    const { shown } = await handlers['incidents.show']({ id: id.slice(0, 64) })
    return shown === null ? null : { ...shown.incident.open, incident: id }
  } catch {
    // The window opens nevertheless, with the list of notifications.
    return null
  }
}
