import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { createBoard, type Board, type Shown } from '../../../../src-shared/notifications/desktop-notification.ts'
import { messageBody, messageTitle } from '../../../../src-shared/text/messages.ts'
import { timeText } from '../../../../src-shared/text/names.ts'
import type { Core } from '../../../core.ts'

type Notification = EventData<'notification'>

/** Text of a notification. `id`: the next one with the same id replaces it; `silent`: without a sound. */
export interface NotificationText {
  id: string
  title: string
  body: string
  silent?: boolean
  urgency: 'normal'
}

/** A notification of the system, as Electron's `Notification`. */
export interface SystemNotification {
  on(event: 'click' | 'failed', listener: () => void): unknown
  show(): void
  close(): void
}

export interface DesktopNotificationsOptions {
  isSupported(): boolean
  create(content: NotificationText): SystemNotification
  onClick(notification: Notification): void
  /** Returns whether times are shown in UTC. */
  utc(): boolean
  /** Called when the system did not show it, so that tray and window do. */
  onFailed(): void
  /** Called when a notification was shown or not; a success may be corrected a little later. */
  onDelivery(notification: Notification, shown: boolean): void
}

export interface DesktopNotifications extends Board {
  /** Shows a message about Muster itself, which replaces the former one. */
  notify(title: string, body: string): void
  stop(): void
}

/**
 * The system's notifications. Each is referenced until it is clicked, otherwise its click would be lost. The former one
 * is closed before the next with the same id is shown: Linux cannot change a shown one, and on macOS and Windows its
 * garbage collection must not remove the new one.
 */
export function startDesktopNotifications({
  isSupported,
  create,
  utc,
  onClick,
  onFailed,
  onDelivery,
}: DesktopNotificationsOptions): DesktopNotifications {
  let ownMessage: Shown | null = null

  function display(content: Omit<NotificationText, 'urgency'>, clicked: () => void, failed: () => void): Shown | null {
    let isRejected = !isSupported()
    const fail = () => {
      isRejected = true
      failed()
    }
    if (isRejected) failed()
    else {
      const systemNotification = create({ urgency: 'normal', ...content })
      systemNotification.on('click', clicked)
      systemNotification.on('failed', fail)
      systemNotification.show()
      // Some systems report at once that they will not show it.
      if (!isRejected) return systemNotification
    }
    return null
  }
  const board = createBoard(({ id, notification, silent }, before) => {
    before?.close()
    const clicked = () => {
      board.drop(id)
      onClick(notification)
    }
    const failed = () => {
      board.closeMatching((one) => one === notification)
      onDelivery(notification, false)
      onFailed()
    }
    const time = (at: number) => timeText(at, notification.at, utc())
    const [title, body] = [messageTitle(notification.message, time), messageBody(notification.message, time)]
    const shown = display({ id, title, body, silent }, clicked, failed)
    if (shown !== null) onDelivery(notification, true)
    return shown
  })
  const closeOwn = () => {
    ownMessage?.close()
    ownMessage = null
  }
  return {
    ...board,
    notify(title, body) {
      closeOwn()
      ownMessage = display({ id: 'muster', title, body }, closeOwn, onFailed)
    },
    stop() {
      closeOwn()
      board.closeMatching(() => true)
    },
  }
}

/**
 * Returns a listener that reports to the core whether a notification was shown. A failed report counts as not
 * confirmed.
 */
export function reportDelivery({ handlers }: Pick<Core, 'handlers'>): DesktopNotificationsOptions['onDelivery'] {
  return ({ id, at }, shown) => void handlers['notifications.delivered']({ id, at, shown }).catch(() => undefined)
}
