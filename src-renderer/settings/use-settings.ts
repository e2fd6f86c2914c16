import { usualSettings, type Settings } from '../../src-shared/settings.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'

const first = usualSettings(false)

/** The operator's settings as they are now; before the core answered, the usual ones. */
export function useSettings(): Settings {
  const { session } = useSurroundings()
  return useStore(session.state, ({ app }) => app?.settings ?? first)
}

/** Height of a table's row in CSS pixels, for each density; `--row-height` says the same to the style sheets. */
const rowHeights: Record<Settings['density'], number> = { compact: 28, comfortable: 36 }

export function useRowHeight(): number {
  return rowHeights[useSettings().density]
}
