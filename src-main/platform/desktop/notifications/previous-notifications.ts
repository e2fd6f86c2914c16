import { z } from 'zod'
import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { openedBy } from '../../../../src-shared/navigation/link.ts'
import { desktopNotificationId } from '../../../../src-shared/notifications/desktop-notification.ts'
import type { Core } from '../../../core.ts'

/** A notification of a former run, as Electron's `Notification` has it. */
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
  /** macOS: what still stands there; empty when the application is not signed. It may never answer. */
  history(): Promise<PreviousNotification[]>
  /** Windows: hears each click, also the one that started Muster. */
  onActivation(listener: (details: { type: string; arguments: string }) => void): void
  /** Whether a notification of this run hears its own clicks. */
  isLive(id: string): boolean
  open(what: EventData<'open'>): void
}

/**
 * A click on a notification of a former run opens what it told of, where the system hands such clicks on: macOS and
 * Windows. On Linux the digest and the tray lead there. Answers what is to be kept, or macOS' clicks are lost; it may come to be
 * more, and nothing waits for that.
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
  const kept: PreviousNotification[] = []
  // Whoever clicks wants to see something: where it is not known any more what, all incidents.
  const openTold = async (id: string | null) =>
    open((id === null ? null : await toldAs(core, id)) ?? openedBy({ to: 'screen', screen: 'incidents' }))
  if (platform === 'win32') {
    onActivation(({ type, arguments: text }) => {
      // As `launch` of our own toasts has it (toast.ts); of others it is empty.
      const id = new URLSearchParams(text).get('tag')
      if (type === 'click' && (id === null || !isLive(id))) void openTold(id)
    })
  }
  if (platform === 'darwin') {
    if (launched !== null) void openTold(launched)
    history().then(
      (all) => {
        for (const notification of all) {
          kept.push(notification)
          notification.on('click', () => {
            notification.close()
            void openTold(notification.id)
          })
        }
      },
      () => {},
    )
  }
  return kept
}

/** The response by which macOS starts an application (NotificationResponse of Electron); other actions than a click start nothing of Muster's. */
const response = z.object({
  identifier: z.string().min(1),
  actionIdentifier: z.literal('com.apple.UNNotificationDefaultActionIdentifier'),
})

/** Of what comes with `ready`, the id of the notification that was clicked to start Muster; null when something else did. */
export function launchedBy(info: unknown): string | null {
  return response.safeParse(info).data?.identifier ?? null
}

/** What the newest telling by this id opens, or the incident of that id; null for what is known no longer. */
async function toldAs({ handlers }: Pick<Core, 'handlers'>, id: string): Promise<EventData<'open'> | null> {
  try {
    const { notifications } = await handlers['app.state']({})
    const told = notifications.recent.find((one) => desktopNotificationId(one) === id)
    if (told !== undefined) return told.open
    const { shown } = await handlers['incidents.show']({ id: id.slice(0, 64) })
    return shown === null ? null : { ...shown.incident.open, incident: id }
  } catch {
    // The window is there all the same, and the list of what was told.
    return null
  }
}
