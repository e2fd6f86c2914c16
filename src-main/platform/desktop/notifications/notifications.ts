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
  create(words: NotificationText): SystemNotification
  onClick(told: Notification): void
  /** Returns whether times are shown in UTC. */
  utc(): boolean
  /** Called when the system did not show it, so that tray and window do. */
  onFailed(): void
  /** Called when a notification was shown or not; a success may be corrected a little later. */
  onShown(told: Notification, shown: boolean): void
}

export interface DesktopNotifications extends Board {
  /** Shows a message about Muster itself, which replaces the former one. */
  say(title: string, body: string): void
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
  onShown,
}: DesktopNotificationsOptions): DesktopNotifications {
  let said: Shown | null = null

  function put(words: Omit<NotificationText, 'urgency'>, clicked: () => void, failed: () => void): Shown | null {
    let refused = !isSupported()
    const refuse = () => {
      refused = true
      failed()
    }
    if (refused) failed()
    else {
      const notification = create({ urgency: 'normal', ...words })
      notification.on('click', clicked)
      notification.on('failed', refuse)
      notification.show()
      // Some systems report at once that they will not show it.
      if (!refused) return notification
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
      onShown(notification, false)
      onFailed()
    }
    const time = (at: number) => timeText(at, notification.at, utc())
    const [title, body] = [messageTitle(notification.message, time), messageBody(notification.message, time)]
    const shown = put({ id, title, body, silent }, clicked, failed)
    if (shown !== null) onShown(notification, true)
    return shown
  })
  const hush = () => {
    said?.close()
    said = null
  }
  return {
    ...board,
    say(title, body) {
      hush()
      said = put({ id: 'muster', title, body }, hush, onFailed)
    },
    stop() {
      hush()
      board.closeMatching(() => true)
    },
  }
}

/**
 * Returns a listener that reports to the core whether a notification was shown. A failed report counts as not
 * confirmed.
 */
export function reportDelivery({ handlers }: Pick<Core, 'handlers'>): DesktopNotificationsOptions['onShown'] {
  return ({ id, at }, shown) => void handlers['notifications.delivered']({ id, at, shown }).catch(() => undefined)
}
