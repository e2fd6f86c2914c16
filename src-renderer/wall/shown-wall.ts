import { everything } from '../../src-shared/model/inventory.ts'
import type { Session } from '../lib/session.ts'
import { createStore } from '../lib/store.ts'

/** The wall display is shown in place of the console. */
export const wallShown = createStore(false)

/** Shows the wall display. It is the last thing that was opened, so that the console opens nothing when it returns. */
export const showWall = (session: Pick<Session, 'open'>): void =>
  session.open({ scope: everything, filter: '', device: null, wall: true })
