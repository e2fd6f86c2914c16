import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { screens } from '../../../src-shared/navigation/screens.ts'
import { wallShown } from '../../wall/shown-wall.ts'
import { lastScreen } from './use-screen.ts'

/** Name in the session storage, which a reload keeps. */
const key = 'muster.screen'

/**
 * Loads the window again when the core has started again with other data, because all that the window holds is of the
 * data before. The window then shows the screen that it showed, or the wall display. Returns a function that stops it.
 */
export function followRestarts(
  { on }: Pick<Pipe, 'on'>,
  { sessionStorage, location }: Pick<Window, 'sessionStorage' | 'location'>,
): () => void {
  const shown = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (shown === 'wall') wallShown.set(true)
  else lastScreen.set(screens.find((screen) => screen === shown) ?? null)
  return on('restarted', () => {
    sessionStorage.setItem(key, wallShown.get() ? 'wall' : (lastScreen.get() ?? ''))
    location.reload()
  })
}
