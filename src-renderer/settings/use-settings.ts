import { defaultSettings, type Settings } from '../../src-shared/model/settings.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'

const first = defaultSettings(false)

/** The operator's settings as they are now; before the core answered, the usual ones. */
export function useSettings(): Settings {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.settings ?? first)
}

/** Height of a table's row in CSS pixels, for each density; `--row-height` says the same to the style sheets. */
const rowHeights: Record<Settings['density'], number> = { compact: 28, comfortable: 36 }

export function useRowHeight(): number {
  return rowHeights[useSettings().density]
}
