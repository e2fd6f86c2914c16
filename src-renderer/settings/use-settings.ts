import { defaultSettings, type Settings } from '../../src-shared/model/settings.ts'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'

const first = defaultSettings(false)

/** Returns the operator's present settings, or the defaults before the core's first answer. */
export function useSettings(): Settings {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.settings ?? first)
}

/** Height of a table row for each density, in CSS pixels. `--row-height` has the same value for the style sheets. */
const rowHeights: Record<Settings['density'], number> = { compact: 28, comfortable: 36 }

export function useRowHeight(): number {
  return rowHeights[useSettings().density]
}
