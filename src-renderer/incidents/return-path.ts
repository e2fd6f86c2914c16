import type { Screen } from '../../src-shared/navigation/screens.ts'
import type { ListView } from './list/list-view.ts'

/** The operator's position when an incident was opened from elsewhere. */
export interface Origin {
  view: ListView
  /** Ids of the incidents at the cursor and in the detail. */
  cursor: string | null
  opened: string | null
  /** Null: this screen. */
  screen: Screen | null
}

/**
 * The way back from an incident that a notification, the tray or a link has opened. It exists until it is taken, or
 * until the operator moves on.
 */
export interface ReturnPath {
  /** Notes the position when an incident is opened. Another one opened right after it does not change the position. */
  setOrigin(from: Omit<Origin, 'screen'>): void
  /** Notes the screen of the operator. */
  setScreen(screen: Screen): void
  take(): Origin | null
  forget(): void
}

export function createReturnPath(): ReturnPath {
  let origin: Origin | null = null
  return {
    setOrigin: (from) => void (origin ??= { ...from, screen: null }),
    setScreen: (screen) => void (origin &&= { ...origin, screen }),
    take() {
      const taken = origin
      origin = null
      return taken
    },
    forget: () => void (origin = null),
  }
}
