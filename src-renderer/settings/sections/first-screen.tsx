import { Choice } from '../../lib/ui/choice.tsx'
import { rowOf, type Parts } from '../fields/fields.tsx'
import { SettingRow } from '../fields/rows.tsx'

const firstScreens = [
  { value: 'overview', word: 'Overview' },
  { value: 'inventory', word: 'Inventory' },
] as const

/** The screen that a window opens with. */
export function FirstScreen(parts: Parts) {
  const { settings, defaults, coreLost, change } = parts
  const word = firstScreens.find(({ value }) => value === defaults.firstScreen)?.word ?? ''
  return (
    <SettingRow
      name="First screen"
      description="The screen that a window opens with."
      {...rowOf(parts, 'firstScreen', word)}
    >
      <Choice
        label="First screen"
        value={settings.firstScreen}
        options={firstScreens}
        disabled={coreLost}
        onChange={(firstScreen) => change({ firstScreen })}
      />
    </SettingRow>
  )
}
