import type { EventData } from '../../../../src-shared/contract/contract.ts'
import { createBoard, type Board, type Shown } from '../../../../src-shared/notifications/desktop-notification.ts'
import { messageBody, messageTitle } from '../../../../src-shared/text/messages.ts'
import { timeText } from '../../../../src-shared/text/names.ts'
import type { Core } from '../../../core.ts'

type Notification = EventData<'notification'>

/** What a notification says. `id`: the next of the same takes its place; `silent`: without a sound. */
export interface NotificationText {
  id: string
  title: string
  body: string
  silent?: boolean
  urgency: 'normal'
}

/** One of the system's, as Electron's `Notification` has it. */
export interface SystemNotification {
  on(event: 'click' | 'failed', listener: () => void): unknown
  show(): void
  close(): void
}

export interface DesktopNotificationsOptions {
  isSupported(): boolean
  create(words: NotificationText): SystemNotification
  onClick(told: Notification): void
  /** Whether times are written in UTC. */
  utc(): boolean
  /** The system did not show it: tray and window have to. */
  onFailed(): void
  /** A telling was shown, or was not; that it was may turn out to be wrong a little later. */
  onShown(told: Notification, shown: boolean): void
}

export interface DesktopNotifications extends Board {
  /** Says something about Muster itself, in the place of what it said before. */
  say(title: string, body: string): void
  stop(): void
}

/**
 * The system's notifications. Each is referenced until it is clicked, or its click would be lost with it. The former one
 * is closed before the next of the same id is shown: Linux cannot change one that is shown, and on macOS and Windows
 * nothing that is still to be collected may then take the new one with it.
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
      // Some systems say at once that they will not show it.
      if (!refused) return notification
    }
    return null
  }
  const board = createBoard(({ id, told, silent }, before) => {
    before?.close()
    const clicked = () => {
      board.drop(id)
      onClick(told)
    }
    const failed = () => {
      board.take((one) => one === told)
      onShown(told, false)
      onFailed()
    }
    const time = (at: number) => timeText(at, told.at, utc())
    const [title, body] = [messageTitle(told.message, time), messageBody(told.message, time)]
    const shown = put({ id, title, body, silent }, clicked, failed)
    if (shown !== null) onShown(told, true)
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
      board.take(() => true)
    },
  }
}

/** Lets the core know what was shown, for whoever asks why he was told. What cannot be kept of it is kept as not known. */
export function reportDelivery({ handlers }: Pick<Core, 'handlers'>): DesktopNotificationsOptions['onShown'] {
  return ({ id, at }, shown) => void handlers['notifications.delivered']({ id, at, shown }).catch(() => undefined)
}
