import type { Notification, NotificationConstructorOptions } from 'electron'
import type { EventData } from '../../src-shared/contract.ts'

type Told = EventData<'tell'>

export interface NotifyOptions {
  isSupported(): boolean
  create(options: NotificationConstructorOptions): Pick<Notification, 'on' | 'show' | 'close'>
  onClick(told: Told): void
  /** The system did not show it: tray and window have to. */
  onFailed(told: Told): void
}

export interface Notices {
  show(told: Told): void
  stop(): void
}

/** More of them than this nobody clicks on any more. */
const kept = 50

/**
 * The system's notifications. Each is referenced until it is clicked, or its click would be lost with it; one that tells
 * of the same thing replaces the one before (Linux cannot change one that is shown).
 */
export function startNotices(options: NotifyOptions): Notices {
  const shown = new Map<string, ReturnType<NotifyOptions['create']>>()
  const drop = (id: string) => {
    const notification = shown.get(id)
    shown.delete(id)
    notification?.close()
  }
  return {
    show(told) {
      if (!options.isSupported()) return options.onFailed(told)
      drop(told.id)
      const notification = options.create({ id: told.id, title: told.title, body: told.body, urgency: 'normal' })
      shown.set(told.id, notification)
      notification.on('click', () => {
        drop(told.id)
        options.onClick(told)
      })
      notification.on('failed', () => {
        shown.delete(told.id)
        options.onFailed(told)
      })
      notification.show()
      const oldest = shown.size > kept ? shown.keys().next().value : undefined
      if (oldest !== undefined) drop(oldest)
    },
    stop() {
      for (const id of shown.keys()) drop(id)
    },
  }
}
