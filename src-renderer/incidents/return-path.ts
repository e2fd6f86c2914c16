import type { Screen } from '../../src-shared/navigation/screens.ts'
import type { ListView } from './list/list-view.ts'

/** Where the operator was when an incident was opened from elsewhere. */
export interface Origin {
  view: ListView
  /** Of the row that the keyboard stood on, and of the incident whose pane was open. */
  cursor: string | null
  opened: string | null
  /** Null: in this room. */
  room: Screen | null
}

/**
 * The way back from an incident that a notification, the tray or a link has opened: it is there until it is taken, or
 * until the operator goes on from where he was led to.
 */
export interface ReturnPath {
  /** An incident is opened. One that is opened right after another one does not change where the operator came from. */
  openedFrom(from: Omit<Origin, 'room'>): void
  /** He was in this room. */
  leftScreen(room: Screen): void
  take(): Origin | null
  forget(): void
}

export function createReturnPath(): ReturnPath {
  let origin: Origin | null = null
  return {
    openedFrom: (from) => void (origin ??= { ...from, room: null }),
    leftScreen: (room) => void (origin &&= { ...origin, room }),
    take() {
      const taken = origin
      origin = null
      return taken
    },
    forget: () => void (origin = null),
  }
}
