import type { EventData } from '../../src-shared/contract/contract.ts'
import type { IncidentSummary } from '../../src-shared/model/incidents.ts'
import {
  createBoard,
  mayHaveSettled,
  severityIn,
  closeSettled,
  type Shown,
} from '../../src-shared/notifications/desktop-notification.ts'
import type { Session } from '../lib/session.ts'
import type { Permission } from './format.ts'
import { bodyText, titleText } from '../lib/format/messages.ts'
import { createStore, type Store } from '../lib/store.ts'

/** The used part of the browser's notification API. */
export interface Desktop {
  permission(): 'default' | 'granted' | 'denied'
  ask(): Promise<unknown>
  /**
   * Offers or withdraws this window as the one that shows notifications. A window that cannot reach the core must not,
   * because the others would then show none.
   */
  offer(willing: boolean): void
  /** Returns whether this window shows notifications: of all willing windows of Muster in this browser, one does. */
  leads(): boolean
  /** Shows a notification. `tag`: a second one with the same tag replaces the first. `silent`: no sound. */
  show(title: string, options: { body: string; tag: string; silent: boolean }, onClick: () => void): Shown
  /** Brings the window to the front. */
  raise(): void
}

export interface Notifier {
  permission: Store<Permission>
  /** Asks the browser for permission. Browsers allow this only after a click of the operator. */
  ask(): Promise<void>
  stop(): void
}

/** Shows desktop notifications, one for each incident. A click raises the window and opens the target. */
export function startNotifier(session: Session, desktop: Desktop | null): Notifier {
  const permission = createStore<Permission>('none')
  const readPermission = () => {
    const shell = session.state.get().app?.shell
    permission.set(shell === 'electron' ? 'core' : (desktop?.permission() ?? 'none'))
  }
  const desktopNotifications = desktop === null ? null : startDesktopNotifications(session, desktop)
  const report = (notification: EventData<'notification'>) => {
    readPermission()
    if (permission.get() === 'granted') desktopNotifications?.report(notification)
  }
  const offs = [session.pipe.on('notification', report), session.state.subscribe(readPermission)]
  readPermission()
  return {
    permission,
    async ask() {
      await desktop?.ask()
      readPermission()
    },
    stop() {
      for (const off of offs) off()
      desktopNotifications?.stop()
    },
  }
}

function startDesktopNotifications(session: Session, desktop: Desktop) {
  const board = createBoard(({ id, notification, silent }) => {
    const times = session.state.get().app?.settings.times ?? 'local'
    const { message, at } = notification
    const body = bodyText(message, at, times)
    return desktop.show(titleText(message, at, times), { body, tag: id, silent }, () => {
      board.drop(id)
      desktop.raise()
      session.open(notification.open)
    })
  })
  const ask = async (id: string) => {
    const answer = await session.pipe.call('incidents.show', { id })
    return answer.ok ? (answer.value.shown?.incident ?? null) : undefined
  }
  let summary: IncidentSummary | null = session.state.get().app?.incidents ?? null
  const update = () => {
    desktop.offer(session.state.get().reach.state === 'reached')
    const [before, now] = [summary, session.state.get().app?.incidents ?? null]
    if (now === null || now === before) return
    summary = now
    board.evaluate(now)
    if (before === null || mayHaveSettled(before, now) || now.monitoringLost < before.monitoringLost)
      void closeSettled(board, now, ask)
  }
  const off = session.state.subscribe(update)
  update()
  return {
    report(notification: EventData<'notification'>) {
      if (!desktop.leads()) return
      board.show(notification, summary === null ? null : severityIn(summary, notification))
      void session.pipe.call('notifications.delivered', { id: notification.id, at: notification.at, shown: true })
    },
    stop() {
      off()
      desktop.offer(false)
    },
  }
}

/** Returns the browser's notification API; null without one. */
export function browserDesktop(): Desktop | null {
  if (!('Notification' in window)) return null
  return {
    ...createLead(),
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    show(title, { body, tag, silent }, onClick) {
      // Browsers require a tag with `renotify`, and reject one that is also silent. The type does not have `renotify`
      // yet.
      const options: NotificationOptions & { renotify: boolean } = { body, tag, silent, renotify: !silent }
      const shown = new Notification(title, options)
      shown.addEventListener('click', () => {
        shown.close()
        onClick()
      })
      return shown
    },
    raise: () => window.focus(),
  }
}

/** Makes the first willing window the leader, and after it the next. Without the browser's locks every window leads. */
function createLead(): Pick<Desktop, 'offer' | 'leads'> {
  let leading = false
  let withdraw: (() => void) | null = null
  return {
    leads: () => leading,
    offer(willing) {
      if (willing === (withdraw !== null)) return
      withdraw?.()
      withdraw = willing ? queueUp((now) => (leading = now)) : null
    },
  }
}

/** Waits for the lead and holds it until the returned function is called. */
function queueUp(onLead: (leading: boolean) => void): () => void {
  const waiting = new AbortController()
  let release = () => {}
  const hold = () => {
    onLead(true)
    return new Promise<void>((resolve) => (release = resolve))
  }
  if ('locks' in navigator)
    navigator.locks
      .request('muster-notifications', { signal: waiting.signal }, hold)
      .catch(() => onLead(!waiting.signal.aborted))
  else void hold()
  return () => {
    waiting.abort()
    release()
    onLead(false)
  }
}
