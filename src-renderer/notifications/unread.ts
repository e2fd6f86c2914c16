import type { Session } from '../lib/session.ts'
import { createStore, type Store } from '../lib/store.ts'

/** The number of notifications since the list was last opened. Those from before the window opened count as seen. */
export interface Unread {
  count: Store<number>
  /** Marks all as seen: the list was opened, or a notification was. */
  see(): void
  stop(): void
}

export function startUnread(session: Session): Unread {
  const count = createStore(0)
  let seen: ReadonlySet<string> | null = null

  function follow() {
    const { app } = session.state.get()
    if (app === null) return
    const ids = app.notifications.recent.map(({ id }) => id)
    seen ??= new Set(ids)
    count.set(ids.filter((id) => seen?.has(id) !== true).length)
  }

  function see() {
    seen = null
    follow()
  }

  const offs = [session.state.subscribe(follow), session.onOpen(see)]
  follow()
  return { count, see, stop: () => offs.forEach((off) => off()) }
}
