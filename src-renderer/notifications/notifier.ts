import type { EventData } from '../../src-shared/contract/contract.ts'
import type { IncidentSummary } from '../../src-shared/model/incidents.ts'
import {
  createBoard,
  mayHaveSettled,
  severityIn,
  takeSettled,
  type Shown,
} from '../../src-shared/notifications/desktop-notification.ts'
import type { Session } from '../lib/session.ts'
import type { Permission } from './format.ts'
import { bodyText, titleText } from '../lib/format/messages.ts'
import { createStore, type Store } from '../lib/store.ts'

/** What is used of the browser's notifications. */
export interface Desktop {
  permission(): 'default' | 'granted' | 'denied'
  ask(): Promise<unknown>
  /** Whether this window would show them; one that does not hear the core would keep them from the others. */
  offer(willing: boolean): void
  /** Whether this window shows them: of all windows of Muster in this browser that are willing one does. */
  leads(): boolean
  /** `tag`: a second one with the same tag takes the place of the first. `silent`: it calls nobody a second time. */
  show(title: string, options: { body: string; tag: string; silent: boolean }, onClick: () => void): Shown
  /** Brings the window before the operator. */
  raise(): void
}

export interface Notifier {
  permission: Store<Permission>
  /** Asks the browser; only after a click of the operator, as browsers want it. */
  ask(): Promise<void>
  stop(): void
}

/** Shows what is told on the desktop, one notice for each incident; a click raises the window and opens the thing. */
export function startNotifier(session: Session, desktop: Desktop | null): Notifier {
  const permission = createStore<Permission>('none')
  const look = () => {
    const shell = session.state.get().app?.shell
    permission.set(shell === 'electron' ? 'core' : (desktop?.permission() ?? 'none'))
  }
  const notices = desktop === null ? null : startDesktopNotifications(session, desktop)
  const report = (told: EventData<'notification'>) => {
    look()
    if (permission.get() === 'granted') notices?.report(told)
  }
  const offs = [session.pipe.on('notification', report), session.state.subscribe(look)]
  look()
  return {
    permission,
    async ask() {
      await desktop?.ask()
      look()
    },
    stop() {
      for (const off of offs) off()
      notices?.stop()
    },
  }
}

function startDesktopNotifications(session: Session, desktop: Desktop) {
  const board = createBoard(({ id, told, silent }) => {
    const times = session.state.get().app?.settings.times ?? 'local'
    const { message, at } = told
    const body = bodyText(message, at, times)
    return desktop.show(titleText(message, at, times), { body, tag: id, silent }, () => {
      board.drop(id)
      desktop.raise()
      session.open(told.open)
    })
  })
  const ask = async (id: string) => {
    const answer = await session.pipe.call('incidents.show', { id })
    return answer.ok ? (answer.value.shown?.incident ?? null) : undefined
  }
  let summary: IncidentSummary | null = session.state.get().app?.incidents ?? null
  const hear = () => {
    desktop.offer(session.state.get().reach.state === 'reached')
    const [before, now] = [summary, session.state.get().app?.incidents ?? null]
    if (now === null || now === before) return
    summary = now
    board.weigh(now)
    if (before === null || mayHaveSettled(before, now) || now.monitoringLost < before.monitoringLost)
      void takeSettled(board, now, ask)
  }
  const off = session.state.subscribe(hear)
  hear()
  return {
    report(told: EventData<'notification'>) {
      if (!desktop.leads()) return
      board.show(told, summary === null ? null : severityIn(summary, told))
      void session.pipe.call('notifications.delivered', { id: told.id, at: told.at, shown: true })
    },
    stop() {
      off()
      desktop.offer(false)
    },
  }
}

/** The browser's own; null where there is none. */
export function browserDesktop(): Desktop | null {
  if (!('Notification' in window)) return null
  return {
    ...createLead(),
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    show(title, { body, tag, silent }, onClick) {
      // Browsers want a tag with `renotify`, and refuse one that is silent as well; the type does not know it yet.
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

/** The first that is willing leads, and after it the next; without the browser's locks each one does. */
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

/** Waits for the lead and holds it until the answer is called. */
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
