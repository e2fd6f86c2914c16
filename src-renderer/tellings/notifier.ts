import type { EventData } from '../../src-shared/contract.ts'
import type { Session } from '../session.ts'
import { toldWords } from './words.ts'
import { createStore, type Store } from '../store.ts'

/** `none`: this browser has no notifications, or this page may not ask. `core`: the desktop application shows them itself. */
export type Permission = 'default' | 'granted' | 'denied' | 'none' | 'core'

/** What is used of the browser's notifications. */
export interface Desktop {
  permission(): 'default' | 'granted' | 'denied'
  ask(): Promise<unknown>
  /** `tag`: a second one with the same tag takes the place of the first, whichever window shows it. */
  show(title: string, options: { body: string; tag: string }, onClick: () => void): void
  /** Brings the window before the operator. */
  raise(): void
}

export interface Notifier {
  permission: Store<Permission>
  /** Asks the browser; only after a click of the operator, as browsers want it. */
  ask(): Promise<void>
  stop(): void
}

/** Shows each `tell` on the desktop, once however many windows are open; a click raises the window and opens the thing. */
export function startNotifier(session: Session, desktop: Desktop | null): Notifier {
  const permission = createStore<Permission>('none')
  const look = () => {
    const shell = session.state.get().app?.shell
    permission.set(shell === 'electron' ? 'core' : (desktop?.permission() ?? 'none'))
  }

  function tell(told: EventData<'tell'>) {
    look()
    if (desktop === null || permission.get() !== 'granted') return
    const times = session.state.get().app?.settings.times ?? 'local'
    const said = (part: 'title' | 'body') => toldWords(told, part, told.at, times)
    desktop.show(said('title'), { body: said('body'), tag: told.id }, () => {
      desktop.raise()
      session.open(told.open)
    })
  }

  const offs = [session.pipe.on('tell', tell), session.state.subscribe(look)]
  look()
  return {
    permission,
    async ask() {
      await desktop?.ask()
      look()
    },
    stop: () => offs.forEach((off) => off()),
  }
}

/** The browser's own; null where there is none. */
export function browserDesktop(): Desktop | null {
  if (!('Notification' in window)) return null
  return {
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    show(title, options, onClick) {
      const shown = new Notification(title, options)
      shown.addEventListener('click', () => {
        shown.close()
        onClick()
      })
    },
    raise: () => window.focus(),
  }
}
